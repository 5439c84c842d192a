// How often `opgate ab` would be wrong, and what it would catch: comparisons of two builds drawn from the fresh
// processes that a history recorded of one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <utility>
#include <vector>

#include "app/command_result.hpp"
#include "core/sequential.hpp"
#include "opgate/error.hpp"

namespace {

using namespace opgate;

struct Words {
  std::string history;
  std::string filter;
  std::string truth;
  std::size_t comparisons = 100;
  std::vector<double> slowdowns_pct{1, 2, 3, 5};
  std::uint64_t seed = 1;
  core::SequentialOptions options;
};

// The processes of one case, oldest first, by how much slower than the others they were made.
struct Pool {
  double tick_ns = 32;
  std::map<double, std::vector<core::ProcessReading>> by_slowdown;
};

struct Rate {
  std::size_t comparisons = 0;
  std::map<core::PairedOutcome, std::size_t> outcomes;
  std::size_t pairs = 0;

  void add(const core::PairedJudgement& judgement) {
    ++comparisons;
    ++outcomes[judgement.outcome];
    pairs += judgement.pairs;
  }
  void add(const Rate& more) {
    comparisons += more.comparisons;
    pairs += more.pairs;
    for (const auto& [outcome, count] : more.outcomes) outcomes[outcome] += count;
  }
  [[nodiscard]] double percent(core::PairedOutcome outcome) const {
    const auto found = outcomes.find(outcome);
    return found == outcomes.end() || comparisons == 0
               ? 0
               : 100 * static_cast<double>(found->second) / static_cast<double>(comparisons);
  }
};

// "run,slowdown": by how much each run of the history was slowed on purpose; 1 where not.
std::map<std::int64_t, double> read_truth(const std::string& path) {
  std::map<std::int64_t, double> truth;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const std::size_t comma = line.find(',');
    if (comma == std::string::npos) continue;
    truth[std::stoll(line.substr(0, comma))] = std::stod(line.substr(comma + 1));
  }
  if (truth.empty()) throw Error(ErrorKind::usage, "it holds no line run,slowdown", path, "name such a file");
  return truth;
}

Pool pool_of(const store::History& history, const std::string& name, const std::map<std::int64_t, double>& truth) {
  Pool pool;
  auto results = history.results({std::nullopt, name, -1, true});
  std::reverse(results.begin(), results.end());
  for (const store::CaseResult& result : results) {
    const auto run = app::measured_run(result);
    const auto reading = run ? core::process_reading(*run) : std::nullopt;
    const auto slowed = truth.find(result.run_id);
    if (!reading || (!truth.empty() && slowed == truth.end())) continue;
    if (run->tick_ns > 0) pool.tick_ns = run->tick_ns;
    pool.by_slowdown[truth.empty() ? 1 : slowed->second].push_back(*reading);
  }
  return pool;
}

// Consecutive processes in blocks of `size`, each block once before any comes again, so that what a process has of
// the one before it is kept.
class Blocks {
 public:
  Blocks(const std::vector<core::ProcessReading>& from, std::size_t size, std::mt19937_64& dice)
      : from_(from), size_(size), dice_(dice), offset_(dice() % from.size()) {}

  core::ProcessReading at(std::size_t i) {
    if (i % size_ == 0) {
      if (left_.empty()) refill();
      start_ = left_.back();
      left_.pop_back();
    }
    return from_[(start_ + i % size_) % from_.size()];
  }

 private:
  void refill() {
    for (std::size_t start = 0; start + size_ <= from_.size(); start += size_) left_.push_back(start + offset_);
    std::shuffle(left_.begin(), left_.end(), dice_);
  }

  const std::vector<core::ProcessReading>& from_;
  std::size_t size_;
  std::mt19937_64& dice_;
  std::size_t offset_;
  std::size_t start_ = 0;
  std::vector<std::size_t> left_;
};

// Medians of an even count fall on half ticks.
core::ProcessReading slowed(core::ProcessReading reading, double factor, double tick_ns) {
  const double clock = reading.cycles ? *reading.cycles / reading.time_ns : 0;
  reading.time_ns = std::round(reading.time_ns * factor / tick_ns * 2) * tick_ns / 2;
  if (reading.cycles) *reading.cycles = reading.time_ns * clock;
  return reading;
}

// Draws two pairs, A B B A, until the rule has enough.
template <class Draw>
core::PairedJudgement compare(const core::SequentialOptions& options, Draw draw) {
  std::vector<core::ReadingPair> pairs;
  for (;;) {
    draw(pairs);
    core::PairedJudgement judgement = core::judge_pairs(pairs, options);
    if (judgement.outcome != core::PairedOutcome::more) return judgement;
  }
}

core::PairedJudgement compare_planted(const Pool& pool, const std::vector<core::ProcessReading>& unchanged,
                                      double factor, const core::SequentialOptions& options, std::mt19937_64& dice) {
  Blocks blocks(unchanged, 4, dice);
  std::size_t next = 0;
  return compare(options, [&](std::vector<core::ReadingPair>& pairs) {
    const auto a = blocks.at(next++);
    const auto b = blocks.at(next++);
    const auto c = blocks.at(next++);
    const auto d = blocks.at(next++);
    const auto made = [&](const auto& reading) {
      return factor == 1 ? reading : slowed(reading, factor, pool.tick_ns);
    };
    pairs.push_back({a, made(b)});
    pairs.push_back({d, made(c)});
  });
}

core::PairedJudgement compare_real(const std::vector<core::ProcessReading>& unchanged,
                                   const std::vector<core::ProcessReading>& slower,
                                   const core::SequentialOptions& options, std::mt19937_64& dice) {
  Blocks a(unchanged, 2, dice);
  Blocks b(slower, 2, dice);
  std::size_t next = 0;
  return compare(options, [&](std::vector<core::ReadingPair>& pairs) {
    for (int i = 0; i < 2; ++i, ++next) pairs.push_back({a.at(next), b.at(next)});
  });
}

using Rates = std::map<double, Rate>;  // by slowdown

struct CaseRates {
  Rates planted;
  Rates real;
};

CaseRates rates_of(const Pool& pool, const Words& words) {
  CaseRates rates;
  const auto unchanged = pool.by_slowdown.find(1);
  if (unchanged == pool.by_slowdown.end() || unchanged->second.size() < 8) return rates;
  std::mt19937_64 dice(words.seed);
  core::SequentialOptions options = words.options;
  options.tick_ns = pool.tick_ns;
  std::vector<double> factors{1};
  for (const double percent : words.slowdowns_pct) factors.push_back(1 + percent / 100);
  for (std::size_t i = 0; i < words.comparisons; ++i) {
    for (const double factor : factors) {
      rates.planted[factor].add(compare_planted(pool, unchanged->second, factor, options, dice));
    }
    for (const auto& [factor, slower] : pool.by_slowdown) {
      if (factor != 1 && slower.size() >= 2) {
        rates.real[factor].add(compare_real(unchanged->second, slower, options, dice));
      }
    }
  }
  return rates;
}

void print(const std::string& name, const char* kind, const Rates& rates) {
  for (const auto& [factor, rate] : rates) {
    fmt::print("{:<28} {:<8} {:>+6.1f} % {:>7} {:>8.2f} % {:>8.2f} % {:>8.2f} % {:>8.2f} % {:>7.1f}\n", name, kind,
               (factor - 1) * 100, rate.comparisons, rate.percent(core::PairedOutcome::slower),
               rate.percent(core::PairedOutcome::faster), rate.percent(core::PairedOutcome::unchanged),
               rate.percent(core::PairedOutcome::undecided),
               static_cast<double>(rate.pairs) / static_cast<double>(rate.comparisons));
  }
}

void add(Rates& sum, const Rates& more) {
  for (const auto& [factor, rate] : more) sum[factor].add(rate);
}

void print_rates(const Words& words) {
  const store::History history = store::History::open_for_reading(words.history);
  const auto truth = words.truth.empty() ? std::map<std::int64_t, double>() : read_truth(words.truth);
  const std::regex filter(words.filter);
  fmt::print("{} comparisons of each kind and case, at most {} pairs; tolerance {:g} %, {} ticks; seed {}\n",
             words.comparisons, words.options.max_pairs, words.options.tolerance * 100, words.options.ticks,
             words.seed);
  fmt::print("{:<28} {:<8} {:>8} {:>7} {:>10} {:>10} {:>10} {:>10} {:>7}\n", "case", "change", "", "number", "slower",
             "faster", "unchanged", "undecided", "pairs");
  CaseRates all;
  for (const std::string& name : history.case_names()) {
    if (!std::regex_search(name, filter)) continue;
    const CaseRates found = rates_of(pool_of(history, name, truth), words);
    print(name, "planted", found.planted);
    print(name, "real", found.real);
    add(all.planted, found.planted);
    add(all.real, found.real);
  }
  if (all.planted.empty()) {
    throw Error(ErrorKind::history, "no case has 8 unchanged processes", words.history,
                "name a history with more runs, or another filter");
  }
  print("all", "planted", all.planted);
  print("all", "real", all.real);
}

}  // namespace

int main(int argc, char** argv) {
  Words words;
  CLI::App app("What the rule of opgate ab says of comparisons drawn from a history: false alarms, pairs, detection");
  app.add_option("HISTORY", words.history, "History of one build, each case in at least 8 fresh processes")->required();
  app.add_option("--truth", words.truth, "CSV run,slowdown: runs that were slowed on purpose; 1 where not");
  app.add_option("--filter", words.filter, "Only cases whose name matches this regular expression");
  app.add_option("--comparisons", words.comparisons, "Of each kind and case")->check(CLI::Range(1, 1'000'000));
  app.add_option("--slowdowns", words.slowdowns_pct, "Planted slowdowns in percent")->delimiter(',');
  app.add_option("--max-pairs", words.options.max_pairs, "As of opgate ab")->check(CLI::Range(4, 64));
  app.add_option("--ticks", words.options.ticks, "Ticks of the timer below which nothing is called a change");
  app.add_option("--tolerance", words.options.tolerance, "As a fraction");
  app.add_option("--error-rate", words.options.error_rate, "Of the rule");
  app.add_option("--seed", words.seed, "Seed of the draws");
  CLI11_PARSE(app, argc, argv);
  try {
    print_rates(words);
    return 0;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "bench_ab: {}\n", problem.what());
    return 3;
  }
}
