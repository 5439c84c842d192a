#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "app/command_options.hpp"
#include "app/command_session.hpp"
#include "run/build_difference.hpp"
#include "run/environment.hpp"

namespace opgate::app {

// The configured build folder of one side. Error(usage) when it is none.
[[nodiscard]] run::BuildTree build_tree(const std::string& name, const std::filesystem::path& folder);
// Of all specs of the tree, as far as --filter leaves them.
[[nodiscard]] std::set<std::string> cases_of(const run::BuildTree& tree, const Session& session);
// Error(usage) when OPGATE_REPLAY is set: a recorded trace is of one build only.
void refuse_replay(const run::Environment& environment);
// A bound of pairs: even, so that A B B A is whole.
[[nodiscard]] WordCheck pairs_check();

}  // namespace opgate::app
