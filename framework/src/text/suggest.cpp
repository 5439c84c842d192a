#include "text/suggest.hpp"

#include <algorithm>
#include <utility>

namespace opgate::text {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  // Three rows of the table of optimal string alignment are enough.
  std::vector<std::size_t> before(to.size() + 1);
  std::vector<std::size_t> previous(to.size() + 1);
  std::vector<std::size_t> current(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[to.size()];
}

namespace {

// No distance is below the difference in length, which costs nothing to see: names from a file may be long.
bool may_be_near(std::string_view a, std::string_view b, std::size_t most) {
  return (a.size() > b.size() ? a.size() - b.size() : b.size() - a.size()) <= most;
}

std::size_t tolerated_edits(std::string_view name) {
  return std::max<std::size_t>(1, (name.size() + 1) / 3);
}

template <class Text>
std::optional<std::string> nearest_of(std::string_view name, std::span<const Text> candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = tolerated_edits(name) + 1;
  for (const Text& candidate : candidates) {
    if (!may_be_near(name, candidate, best_distance)) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = std::string(candidate);
    }
  }
  return best;
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, std::span<const std::string_view> candidates) {
  return nearest_of(name, candidates);
}

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  return nearest_of(name, candidates);
}

std::vector<std::string> near_names(std::string_view name, std::span<const std::string> candidates, std::size_t limit) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& candidate : candidates) {
    if (!may_be_near(name, candidate, tolerated_edits(name))) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance <= tolerated_edits(name)) found.emplace_back(distance, candidate);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (found.size() > limit) found.resize(limit);
  std::vector<std::string> names;
  names.reserve(found.size());
  for (auto& [distance, candidate] : found) names.push_back(std::move(candidate));
  return names;
}

}  // namespace opgate::text
