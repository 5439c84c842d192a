#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/joined_runs.hpp"
#include "core/waiver.hpp"
#include "opgate/error.hpp"
#include "report/markdown.hpp"
#include "report/page.hpp"
#include "report/report_json.hpp"
#include "text/file.hpp"

namespace opgate::app {

namespace {

struct Words {
  std::string format;
  RunWords run;
  std::string since;
  std::string output;
  std::int64_t trend = 365;
  std::size_t limit = report::kSummaryBytes;
  bool comment = false;
  bool check = false;
};

constexpr std::int64_t kDayMs = 86'400'000;

std::optional<std::int64_t> number_of(const std::string& word) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  return problem == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

// A day, or so many days before the run.
std::int64_t earliest_ms(const std::string& since, const store::RunInfo& run) {
  if (since.empty()) return INT64_MIN;
  if (core::is_date(since)) {
    const std::chrono::year_month_day day{std::chrono::year(std::stoi(since.substr(0, 4))),
                                          std::chrono::month(static_cast<unsigned>(std::stoi(since.substr(5, 2)))),
                                          std::chrono::day(static_cast<unsigned>(std::stoi(since.substr(8, 2))))};
    return std::chrono::sys_days(day).time_since_epoch().count() * kDayMs;
  }
  const auto days = since.ends_with('d') ? number_of(since.substr(0, since.size() - 1)) : std::nullopt;
  if (days && *days >= 0 && *days <= 100'000) return run.started_unix_ms - *days * kDayMs;
  throw Error(ErrorKind::usage, "'" + since + "' is neither a day nor a number of days", "--since",
              "write a day such as 2026-01-31, or 90d");
}

report::Report read_report(const Session& session, const Words& words) {
  const store::History history = session.read_history();
  const JoinedRuns joined = join_runs(history, words.run);
  store::RunInfo run = joined.whole;
  const std::int64_t earliest = earliest_ms(words.since, run);
  auto results = results_of(session, history, joined, true);
  std::erase_if(run.selected, [&](const std::string& name) { return !session.matches(name); });
  std::map<std::string, std::vector<store::SeriesRow>> histories;
  const auto add = [&](const std::string& name) {
    auto rows = history.series(name, words.trend, run.id);
    std::erase_if(rows, [&](const store::SeriesRow& row) { return row.started_unix_ms < earliest; });
    histories[name] = std::move(rows);
  };
  for (const store::CaseResult& result : results) add(result.identity.name);
  for (const std::string& name : run.selected) {
    if (!histories.contains(name)) add(name);
  }
  if (histories.empty()) {
    throw Error(ErrorKind::history, fmt::format("{} holds no case{}", name_of(joined), session.filter_words()),
                history.path().string(), "choose another run or another filter");
  }
  return report::make_report(std::move(run), std::move(results), std::move(histories));
}

std::string text_of(const report::Report& made, const Words& words) {
  if (words.format == "json") return fmt::format("{}\n", fmt::join(report::report_json(made), "\n"));
  if (words.format == "html") return report::html(made);
  if (words.format == "csv") return report::report_csv(made);
  return report::markdown(made, words.comment ? std::min(words.limit, report::kCommentBytes) : words.limit);
}

core::ExitCode run_report(const Session& session, Words words) {
  if (words.format.empty()) words.format = session.json ? "json" : "md";
  if (session.json && words.format != "json") {
    throw Error(ErrorKind::usage, "--json and --format " + words.format + " contradict each other", "report",
                "give one of them");
  }
  const report::Report made = read_report(session, words);
  const std::string text = text_of(made, words);
  if (words.output.empty()) {
    session.out() << text;
  } else {
    text::write_file(words.output, text, ErrorKind::io);
  }
  return words.check ? made.exit_code : core::ExitCode::pass;
}

}  // namespace

void add_report(Command app, Session& session) {
  auto words = std::make_shared<Words>();
  Command report = app.subcommand("report", "Write a run and what came before it as a report");
  report.option("--format", words->format, "md (default), html, json or csv")
      .type_name("FORMAT")
      .check(one_of({"md", "html", "json", "csv"}));
  add_run_options(report, words->run, "Run to report");
  report.option("--since", words->since, "Trends begin at this day, 2026-01-31, or so many days before, 90d")
      .type_name("WHEN");
  report.option("--trend", words->trend, "At most this many results of each case, newest first (default: 365)")
      .type_name("N")
      .check(count_check());
  report.option("--output", words->output, "Write to this file instead").type_name("FILE");
  report.option("--limit", words->limit, "md: at most this many bytes (default: 1 MiB, of a job summary)")
      .type_name("BYTES")
      .check(integers(4096, 1 << 30));
  report.flag("--comment", words->comment, "md: short enough for a comment, 64 KiB");
  report.flag("--check", words->check, "Exit with the worst code of the run");
  report.callback([words, &session] { session.action = [words, &session] { return run_report(session, *words); }; });
}

}  // namespace opgate::app
