#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/command_session.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"
#include "spec/spec.hpp"

namespace opgate::app {

namespace {

struct Listed {
  std::string op;
  std::vector<std::string> labels;
  std::optional<double> tolerance;
  bool declared = false;
  bool recorded = false;
};

std::map<std::string, Listed> listed_cases(const Session& session) {
  std::map<std::string, Listed> cases;
  if (session.project()) {
    for (const auto& [op, path] : session.project()->specs) {
      for (const spec::Case& one : spec::expand(spec::load_spec(path))) {
        cases[one.workload.case_name()] = {op, one.labels, one.tolerance, true, false};
      }
    }
  }
  if (session.has_history()) {
    for (const std::string& name : session.read_history().case_names()) cases[name].recorded = true;
  } else if (!session.project()) {
    (void)session.history_path();  // neither: says which options name one
  }
  std::erase_if(cases, [&](const auto& one) { return !session.matches(one.first); });
  return cases;
}

core::ExitCode run_list(const Session& session) {
  const auto cases = listed_cases(session);
  std::vector<std::vector<std::string>> rows{{"case", "labels", "tolerance", "note"}};
  for (const auto& [name, one] : cases) {
    if (session.json) {
      session.print({{"case", name},
                     {"op", one.declared ? Json(one.op) : Json(nullptr)},
                     {"labels", one.labels},
                     {"tolerance_pct", one.tolerance ? Json(*one.tolerance * 100) : Json(nullptr)},
                     {"declared", one.declared},
                     {"recorded", one.recorded}});
      continue;
    }
    rows.push_back({name, one.labels.empty() ? "-" : joined(one.labels),
                    percent(one.tolerance ? std::optional(*one.tolerance * 100) : std::nullopt),
                    !one.declared  ? "no spec declares it"
                    : one.recorded ? ""
                                   : "nothing recorded yet"});
  }
  if (cases.empty()) {
    throw Error(ErrorKind::history, "there is no case" + session.filter_words(), "list", "choose another filter");
  }
  if (!session.json) session.out() << table(rows) << plural(cases.size(), "case") << '\n';
  return core::ExitCode::pass;
}

}  // namespace

void add_list(Command app, Session& session) {
  Command list = app.subcommand("list", "List the cases that specs declare and the history holds");
  list.callback([&session] { session.action = [&session] { return run_list(session); }; });
}

}  // namespace opgate::app
