#include <memory>

#include "app/command_history_view.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"
#include "text/suggest.hpp"

namespace opgate::app {

namespace {

struct Words {
  std::string name;
  int limit = 30;
  int reach = 2000;  // of nightlies, five years
};

[[noreturn]] void refuse_unknown(const store::History& history, const std::string& name) {
  const auto names = history.case_names();
  if (names.empty()) {
    throw Error(ErrorKind::history, "the history holds no result yet", history.path().string(),
                "run the cases with ctest, or opgate import a file");
  }
  const auto near = text::near_names(name, names, 3);
  throw Error(
      ErrorKind::history, "nothing is recorded for " + name, history.path().string(),
      near.empty() ? "choose one of the cases that opgate list prints" : "did you mean " + joined(near, " or ") + "?");
}

core::ExitCode run_history(const Session& session, const Words& words) {
  const store::History history = session.read_history();
  auto rows = history.series(words.name, std::int64_t{words.reach} + 1);
  if (rows.empty()) refuse_unknown(history, words.name);
  const bool older = rows.size() > static_cast<std::size_t>(words.reach);
  if (older) rows.pop_back();
  const CaseHistory found = case_history(words.name, std::move(rows));
  const auto limit = static_cast<std::size_t>(words.limit);
  if (session.json) {
    for (const Json& line : history_json(found, limit)) session.print(line);
  } else {
    session.out() << history_text(found, limit, session.unicode);
    if (older) session.out() << "of the newest " << words.reach << " results; --reach looks further back\n";
  }
  return core::ExitCode::pass;
}

}  // namespace

void add_history(Command app, Session& session) {
  auto words = std::make_shared<Words>();
  Command history = app.subcommand("history", "Show how a case went over time and where its level changed");
  history.option("CASE", words->name, "Case name, e.g. gemm.decode-1.f16").required();
  history.option("--limit", words->limit, "List at most this many results, newest first (default: 30)")
      .type_name("N")
      .check(count_check());
  history.option("--reach", words->reach, "Look for changes of level in at most this many results (default: 2000)")
      .type_name("N")
      .check(count_check());
  history.callback([words, &session] { session.action = [words, &session] { return run_history(session, *words); }; });
}

}  // namespace opgate::app
