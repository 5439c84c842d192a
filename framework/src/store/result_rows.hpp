#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "store/history.hpp"
#include "store/sqlite.hpp"

namespace opgate::store {

struct OpenedCase {
  std::int64_t result_id = 0;
  int attempts_before = 0;  // of an earlier recording of the same case in this run
};

// Writers are called inside a write transaction, readers inside a read transaction.
[[nodiscard]] OpenedCase open_case(Connection& connection, std::int64_t run_id, const CaseResult& opened);
// `attempt` as it is stored when `attempts_before` attempts of an earlier recording precede it.
[[nodiscard]] core::Attempt renumbered(core::Attempt attempt, int attempts_before);
void set_outcome(Connection& connection, std::int64_t result_id, const std::optional<core::Judgement>& judgement,
                 const std::optional<core::ExitCode>& exit_code);
// What changes a result, its remarks or its attempts ends with this, in the same transaction.
void result_changed(Connection& connection, std::int64_t result_id);
[[nodiscard]] std::int64_t insert_whole_result(Connection& connection, std::int64_t run_id, const CaseResult& result);
void require_result(Connection& connection, std::int64_t result_id);

[[nodiscard]] std::vector<CaseResult> result_rows(Connection& connection, const Page& page);

}  // namespace opgate::store
