#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/waiver.hpp"

namespace opgate::store {

struct LoadedWaiver {
  core::Waiver waiver;
  int line = 0;
};

// baselines/waivers.json: { "waivers": [ {"case": ..., "owner": ..., "reason": ..., "expires": "2026-12-31",
// "device": ... (optional)}, ... ] }, reviewed like the baselines beside it.
[[nodiscard]] std::filesystem::path waivers_path(const std::filesystem::path& baselines);
// Strict: Error(baseline) naming file:line and the fix. A file that does not exist holds none.
[[nodiscard]] std::vector<LoadedWaiver> load_waivers(const std::filesystem::path& baselines);
[[nodiscard]] std::vector<LoadedWaiver> parse_waivers(const std::string& content, const std::string& name_for_messages);
// That of a case on a device model; one that names the device stands before one for all.
[[nodiscard]] std::optional<core::Waiver> find_waiver(const std::vector<LoadedWaiver>& waivers,
                                                      const std::string& case_name, const std::string& device);

}  // namespace opgate::store
