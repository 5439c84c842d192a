#include "store/history.hpp"

#include <map>
#include <utility>

#include "store/attempt_rows.hpp"
#include "store/case_series_rows.hpp"
#include "store/ceiling_rows.hpp"
#include "store/completeness.hpp"
#include "store/open.hpp"
#include "store/result_rows.hpp"
#include "store/run_rows.hpp"
#include "store/seal.hpp"
#include "store/transaction.hpp"

namespace opgate::store {

class History::Database {
 public:
  explicit Database(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}

  template <class Work>
  auto write(Work work) {
    return located([&] {
      if (inside_) return work(*connection_);
      Transaction transaction(*connection_, Transaction::Kind::write);
      if constexpr (std::is_void_v<decltype(work(*connection_))>) {
        work(*connection_);
        transaction.commit();
      } else {
        auto answer = work(*connection_);
        transaction.commit();
        return answer;
      }
    });
  }

  // One snapshot for all statements of a question.
  template <class Work>
  auto read(Work work) {
    return located([&] {
      if (inside_) return work(*connection_);
      const Transaction transaction(*connection_, Transaction::Kind::read);
      return work(*connection_);
    });
  }

  void all_or_nothing(const std::function<void()>& work) {
    write([&](Connection&) {
      inside_ = true;
      try {
        work();
      } catch (...) {
        inside_ = false;
        throw;
      }
      inside_ = false;
    });
  }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return connection_->path(); }

  // Attempts of an earlier recording that precede those of a case opened here.
  std::map<std::int64_t, int> attempts_before;

 private:
  // Errors found below the connection (a damaged row, an unknown run) do not know the file.
  template <class Work>
  auto located(Work work) -> decltype(work()) {
    try {
      return work();
    } catch (const Error& error) {
      if (!error.where().empty()) {
        throw;
      }
      throw Error(error.kind(), error.summary(), path().string(), error.remedy());
    }
  }

  std::unique_ptr<Connection> connection_;
  bool inside_ = false;  // of a transaction that covers several calls
};

History::History(std::unique_ptr<Database> database) : database_(std::move(database)) {}
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

History History::open_for_writing(const std::filesystem::path& path, std::chrono::milliseconds busy_timeout) {
  return History(std::make_unique<Database>(open_writer(path, busy_timeout)));
}

History History::open_for_reading(const std::filesystem::path& path, std::chrono::milliseconds busy_timeout) {
  return History(std::make_unique<Database>(open_reader(path, busy_timeout)));
}

std::int64_t History::open_run(RunInfo run) {
  return database_->write([&](Connection& connection) { return insert_run(connection, run); });
}

void History::select(std::int64_t run_id, const std::vector<std::string>& case_names) {
  database_->write([&](Connection& connection) {
    require_run(connection, run_id);
    insert_selection(connection, run_id, case_names);
  });
}

void History::close_run(std::int64_t run_id, std::int64_t closed_unix_ms) {
  database_->write([&](Connection& connection) {
    require_run(connection, run_id);
    mark_closed(connection, run_id, closed_unix_ms);
  });
}

std::optional<RunInfo> History::run(std::int64_t run_id) const {
  return database_->read([&](Connection& connection) { return run_row(connection, run_id); });
}

std::optional<RunInfo> History::run_by_uuid(const std::string& uuid) const {
  return database_->read([&](Connection& connection) {
    const auto id = run_id_of(connection, uuid);
    return id ? run_row(connection, *id) : std::nullopt;
  });
}

std::vector<RunInfo> History::runs(std::int64_t limit) const {
  return database_->read([&](Connection& connection) { return run_rows(connection, limit); });
}

std::int64_t History::begin_case(std::int64_t run_id, const CaseResult& opened) {
  const OpenedCase place =
      database_->write([&](Connection& connection) { return open_case(connection, run_id, opened); });
  database_->attempts_before[place.result_id] = place.attempts_before;
  return place.result_id;
}

void History::put_attempt(std::int64_t result_id, const core::Attempt& attempt) {
  const auto opened_here = database_->attempts_before.find(result_id);
  const int before = opened_here == database_->attempts_before.end() ? 0 : opened_here->second;
  database_->write([&](Connection& connection) {
    require_result(connection, result_id);
    check_result(connection, result_id);
    put_attempt_row(connection, result_id, renumbered(attempt, before));
    result_changed(connection, result_id);
  });
}

void History::finish_case(std::int64_t result_id, const std::optional<core::Judgement>& judgement,
                          core::ExitCode exit_code) {
  database_->write([&](Connection& connection) {
    require_result(connection, result_id);
    check_result(connection, result_id);
    set_outcome(connection, result_id, judgement, exit_code);
    result_changed(connection, result_id);
  });
}

std::int64_t History::put_result(std::int64_t run_id, const CaseResult& result) {
  return database_->write([&](Connection& connection) { return insert_whole_result(connection, run_id, result); });
}

void History::put_results(std::int64_t run_id, const std::vector<CaseResult>& results) {
  database_->write([&](Connection& connection) {
    for (const CaseResult& result : results) {
      static_cast<void>(insert_whole_result(connection, run_id, result));
    }
  });
}

void History::put_ceilings(const core::Ceilings& ceilings) {
  database_->write([&](Connection& connection) { insert_ceilings(connection, ceilings); });
}

std::optional<core::Ceilings> History::ceilings(const std::string& unit) const {
  return database_->read([&](Connection& connection) { return newest_ceilings(connection, unit); });
}

void History::all_or_nothing(const std::function<void()>& work) {
  database_->all_or_nothing(work);
}

std::vector<CaseResult> History::results(const Page& page) const {
  return database_->read([&](Connection& connection) { return result_rows(connection, page); });
}

std::vector<SeriesRow> History::series(const std::string& case_name, std::int64_t limit, std::int64_t last_run) const {
  return database_->read(
      [&](Connection& connection) { return case_series_rows(connection, case_name, limit, last_run); });
}

std::vector<std::string> History::case_names() const {
  return database_->read([](Connection& connection) { return recorded_case_names(connection); });
}

std::vector<std::string> History::case_names(std::int64_t run_id) const {
  return database_->read([&](Connection& connection) { return recorded_case_names(connection, run_id); });
}

const std::filesystem::path& History::path() const noexcept {
  return database_->path();
}

}  // namespace opgate::store
