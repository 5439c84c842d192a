#include "app/joined_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "app/command_result.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"
#include "run/selection.hpp"
#include "text/file.hpp"

namespace opgate::app {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 28U;  // of a list of tests; 20,000 cases are 20 MB

std::int64_t number_of(const std::string& word, const std::string& words) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || problem != std::errc() || end != word.data() + word.size()) {
    throw Error(ErrorKind::usage, "'" + words + "' is no run", "--run",
                "give a number of opgate runs, several such as 12,13,14, or last");
  }
  return number;
}

std::set<std::int64_t> numbers_of(const std::string& words) {
  std::set<std::int64_t> numbers;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const std::int64_t number = number_of(words.substr(begin, end - begin), words);
    if (!numbers.insert(number).second) {
      throw Error(ErrorKind::usage, fmt::format("run {} is named twice", number), "--run", "name each run once");
    }
    begin = end + 1;
  }
  return numbers;
}

std::vector<store::RunInfo> named_runs(const store::History& history, const std::string& words) {
  if (words == "last") return {require_run(history, std::nullopt)};
  std::vector<store::RunInfo> runs;
  for (const std::int64_t number : numbers_of(words)) runs.push_back(require_run(history, number));
  return runs;
}

void require_alike(const std::vector<store::RunInfo>& runs, const store::History& history) {
  const store::RunInfo& first = runs.front();
  for (const store::RunInfo& run : runs) {
    if (run.replayed != first.replayed) {
      throw Error(ErrorKind::history,
                  fmt::format("of run {} and run {} one was measured and the other replayed", first.id, run.id),
                  history.path().string(), "name runs of one kind");
    }
    if (run.commit != first.commit) {
      const auto commit = [](const store::RunInfo& one) { return one.commit.empty() ? "unknown" : one.commit; };
      throw Error(
          ErrorKind::history,
          fmt::format("run {} is of commit {}, but run {} of commit {}", first.id, commit(first), run.id, commit(run)),
          history.path().string(), "name runs of one build");
    }
  }
}

void add_distinct(std::vector<std::string>& words, const std::string& word) {
  if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

std::vector<std::string> selection_of_all(const std::vector<store::RunInfo>& runs) {
  std::vector<std::string> all;
  std::set<std::string> known;
  for (const store::RunInfo& run : runs) {
    for (const std::string& name : run.selected) {
      if (known.insert(name).second) all.push_back(name);
    }
  }
  return all;
}

std::vector<std::string> selection_in(const std::string& file) {
  std::vector<std::string> cases = run::cases_of(text::read_file(file, ErrorKind::io, kMostBytes));
  if (cases.empty()) {
    throw Error(ErrorKind::io, "it lists no case", file, "write it by ctest --show-only=json-v1 in a build folder");
  }
  return cases;
}

}  // namespace

void add_run_options(Command command, RunWords& words, const std::string& run_help) {
  command.option("--run", words.runs, run_help + " (default: last); 12,13,14: parts of one, as the shards of a night")
      .type_name("N|last");
  command
      .option("--selected", words.selected,
              "What had to run, as ctest --show-only=json-v1 lists it, instead of what the runs selected")
      .type_name("FILE");
}

JoinedRuns join_runs(const store::History& history, const RunWords& words) {
  JoinedRuns joined{.runs = named_runs(history, words.runs), .whole = {}};
  require_alike(joined.runs, history);
  joined.whole = joined.runs.back();
  std::vector<std::string> hosts;
  std::vector<std::string> others;
  for (const store::RunInfo& run : joined.runs) {
    joined.whole.started_unix_ms = std::min(joined.whole.started_unix_ms, run.started_unix_ms);
    joined.whole.closed_unix_ms = joined.whole.closed_unix_ms && run.closed_unix_ms
                                      ? std::optional(std::max(*joined.whole.closed_unix_ms, *run.closed_unix_ms))
                                      : std::nullopt;
    joined.whole.dirty = joined.whole.dirty || run.dirty;
    add_distinct(hosts, run.host);
    if (run.id != joined.whole.id) others.push_back(std::to_string(run.id));
  }
  joined.whole.host = app::joined(hosts);
  if (!others.empty()) joined.whole.label = fmt::format("with {}: {}", app::joined(others), joined.whole.label);
  joined.whole.selected = words.selected.empty() ? selection_of_all(joined.runs) : selection_in(words.selected);
  return joined;
}

std::string name_of(const JoinedRuns& joined) {
  if (joined.runs.size() == 1) return fmt::format("run {}", joined.whole.id);
  std::vector<std::string> numbers;
  for (const store::RunInfo& run : joined.runs) numbers.push_back(std::to_string(run.id));
  const std::string last = numbers.back();
  numbers.pop_back();
  return fmt::format("runs {} and {}", app::joined(numbers), last);
}

std::vector<store::CaseResult> results_of(const Session& session, const store::History& history,
                                          const JoinedRuns& joined, bool filtered) {
  std::vector<store::CaseResult> all;
  std::map<std::string, std::size_t> where;
  for (const store::RunInfo& run : joined.runs) {
    for (store::CaseResult& result :
         filtered ? filtered_results(session, history, run.id) : results_of(history, run.id, true)) {
      const auto [found, added] = where.emplace(result.identity.name, all.size());
      if (added) {
        all.push_back(std::move(result));
        continue;
      }
      store::CaseResult& before = all[found->second];
      result.times_recorded = std::max(result.times_recorded, 1) + std::max(before.times_recorded, 1);
      before = std::move(result);
    }
  }
  return all;
}

}  // namespace opgate::app
