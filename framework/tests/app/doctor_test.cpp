#include <fmt/format.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "app/check_text.hpp"
#include "app/desk.hpp"
#include "app/on_terminal.hpp"
#include "core/ceiling_checks.hpp"
#include "core/probe_checks.hpp"
#include "device/lock.hpp"
#include "run/command.hpp"

using namespace opgate;
using namespace opgate::tests;

namespace {

// A machine without a GPU, whatever this one has.
class NoGpu {
 public:
  explicit NoGpu(const Desk& desk) {
    std::filesystem::create_directories(desk.at("pci"));
    ::setenv("OPGATE_PCI_DEVICES", desk.at("pci").c_str(), 1);
    ::setenv("OPGATE_NVML_LIBRARY", desk.at("no-such-library.so").c_str(), 1);
  }
  NoGpu(const NoGpu&) = delete;
  NoGpu& operator=(const NoGpu&) = delete;
  ~NoGpu() {
    ::unsetenv("OPGATE_PCI_DEVICES");
    ::unsetenv("OPGATE_NVML_LIBRARY");
  }
};

// One healthy GPU that NVML alone knows of.
class FakeGpu {
 public:
  explicit FakeGpu(const Desk& desk) {
    std::filesystem::create_directories(desk.at("locks"));
    set("OPGATE_NVML_LIBRARY", OPGATE_FAKE_NVML);
    set("OPGATE_LOCK_DIR", desk.at("locks").string());
    set("CUDA_MPS_PIPE_DIRECTORY", desk.at("mps").string());
    set("OPGATE_PROC", desk.at("proc").string());
    ::unsetenv("CUDA_VISIBLE_DEVICES");
  }
  FakeGpu(const FakeGpu&) = delete;
  FakeGpu& operator=(const FakeGpu&) = delete;
  ~FakeGpu() {
    for (const std::string& name : names_) ::unsetenv(name.c_str());
  }
  // And the PCI bus, so that nothing is wrong with the machine.
  void plug_in(const Desk& desk) {
    std::filesystem::create_directories(desk.at("pci/0000:01:00.0"));
    desk.write("pci/0000:01:00.0/vendor", "0x10de\n");
    desk.write("pci/0000:01:00.0/class", "0x030200\n");
    set("OPGATE_PCI_DEVICES", desk.at("pci").string());
  }
  void set(const std::string& name, const std::string& value) {
    ::setenv(name.c_str(), value.c_str(), 1);
    names_.push_back(name);
  }

 private:
  std::vector<std::string> names_;
};

// A program that says what opgate_probe would.
std::string said_by_shell(const std::vector<core::Check>& checks) {
  std::string text;
  for (const core::Check& check : checks) text += "cat <<'EOF'\n" + app::json_of(check).dump() + "\nEOF\n";
  return text;
}

// With `ceilings`, what it says when it is asked for those.
std::string fake_probe(const Desk& desk, const std::vector<core::Check>& checks, const std::string& ending,
                       const std::vector<core::Check>& ceilings = {}) {
  const std::string text = "#!/bin/sh\ncase \" $* \" in *' --ceilings '*)\n" + said_by_shell(ceilings) +
                           "exit 0;; esac\n" + said_by_shell(checks);
  const std::filesystem::path program = desk.write("probe", text + ending + "\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  return program.string();
}

std::vector<core::Check> every_check() {
  std::vector<core::Check> checks;
  for (const std::string& name : core::probe_check_names()) checks.push_back({name, core::Health::ok, "fine"});
  return checks;
}

core::DeviceIdentity h200() {
  core::DeviceIdentity device;
  device.name = "NVIDIA H200";
  device.sm_count = 132;
  device.l2_bytes = 60'000'000;
  device.compute_capability = 90;
  device.max_sm_mhz = 1980;
  return device;
}

std::vector<core::Check> every_ceiling() {
  return {core::Check{"cuda", core::Health::ok, "fine"},
          core::judge_ceiling(h200(), {.work = 4e9, .medians_ns = {1e6, 1.01e6}, .sm_mhz = {1980}}),
          core::judge_ceiling(h200(), {.dtype = "bf16", .work = 8e11, .medians_ns = {1e6}, .sm_mhz = {1700}}),
          core::no_tensor_ceiling(h200(), "f8e4m3")};
}

nlohmann::json check_of(const Said& said, const std::string& name) {
  for (const auto& line : said.lines()) {
    if (line["check"] == name) return line;
  }
  return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(doctor)

BOOST_AUTO_TEST_CASE(a_machine_without_a_gpu_is_not_fit_and_says_what_to_do) {
  const Desk desk;
  const NoGpu no_gpu(desk);
  const Said said = desk.bare({"doctor", "--json"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(check_of(said, "pci")["state"] == "FAIL");
  BOOST_TEST(check_of(said, "nvml")["state"] == "FAIL");
  BOOST_TEST(!check_of(said, "pci")["remedy"].is_null());
  BOOST_TEST(check_of(said, "cupti")["state"] == "unknown");  // the project was built without CUDA
  BOOST_TEST(check_of(said, "history")["state"] == "ok");
  BOOST_TEST(check_of(said, "baselines")["state"] == "ok");
  const Said text = desk.bare({"doctor"});
  BOOST_TEST(text.out.find("FAIL    pci: no NVIDIA device is on the PCI bus\n          fix: ") != std::string::npos);
  BOOST_TEST(text.out.find("not fit to measure") != std::string::npos);
  BOOST_TEST(!std::filesystem::exists(desk.at("project.sqlite")));  // looking is not making
}

BOOST_AUTO_TEST_CASE(bad_history_and_baselines_are_named) {
  const Desk desk;
  const NoGpu no_gpu(desk);
  desk.write("h.sqlite", "no database");
  std::filesystem::create_directories(desk.at("b/unknown"));
  desk.write("b/unknown/add.json", "[]");
  const Said said = desk.run({"doctor", "--json"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(check_of(said, "history")["state"] == "FAIL");
  BOOST_TEST(check_of(said, "baselines")["state"] == "FAIL");
  BOOST_TEST(check_of(said, "baselines")["detail"].get<std::string>().find("add.json") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_the_probe_says_is_told_and_decides) {
  const Desk desk;
  const FakeGpu gpu(desk);
  std::vector<core::Check> checks = every_check();
  core::Check& tick = checks.at(4);
  BOOST_REQUIRE(tick.name == "tick");
  tick.rows = {"a row"};
  tick.figures = {{"tick_ns", 32}};
  const Said good = desk.bare({"doctor", "--json", "--probe", fake_probe(desk, checks, "exit 0")});
  BOOST_TEST(check_of(good, "tick")["figures"]["tick_ns"] == 32);
  BOOST_TEST(check_of(good, "tick")["rows"][0] == "a row");
  BOOST_TEST(check_of(good, "probe")["state"] == "ok");
  BOOST_TEST(check_of(good, "gpu0.mig")["state"] == "unknown");
  BOOST_TEST(check_of(good, "gpu0.throttle")["detail"] == "power cap");
  BOOST_TEST(check_of(good, "mps")["state"] == "ok");
  for (const auto& line : good.lines()) {
    for (const char* field : {"check", "state", "detail", "remedy", "figures", "rows"})
      BOOST_TEST(line.contains(field));
  }
  tick.health = core::Health::fail;
  tick.remedy = "buy another clock";
  const std::string failing = fake_probe(desk, checks, "exit 3");
  const Said bad = desk.bare({"doctor", "--json", "--probe", failing});
  BOOST_TEST(bad.code == 3);
  BOOST_TEST(check_of(bad, "tick")["state"] == "FAIL");
  BOOST_TEST(check_of(bad, "probe")["state"] == "ok");
  const Said text = desk.bare({"doctor", "--probe", failing});
  BOOST_TEST(text.out.find("FAIL    tick: fine\n          a row\n          fix: buy another clock\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_terminal_hears_which_check_is_being_made) {
  const Desk desk;
  const FakeGpu gpu(desk);
  const std::string probe = fake_probe(desk, every_check(), "exit 0");
  const std::size_t count = core::probe_check_names().size();
  const std::string said = on_terminal({"doctor", "--probe", probe}, desk.at("").string());
  BOOST_TEST(said.find("probe 1/" + std::to_string(count) + " cuda") != std::string::npos);
  BOOST_TEST(said.find(fmt::format("probe {}/{} {}", count, count, core::probe_check_names().back())) !=
             std::string::npos);
  BOOST_TEST(on_terminal({"doctor", "--probe", probe}, desk.at("").string(), true).find("probe 1/") ==
             std::string::npos);
}

// Each is told when it is made, not when all are.
BOOST_AUTO_TEST_CASE(lines_of_a_command_are_handed_on_as_they_come) {
  const Desk desk;
  const std::string seen = desk.at("seen").string();
  std::vector<std::string> lines;
  const auto ended =
      run::capture({"sh", "-c", "echo one; until [ -e '" + seen + "' ]; do sleep 0.01; done; printf two"}, std::nullopt,
                   [&](const std::string& line) {
                     lines.push_back(line);
                     desk.write("seen", "");
                   });
  BOOST_TEST(ended.output == "one\ntwo");
  BOOST_TEST(lines == (std::vector<std::string>{"one", "two"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ceilings_are_told_and_kept_in_the_history_of_the_unit) {
  const Desk desk;
  FakeGpu gpu(desk);
  gpu.plug_in(desk);
  const std::string probe = fake_probe(desk, every_check(), "exit 0", every_ceiling());
  const Said said = desk.run({"doctor", "--ceilings", "--json", "--probe", probe});
  BOOST_TEST(said.code == 0, said.out);
  BOOST_TEST(check_of(said, "ceiling.bf16")["figures"]["per_s"] == 8e14);
  BOOST_TEST(check_of(said, "ceiling.f8e4m3")["state"] == "unknown");
  BOOST_TEST(check_of(said, "ceilings")["state"] == "ok");
  BOOST_TEST(check_of(said, "ceilings.kept")["state"] == "ok");
  const store::History history = desk.history();
  const auto kept = history.ceilings("GPU-00000000-1111-2222-3333-444444444444");
  BOOST_REQUIRE(kept.has_value());
  BOOST_TEST(kept->copy.value().per_ns == 4e9 / 1.005e6, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(kept->half.value().sm_mhz.value() == 1700);
  BOOST_TEST(!kept->f8.has_value());
  BOOST_TEST(kept->measured_unix_ms > 1'700'000'000'000);
  BOOST_TEST(history.case_names().empty());
  BOOST_TEST(history.runs().empty());
  // Nobody asked for them here.
  const Said without = desk.run({"doctor", "--json", "--probe", probe});
  BOOST_TEST(check_of(without, "ceilings").is_null());
}

BOOST_AUTO_TEST_CASE(ceilings_of_an_unfit_machine_or_a_half_done_probe_are_not_kept) {
  const Desk desk;
  FakeGpu gpu(desk);
  gpu.plug_in(desk);
  const auto code = [&](const std::vector<core::Check>& checks, const std::vector<core::Check>& ceilings) {
    const Said said =
        desk.run({"doctor", "--ceilings", "--json", "--probe", fake_probe(desk, checks, "exit 0", ceilings)});
    BOOST_TEST(check_of(said, "ceilings.kept")["state"] == "unknown");
    BOOST_TEST(!std::filesystem::exists(desk.at("h.sqlite")));
    return said.code;
  };
  std::vector<core::Check> failing = every_check();
  failing.back().health = core::Health::fail;
  BOOST_TEST(code(failing, every_ceiling()) == 3);
  std::vector<core::Check> fewer = every_ceiling();
  fewer.pop_back();
  BOOST_TEST(code(every_check(), fewer) == 3);
  std::vector<core::Check> impossible = every_ceiling();
  impossible.at(1) = core::judge_ceiling(h200(), {.work = 6e9, .medians_ns = {1e6}, .sm_mhz = {}});
  BOOST_TEST(code(every_check(), impossible) == 3);
}

BOOST_AUTO_TEST_CASE(a_probe_that_does_not_end_well_is_no_proof) {
  const Desk desk;
  const FakeGpu gpu(desk);
  const auto state = [&](const std::vector<core::Check>& checks, const std::string& ending, const std::string& words) {
    const Said said = desk.bare({"doctor", "--json", "--probe", fake_probe(desk, checks, ending)});
    const auto probe = check_of(said, "probe");
    BOOST_TEST(said.code == 3);
    BOOST_TEST(probe["detail"].get<std::string>().find(words) != std::string::npos, probe.dump());
    return probe["state"];
  };
  BOOST_TEST(state(every_check(), "exit 7", "exit status 7") == "FAIL");
  BOOST_TEST(state(every_check(), "kill -9 $$", "was killed") == "FAIL");
  BOOST_TEST(state(every_check(), "echo hello", "1 lines") == "FAIL");
  std::vector<core::Check> fewer = every_check();
  fewer.pop_back();
  BOOST_TEST(state(fewer, "exit 0", "not made: host_immunity") == "FAIL");
  BOOST_TEST(state({}, "exit 0", "not made: cuda, ") == "FAIL");
}

BOOST_AUTO_TEST_CASE(a_gpu_that_somebody_measures_on_is_left_alone) {
  const Desk desk;
  const FakeGpu gpu(desk);
  const auto held =
      device::DeviceLock::acquire("GPU-00000000-1111-2222-3333-444444444444", "a case", std::chrono::milliseconds(0));
  const std::string marker = desk.at("ran").string();
  const Said said = desk.bare({"doctor", "--json", "--probe", fake_probe(desk, every_check(), "touch " + marker)});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(check_of(said, "gpu0.lock")["state"] == "FAIL");
  BOOST_TEST(check_of(said, "probe")["state"] == "unknown");
  BOOST_TEST(!std::filesystem::exists(marker));
}

BOOST_AUTO_TEST_CASE(what_makes_a_machine_unfit_is_named) {
  const Desk desk;
  const std::string probe = fake_probe(desk, every_check(), "exit 0");
  const auto broken_by = [&](const char* variable, const char* value, const std::string& name) {
    FakeGpu gpu(desk);
    gpu.set(variable, value);
    const Said said = desk.bare({"doctor", "--json", "--probe", probe});
    BOOST_TEST(said.code == 3);
    return check_of(said, name)["state"] == "FAIL";
  };
  BOOST_TEST(broken_by("FAKE_NVML_MIG", "1", "gpu0.mig"));
  BOOST_TEST(broken_by("FAKE_NVML_VIRTUALIZATION", "2", "gpu0.vgpu"));
  BOOST_TEST(broken_by("FAKE_NVML_UNCORRECTED", "1", "gpu0.ecc"));
  BOOST_TEST(broken_by("FAKE_NVML_THROTTLE", "64", "gpu0.throttle"));
  BOOST_TEST(broken_by("FAKE_NVML_PROCESSES", "1", "gpu0.processes"));  // process 1
  desk.write("control", "");
  BOOST_TEST(broken_by("CUDA_MPS_PIPE_DIRECTORY", desk.at("").c_str(), "mps"));
}

BOOST_AUTO_TEST_SUITE_END()
