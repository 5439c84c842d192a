#include "store/interned.hpp"

#include <fmt/format.h>

#include "store/damage.hpp"

namespace opgate::store {
namespace {

[[noreturn]] void dangling(const char* table, std::int64_t id) {
  throw damage(fmt::format("{} {} is missing", table, id));
}

// `row` is asked for the values that an index has for `id`.
std::int64_t same_row(Query row, const char* table, std::int64_t id) {
  if (!row.step()) throw damage(fmt::format("{} {} is not what its index says", table, id));
  return id;
}

Query& bind_device(Query& query, const core::DeviceIdentity& device) {
  query.bind(device.uuid).bind(device.name).bind(device.driver).bind(device.cuda).bind(device.cupti);
  for (const std::int64_t number :
       {std::int64_t{device.index}, std::int64_t{device.sm_count}, device.l2_bytes, device.memory_bytes,
        std::int64_t{device.compute_capability}, std::int64_t{device.max_sm_mhz}, std::int64_t{device.tick_ns}}) {
    query.bind(number);
  }
  return query;
}

constexpr const char* kDeviceById =
    "SELECT 1 FROM devices NOT INDEXED WHERE uuid = ?1 AND name = ?2 AND driver = ?3 AND cuda = ?4 AND cupti = ?5"
    " AND device_index = ?6 AND sm_count = ?7 AND l2_bytes = ?8 AND memory_bytes = ?9"
    " AND compute_capability = ?10 AND max_sm_mhz = ?11 AND tick_ns = ?12 AND id = ?13";

template <class Map, class Load>
const auto& remembered(Map& map, std::int64_t id, Load load) {
  const auto found = map.find(id);
  return found != map.end() ? found->second : map.emplace(id, load()).first->second;
}

}  // namespace

std::int64_t text_id(Connection& connection, const std::string& text) {
  Query present = connection.query("SELECT id FROM texts WHERE content = ?1");
  if (present.bind(text).step()) {
    const std::int64_t id = present.integer(0);
    Query row = connection.query("SELECT 1 FROM texts NOT INDEXED WHERE id = ?1 AND content = ?2");
    row.bind(id).bind(text);
    return same_row(std::move(row), "text", id);
  }
  connection.query("INSERT INTO texts (content) VALUES (?1)").bind(text).run();
  return connection.last_id();
}

std::optional<std::int64_t> known_case(Connection& connection, const std::string& name) {
  Query present = connection.query("SELECT id FROM cases WHERE name = ?1");
  if (present.bind(name).step()) {
    const std::int64_t id = present.integer(0);
    Query row = connection.query("SELECT 1 FROM cases NOT INDEXED WHERE id = ?1 AND name = ?2");
    row.bind(id).bind(name);
    return same_row(std::move(row), "case", id);
  }
  if (connection.query("SELECT 1 FROM cases NOT INDEXED WHERE name = ?1").bind(name).step()) {
    throw damage(fmt::format("an index does not lead to case {}", name));
  }
  return std::nullopt;
}

std::int64_t case_id(Connection& connection, const std::string& name) {
  if (const auto known = known_case(connection, name)) return *known;
  connection.query("INSERT INTO cases (name) VALUES (?1)").bind(name).run();
  return connection.last_id();
}

std::int64_t identity_id(Connection& connection, std::int64_t case_id, const core::CaseIdentity& identity) {
  const std::string content = to_json(identity);
  Query present = connection.query("SELECT id FROM identities WHERE case_id = ?1 AND content = ?2");
  if (present.bind(case_id).bind(content).step()) {
    const std::int64_t id = present.integer(0);
    Query row =
        connection.query("SELECT 1 FROM identities NOT INDEXED WHERE id = ?1 AND case_id = ?2 AND content = ?3");
    row.bind(id).bind(case_id).bind(content);
    return same_row(std::move(row), "identity", id);
  }
  connection.query("INSERT INTO identities (case_id, content) VALUES (?1, ?2)").bind(case_id).bind(content).run();
  return connection.last_id();
}

std::int64_t device_id(Connection& connection, const core::DeviceIdentity& device) {
  Query present = connection.query(
      "SELECT id FROM devices WHERE uuid = ?1 AND name = ?2 AND driver = ?3 AND cuda = ?4 AND cupti = ?5"
      " AND device_index = ?6 AND sm_count = ?7 AND l2_bytes = ?8 AND memory_bytes = ?9"
      " AND compute_capability = ?10 AND max_sm_mhz = ?11 AND tick_ns = ?12");
  bind_device(present, device);
  if (present.step()) {
    const std::int64_t id = present.integer(0);
    Query row = connection.query(kDeviceById);
    bind_device(row, device).bind(id);
    return same_row(std::move(row), "device", id);
  }
  Query insert = connection.query(
      "INSERT INTO devices (uuid, name, driver, cuda, cupti, device_index, sm_count, l2_bytes, memory_bytes,"
      " compute_capability, max_sm_mhz, tick_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)");
  bind_device(insert, device);
  insert.run();
  return connection.last_id();
}

std::string InternedReader::text(std::int64_t id) {
  Query query = connection_.query("SELECT content FROM texts WHERE id = ?1");
  if (!query.bind(id).step()) {
    dangling("text", id);
  }
  return query.text(0);
}

const core::CaseIdentity& InternedReader::identity(std::int64_t id) {
  return remembered(identities_, id, [&] {
    Query query = connection_.query(
        "SELECT cases.name, identities.content FROM identities JOIN cases ON cases.id = identities.case_id"
        " WHERE identities.id = ?1");
    if (!query.bind(id).step()) {
      dangling("identity", id);
    }
    return case_identity(query.text(0), query.text(1));
  });
}

const core::RuleOptions& InternedReader::rule(std::int64_t text_id) {
  return remembered(rules_, text_id, [&] { return rule_options(text(text_id)); });
}

const std::vector<std::string>& InternedReader::words(std::int64_t text_id) {
  return remembered(words_, text_id, [&] { return string_list(text(text_id)); });
}

const KernelSet& InternedReader::kernels(std::int64_t text_id) {
  return remembered(kernels_, text_id, [&] { return kernel_set(text(text_id)); });
}

const core::DeviceIdentity& InternedReader::device(std::int64_t id) {
  return remembered(devices_, id, [&] {
    Query query = connection_.query(
        "SELECT name, uuid, driver, cuda, cupti, device_index, sm_count, l2_bytes, memory_bytes, compute_capability,"
        " max_sm_mhz, tick_ns FROM devices WHERE id = ?1");
    if (!query.bind(id).step()) {
      dangling("device", id);
    }
    const auto small = [&](int column) { return static_cast<std::int32_t>(query.integer(column)); };
    return core::DeviceIdentity{.name = query.text(0),
                                .uuid = query.text(1),
                                .driver = query.text(2),
                                .cuda = query.text(3),
                                .cupti = query.text(4),
                                .index = small(5),
                                .sm_count = small(6),
                                .l2_bytes = query.integer(7),
                                .memory_bytes = query.integer(8),
                                .compute_capability = small(9),
                                .max_sm_mhz = small(10),
                                .tick_ns = small(11)};
  });
}

}  // namespace opgate::store
