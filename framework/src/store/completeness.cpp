#include "store/completeness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "store/damage.hpp"

namespace opgate::store {
namespace {

// From `cases`, so that only their newest rows of `series` are read and not all of it.
constexpr const char* kOfRun =
    "SELECT s.result_id FROM cases c CROSS JOIN series s ON s.case_id = c.id AND s.run_id = ?1"
    " ORDER BY s.result_id DESC";

std::string where(const Page& page) {
  std::string place;
  if (page.case_name) place += " of " + *page.case_name;
  if (page.run_id) place += fmt::format(" in run {}", *page.run_id);
  return place;
}

Error other_than_series(std::size_t found, std::size_t there, const Page& page) {
  return damage(fmt::format("{} results{} were found, and the series of their cases has {}{}", found, where(page),
                            there, found == there ? " others" : ""));
}

std::vector<std::int64_t> all_of(Query query, std::int64_t limit) {
  std::vector<std::int64_t> ids;
  while ((limit < 0 || static_cast<std::int64_t>(ids.size()) < limit) && query.step()) ids.push_back(query.integer(0));
  return ids;
}

Query series_of(Connection& connection, const Page& page, std::optional<std::int64_t> case_id) {
  if (page.case_name && page.run_id) {
    Query query = connection.query("SELECT result_id FROM series WHERE case_id = ?1 AND run_id = ?2");
    query.bind(case_id).bind(*page.run_id);
    return query;
  }
  if (page.case_name) {
    Query query = connection.query("SELECT result_id FROM series WHERE case_id = ?1 ORDER BY run_id DESC");
    query.bind(case_id);
    return query;
  }
  if (page.run_id) {
    Query query = connection.query(kOfRun);
    query.bind(*page.run_id);
    return query;
  }
  return connection.query("SELECT result_id FROM series ORDER BY run_id DESC, result_id DESC");
}

}  // namespace

void require_place(Connection& connection, const CaseResult& result, const Page& page) {
  Query query =
      connection.query("SELECT r.run_id, c.name FROM results r CROSS JOIN cases c ON c.id = r.case_id WHERE r.id = ?1");
  if (!query.bind(result.id).step() || query.integer(0) != result.run_id || query.text(1) != result.identity.name ||
      (page.case_name && *page.case_name != result.identity.name) || (page.run_id && *page.run_id != result.run_id)) {
    throw damage(fmt::format("an index leads to another result than {} in run {}",
                             page.case_name.value_or(result.identity.name), page.run_id.value_or(result.run_id)));
  }
}

void require_complete(Connection& connection, const Page& page, std::optional<std::int64_t> case_id,
                      const std::vector<CaseResult>& results) {
  const auto there = all_of(series_of(connection, page, case_id), page.limit);
  const bool same = std::equal(results.begin(), results.end(), there.begin(), there.end(),
                               [](const CaseResult& result, std::int64_t id) { return result.id == id; });
  if (!same) throw other_than_series(results.size(), there.size(), page);
}

std::vector<std::string> recorded_case_names(Connection& connection) {
  // Without results, a case of a selection is none; 2 says that only `series` has some.
  Query query = connection.query(
      "SELECT c.id, c.name, (SELECT x.id FROM cases x WHERE x.name = c.name), CASE"
      " WHEN EXISTS (SELECT 1 FROM results WHERE results.case_id = c.id) THEN 1"
      " WHEN EXISTS (SELECT 1 FROM series WHERE series.case_id = c.id) THEN 2 ELSE 0 END"
      " FROM cases c NOT INDEXED ORDER BY c.name");
  std::vector<std::string> names;
  std::int64_t seen = 0;
  while (query.step()) {
    ++seen;
    if (query.optional_integer(2) != query.integer(0) || query.integer(3) == 2) {
      throw damage(fmt::format("an index does not lead to case {}", query.text(1)));
    }
    if (query.integer(3) == 1) names.push_back(query.text(1));
  }
  // Counts the index, which is smaller than the table.
  Query count = connection.query("SELECT count(*) FROM cases");
  if (!count.step() || count.integer(0) != seen) throw damage("the cases and the index of their names differ");
  return names;
}

std::vector<std::string> recorded_case_names(Connection& connection, std::int64_t run_id) {
  Query query = connection.query(
      "SELECT c.name, r.id FROM results r CROSS JOIN cases c ON c.id = r.case_id WHERE r.run_id = ?1"
      " ORDER BY c.name");
  query.bind(run_id);
  std::vector<std::string> names;
  std::vector<std::int64_t> ids;
  while (query.step()) {
    names.push_back(query.text(0));
    ids.push_back(query.integer(1));
  }
  std::sort(ids.rbegin(), ids.rend());
  const Page page{.run_id = run_id};
  const auto there = all_of(series_of(connection, page, std::nullopt), -1);
  if (ids != there) throw other_than_series(ids.size(), there.size(), page);
  return names;
}

}  // namespace opgate::store
