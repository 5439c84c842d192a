#include "store/other_history.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "core/figures.hpp"
#include "store/copy_pages.hpp"
#include "store/migrations.hpp"
#include "store/open.hpp"

namespace opgate::store {
namespace {

namespace fs = std::filesystem;

fs::path make_temporary_folder() {
  std::error_code missing;
  std::string pattern = (fs::temp_directory_path(missing) / "opgate-XXXXXX").string();
  if (missing || ::mkdtemp(pattern.data()) == nullptr) {
    const std::string why = missing ? missing.message() : std::strerror(errno);
    throw Error(ErrorKind::io, "no temporary folder can be made: " + why, missing ? "TMPDIR" : pattern,
                "set TMPDIR to a folder that this user can write");
  }
  return pattern;
}

// Where one of the two has no samples any more, what both have are the figures.
void compare_pruned_by_figures(CaseResult& a, CaseResult& b) {
  for (std::size_t i = 0; i < a.attempts.size() && i < b.attempts.size(); ++i) {
    auto& ours = a.attempts[i].implementations;
    auto& theirs = b.attempts[i].implementations;
    for (std::size_t k = 0; k < ours.size() && k < theirs.size(); ++k) {
      if (ours[k].kept.has_value() == theirs[k].kept.has_value()) continue;
      core::ImplementationResult& whole = ours[k].kept ? theirs[k] : ours[k];
      const core::KeptFigures& kept = ours[k].kept ? *ours[k].kept : *theirs[k].kept;
      if (core::figures_of(whole) != kept.figures) continue;
      whole.kept = kept;
      whole.measurement.samples.clear();
    }
  }
}

}  // namespace

OtherHistory::OtherHistory(const fs::path& path) {
  const auto source = open_reader_of_older(path, kBusyTimeout);
  if (source->pragma("user_version") == newest_schema()) {
    history_ = History::open_for_reading(path);
    return;
  }
  folder_ = make_temporary_folder();
  try {
    const fs::path copy = folder_ / "copy.sqlite";
    {
      Connection target(copy, OpenMode::create, kBusyTimeout);
      copy_pages(*source, target);
    }
    history_ = History::open_for_writing(copy);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
}

OtherHistory::~OtherHistory() {
  history_.reset();
  std::error_code ignored;
  if (!folder_.empty()) {
    fs::remove_all(folder_, ignored);
  }
}

bool same_content(CaseResult a, CaseResult b) {
  compare_pruned_by_figures(a, b);
  a.id = b.id = 0;
  a.run_id = b.run_id = 0;
  a.ceilings = b.ceilings = std::nullopt;  // of the history, not of the result
  return a == b;
}

bool same_content(RunInfo a, RunInfo b) {
  a.id = b.id = 0;
  return a == b;
}

}  // namespace opgate::store
