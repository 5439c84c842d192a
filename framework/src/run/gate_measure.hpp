#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "run/logged_child.hpp"
#include "run/project.hpp"
#include "store/history.hpp"

namespace opgate::run {

// A run of cases that this process starts one after the other, as ctest does: each case's own program supervises it,
// stores it and judges it. The run is open as long as this lives.
class GateRun {
 public:
  // `logs`: folder for what the cases print. Error(history) when the history cannot be written.
  GateRun(const Project& project, const std::vector<std::string>& selected, std::filesystem::path logs);
  GateRun(const GateRun&) = delete;
  GateRun& operator=(const GateRun&) = delete;
  ~GateRun();

  struct Measured {
    std::optional<store::CaseResult> result;  // absent: its program stored nothing
    ChildEnd end;
    std::filesystem::path log;
  };
  // Baselines are required and so is a GPU: nothing that was not measured may read as fine.
  [[nodiscard]] Measured measure(const std::string& case_name, int timeout_s);
  [[nodiscard]] std::int64_t id() const { return id_; }

 private:
  const Project& project_;
  std::filesystem::path logs_;
  store::History history_;
  std::int64_t id_ = 0;
};

}  // namespace opgate::run
