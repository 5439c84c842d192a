#include "collect/trace_record.hpp"

#include <cstddef>
#include <vector>

#include "collect/trace_values.hpp"
#include "collect/trace_words.hpp"

namespace opgate::collect {
namespace {

using core::Record;
using core::RecordKind;
using text::Json;

// The elements of a record's line after its kind, taken one by one.
class Fields {
 public:
  explicit Fields(const Json& json) : json_(json), values_(json.as_array()) {
    if (values_.empty()) throw json_.error("a record is empty");
  }
  const Json& next() {
    if (at_end()) throw json_.error("the record has too few fields");
    return values_[position_++];
  }
  [[nodiscard]] bool at_end() const noexcept { return position_ == values_.size(); }
  void finish() const {
    if (!at_end()) throw json_.error("the record has too many fields");
  }

 private:
  const Json& json_;
  const std::vector<Json>& values_;
  std::size_t position_ = 0;
};

std::uint32_t index_below(const Json& json, std::size_t size, const char* table) {
  const auto index = integer<std::uint32_t>(json);
  if (index >= size) throw json.error(fmt::format("index {} is outside the phase's {} {}", index, size, table));
  return index;
}

void read_external(Fields& fields, Record& record, std::uint32_t nonce) {
  record.correlation_id = integer<std::uint32_t>(fields.next());
  record.external_kind = integer<std::uint32_t>(fields.next());
  const auto lower = integer<std::uint32_t>(fields.next());
  const auto upper = fields.at_end() ? nonce : integer<std::uint32_t>(fields.next());
  record.external_id = (static_cast<std::uint64_t>(upper) << 32U) | lower;
}

// Bounds of what attribution adds up and keeps per device.
constexpr std::uint32_t kMostDevices = 64;
constexpr std::int64_t kLongestWorkNs = 3'600'000'000'000;

void read_device_fields(Fields& fields, Record& record, std::size_t kernels) {
  const Json& device = fields.next();
  record.device_id = integer<std::uint32_t>(device);
  if (record.device_id >= kMostDevices)
    throw device.error(fmt::format("device {}, of at most {}", record.device_id, kMostDevices));
  if (record.start_ns > 0 && record.end_ns > record.start_ns && record.end_ns - record.start_ns > kLongestWorkNs) {
    throw device.error(fmt::format("work of {} ns, more than an hour", record.end_ns - record.start_ns));
  }
  record.context_id = integer<std::uint32_t>(fields.next());
  record.stream_id = integer<std::uint32_t>(fields.next());
  if (record.kind == RecordKind::kernel) {
    record.name = index_below(fields.next(), kernels, "kernels");
    return;
  }
  record.bytes = integer<std::uint64_t>(fields.next());
  if (record.kind == RecordKind::memcpy) record.copy_kind = integer<std::uint32_t>(fields.next());
}

}  // namespace

std::int64_t with_origin(const Json& json, std::int64_t origin) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(json.as_integer()) + static_cast<std::uint64_t>(origin));
}

Record RecordReader::read(const Json& json) const {
  Fields fields(json);
  Record record;
  record.kind = word(kRecordKinds, fields.next());
  if (record.kind == RecordKind::external) {
    read_external(fields, record, phase_.nonce);
  } else {
    record.start_ns = with_origin(fields.next(), origin_);
    record.end_ns = with_origin(fields.next(), origin_);
    record.correlation_id = integer<std::uint32_t>(fields.next());
    if (record.kind == RecordKind::api) {
      record.thread_id = integer<std::uint32_t>(fields.next());
      record.name = index_below(fields.next(), phase_.records.names.size(), "names");
    } else {
      read_device_fields(fields, record, phase_.records.kernels.size());
    }
  }
  fields.finish();
  return record;
}

}  // namespace opgate::collect
