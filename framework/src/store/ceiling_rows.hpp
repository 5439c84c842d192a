#pragma once

#include <optional>
#include <string>

#include "core/ceilings.hpp"
#include "store/sqlite.hpp"

namespace opgate::store {

void insert_ceilings(Connection& connection, const core::Ceilings& ceilings);
// The newest of that unit; none where its name is unknown, "".
[[nodiscard]] std::optional<core::Ceilings> newest_ceilings(Connection& connection, const std::string& unit);

}  // namespace opgate::store
