#include "report/completeness.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace opgate::report {
namespace {

// How often each case was recorded in this run.
std::map<std::string, int> recordings(const std::vector<store::CaseResult>& results) {
  std::map<std::string, int> counts;
  for (const store::CaseResult& result : results) {
    counts[result.identity.name] += std::max(result.times_recorded, 1);
  }
  return counts;
}

}  // namespace

Completeness completeness_of(const store::RunInfo& run, const std::vector<store::CaseResult>& results) {
  const auto counts = recordings(results);
  const std::set<std::string> selected(run.selected.begin(), run.selected.end());
  Completeness answer;
  std::copy_if(selected.begin(), selected.end(), std::back_inserter(answer.missing),
               [&](const std::string& name) { return !counts.contains(name); });
  for (const auto& [name, count] : counts) {
    if (count > 1) {
      answer.repeated.emplace_back(name, count);
    }
    answer.unselected += !selected.empty() && !selected.contains(name) ? 1 : 0;
  }
  return answer;
}

}  // namespace opgate::report
