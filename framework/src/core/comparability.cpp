#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/readings.hpp"
#include "core/verdict.hpp"

namespace opgate::core {
namespace {

std::string or_unknown(const std::string& text) {
  return text.empty() ? "unknown" : text;
}

std::string text_of(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "unknown";
}

template <class Value>
std::string text_of(const std::map<std::string, Value>& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  }
  return text.empty() ? "none" : text;
}

class Differences {
 public:
  void check(const char* what, const std::string& accepted, const std::string& now) {
    if (accepted != now) {
      add(what, or_unknown(accepted), or_unknown(now) + " now");
    }
  }
  template <class Value>
  void check(const char* what, const Value& accepted, const Value& now) {
    if (accepted != now) {
      add(what, text_of(accepted), text_of(now) + " now");
    }
  }
  void add(const char* what, const std::string& accepted, const std::string& now) {
    text_ += fmt::format("{}{} differs: {} in the baseline, {}", text_.empty() ? "" : "; ", what, accepted, now);
  }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

// Baselines of one kernel that were accepted before they said whether kernels overlap: it cannot overlap with itself.
bool one_and_the_same_kernel(const CaseBaseline& baseline, const CaseRun& run) {
  const bool one_by_summary = run.samples.empty() && run.summary && run.summary->n_kernels == 1;
  const bool single =
      one_by_summary || (!run.samples.empty() && std::all_of(run.samples.begin(), run.samples.end(),
                                                             [](const Sample& s) { return s.n_kernels == 1; }));
  const auto& shares = baseline.model.group_shares;
  return single && run.group_names.size() == 1 && shares.size() == 1 && shares.contains(run.group_names.front());
}

// Holding the device back changes which kernels run at the same time, and nothing else about busy time. Empty: none
// ever do, neither in the accepted runs nor now.
std::string why_launch_matters(const CaseBaseline& baseline, const CaseRun& run) {
  const std::optional<bool> now = kernels_overlap(run);
  const std::optional<bool> accepted = baseline.kernels_overlap;
  if (now.value_or(false) || accepted.value_or(false)) {
    return fmt::format("kernels of a call overlap{}", now == accepted       ? ""
                                                      : now.value_or(false) ? " now"
                                                                            : " in the baseline");
  }
  if (!now) {
    return "this reading does not say whether kernels of a call overlap";
  }
  return accepted || one_and_the_same_kernel(baseline, run)
             ? ""
             : "the baseline does not say whether kernels of a call overlap";
}

void check_launch(const CaseBaseline& baseline, const CaseRun& run, Differences& differences,
                  std::vector<std::string>& notes) {
  const std::string accepted = or_unknown(baseline.conditions.launch);
  const std::string now = or_unknown(run.conditions.launch);
  if (accepted == now) {
    return;
  }
  if (const std::string why = why_launch_matters(baseline, run); !why.empty()) {
    differences.add("launch mode", accepted, fmt::format("{} now, and {}", now, why));
    return;
  }
  notes.push_back(fmt::format(
      "launched {} now and {} in the baseline: comparable, since kernels of the call never overlap", now, accepted));
}

void check_identity(const CaseIdentity& accepted, const CaseIdentity& now, Differences& differences,
                    std::vector<std::string>& notes) {
  differences.check("dtype", accepted.dtype, now.dtype);
  differences.check("dimensions", accepted.dimensions, now.dimensions);
  differences.check("params", accepted.params, now.params);
  differences.check("input generator", accepted.generator, now.generator);
  differences.check("copies mode", accepted.copies, now.copies);
  // Without dimensions (imports) the work is all there is to tell one shape from another.
  if (accepted.dimensions.empty() && now.dimensions.empty()) {
    differences.check("flops", accepted.flops, now.flops);
    differences.check("bytes read", accepted.bytes_read, now.bytes_read);
    differences.check("bytes written", accepted.bytes_written, now.bytes_written);
    differences.check("bytes", accepted.bytes, now.bytes);
    return;
  }
  const auto flag = [&](const char* what, const std::optional<double>& was, const std::optional<double>& is) {
    if (was != is) {
      notes.push_back(
          fmt::format("{} of the spec changed from {} to {}: rates are not comparable with older ones, time is", what,
                      text_of(was), text_of(is)));
    }
  };
  flag("flops", accepted.flops, now.flops);
  flag("bytes read", accepted.bytes_read, now.bytes_read);
  flag("bytes written", accepted.bytes_written, now.bytes_written);
}

}  // namespace

std::string incomparable(const CaseBaseline& baseline, const CaseRun& run, std::vector<std::string>& notes) {
  Differences differences;
  check_identity(baseline.identity, run.identity, differences, notes);
  const Conditions& accepted = baseline.conditions;
  const Conditions& now = run.conditions;
  differences.check("protocol", accepted.protocol, now.protocol);
  differences.check("timing", accepted.timing, now.timing);
  differences.check("flush", accepted.flush, now.flush);
  differences.check("pacing", accepted.pacing, now.pacing);
  differences.check("GPU model", accepted.device_name, now.device_name);
  differences.check("driver branch", accepted.driver_branch, now.driver_branch);
  differences.check("CUDA version", accepted.cuda, now.cuda);
  check_launch(baseline, run, differences, notes);
  return differences.text();
}

}  // namespace opgate::core
