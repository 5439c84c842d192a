#include "report/timeline_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace opgate::report {
namespace {

// What is open in a row at the start of the next event.
class Lane {
 public:
  [[nodiscard]] bool takes(const core::Interval& next, bool nests) {
    while (!open_ends_.empty() && open_ends_.back() <= next.start_ns) open_ends_.pop_back();
    return open_ends_.empty() || (nests && next.end_ns <= open_ends_.back());
  }
  void add(TimelineEvent event) {
    open_ends_.push_back(event.interval.end_ns);
    events.push_back(std::move(event));
  }
  std::vector<TimelineEvent> events;

 private:
  std::vector<std::int64_t> open_ends_;  // innermost last
};

}  // namespace

std::vector<TimelineTrack> into_lanes(TimelineTrack track) {
  std::stable_sort(track.events.begin(), track.events.end(), [&](const TimelineEvent& a, const TimelineEvent& b) {
    const core::Interval& x = a.interval;
    const core::Interval& y = b.interval;
    // The outer event first, of those that nest.
    return x.start_ns != y.start_ns ? x.start_ns < y.start_ns : track.nests ? x.end_ns > y.end_ns : x.end_ns < y.end_ns;
  });
  std::vector<Lane> lanes;
  for (TimelineEvent& event : track.events) {
    const auto free =
        std::find_if(lanes.begin(), lanes.end(), [&](Lane& lane) { return lane.takes(event.interval, track.nests); });
    (free == lanes.end() ? lanes.emplace_back() : *free).add(std::move(event));
  }
  std::vector<TimelineTrack> tracks;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const std::string name = i == 0 ? track.name : fmt::format("{} ({})", track.name, i + 1);
    tracks.push_back({track.process, name, track.nests, std::move(lanes[i].events)});
  }
  return tracks;
}

}  // namespace opgate::report
