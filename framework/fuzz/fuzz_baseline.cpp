#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "clear.hpp"
#include "core/verdict.hpp"
#include "store/baseline_file.hpp"
#include "store/waiver_file.hpp"

namespace {

namespace core = opgate::core;
using opgate::fuzz::require;

// A run of the case as it was accepted, half as slow again: whatever the file says of accepted runs is used.
void judge(const opgate::store::BaselineEntry& entry) {
  core::CaseRun run;
  run.identity = entry.baseline.identity;
  run.conditions = entry.baseline.conditions;
  if (!entry.baseline.units.empty()) run.unit = entry.baseline.units.begin()->first;
  for (std::int64_t i = 0; i < 12; ++i) run.samples.push_back({1500 + i, 1500 + i, 0, 1, 1980, i < 6 ? 0U : 1U});
  const auto& groups = entry.baseline.model.groups;
  run.group_names = {groups.empty() ? "k" : groups.begin()->first, groups.empty() ? "l" : groups.rbegin()->first};
  const core::Judgement judgement =
      core::judge(entry.baseline, run, std::vector<core::CaseRun>{run, run}, core::RuleOptions{});
  require(!judgement.reason.empty(), "a verdict without a reason");
  for (const auto& figure : {judgement.baseline_ns, judgement.change_pct, judgement.threshold_pct}) {
    require(!figure || !std::isnan(*figure), "a verdict with NaN", judgement.reason);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace store = opgate::store;
  const std::string text(opgate::fuzz::text_of(data, size));
  opgate::fuzz::accepts(opgate::ErrorKind::baseline, [&] {
    for (const store::LoadedWaiver& loaded : store::parse_waivers(text, "baselines/waivers.json")) {
      require(core::is_date(loaded.waiver.expires), "a waiver without an end");
    }
  });
  store::BaselineFile file;
  if (!opgate::fuzz::accepts(opgate::ErrorKind::baseline,
                             [&] { file = store::parse_baseline_file(text, "baselines/gpu/op.json"); })) {
    return 0;
  }
  const std::string written = store::format_baseline_file(file);
  require(store::format_baseline_file(store::parse_baseline_file(written, "written")) == written,
          "written and read again it is another file", written);
  const auto path = store::baseline_path("baselines", file.device_name, file.op).lexically_normal();
  require(std::distance(path.begin(), path.end()) == 3 && *path.begin() == "baselines", "a path outside",
          path.native());
  for (const auto& [name, entry] : file.cases) judge(entry);
  return 0;
}
