#include <fmt/format.h>

#include <functional>
#include <memory>

#include "app/command_files.hpp"
#include "app/command_session.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"
#include "spec/spec.hpp"
#include "store/baseline_file.hpp"

namespace opgate::app {

namespace {

constexpr const char* kBaselinesWord = "baselines";

struct Checked {
  std::filesystem::path file;
  std::string kind;  // spec | baseline
  std::size_t cases = 0;
  std::string problem;
};

Checked checked(const std::filesystem::path& file, const std::string& kind, const std::function<std::size_t()>& load) {
  Checked result{file, kind, 0, {}};
  try {
    result.cases = load();
  } catch (const Error& error) {
    result.problem = error.what();
  }
  return result;
}

Checked checked_spec(const std::filesystem::path& file) {
  return checked(file, "spec", [&] { return spec::expand(spec::load_spec(file)).size(); });
}

Checked checked_baseline(const std::filesystem::path& file) {
  return checked(file, "baseline", [&] {
    const auto loaded = store::load_baseline_file(file);
    return loaded ? loaded->cases.size() : 0;
  });
}

void add_baselines(const Session& session, std::vector<Checked>& all) {
  for (const auto& file : baseline_files(session.baselines_path())) all.push_back(checked_baseline(file));
}

std::vector<Checked> check_everything(const Session& session) {
  std::vector<Checked> all;
  if (!session.project()) {
    throw Error(ErrorKind::io, "no file is named and no configured build folder was found", "validate",
                "name spec files or 'baselines', or run inside a configured build folder");
  }
  for (const auto& [op, file] : session.project()->specs) all.push_back(checked_spec(file));
  add_baselines(session, all);
  return all;
}

std::vector<Checked> check_named(const Session& session, const std::vector<std::string>& names) {
  std::vector<Checked> all;
  for (const std::string& name : names) {
    if (name == kBaselinesWord) {
      add_baselines(session, all);
    } else if (std::filesystem::is_directory(name)) {
      for (const auto& file : spec_files(name)) all.push_back(checked_spec(file));
    } else {
      all.push_back(checked_spec(name));
    }
  }
  return all;
}

core::ExitCode run_validate(const Session& session, const std::vector<std::string>& names) {
  const auto all = names.empty() ? check_everything(session) : check_named(session, names);
  std::size_t bad = 0;
  for (const Checked& one : all) {
    bad += one.problem.empty() ? 0 : 1;
    if (session.json) {
      session.print({{"file", one.file.string()},
                     {"kind", one.kind},
                     {"ok", one.problem.empty()},
                     {"cases", one.cases},
                     {"problem", one.problem.empty() ? Json(nullptr) : Json(one.problem)}});
    } else if (one.problem.empty()) {
      session.out() << fmt::format("ok   {}: {}\n", one.file.string(), plural(one.cases, "case"));
    } else {
      session.out() << "FAIL " << one.problem << '\n';
    }
  }
  if (all.empty()) {
    throw Error(ErrorKind::io, "there is nothing to validate", "validate",
                "name spec files, or accept a baseline first");
  }
  if (!session.json) session.out() << fmt::format("{}, {} bad\n", plural(all.size(), "file"), bad);
  return bad == 0 ? core::ExitCode::pass : core::ExitCode::cannot_run;
}

}  // namespace

void add_validate(CLI::App& app, Session& session) {
  auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* validate = app.add_subcommand("validate", "Load specs and baselines strictly and print every problem");
  validate->add_option("SPEC", *names, "Spec files or folders, or the word 'baselines' (default: all of the project)");
  validate->callback(
      [names, &session] { session.action = [names, &session] { return run_validate(session, *names); }; });
}

}  // namespace opgate::app
