#include "core/id_set.hpp"

#include <algorithm>
#include <utility>

namespace opgate::core {
namespace {

constexpr std::uint64_t kWidest = 256;  // bits per id: still no more memory than the ids' records

}  // namespace

IdSet::IdSet(std::vector<std::uint32_t> ids) {
  if (ids.empty()) {
    return;
  }
  const auto [first, last] = std::minmax_element(ids.begin(), ids.end());
  const std::uint64_t width = std::uint64_t{*last} - *first + 1;
  if (width > kWidest * ids.size()) {
    std::sort(ids.begin(), ids.end());
    sorted_ = std::move(ids);
    return;
  }
  first_ = *first;
  bits_.resize(static_cast<std::size_t>(width));
  for (const std::uint32_t id : ids) {
    bits_[id - first_] = true;
  }
}

bool IdSet::contains(std::uint32_t id) const {
  if (bits_.empty()) {
    return std::binary_search(sorted_.begin(), sorted_.end(), id);
  }
  const std::uint32_t place = id - first_;  // below first_: wraps round and lies beyond the bits
  return place < bits_.size() && bits_[place];
}

}  // namespace opgate::core
