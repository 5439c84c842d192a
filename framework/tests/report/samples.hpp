#pragma once

#include <string>

#include "report/console.hpp"

namespace opgate::report::test {

// A gemm case on an H200 whose readings are fixed numbers.
store::CaseResult measured_case();
store::CaseResult judged_case(core::Verdict verdict, core::ExitCode exit_code, double change_pct);
// Ended without a number.
store::CaseResult ended_case(core::Status status, ErrorKind error, core::ExitCode exit_code, const std::string& phase,
                             const std::string& message);
// What the GPU of measured_case() was measured to do.
core::Ceilings measured_ceilings();
store::CaseResult named(store::CaseResult result, const std::string& name);
NextSteps next_steps();

// Compares with framework/tests/data/golden/report/<name>. With OPGATE_UPDATE_GOLDEN set the file is rewritten, and the
// test fails, so that a rewrite is never mistaken for a pass.
void check_golden(const std::string& name, const std::string& text);

}  // namespace opgate::report::test
