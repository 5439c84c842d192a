#include "core/comparability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "core/readings.hpp"
#include "core/verdict.hpp"

namespace opgate::core {
namespace {

template <class Value>
std::string listed(const std::map<std::string, Value>& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  }
  return text.empty() ? "none" : text;
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

using Identity = const CaseIdentity&;
using How = const Conditions&;
constexpr Answer kYes = Answer::yes;
constexpr Answer kNo = Answer::no;
constexpr Answer kWork = Answer::with_dimensions;

constexpr std::array<ComparabilityRow, 21> kTable{{
    {"dtype", kNo, kNo, kYes, [](Identity i, How) { return i.dtype; }},
    {"dimensions", kNo, kNo, kYes, [](Identity i, How) { return listed(i.dimensions); }},
    {"params", kNo, kNo, kYes, [](Identity i, How) { return listed(i.params); }},
    {"input generator", kNo, kNo, kYes, [](Identity i, How) { return i.generator; }},
    {"copies mode", kNo, kNo, kYes, [](Identity i, How) { return i.copies; }},
    {"flops", kWork, kWork, kYes, [](Identity i, How) { return number(i.flops); }},
    {"bytes read", kWork, kWork, kYes, [](Identity i, How) { return number(i.bytes_read); }},
    {"bytes written", kWork, kWork, kYes, [](Identity i, How) { return number(i.bytes_written); }},
    {"bytes", kWork, kWork, kYes, [](Identity i, How) { return number(i.bytes); }},
    {"kernels", Answer::flagged, kYes, kYes, nullptr},
    {"protocol", kNo, kNo, kYes, [](Identity, How c) { return c.protocol; }},
    {"timing", kNo, kNo, kYes, [](Identity, How c) { return c.timing; }},
    {"flush", kNo, kNo, kYes, [](Identity, How c) { return c.flush; }},
    {"launch mode", Answer::no_overlap, Answer::no_overlap, kYes, [](Identity, How c) { return c.launch; }},
    {"pacing", kNo, kNo, kYes, [](Identity, How c) { return c.pacing; }},
    {"processes of a reading", kNo, kYes, kYes, [](Identity, How c) { return c.processes; }},
    {"GPU model", kNo, kNo, kYes, [](Identity, How c) { return c.device_name; }},
    {"GPU unit of the model", Answer::wider, Answer::wider, kYes, nullptr},
    {"driver branch", kNo, kNo, kYes, [](Identity, How c) { return c.driver_branch; }},
    {"CUDA version", kNo, kNo, kYes, [](Identity, How c) { return c.cuda; }},
    {"patch level of driver or CUDA", kYes, kYes, kYes, nullptr},
}};

const std::string& or_unknown(const std::string& text) {
  static const std::string unknown = "unknown";
  return text.empty() ? unknown : text;
}

// Baselines of one kernel that were accepted before they said whether kernels overlap: it cannot overlap with itself.
// `run` is known not to overlap: figures without samples tell that of a single kernel only.
bool one_and_the_same_kernel(const CaseBaseline& baseline, const CaseRun& run) {
  const bool single =
      std::all_of(run.samples.begin(), run.samples.end(), [](const Sample& s) { return s.n_kernels == 1; });
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

// Whether a difference that needs a condition is one that is flagged only.
bool condition_holds(Answer answer, const CaseBaseline& baseline, const CaseRun& run) {
  switch (answer) {
    case Answer::no_overlap:
      return why_launch_matters(baseline, run).empty();
    case Answer::with_dimensions:
      return !baseline.identity.dimensions.empty() || !run.identity.dimensions.empty();
    case Answer::no:
      return false;
    case Answer::yes:
    case Answer::flagged:
    case Answer::wider:
      return true;
  }
  return false;
}

std::string why_flagged(Answer answer) {
  if (answer == Answer::no_overlap) {
    return "times are compared, since kernels of the call never overlap";
  }
  return answer == Answer::with_dimensions ? "times are compared, rates are not comparable with older ones"
                                           : "times are compared";
}

}  // namespace

std::span<const ComparabilityRow> comparability_table() {
  return kTable;
}

const char* to_string(Answer answer) {
  switch (answer) {
    case Answer::yes:
      return "compared";
    case Answer::flagged:
      return "compared, flagged";
    case Answer::wider:
      return "compared, 3 % more tolerance";
    case Answer::no_overlap:
      return "compared, flagged, if kernels never overlap; else no";
    case Answer::with_dimensions:
      return "compared, flagged; without dimensions no";
    case Answer::no:
      return "no";
  }
  return "unknown";
}

std::string incomparable(const CaseBaseline& baseline, const CaseRun& run, std::vector<std::string>& notes) {
  std::string why;
  for (const ComparabilityRow& row : kTable) {
    if (row.value == nullptr) {
      continue;
    }
    const std::string was = row.value(baseline.identity, baseline.conditions);
    const std::string is = row.value(run.identity, run.conditions);
    if (was == is) {
      continue;
    }
    const Answer answer = was.empty() || is.empty() ? row.one_sided : row.differs;
    if (answer == Answer::yes) {
      continue;
    }
    const std::string told =
        fmt::format("{} differs: {} in the baseline, {} now", row.what, or_unknown(was), or_unknown(is));
    if (condition_holds(answer, baseline, run)) {
      notes.push_back(fmt::format("{}: {}", told, why_flagged(answer)));
    } else {
      why += (why.empty() ? "" : "; ") + told;
      why += answer == Answer::no_overlap ? ", and " + why_launch_matters(baseline, run) : "";
    }
  }
  return why;
}

}  // namespace opgate::core
