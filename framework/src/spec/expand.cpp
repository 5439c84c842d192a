#include <fmt/format.h>

#include "opgate/error.hpp"
#include "spec/expansion.hpp"
#include "spec/spec.hpp"
#include "text/suggest.hpp"

namespace opgate::spec {
namespace {

std::string case_name(const Spec& spec, const WorkloadSpec& workload, DType dtype) {
  return fmt::format("{}.{}.{}", spec.op, workload.name, to_string(dtype));
}

}  // namespace

std::vector<Case> expand(const Spec& spec) {
  const Expansion expansion(spec);
  std::vector<Case> cases;
  cases.reserve(spec.workloads.size() * spec.dtypes.size());
  for (const WorkloadSpec& workload : spec.workloads) {
    for (const DType dtype : spec.dtypes) cases.push_back(expansion.make(workload, dtype));
  }
  return cases;
}

Case find_case(const Spec& spec, const std::string& wanted) {
  constexpr std::size_t kSuggestions = 3;
  std::vector<std::string> names;
  for (const WorkloadSpec& workload : spec.workloads) {
    for (const DType dtype : spec.dtypes) {
      names.push_back(case_name(spec, workload, dtype));
      if (names.back() == wanted) return Expansion(spec).make(workload, dtype);
    }
  }
  const std::vector<std::string> near = text::near_names(wanted, names, kSuggestions);
  throw Error(ErrorKind::spec, fmt::format("there is no case \"{}\"", wanted), spec.path.string(),
              near.empty() ? fmt::format("name one of its {} cases, such as {}", names.size(),
                                         names.empty() ? std::string("none") : names.front())
                           : fmt::format("write {}", fmt::join(near, " or ")));
}

}  // namespace opgate::spec
