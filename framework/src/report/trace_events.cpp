#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "report/timeline.hpp"

namespace opgate::report {
namespace {

constexpr std::int64_t kNsPerUs = 1000;

// Kernel names come from the driver; what is not UTF-8 in them is replaced, as JSON can hold nothing else.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string value_text(const TimelineArg& arg) {
  if (const auto* const number = std::get_if<std::int64_t>(&arg.value)) return fmt::format("{}", *number);
  if (const auto* const number = std::get_if<double>(&arg.value)) return fmt::format("{:.1f}", *number);
  return quoted(std::get<std::string>(arg.value));
}

class Writer {
 public:
  explicit Writer(const Timeline& timeline) : timeline_(timeline) {}

  std::string write() {
    text_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":{";
    for (std::size_t i = 0; i < timeline_.facts.size(); ++i) {
      add("{}{}:{}", i == 0 ? "" : ",", quoted(timeline_.facts[i].first), quoted(timeline_.facts[i].second));
    }
    text_ += "},\"traceEvents\":[";
    name_processes();
    for (const TimelineTrack& track : timeline_.tracks) write_track(track);
    write_arrows();
    for (const ClockPoint& point : timeline_.clock) {
      begin();
      add(R"({{"ph":"C","pid":{},"name":"SM clock","ts":{},"args":{{"MHz":{:.1f}}}}})", point.process,
          since(point.time_ns), point.mhz);
    }
    text_ += "\n]}\n";
    return std::move(text_);
  }

 private:
  struct End {
    int process = 0;
    int thread = 0;
    std::int64_t time_ns = 0;
  };

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }
  void begin() {
    text_ += first_ ? "\n" : ",\n";
    first_ = false;
  }
  [[nodiscard]] std::string since(std::int64_t time_ns) const { return event_time(time_ns - timeline_.origin_ns); }

  void name_processes() {
    for (const auto& [process, name] : timeline_.processes) {
      begin();
      add(R"({{"ph":"M","pid":{0},"tid":0,"name":"process_name","args":{{"name":{1}}}}},)", process, quoted(name));
      add("\n"
          R"({{"ph":"M","pid":{0},"tid":0,"name":"process_sort_index","args":{{"sort_index":{0}}}}})",
          process);
    }
  }

  void write_track(const TimelineTrack& track) {
    const int thread = ++threads_[track.process];
    begin();
    add(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}},)", track.process, thread,
        quoted(track.name));
    add("\n"
        R"({{"ph":"M","pid":{0},"tid":{1},"name":"thread_sort_index","args":{{"sort_index":{1}}}}})",
        track.process, thread);
    for (const TimelineEvent& event : track.events) {
      begin();
      add(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"cat":{},"args":{{)", track.process, thread,
          since(event.interval.start_ns), event_time(event.interval.end_ns - event.interval.start_ns),
          quoted(event.name), quoted(event.category));
      for (std::size_t i = 0; i < event.args.size(); ++i) {
        add("{}\"{}\":{}", i == 0 ? "" : ",", event.args[i].name, value_text(event.args[i]));
      }
      text_ += "}}";
      remember(event, {track.process, thread, event.interval.start_ns});
    }
  }

  void remember(const TimelineEvent& event, const End& end) {
    if (event.correlation_id == 0) return;
    if (event.category.rfind("api", 0) == 0) {
      calls_.try_emplace(event.correlation_id, end);
    } else {
      launched_.emplace_back(event.correlation_id, end);
    }
  }

  // From each launching call to what it launched. A viewer binds an end to the event that is open there.
  void write_arrows() {
    int id = 0;
    for (const auto& [correlation_id, end] : launched_) {
      const auto call = calls_.find(correlation_id);
      if (call == calls_.end()) continue;
      ++id;
      begin();
      arrow("\"s\"", id, call->second);
      text_ += ",\n";
      arrow(R"("f","bp":"e")", id, end);
    }
  }
  void arrow(const char* phase, int id, const End& end) {
    add(R"({{"ph":{},"id":{},"pid":{},"tid":{},"ts":{},"name":"launch","cat":"launch"}})", phase, id, end.process,
        end.thread, since(end.time_ns));
  }

  const Timeline& timeline_;
  std::string text_;
  bool first_ = true;
  std::map<int, int> threads_;  // of each process
  std::map<std::uint32_t, End> calls_;
  std::vector<std::pair<std::uint32_t, End>> launched_;
};

}  // namespace

std::string event_time(std::int64_t time_ns) {
  std::string text = fmt::format("{}.{:03}", time_ns / kNsPerUs, time_ns % kNsPerUs);
  // Perfetto multiplies by 1,000 in doubles and cuts off: 1.001 would be 1,000 ns. A tenth of a ns more is none off.
  if (static_cast<std::int64_t>(std::strtod(text.c_str(), nullptr) * kNsPerUs) != time_ns) text += '1';
  return text;
}

std::string trace_events(const Timeline& timeline) {
  return Writer(timeline).write();
}

}  // namespace opgate::report
