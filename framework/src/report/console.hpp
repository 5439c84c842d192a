#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/verdict.hpp"
#include "report/format.hpp"
#include "store/history.hpp"

namespace opgate::report {

// How a reader reproduces, profiles and accepts; filled in by the case runner.
struct NextSteps {
  std::string reproduce;   // ctest command
  std::string profile;     // ncu command
  std::string accept;      // opgate baseline accept command
  std::string timeline{};  // file to open, or the command that writes it
};

// The block a case prints: verdict first, then the figures, the reason, and what to do, in lines of at
// most `width` but for words and commands that are longer. Never throws.
[[nodiscard]] std::string case_block(const store::CaseResult& result, const NextSteps& next, bool colour,
                                     std::size_t width = kWidth);
// One <CTestMeasurement type="numeric/double" name="..."> line per figure that exists.
[[nodiscard]] std::string ctest_measurements(const store::CaseResult& result);
// The line by which CTest attaches a file to the case in Test.xml; "" for a path that such a line cannot hold.
[[nodiscard]] std::string ctest_attachment(const std::string& name, const std::string& path);
// "nightly run 12: 57 of 60 selected cases measured: 55 pass, 1 regressed, ..." and the cases that are not green by
// name.
[[nodiscard]] std::string run_summary(const store::RunInfo& run, const std::vector<store::CaseResult>& results);
// The code of the whole run, in the order of design: worst of its cases; missing and double recordings count as 3.
[[nodiscard]] core::ExitCode run_exit_code(const store::RunInfo& run, const std::vector<store::CaseResult>& results);

}  // namespace opgate::report
