#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/command_baseline_plan.hpp"
#include "app/command_git.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"

namespace opgate::app {

namespace {

struct Words {
  RunChoice choice;
  std::string reason;
};

store::Acceptance acceptance(const Session& session, const std::string& when, const std::string& reason) {
  store::Acceptance accepted;
  accepted.who = accepting_person(session.project() ? session.project()->source_dir : std::filesystem::path());
  accepted.when = when;
  accepted.reason = reason;
  return accepted;
}

// Every file is read and completed before the first is written, so that a bad one stops the whole acceptance.
std::map<std::filesystem::path, store::BaselineFile> completed_files(const Session& session, const Plan& plan,
                                                                     const store::Acceptance& accepted) {
  std::map<std::filesystem::path, store::BaselineFile> files;
  const auto folder = session.baselines_path();
  for (const PlannedCase& planned : plan.cases) {
    if (planned.unchanged) continue;  // keeps who accepted it, when and why
    const auto path = store::baseline_path(folder, planned.device_name, planned.op);
    auto place = files.find(path);
    if (place == files.end()) {
      const store::BaselineFile fresh{planned.device_name, planned.op, {}};
      place = files.emplace(path, store::load_baseline_file(path).value_or(fresh)).first;
    }
    store::BaselineEntry entry{planned.baseline, accepted};
    entry.accepted.run_uuids = planned.run_uuids;
    entry.accepted.commit = planned.commit;
    place->second.cases[planned.name] = std::move(entry);
  }
  return files;
}

core::ExitCode run_accept(const Session& session, const Words& words) {
  const bool blank =
      std::all_of(words.reason.begin(), words.reason.end(), [](char c) { return c == ' ' || c == '\t'; });
  if (blank)
    throw Error(ErrorKind::usage, "the reason is empty", "--reason", "say why these runs are the new baseline");
  const Plan plan = plan_baselines(session, words.choice);
  const auto files = completed_files(session, plan, acceptance(session, plan.when, words.reason));
  for (const auto& [path, file] : files) store::save_baseline_file(file, path);
  print_plan(session, plan);
  if (!session.json) {
    for (const auto& [path, file] : files) session.out() << "wrote " << path.string() << '\n';
    const auto unchanged = std::count_if(plan.cases.begin(), plan.cases.end(),
                                         [](const PlannedCase& planned) { return planned.unchanged; });
    const auto accepted = plan.cases.size() - static_cast<std::size_t>(unchanged);
    session.out() << plural(accepted, "case") << " accepted: " << words.reason << '\n';
    if (unchanged > 0) {
      session.out() << plural(static_cast<std::size_t>(unchanged), "case")
                    << (unchanged == 1 ? " rests on these runs already and stays as it is\n"
                                       : " rest on these runs already and stay as they are\n");
    }
  }
  return core::ExitCode::pass;
}

}  // namespace

void add_baseline_accept(Command baseline, Session& session) {
  auto words = std::make_shared<Words>();
  Command accept = baseline.subcommand("accept", "Make stored runs the baseline of their cases");
  add_run_choice(accept, words->choice);
  accept.option("--reason", words->reason, "Why; kept in the baseline file").required().type_name("TEXT");
  accept.callback([words, &session] { session.action = [words, &session] { return run_accept(session, *words); }; });
}

}  // namespace opgate::app
