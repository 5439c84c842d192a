#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/history.hpp"
#include "store/sqlite.hpp"

namespace opgate::store {

// Writers are called inside a write transaction, readers inside a read transaction.
[[nodiscard]] std::int64_t insert_run(Connection& connection, const RunInfo& run);
void insert_selection(Connection& connection, std::int64_t run_id, const std::vector<std::string>& case_names);
void mark_closed(Connection& connection, std::int64_t run_id, std::int64_t closed_unix_ms);
// Error(history) when there is no such run.
void require_run(Connection& connection, std::int64_t run_id);

[[nodiscard]] std::optional<RunInfo> run_row(Connection& connection, std::int64_t run_id);
[[nodiscard]] std::optional<std::int64_t> run_id_of(Connection& connection, const std::string& uuid);
[[nodiscard]] std::vector<RunInfo> run_rows(Connection& connection, std::int64_t limit);

}  // namespace opgate::store
