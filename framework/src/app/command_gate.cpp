#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "app/command_gate.hpp"

#include "app/command_result.hpp"
#include "app/command_trees.hpp"
#include "app/gate_session.hpp"
#include "app/option_checks.hpp"
#include "app/session_terminal.hpp"
#include "report/markdown.hpp"
#include "run/stop_signals.hpp"
#include "text/file.hpp"

namespace opgate::app {

namespace {

class Stopwatch {
 public:
  explicit Stopwatch(const Session& session) : session_(session) {}
  // What was done since the last time, told as it ends.
  void lap(const std::string& what) {
    const auto now = std::chrono::steady_clock::now();
    steps_.push_back(fmt::format("{}: {:.1f} s", what, std::chrono::duration<double>(now - last_).count()));
    last_ = now;
    if (!session_.json) session_.out() << "opgate gate: " << steps_.back() << '\n' << std::flush;
  }
  [[nodiscard]] const std::vector<std::string>& steps() const { return steps_; }

 private:
  const Session& session_;
  std::vector<std::string> steps_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void print_json(const Session& session, const report::GateReport& report) {
  for (const report::GateChange& change : report.changes) {
    session.print({{"change", change.what}, {"subject", change.subject}, {"detail", change.detail}});
  }
  for (const report::GateCase& one : report.cases) {
    session.print({{"case", one.name},
                   {"outcome", report::phrase_of(one.end)},
                   {"new", one.is_new},
                   {"against", one.against.empty() ? Json(nullptr) : Json(one.against)},
                   {"before_ns", or_null(one.before_ns)},
                   {"now_ns", or_null(one.now_ns)},
                   {"change_pct", or_null(one.change_pct)},
                   {"limit_pct", or_null(one.limit_pct)},
                   {"reason", one.reason},
                   {"exit_code", static_cast<int>(one.code)}});
  }
  session.print({{"gate", report::gate_headline(report)},
                 {"base", report.base},
                 {"candidate", report.candidate},
                 {"notes", report.notes},
                 {"exit_code", static_cast<int>(report.code)}});
}

void write_files(const Session& session, const GateWords& words, const report::GateReport& report) {
  if (!words.summary.empty()) {
    text::write_file(words.summary, report::gate_markdown(report, report::kSummaryBytes), ErrorKind::io);
    if (!session.json) session.out() << "summary: " << words.summary << '\n';
  }
  if (!words.comment.empty()) {
    text::write_file(words.comment, report::gate_markdown(report, report::kCommentBytes), ErrorKind::io);
    if (!session.json) session.out() << "comment: " << words.comment << '\n';
  }
}

core::ExitCode run_gate(const Session& session, const GateWords& words) {
  const run::StopSignals signals;
  Stopwatch watch(session);
  Gate gate(session, words);
  gate.plan();
  gate.leave_out_identical();
  watch.lap("plan");
  gate.measure();
  watch.lap("measure");
  gate.settle();
  watch.lap("settle");
  report::GateReport report = gate.finish();
  report.steps = watch.steps();
  if (session.json) {
    print_json(session, report);
  } else {
    session.out() << '\n' << report::gate_text(report, terminal_of(session).colour) << '\n';
  }
  write_files(session, words, report);
  return report.code;
}

void describe(Command gate, GateWords& words) {
  gate.option("--base", words.base, "Build folder of the merge base, which judges")
      .type_name("DIR")
      .required()
      .check(not_empty());
  gate.option("--candidate", words.candidate, "Build folder of the change")
      .type_name("DIR")
      .required()
      .check(not_empty());
  gate.option("--label", words.label, "Label of the cases (default: gate)").type_name("NAME").check(not_empty());
  gate.flag("--allow-removed", words.allow_removed, "Cases that the change removes are told, but not red");
  gate.option("--max-pairs", words.max_pairs, fmt::format("As of ab (default: {})", words.max_pairs))
      .type_name("N")
      .check(pairs_check());
  gate.option("--summary", words.summary, "Write a Markdown summary, at most 1 MiB")
      .type_name("FILE")
      .check(not_empty());
  gate.option("--comment", words.comment, "Write the same for a comment, at most 64 KiB")
      .type_name("FILE")
      .check(not_empty());
  gate.option("--base-name", words.base_name, "What to call the merge base").type_name("TEXT");
  gate.option("--note", words.notes, "Say this in the report").type_name("TEXT").take_all();
  gate.option("--expect-red", words.expect_red, "Canary: 0 only when every case of this op regressed, and no other")
      .type_name("OP")
      .check(not_empty());
}

}  // namespace

void add_gate(Command app, Session& session) {
  auto words = std::make_shared<GateWords>();
  Command gate = app.subcommand(
      "gate",
      "Judge a change by what its merge base expects: measure its gate cases, settle suspects by ab; ci/gate "
      "builds both");
  describe(gate, *words);
  gate.callback([words, &session] {
    session.creates_history = true;
    session.action = [words, &session] { return run_gate(session, *words); };
  });
}

}  // namespace opgate::app
