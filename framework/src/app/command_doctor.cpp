#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>

#include "app/check_text.hpp"
#include "app/command_doctor_checks.hpp"
#include "app/command_table.hpp"
#include "app/option_checks.hpp"
#include "app/progress.hpp"
#include "app/session_terminal.hpp"
#include "core/ceiling_checks.hpp"
#include "core/probe_checks.hpp"
#include "device/fitness.hpp"
#include "run/wall_clock.hpp"

namespace opgate::app {

namespace {

class Doctor {
 public:
  explicit Doctor(const Session& session) : session_(session) {}

  core::ExitCode run(const ProbeRequest& probe, bool ceilings) {
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
      probe_device(*device, probe, [](const Check&) { return true; });
      if (ceilings) measure_ceilings(*device, probe);
    } else {
      tell({"probe", Health::unknown, "there is no GPU to probe"});
      if (ceilings) tell({"ceilings", Health::unknown, "there is no GPU to measure"});
    }
    if (!session_.json) {
      session_.out() << (failed_ == 0 ? "fit to measure\n" : fmt::format("not fit to measure: {} failed\n", failed_));
    }
    return failed_ == 0 ? core::ExitCode::pass : core::ExitCode::cannot_run;
  }

 private:
  // `seen` hears of each check, and says whether people are to.
  void probe_device(const device::NvmlDevice& device, const ProbeRequest& probe,
                    const std::function<bool(const Check&)>& seen) {
    const run::Terminal terminal = terminal_of(session_);
    const std::size_t steps = (probe.ceilings ? core::ceiling_check_names() : core::probe_check_names()).size();
    Progress progress(session_.err(), terminal.progress, terminal.width, probe.ceilings ? "ceilings" : "probe", steps);
    run_probe(
        device, probe, [&](const std::string& name) { progress.next(name); },
        [&](const Check& check) {
          progress.hide();
          if (seen(check)) tell(check);
        });
  }

  void measure_ceilings(const device::NvmlDevice& device, ProbeRequest probe) {
    core::Ceilings measured{.unit = device.identity.uuid,
                            .device = device.identity.name,
                            .driver = device.identity.driver,
                            .measured_unix_ms = run::unix_ms()};
    probe.ceilings = true;
    probe_device(device, probe, [&](const Check& check) {
      core::take_ceiling(check, measured);
      return check.name != "cuda" || check.health != Health::ok;  // its context was told of before
    });
    tell(failed_ == 0 ? keep_ceilings(session_, std::move(measured))
                      : Check{"ceilings.kept", Health::unknown, "not kept, because this machine is not fit to measure",
                              "do what the failed checks say, and measure again"});
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

void add_doctor(Command app, Session& session) {
  Command doctor = app.subcommand(
      "doctor", "Prove by checks and by measuring whether this machine can be trusted, and what to do where not");
  const auto probe = std::make_shared<ProbeRequest>();
  const auto ceilings = std::make_shared<bool>(false);
  doctor.flag("--ceilings", *ceilings,
              "Also measure how fast its memory and tensor cores are at most, and keep that in the history");
  doctor.option("--probe", probe->program).hidden().check(not_empty());  // for tests, as is the next
  doctor.option("--break", probe->broken).hidden();
  doctor.callback([&session, probe, ceilings] {
    session.creates_history = *ceilings;
    session.action = [&session, probe, ceilings] { return Doctor(session).run(*probe, *ceilings); };
  });
}

}  // namespace opgate::app
