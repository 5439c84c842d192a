#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/verdict.hpp"

namespace opgate::store {

struct Acceptance {
  std::string who;
  std::string when;  // ISO 8601, UTC
  std::string commit;
  std::string reason;
  std::vector<std::string> run_uuids;
};

struct BaselineEntry {
  core::CaseBaseline baseline;
  Acceptance accepted;
};

// baselines/<device-slug>/<op>.json, one case per line group, keys sorted, stable formatting.
struct BaselineFile {
  std::string device_name;
  std::string op;
  std::map<std::string, BaselineEntry> cases;
};

[[nodiscard]] std::filesystem::path baseline_path(const std::filesystem::path& baselines,
                                                  const std::string& device_name, const std::string& op);
// Strict: Error(baseline) naming file:line and the fix. A file that does not exist is nullopt, not an error.
[[nodiscard]] std::optional<BaselineFile> load_baseline_file(const std::filesystem::path& path);
[[nodiscard]] BaselineFile parse_baseline_file(const std::string& content, const std::string& name_for_messages);
[[nodiscard]] std::string format_baseline_file(const BaselineFile& file);
// Atomically (temporary file, fsync, rename); creates the device folder.
void save_baseline_file(const BaselineFile& file, const std::filesystem::path& path);
// The file of one op on one device model; Error(baseline) when what stands there is another's.
[[nodiscard]] std::optional<BaselineFile> load_baselines_of(const std::filesystem::path& baselines,
                                                            const std::string& device_name, const std::string& op);
// The baseline of one case for one device model, or nothing.
[[nodiscard]] std::optional<BaselineEntry> find_baseline(const std::filesystem::path& baselines,
                                                         const std::string& device_name, const std::string& op,
                                                         const std::string& case_name);

}  // namespace opgate::store
