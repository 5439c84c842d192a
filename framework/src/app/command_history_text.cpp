#include <fmt/format.h>

#include <algorithm>

#include "app/command_history_view.hpp"
#include "app/command_text.hpp"
#include "report/sparkline.hpp"

namespace opgate::app {

namespace {

constexpr std::size_t kColumns = 72;
constexpr std::size_t kSeriesShown = 6;  // the others are counted

std::string commit_of(const store::SeriesRow& row) {
  return row.commit.empty() ? "-" : row.commit.substr(0, 12) + (row.dirty ? "+" : "");
}

std::string p_value(double value) {
  return value < 1e-99 ? "p < 1e-99" : fmt::format("p = {:.1e}", value);
}

// What the readings of a series share, as far as it is known.
std::string shared_by(const core::SeriesReading& reading) {
  const core::Conditions& conditions = reading.conditions;
  std::vector<std::string> words;
  const auto add = [&](const char* before, const std::string& value) {
    if (!value.empty()) words.push_back(before + value);
  };
  add("", conditions.device_name.empty() ? "unknown GPU" : conditions.device_name);
  add("", reading.unit);
  add("driver ", conditions.driver_branch);
  add("CUDA ", conditions.cuda);
  add("", conditions.protocol);
  add("", conditions.timing);
  add("flush ", conditions.flush);
  add("launch ", conditions.launch);
  add("pacing ", conditions.pacing);
  add("kernels ", reading.group);
  if (reading.replayed) words.emplace_back("replayed, NOT MEASURED");
  return joined(words);
}

std::string change_text(const CaseHistory& history, const core::Series& series, const core::ChangePoint& point) {
  const store::SeriesRow& before = history.rows[series.rows[point.index - 1]];
  const store::SeriesRow& after = history.rows[series.rows[point.index]];
  const auto line = [](const char* label, const store::SeriesRow& row) {
    return fmt::format("    {}  run {} of {}, commit {}\n", label, row.run_id, utc(row.started_unix_ms),
                       commit_of(row));
  };
  return fmt::format("  {} from run {} on: {} before, {} after, {}\n", change(point.change_pct), after.run_id,
                     milliseconds(point.before), milliseconds(point.after), p_value(point.p_value)) +
         line("last before", before) + line("first after", after);
}

std::string series_text(const CaseHistory& history, std::size_t number, bool unicode) {
  const core::Series& series = history.series[number];
  std::vector<std::size_t> marks;
  for (const core::ChangePoint& point : series.changes) marks.push_back(point.index);
  const report::Sparkline line = report::sparkline(series.values_ns, marks, kColumns, unicode);
  const auto [low, high] = std::minmax_element(series.values_ns.begin(), series.values_ns.end());
  std::string text =
      fmt::format("series {}: {}\n  {}, runs {} to {}, {} to {}{}\n  {}\n", number + 1, shared_by(series.newest),
                  plural(series.rows.size(), "reading"), history.rows[series.rows.front()].run_id,
                  history.rows[series.rows.back()].run_id, milliseconds(*low), milliseconds(*high),
                  series.metric == core::Metric::cycles ? ", as clock-corrected time" : "", line.curve);
  if (!line.marks.empty()) text += "  " + line.marks + '\n';
  for (const core::ChangePoint& point : series.changes) text += change_text(history, series, point);
  const core::ChangePointOptions options;
  if (series.changes.empty()) {
    text += series.rows.size() < 2 * options.min_runs
                ? fmt::format("  too few readings to tell a change of level: {} are needed\n", 2 * options.min_runs)
                : fmt::format("  no lasting change of level beyond {:g} %\n", options.min_change * 100);
  }
  return text;
}

std::string table_text(const CaseHistory& history, std::size_t limit) {
  std::vector<std::vector<std::string>> rows{{"run", "when", "commit", "median", "series", "verdict", "level"}};
  for (std::size_t index = 0; index < std::min(limit, history.rows.size()); ++index) {
    const store::SeriesRow& row = history.rows[index];
    std::vector<std::string> numbers;
    std::vector<std::string> changes;
    for (const PlaceInSeries& place : history.places[index]) {
      numbers.push_back(std::to_string(place.series + 1));
      if (place.change) changes.push_back(change(history.series[place.series].changes[*place.change].change_pct));
    }
    const auto median = row.reading ? std::optional(row.reading->median_ns) : std::nullopt;
    rows.push_back({std::to_string(row.run_id), utc(row.started_unix_ms), commit_of(row), milliseconds(median),
                    numbers.empty() ? "-" : joined(numbers), outcome_of(row), joined(changes)});
  }
  return table(rows);
}

}  // namespace

std::string history_text(const CaseHistory& history, std::size_t limit, bool unicode) {
  const std::size_t shown = std::min(history.series.size(), kSeriesShown);
  std::string text = history.name + '\n';
  for (std::size_t number = 0; number < shown; ++number) text += series_text(history, number, unicode);
  std::size_t left_out = 0;
  for (std::size_t number = shown; number < history.series.size(); ++number) {
    left_out += history.series[number].rows.size();
  }
  text += table_text(history, limit);
  const auto unread = static_cast<std::size_t>(
      std::count_if(history.places.begin(), history.places.end(), [](const auto& places) { return places.empty(); }));
  text += fmt::format("{} in {} series of comparable readings{}", plural(history.rows.size(), "result"),
                      history.series.size(), unread > 0 ? fmt::format(", {} without a reading", unread) : "");
  if (left_out > 0) {
    text += fmt::format("; {} older series with {} are not drawn, --json has them", history.series.size() - shown,
                        plural(left_out, "reading"));
  }
  if (history.rows.size() > limit) text += fmt::format("; the newest {} are listed, --limit lists more", limit);
  return text + '\n';
}

}  // namespace opgate::app
