#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/records.hpp"

namespace opgate::collect {

// Gives names and kernels of a phase their indices, in the order of their first record, so that equal records
// always read and serialise equally. A phase has a few of them and up to millions of records that name them: looking
// one up again copies nothing.
class RecordTable {
 public:
  [[nodiscard]] std::uint32_t name(std::string_view name);
  // `look_up` gives the name of an id, and is asked for it once.
  template <class LookUp>
  [[nodiscard]] std::uint32_t name_of(std::uint64_t id, const LookUp& look_up) {
    const auto found = id_index_.find(id);
    if (found != id_index_.end()) return found->second;
    return id_index_.emplace(id, name(look_up())).first->second;
  }
  // `shape`: all but the name.
  [[nodiscard]] std::uint32_t kernel(std::string_view name, const core::KernelInfo& shape);
  // Takes in the table of records that come after all of this one's, and renumbers them to fit.
  void append(const RecordTable& later, std::vector<core::RecordBuffer>& records_of_later);
  // Moves both tables out.
  void release_into(core::PhaseRecords& records);

 private:
  struct KernelView {
    std::string_view name;
    const core::KernelInfo& shape;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const noexcept { return std::hash<std::string_view>{}(name); }
    std::size_t operator()(const KernelView& kernel) const noexcept;
    std::size_t operator()(const core::KernelInfo& kernel) const noexcept { return (*this)({kernel.name, kernel}); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const noexcept { return a == b; }
    bool operator()(const core::KernelInfo& a, const core::KernelInfo& b) const noexcept { return a == b; }
    bool operator()(const KernelView& a, const core::KernelInfo& b) const noexcept;
    bool operator()(const core::KernelInfo& a, const KernelView& b) const noexcept { return (*this)(b, a); }
  };

  std::vector<std::string> names_;
  std::vector<core::KernelInfo> kernels_;
  std::unordered_map<std::string, std::uint32_t, Hash, Equal> name_index_;
  std::unordered_map<core::KernelInfo, std::uint32_t, Hash, Equal> kernel_index_;
  std::unordered_map<std::uint64_t, std::uint32_t> id_index_;
};

}  // namespace opgate::collect
