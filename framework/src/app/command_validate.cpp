#include <fmt/format.h>

#include <functional>
#include <memory>
#include <set>
#include <span>

#include "app/command_files.hpp"
#include "app/command_session.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"
#include "spec/spec.hpp"
#include "store/baseline_file.hpp"
#include "store/waiver_file.hpp"
#include "text/suggest.hpp"

namespace opgate::app {

namespace {

constexpr const char* kBaselinesWord = "baselines";

struct Checked {
  std::filesystem::path file;
  std::string kind;  // spec | baseline | waivers
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

// A case that has a spec or, as imported ones, only a baseline. Names of an op whose spec is bad cannot be told.
class KnownCases {
 public:
  explicit KnownCases(const Session& session) {
    if (session.project()) {
      for (const auto& [op, file] : session.project()->specs) add_spec(op, file);
    }
    for (const auto& file : baseline_files(session.baselines_path())) add_baseline(file);
  }
  [[nodiscard]] bool have(const std::string& name) const {
    return names_.contains(name) || untold_ops_.contains(name.substr(0, name.find('.')));
  }
  [[nodiscard]] std::string meant(const std::string& name) const {
    const std::vector<std::string> all(names_.begin(), names_.end());
    const auto near = text::nearest(name, std::span<const std::string>(all));
    return near ? "; did you mean " + *near + "?" : "";
  }

 private:
  void add_spec(const std::string& op, const std::filesystem::path& file) {
    try {
      for (const spec::Case& one : spec::expand(spec::load_spec(file))) names_.insert(one.workload.case_name());
    } catch (const Error&) {
      untold_ops_.insert(op);  // told by the check of the spec itself
    }
  }
  void add_baseline(const std::filesystem::path& file) {
    try {
      const auto loaded = store::load_baseline_file(file);
      if (!loaded) return;
      for (const auto& [name, entry] : loaded->cases) names_.insert(name);
    } catch (const Error&) {
      untold_ops_.insert(file.stem().string());
    }
  }
  std::set<std::string> names_;
  std::set<std::string> untold_ops_;
};

Checked checked_waivers(const Session& session) {
  const auto file = store::waivers_path(session.baselines_path());
  return checked(file, "waivers", [&] {
    const auto waivers = store::load_waivers(session.baselines_path());
    const KnownCases known(session);
    for (const auto& [waiver, line] : waivers) {
      if (known.have(waiver.case_name)) continue;
      throw Error(ErrorKind::baseline,
                  fmt::format("there is no case {} to waive{}", waiver.case_name, known.meant(waiver.case_name)),
                  fmt::format("{}:{}", file.string(), line), "correct the name, or take the waiver away");
    }
    return waivers.size();
  });
}

void add_baselines(const Session& session, std::vector<Checked>& all) {
  for (const auto& file : baseline_files(session.baselines_path())) all.push_back(checked_baseline(file));
  if (std::filesystem::exists(store::waivers_path(session.baselines_path()))) all.push_back(checked_waivers(session));
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

void add_validate(Command app, Session& session) {
  auto names = std::make_shared<std::vector<std::string>>();
  Command validate = app.subcommand("validate", "Load specs, baselines and waivers strictly and print every problem");
  validate.option("SPEC", *names, "Spec files or folders, or the word 'baselines' (default: all of the project)");
  validate.callback(
      [names, &session] { session.action = [names, &session] { return run_validate(session, *names); }; });
}

}  // namespace opgate::app
