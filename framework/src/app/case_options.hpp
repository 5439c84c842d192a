#pragma once

#include <string>
#include <variant>

#include "core/exit_code.hpp"
#include "run/request.hpp"

namespace opgate::app {

// The parsed command line of a case executable, or the code to exit with after help or a usage error was printed.
[[nodiscard]] std::variant<run::CaseOptions, core::ExitCode> parse_case_options(int argc, const char* const* argv);

}  // namespace opgate::app
