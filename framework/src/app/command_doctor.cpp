#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "app/check_text.hpp"
#include "app/command_doctor_checks.hpp"
#include "app/command_table.hpp"
#include "app/option_checks.hpp"
#include "app/progress.hpp"
#include "app/session_terminal.hpp"
#include "core/probe_checks.hpp"
#include "device/fitness.hpp"

namespace opgate::app {

namespace {

class Doctor {
 public:
  explicit Doctor(const Session& session) : session_(session) {}

  core::ExitCode run(const ProbeRequest& probe) {
    tell(check_pci_bus());
    const device::NvmlReport report = device::query_nvml();
    tell(check_nvml(report));
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    for (const device::NvmlDevice& device :
         device::visible_devices(report, visible == nullptr ? std::nullopt : std::optional<std::string>(visible))) {
      for (const Check& check : check_device(device)) tell(check);
    }
    tell(device::judge_mps(device::look_for_mps()));
    tell(check_cupti(session_));
    tell(check_history(session_));
    tell(check_baselines(session_));
    if (const auto device = device::case_device(report)) {
      probe_device(*device, probe);
    } else {
      tell({"probe", Health::unknown, "there is no GPU to probe"});
    }
    if (!session_.json) {
      session_.out() << (failed_ == 0 ? "fit to measure\n" : fmt::format("not fit to measure: {} failed\n", failed_));
    }
    return failed_ == 0 ? core::ExitCode::pass : core::ExitCode::cannot_run;
  }

 private:
  void probe_device(const device::NvmlDevice& device, const ProbeRequest& probe) {
    const run::Terminal terminal = terminal_of(session_);
    Progress progress(session_.err(), terminal.progress, terminal.width, "probe", core::probe_check_names().size());
    run_probe(
        device, probe, [&](const std::string& name) { progress.next(name); },
        [&](const Check& check) {
          progress.hide();
          tell(check);
        });
  }

  void tell(const Check& check) {
    if (check.health == Health::fail) ++failed_;
    if (session_.json) {
      session_.print(json_of(check));
    } else {
      session_.out() << text_of(check) << std::flush;
    }
  }

  const Session& session_;
  int failed_ = 0;
};

}  // namespace

void add_doctor(CLI::App& app, Session& session) {
  CLI::App* doctor = app.add_subcommand(
      "doctor", "Prove by checks and by measuring whether this machine can be trusted, and what to do where not");
  const auto probe = std::make_shared<ProbeRequest>();
  doctor->add_option("--probe", probe->program)->group("")->check(not_empty());  // for tests, as is the next
  doctor->add_option("--break", probe->broken)->group("");
  doctor->callback([&session, probe] { session.action = [&session, probe] { return Doctor(session).run(*probe); }; });
}

}  // namespace opgate::app
