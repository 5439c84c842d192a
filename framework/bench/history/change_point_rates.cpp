// How often change points are found, missed and imagined: series with a planted step, a drift and no change, drawn from
// the noise that a history recorded.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <regex>

#include "core/change_points.hpp"
#include "noise_pool.hpp"

namespace {

using namespace opgate;

struct Words {
  std::string history;
  std::string filter;
  int series = 1000;
  std::size_t length = 60;
  double step_pct = 3;
  double drift_pct = 0.3;
  std::uint64_t seed = 1;
  core::ChangePointOptions options;
};

struct Rates {
  int series = 0;
  int false_alarms = 0;      // unchanged series in which a change was seen
  int steps_found = 0;       // a change of that direction within kNear runs of the step
  int steps_exact = 0;       // and at the very run
  std::size_t distance = 0;  // in runs, summed over the found
  int extra = 0;             // series with other points besides
  int drifts_found = 0;      // a rise was seen

  void add(const Rates& more) {
    series += more.series;
    false_alarms += more.false_alarms;
    steps_found += more.steps_found;
    steps_exact += more.steps_exact;
    distance += more.distance;
    extra += more.extra;
    drifts_found += more.drifts_found;
  }
};

constexpr std::size_t kNear = 5;

void try_step(const std::vector<double>& values, std::size_t at, const core::ChangePointOptions& options,
              Rates& rates) {
  std::size_t nearest = kNear + 1;
  int others = 0;
  for (const core::ChangePoint& point : core::find_change_points(values, options)) {
    const std::size_t distance = point.index > at ? point.index - at : at - point.index;
    if (point.after > point.before && distance <= kNear) {
      nearest = std::min(nearest, distance);
    } else {
      ++others;
    }
  }
  rates.extra += others > 0 ? 1 : 0;
  if (nearest > kNear) return;
  ++rates.steps_found;
  rates.steps_exact += nearest == 0 ? 1 : 0;
  rates.distance += nearest;
}

Rates measure(const rates::NoisePool& pool, const Words& words) {
  Rates rates;
  rates.series = words.series;
  std::mt19937_64 dice(words.seed);
  core::ChangePointOptions options = words.options;
  options.resolution = pool.tick_ns;
  for (int i = 0; i < words.series; ++i) {
    const auto unchanged = pool.draw(words.length, dice, [](std::size_t) { return 1.0; });
    rates.false_alarms += core::find_change_points(unchanged, options).empty() ? 0 : 1;

    const std::size_t margin = words.length / 4;
    const std::size_t at = margin + dice() % (words.length - 2 * margin);
    const auto stepped =
        pool.draw(words.length, dice, [&](std::size_t run) { return run < at ? 1 : 1 + words.step_pct / 100; });
    try_step(stepped, at, options, rates);

    const auto drifting = pool.draw(
        words.length, dice, [&](std::size_t run) { return 1 + words.drift_pct / 100 * static_cast<double>(run); });
    const auto found = core::find_change_points(drifting, options);
    const bool rises = std::any_of(found.begin(), found.end(), [](const auto& p) { return p.after > p.before; });
    rates.drifts_found += rises ? 1 : 0;
  }
  return rates;
}

void print(const std::string& name, const Rates& rates) {
  const auto percent = [&](int part) { return 100.0 * part / rates.series; };
  fmt::print("{:<28} {:>9.2f} % {:>9.2f} % {:>9.2f} % {:>9.3f} {:>9.2f} % {:>9.2f} %\n", name,
             percent(rates.false_alarms), percent(rates.steps_found), percent(rates.steps_exact),
             rates.steps_found > 0 ? static_cast<double>(rates.distance) / rates.steps_found : 0.0,
             percent(rates.extra), percent(rates.drifts_found));
}

void run(const Words& words) {
  const store::History history = store::History::open_for_reading(words.history);
  const std::regex filter(words.filter);
  fmt::print("{} series of {} runs each; step {:g} %, drift {:g} % a run; seed {}\n", words.series, words.length,
             words.step_pct, words.drift_pct, words.seed);
  fmt::print("{:<28} {:>11} {:>11} {:>11} {:>9} {:>11} {:>11}\n", "noise of", "false", "step found", "exactly",
             "off, runs", "and others", "drift found");
  Rates all;
  for (const std::string& name : history.case_names()) {
    if (!std::regex_search(name, filter)) continue;
    for (const rates::NoisePool& pool : rates::noise_pools(history, name)) {
      const Rates found = measure(pool, words);
      print(pool.name, found);
      all.add(found);
    }
  }
  if (all.series == 0) {
    throw Error(ErrorKind::history, "no case has 20 comparable readings on one level", words.history,
                "name a history with more runs, or another filter");
  }
  print("all", all);
}

}  // namespace

int main(int argc, char** argv) {
  Words words;
  CLI::App app("Change points in series drawn from a history's noise: found, missed, imagined");
  app.add_option("HISTORY", words.history, "History whose runs are unchanged, or whose changes are seen")->required();
  app.add_option("--filter", words.filter, "Only cases whose name matches this regular expression");
  app.add_option("--series", words.series, "Series of each kind and case")->check(CLI::Range(1, 1'000'000));
  app.add_option("--length", words.length, "Runs of each")->check(CLI::Range(20, 10'000));
  app.add_option("--step", words.step_pct, "Planted step in percent");
  app.add_option("--drift", words.drift_pct, "Planted drift in percent a run");
  app.add_option("--seed", words.seed, "Seed of the draws");
  app.add_option("--max-p-value", words.options.max_p_value, "Significance of a change");
  app.add_option("--min-change", words.options.min_change, "Least relative change");
  app.add_option("--min-runs", words.options.min_runs, "Least runs of a level");
  CLI11_PARSE(app, argc, argv);
  try {
    run(words);
    return 0;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "bench_change_points: {}\n", problem.what());
    return 3;
  }
}
