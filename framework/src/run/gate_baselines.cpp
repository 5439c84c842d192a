#include "run/gate_baselines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>

#include "opgate/error.hpp"
#include "report/format.hpp"
#include "store/baseline_file.hpp"
#include "store/waiver_file.hpp"
#include "text/file.hpp"

namespace opgate::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCasesTold = 8;

// Every <device>/<op>.json below the folder, by that name, and its text.
std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  if (!fs::is_directory(folder)) return files;
  for (const fs::directory_entry& device : fs::directory_iterator(folder)) {
    if (!device.is_directory()) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(device.path())) {
      if (file.path().extension() != ".json") continue;
      files.emplace((device.path().filename() / file.path().filename()).string(),
                    text::read_file(file.path(), ErrorKind::baseline));
    }
  }
  return files;
}

// What is said of each case: its entry alone, as the file would hold it.
std::map<std::string, std::string> entries_of(const store::BaselineFile& file) {
  std::map<std::string, std::string> entries;
  for (const auto& [name, entry] : file.cases) {
    entries.emplace(name, store::format_baseline_file({file.device_name, file.op, {{name, entry}}}));
  }
  return entries;
}

std::map<std::string, std::string> entries_of(const std::vector<store::LoadedWaiver>& waivers) {
  std::map<std::string, std::string> entries;
  for (const store::LoadedWaiver& loaded : waivers) {
    const core::Waiver& one = loaded.waiver;
    entries[one.case_name + (one.device.empty() ? "" : " on " + one.device)] =
        fmt::format("until {} by {}: {}", one.expires, one.owner, one.reason);
  }
  return entries;
}

std::string difference(const std::map<std::string, std::string>& base,
                       const std::map<std::string, std::string>& candidate) {
  std::vector<std::string> words;
  std::size_t count = 0;
  const auto add = [&](const char* what, const std::string& name) {
    if (++count <= kCasesTold) words.push_back(fmt::format("{} {}", what, name));
  };
  for (const auto& [name, text] : base) {
    const auto other = candidate.find(name);
    if (other == candidate.end()) {
      add("removes", name);
    } else if (other->second != text) {
      add("changes", name);
    }
  }
  for (const auto& [name, text] : candidate) {
    if (!base.contains(name)) add("adds", name);
  }
  if (count > kCasesTold) words.push_back(fmt::format("and {} more", count - kCasesTold));
  return count == 0 ? "written otherwise, the same in meaning" : fmt::format("{}", fmt::join(words, ", "));
}

// By what `read` makes of the candidate's; why not, where it cannot be read.
template <class Read>
std::string difference_from(const std::map<std::string, std::string>& base, Read read) {
  try {
    return difference(base, read());
  } catch (const Error& error) {
    return fmt::format("cannot be read: {}", error.what());
  }
}

std::map<std::string, std::string> baseline_entries(const fs::path& path) {
  const auto file = store::load_baseline_file(path);
  return file ? entries_of(*file) : std::map<std::string, std::string>();
}

void compare_waivers(const fs::path& base, const fs::path& candidate, std::vector<report::GateChange>& changes) {
  const auto before = entries_of(store::load_waivers(base));
  const std::string said = difference_from(before, [&] {
    auto now = entries_of(store::load_waivers(candidate));
    return now;
  });
  if (!said.starts_with("written otherwise")) changes.push_back({"waivers", "waivers.json", said});
}

}  // namespace

std::vector<report::GateChange> baseline_changes(const fs::path& base, const fs::path& candidate) {
  const auto before = files_of(base);
  const auto now = files_of(candidate);
  std::set<std::string> names;
  for (const auto& [name, text] : before) names.insert(name);
  for (const auto& [name, text] : now) names.insert(name);
  std::vector<report::GateChange> changes;
  for (const std::string& name : names) {
    const auto mine = before.find(name);
    const auto theirs = now.find(name);
    if (mine != before.end() && theirs != now.end() && mine->second == theirs->second) continue;
    const auto entries = baseline_entries(base / name);
    changes.push_back({"baseline", name, difference_from(entries, [&] { return baseline_entries(candidate / name); })});
  }
  compare_waivers(base, candidate, changes);
  return changes;
}

}  // namespace opgate::run
