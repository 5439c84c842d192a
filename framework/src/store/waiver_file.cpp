#include "store/waiver_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "opgate/error.hpp"
#include "text/file.hpp"
#include "text/json.hpp"

namespace opgate::store {
namespace {

namespace fs = std::filesystem;
using text::Json;

const std::string& words_of(const Json& value) {
  const std::string& text = value.as_string();
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw value.error("this is blank", "say it in words, or take the waiver away");
  }
  return text;
}

core::Waiver waiver_of(const Json& value) {
  value.only({"case", "device", "expires", "owner", "reason"});
  core::Waiver waiver;
  waiver.case_name = words_of(value.at("case"));
  waiver.owner = words_of(value.at("owner"));
  waiver.reason = words_of(value.at("reason"));
  waiver.expires = value.at("expires").as_string();
  if (!core::is_date(waiver.expires)) {
    throw value.at("expires").error(fmt::format("\"{}\" is no day", waiver.expires),
                                    "write the waiver's last day as YYYY-MM-DD");
  }
  if (const Json* device = value.find("device")) {
    waiver.device = words_of(*device);
  }
  return waiver;
}

}  // namespace

fs::path waivers_path(const fs::path& baselines) {
  return baselines / "waivers.json";
}

std::vector<LoadedWaiver> load_waivers(const fs::path& baselines) {
  const fs::path path = waivers_path(baselines);
  std::error_code error;
  static_cast<void>(fs::symlink_status(path, error));
  if (error == std::errc::no_such_file_or_directory) {
    return {};
  }
  return parse_waivers(text::read_file(path, ErrorKind::baseline), path.string());
}

std::vector<LoadedWaiver> parse_waivers(const std::string& content, const std::string& name_for_messages) {
  const Json root = text::parse_json(content, name_for_messages, ErrorKind::baseline);
  root.only({"waivers"});
  std::vector<LoadedWaiver> waivers;
  for (const Json& item : root.at("waivers").as_array()) {
    LoadedWaiver loaded{waiver_of(item), item.line()};
    const auto same = std::find_if(waivers.begin(), waivers.end(), [&](const LoadedWaiver& other) {
      return other.waiver.case_name == loaded.waiver.case_name && other.waiver.device == loaded.waiver.device;
    });
    if (same != waivers.end()) {
      throw item.error(fmt::format("{} is waived already in line {}", loaded.waiver.case_name, same->line),
                       "keep one waiver for each case and device");
    }
    waivers.push_back(std::move(loaded));
  }
  return waivers;
}

std::optional<core::Waiver> find_waiver(const std::vector<LoadedWaiver>& waivers, const std::string& case_name,
                                        const std::string& device) {
  std::optional<core::Waiver> found;
  for (const auto& [waiver, line] : waivers) {
    if (waiver.case_name == case_name && (waiver.device == device || (waiver.device.empty() && !found))) {
      found = waiver;
    }
  }
  return found;
}

}  // namespace opgate::store
