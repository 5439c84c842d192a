#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/verdict.hpp"
#include "store/case_series.hpp"
#include "store/run_info.hpp"

namespace opgate::store {

struct Page {
  std::optional<std::int64_t> run_id{};
  std::optional<std::string> case_name{};  // exact
  std::int64_t limit = -1;                 // newest first; -1: all
  bool with_samples = true;
};

// How long to wait for another writer before giving up.
inline constexpr std::chrono::milliseconds kBusyTimeout{20'000};

// results/history.sqlite. Error(history) for a database that is missing (readers), newer, locked beyond the busy
// timeout, unwritable or damaged; the text names the file and the remedy. Writers use BEGIN IMMEDIATE, WAL, FULL.
class History {
 public:
  // Creates and migrates.
  static History open_for_writing(const std::filesystem::path& path,
                                  std::chrono::milliseconds busy_timeout = kBusyTimeout);
  // Never creates, works in a read-only folder.
  static History open_for_reading(const std::filesystem::path& path,
                                  std::chrono::milliseconds busy_timeout = kBusyTimeout);

  History(const History&) = delete;
  History& operator=(const History&) = delete;
  History(History&&) noexcept;
  History& operator=(History&&) noexcept;
  ~History();

  std::int64_t open_run(RunInfo run);  // returns the id; uuid is made when empty
  void select(std::int64_t run_id, const std::vector<std::string>& case_names);
  void close_run(std::int64_t run_id, std::int64_t closed_unix_ms);
  [[nodiscard]] std::optional<RunInfo> run(std::int64_t run_id) const;
  [[nodiscard]] std::optional<RunInfo> run_by_uuid(const std::string& uuid) const;
  [[nodiscard]] std::vector<RunInfo> runs(std::int64_t limit = -1) const;  // newest first

  // Opens the case of this run (or counts a second recording of it) with its first attempt in Status::running, so that
  // a supervisor that dies leaves a row. Returns the result id. Attempts that this History then puts under it keep
  // counting from 1: behind an earlier recording they are stored with the numbers after its own, "first" as "repeat".
  std::int64_t begin_case(std::int64_t run_id, const CaseResult& opened);
  // Replaces the attempt of that number in one transaction, samples included.
  void put_attempt(std::int64_t result_id, const core::Attempt& attempt);
  void finish_case(std::int64_t result_id, const std::optional<core::Judgement>& judgement, core::ExitCode exit_code);
  // A whole result at once (imports). Error(history) when the run already holds the case.
  std::int64_t put_result(std::int64_t run_id, const CaseResult& result);
  // Many results in one transaction (imports).
  void put_results(std::int64_t run_id, const std::vector<CaseResult>& results);

  // What a GPU was measured to do at most: of no run, and no case.
  void put_ceilings(const core::Ceilings& ceilings);
  [[nodiscard]] std::optional<core::Ceilings> ceilings(const std::string& unit) const;  // the newest

  // All that `work` asks of this History becomes one transaction: an exception undoes it, readers see all or nothing.
  void all_or_nothing(const std::function<void()>& work);

  [[nodiscard]] std::vector<CaseResult> results(const Page& page) const;
  // Results of a case without their samples, newest first, of runs up to `last_run`: fast however long the history.
  [[nodiscard]] std::vector<SeriesRow> series(const std::string& case_name, std::int64_t limit = -1,
                                              std::int64_t last_run = kHighestKeptRun) const;
  [[nodiscard]] std::vector<std::string> case_names() const;                     // of all results, sorted
  [[nodiscard]] std::vector<std::string> case_names(std::int64_t run_id) const;  // of a run's
  [[nodiscard]] const std::filesystem::path& path() const noexcept;

 private:
  class Database;
  explicit History(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

// A consistent copy while others write; refuses to overwrite, leaves nothing half-written under that name.
void backup(const std::filesystem::path& history, const std::filesystem::path& destination);

// The attempt the verdict rests on (the first measured one) as the rule sees it; absent when there is none.
[[nodiscard]] std::optional<core::CaseRun> case_run(const CaseResult& result, const core::Attempt& attempt);

}  // namespace opgate::store
