#pragma once

#include <string>
#include <vector>

#include "report/figures.hpp"
#include "report/outcome.hpp"
#include "store/history.hpp"

namespace opgate::report {

// The parts of a case's block; each is whole lines, or empty when there is nothing to say.
[[nodiscard]] std::string identity_rows(const store::CaseResult& result, const core::Attempt* attempt);
[[nodiscard]] std::string comparison_rows(const store::CaseResult& result, const Figures& figures);
// rate_remarks: what is said behind the rates.
[[nodiscard]] std::string measurement_rows(const core::ImplementationResult& ours, int processes,
                                           const Figures& figures, const std::vector<std::string>& rate_remarks);
[[nodiscard]] std::string library_rows(const core::Attempt& attempt, const core::CaseIdentity& identity);
[[nodiscard]] std::string method_row(const core::ImplementationResult& ours);
[[nodiscard]] std::string kernel_rows(const core::ImplementationResult& ours, const Figures& figures);
[[nodiscard]] std::string machine_rows(const core::Attempt& attempt, const Figures& figures);
[[nodiscard]] std::string time_rows(const core::Attempt& attempt);
[[nodiscard]] std::string attempt_rows(const store::CaseResult& result);
[[nodiscard]] std::string reason_rows(const store::CaseResult& result, const core::Attempt* attempt);

}  // namespace opgate::report
