#include "app/gate_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "app/command_text.hpp"
#include "app/command_trees.hpp"
#include "app/progress.hpp"
#include "app/session_terminal.hpp"
#include "opgate/error.hpp"
#include "run/fixtures.hpp"
#include "run/gate_baselines.hpp"
#include "run/gate_judge.hpp"
#include "run/gate_project.hpp"
#include "run/new_run.hpp"
#include "run/paired_case.hpp"
#include "run/stop_signals.hpp"
#include "spec/names.hpp"

namespace opgate::app {

namespace {

using core::ExitCode;
using report::GateCase;
using report::GateEnd;

// What a reader calls the candidate: the commit of its sources, as far as that is one.
std::string name_of(const run::Project& project) {
  const store::RunInfo info = run::new_run("gate", false, project, {});
  if (info.commit.empty()) return "sources in " + project.source_dir.string();
  const bool edited = info.dirty && !project.altered;
  return fmt::format("{}{}{}", info.commit.substr(0, 12), edited ? " with uncommitted changes" : "",
                     project.altered ? " with an op slowed down on purpose" : "");
}

GateCase not_run(const std::string& name, const std::string& why) {
  GateCase one;
  one.name = name;
  one.reason = why;
  return one;
}

std::string device_text(const core::DeviceIdentity& device) {
  return fmt::format("{}, {}, driver {}, CUDA {}", device.name, device.uuid, device.driver, device.cuda);
}

std::string how_it_ended(const run::GateRun::Measured& measured) {
  const run::ChildEnd& end = measured.end;
  const std::string how = end.timed_out     ? "did not end in time"
                          : end.interrupted ? "was told to stop"
                          : end.signal      ? fmt::format("was killed by signal {}", *end.signal)
                                            : fmt::format("ended with {}", end.exit_status.value_or(-1));
  return fmt::format("its program {} and stored nothing; see {}", how, measured.log.string());
}

}  // namespace

Gate::Gate(const Session& session, const GateWords& words)
    : session_(session),
      words_(words),
      environment_(run::read_environment()),
      base_(build_tree("base", words.base)),
      candidate_(build_tree("candidate", words.candidate)) {
  refuse_replay(environment_);
  environment_.require_gpu = true;
  report_.base = words.base_name.empty() ? "sources in " + base_.project.source_dir.string() : words.base_name;
  report_.candidate = name_of(candidate_.project);
  report_.label = words.label;
  report_.notes = words.notes;
}

void Gate::redden(ExitCode code, std::string note) {
  codes_.push_back(code);
  report_.notes.push_back(std::move(note));
}

void Gate::plan() {
  const auto wanted = [this](const std::string& name) { return session_.matches(name); };
  base_tree_ = run::load_gate_tree(base_.project, wanted);
  plan_ =
      run::plan_gate(base_tree_, run::load_gate_tree(candidate_.project, wanted), words_.label, words_.allow_removed);
  report_.changes = plan_.changes;
  const auto baselines = run::baseline_changes(base_.project.baselines, candidate_.project.baselines);
  report_.changes.insert(report_.changes.end(), baselines.begin(), baselines.end());
  report_.cases = plan_.removed;
  if (!session_.filter.empty()) report_.notes.push_back("only cases" + session_.filter_words() + " were looked at");

  const auto history = session_.history.empty() ? candidate_.project.source_dir / "results" / "gate.sqlite"
                                                : std::filesystem::absolute(session_.history);
  candidate_.project = run::write_gate_project(base_.project, candidate_.project, history,
                                               candidate_.project.build_dir / "opgate" / "gate");
  judged_ = run::load_gate_tree(candidate_.project, wanted).cases;
  check_selection();
}

void Gate::check_selection() {
  if (plan_.expected == 0) {
    redden(plan_.present.empty() ? ExitCode::cannot_run : ExitCode::no_baseline,
           fmt::format("the merge base has no case labelled {}{}: nothing that could be held against it", words_.label,
                       session_.filter_words()));
  }
  for (const run::BuildTree* tree : {&base_, &candidate_}) {
    if (!tree->project.have_cuda) redden(ExitCode::cannot_run, "the " + tree->name + " is built without CUDA");
  }
}

void Gate::leave_out_identical() {
  const bool comparable = base_.project.have_cuda && candidate_.project.have_cuda;
  std::map<std::string, std::string> programs;  // op -> how they differ
  for (const run::PlannedCase& planned : plan_.present) {
    const std::string op = spec::op_of(planned.name);
    bool same = comparable && base_has(planned.name);
    if (same) {
      if (!programs.contains(op)) {
        try {
          programs[op] = run::program_difference(base_, candidate_, op);
        } catch (const Error& error) {
          programs[op] = error.what();
        }
      }
      same = programs[op].empty() &&
             run::row_difference(run::request_from_spec(base_.project.specs.at(op), planned.name),
                                 run::request_from_spec(candidate_.project.specs.at(op), planned.name))
                 .empty();
    }
    if (!same) {
      to_measure_.push_back(planned);
      continue;
    }
    GateCase one{planned.name, GateEnd::identical, ExitCode::pass, {}, {}, {}, {}, {}, {}, planned.is_new};
    one.reason = "executable, device code, libraries and spec row are the same in both builds";
    report_.cases.push_back(std::move(one));
  }
}

// Empty: cases can be measured.
std::string Gate::why_unfit() {
  if (!base_.project.have_cuda || !candidate_.project.have_cuda) return "built without CUDA";
  try {
    gpu_ = run::choose_gpu(environment_);
    if (!gpu_->found()) return gpu_->absent.empty() ? gpu_->unusable : gpu_->absent;
    for (const std::string& note : run::check_fitness(gpu_->uuid)) report_.notes.push_back("machine: " + note);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

void Gate::measure() {
  if (to_measure_.empty()) return;
  if (const std::string why = why_unfit(); !why.empty()) {
    redden(ExitCode::cannot_run, "nothing was measured: " + why);
    for (const run::PlannedCase& planned : to_measure_) report_.cases.push_back(not_run(planned.name, why));
    return;
  }
  measure_each();
}

void Gate::measure_each() {
  std::vector<std::string> names;
  names.reserve(to_measure_.size());
  for (const run::PlannedCase& planned : to_measure_) names.push_back(planned.name);
  run::GateRun run(candidate_.project, names, candidate_.project.build_dir / "opgate" / "gate" / "logs");
  Progress progress(session_.err(), terminal_of(session_).progress, terminal_of(session_).width, "measure",
                    names.size());
  for (const run::PlannedCase& planned : to_measure_) {
    if (run::stop_requested()) {
      report_.cases.push_back(not_run(planned.name, "told to stop before it was measured"));
      continue;
    }
    progress.next(planned.name);
    report_.cases.push_back(measure_one(run, planned));
  }
}

GateCase Gate::measure_one(run::GateRun& run, const run::PlannedCase& planned) {
  const run::GateRun::Measured measured = run.measure(planned.name, judged_.at(planned.name).timeout_s);
  GateCase one;
  if (measured.end.interrupted) {
    one = not_run(planned.name, "told to stop while it was measured");
  } else if (!measured.result) {
    one = not_run(planned.name, how_it_ended(measured));
    one.end = GateEnd::failed;
  } else {
    one = run::judged_by_baseline(planned.name, *measured.result);
    if (report_.device.empty() && !measured.result->attempts.empty()) {
      const core::DeviceIdentity& device = measured.result->attempts.front().device;
      if (!device.name.empty()) report_.device = device_text(device);
    }
  }
  one.is_new = planned.is_new;
  return one;
}

void Gate::settle() {
  std::vector<GateCase*> open;
  for (GateCase& one : report_.cases) {
    if (!run::is_open(one)) continue;
    if (base_has(one.name)) {
      open.push_back(&one);
    } else {
      one = run::excused_as_new(std::move(one));
    }
  }
  const run::PairedOptions options{false, words_.max_pairs, false, true};
  Progress progress(session_.err(), terminal_of(session_).progress, terminal_of(session_).width, "settle", open.size());
  for (GateCase* one : open) {
    if (run::stop_requested()) {
      *one = not_run(one->name, "told to stop before it was settled");
      continue;
    }
    progress.next(one->name);
    try {
      const run::PairedCase pairs = run::compare_case(one->name, base_, candidate_, options, [this] { return *gpu_; });
      *one = run::settled_by_pairs(std::move(*one), pairs);
    } catch (const Error& error) {
      one->end = GateEnd::failed;
      one->code = core::exit_code_of(error.kind());
      one->reason = error.what();
    }
  }
}

void Gate::expect_red() {
  const std::string& op = words_.expect_red;
  std::vector<std::string> missed;
  std::vector<std::string> strangers;
  for (const GateCase& one : report_.cases) {
    const bool red = one.end == GateEnd::regressed;
    if (spec::op_of(one.name) == op && !red) missed.push_back(one.name);
    if (spec::op_of(one.name) != op && one.code != ExitCode::pass && one.code != ExitCode::skipped) {
      strangers.push_back(one.name);
    }
  }
  const bool any = std::any_of(report_.cases.begin(), report_.cases.end(),
                               [&](const GateCase& one) { return spec::op_of(one.name) == op; });
  if (any && missed.empty() && strangers.empty() && report_.code == ExitCode::regression) {
    report_.notes.push_back("canary: red for every case of " + op + " and for no other, as it must be");
    report_.code = ExitCode::pass;
    return;
  }
  if (!any) report_.notes.push_back(fmt::format("canary failed: no case of {} is labelled {}", op, words_.label));
  if (!missed.empty()) report_.notes.push_back("canary failed: slower, but not found: " + joined(missed));
  if (!strangers.empty()) report_.notes.push_back("canary failed: red, but not slower: " + joined(strangers));
  if (report_.code == ExitCode::pass) report_.code = ExitCode::regression;
}

report::GateReport Gate::finish() {
  // Once everything expected is gone or cannot run here, nothing stands for the change being fine.
  const bool any = std::any_of(report_.cases.begin(), report_.cases.end(), [](const GateCase& one) {
    return one.end != GateEnd::removed_allowed && one.end != GateEnd::skipped && one.end != GateEnd::not_run;
  });
  if (!any && codes_.empty()) redden(ExitCode::cannot_run, "no case was judged");
  std::stable_sort(report_.cases.begin(), report_.cases.end(), [](const GateCase& a, const GateCase& b) {
    return std::tie(a.end, a.name) < std::tie(b.end, b.name);
  });
  for (const GateCase& one : report_.cases) codes_.push_back(one.code);
  report_.code = core::worst(codes_);
  if (!words_.expect_red.empty()) expect_red();
  return std::move(report_);
}

}  // namespace opgate::app
