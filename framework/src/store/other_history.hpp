#pragma once

#include <filesystem>
#include <optional>

#include "store/history.hpp"

namespace opgate::store {

// A history that is only read, whatever older schema it has: where it is older, a copy of it in a temporary folder is
// brought up to date and read instead, and the file itself stays as it is. Error(history) for a newer one.
class OtherHistory {
 public:
  explicit OtherHistory(const std::filesystem::path& path);
  OtherHistory(const OtherHistory&) = delete;
  OtherHistory& operator=(const OtherHistory&) = delete;
  ~OtherHistory();

  [[nodiscard]] const History& history() const { return *history_; }

 private:
  std::filesystem::path folder_;  // of the copy; empty when there is none
  std::optional<History> history_;
};

// Whether two results say the same; row ids are no content.
[[nodiscard]] bool same_content(CaseResult a, CaseResult b);
[[nodiscard]] bool same_content(RunInfo a, RunInfo b);

}  // namespace opgate::store
