#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/kept_figures.hpp"
#include "core/result.hpp"
#include "store/sqlite.hpp"

namespace opgate::store {

// The readings of kernel groups, where samples were pruned and the columns do not say the same.
[[nodiscard]] std::vector<core::GroupReading> kept_groups(Connection& connection, std::int64_t implementation_id);
void put_kept_groups(Connection& connection, std::int64_t implementation_id,
                     const std::vector<core::GroupReading>& groups);

// Instead of the samples of an implementation; absent where there never were any.
[[nodiscard]] std::optional<core::KeptFigures> kept_figures(Connection& connection, std::int64_t implementation_id,
                                                            const core::ImplementationResult& result);

}  // namespace opgate::store
