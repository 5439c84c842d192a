#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace opgate::text {

// Edits (insert, delete, replace, swap neighbours) that turn one into the other.
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);
// The candidate that was probably meant, for "did you mean"; nothing when none is near.
[[nodiscard]] std::optional<std::string> nearest(std::string_view name, std::span<const std::string_view> candidates);
[[nodiscard]] std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);
// At most `limit` candidates, nearest first; falls back to none rather than to far ones.
[[nodiscard]] std::vector<std::string> near_names(std::string_view name, std::span<const std::string> candidates,
                                                  std::size_t limit);

}  // namespace opgate::text
