#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "store/history.hpp"

namespace opgate::tests {

struct Said {
  int code = 0;
  std::string out;
  std::string err;
  // stdout as JSON lines.
  [[nodiscard]] std::vector<nlohmann::json> lines() const;
};

// A temporary folder with a project file, and the opgate command run in it, in this process. The environment variables
// that opgate reads are unset but for OPGATE_PROJECT.
class Desk {
 public:
  Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;
  ~Desk();

  [[nodiscard]] std::filesystem::path at(const std::string& name) const { return folder_ / name; }
  // As typed, without --history and --baselines.
  [[nodiscard]] Said bare(const std::vector<std::string>& words) const;
  // With --history and --baselines of this folder.
  [[nodiscard]] Said run(std::vector<std::string> words) const;
  std::filesystem::path write(const std::string& name, const std::string& content) const;
  void import(const std::string& csv) const;
  [[nodiscard]] store::History history() const;

 private:
  std::filesystem::path folder_;
};

inline const std::string kHeader = "run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz\n";
// Twelve samples around `busy_ns`, a tick apart, of one case in one run.
[[nodiscard]] std::string samples(int run, const std::string& name, int busy_ns);
// Runs first .. last of the case, a few ns of noise apart.
[[nodiscard]] std::string steady_runs(int first, int last, const std::string& name, int busy_ns);

// A result of `name` as a case stores it.
[[nodiscard]] store::CaseResult stored_result(const std::string& name, int busy_ns);

}  // namespace opgate::tests
