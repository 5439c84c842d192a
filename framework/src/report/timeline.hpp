#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "collect/trace.hpp"
#include "core/intervals.hpp"

namespace opgate::report {

struct TimelineArg {
  std::string name;
  std::variant<std::int64_t, double, std::string> value;
};

struct TimelineEvent {
  std::string name;
  std::string category;
  core::Interval interval;
  std::vector<TimelineArg> args{};
  std::uint32_t correlation_id = 0;  // ties a call of the API to the work that it launched; 0: neither of them
};

// One row. Of two of its events either one ends before the other begins, or, where they nest, one lies inside the
// other.
struct TimelineTrack {
  int process = 0;
  std::string name;
  bool nests = false;
  std::vector<TimelineEvent> events{};  // by start
};

struct ClockPoint {
  int process = 0;
  std::int64_t time_ns = 0;
  double mhz = 0;
};

// What one phase, or one iteration of it, did. Rows: opgate's own steps, the threads of the host, and the streams of
// each device, with the span of every call and what lies between its kernels.
struct Timeline {
  std::int64_t origin_ns = 0;  // the earliest time shown
  std::map<int, std::string> processes;
  std::vector<TimelineTrack> tracks;
  std::vector<ClockPoint> clock;
  std::vector<std::pair<std::string, std::string>> facts;  // what is shown, and what is not
};

struct TimelineRequest {
  std::size_t phase = 0;                     // of Trace::phases
  std::optional<std::uint32_t> iteration{};  // this one alone
  std::size_t most_records = 20'000;         // a longer phase is cut to iterations around its median
};

// Pure. Records whose times are lost cannot be drawn; they are counted in the facts.
[[nodiscard]] Timeline timeline_of(const collect::Trace& trace, const TimelineRequest& request);

// "measure of this op, pass 1, 20 iterations, queued"
[[nodiscard]] std::string phase_words(const collect::TracePhase& phase);
// The phase that decides: of a reading that was refused the last, at which the measurement ended; else the first of
// this op's that lost nothing. Absent: a trace without phases.
[[nodiscard]] std::optional<std::size_t> deciding_phase(const collect::Trace& trace, bool refused);

enum class Pick : std::uint8_t { median, slowest, fastest };
// The iteration whose busy time is the (lower) median, the longest or the shortest of the phase, the first of equals.
// Absent: no iteration has work.
[[nodiscard]] std::optional<std::uint32_t> pick_iteration(const collect::Trace& trace, std::size_t phase, Pick pick);

// Trace Event Format (JSON object form), which chrome://tracing and https://ui.perfetto.dev open. The same bytes for
// the same timeline.
[[nodiscard]] std::string trace_events(const Timeline& timeline);
// The same rows as a picture, for a page that cannot run a viewer. SVG without scripts or links; ASCII.
[[nodiscard]] std::string timeline_picture(const Timeline& timeline);
// Microseconds as those viewers read them: by rounding or by cutting off, exactly this many ns.
[[nodiscard]] std::string event_time(std::int64_t time_ns);

}  // namespace opgate::report
