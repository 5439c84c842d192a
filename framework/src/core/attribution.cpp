#include "core/attribution.hpp"

#include "core/claims.hpp"

namespace opgate::core {
namespace {

bool is_device_work(RecordKind kind) {
  return kind == RecordKind::kernel || kind == RecordKind::memcpy || kind == RecordKind::memset;
}

}  // namespace

Claims claim(const PhaseRecords& records, const PhaseLabels& labels, const LabelMap& map) {
  Claims claims;
  for (const RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      if (!is_device_work(record.kind)) {
        continue;
      }
      // Even in preparation: exhausted device buffers do not stop at the call's own records.
      if (record.start_ns <= 0 || record.end_ns < record.start_ns) {
        claims.without_time.push_back(&record);
      }
      const Label label = map.find(record.correlation_id);
      if (label.kind == Label::Kind::preparation) {
        continue;
      }
      if (label.kind == Label::Kind::opening || label.kind == Label::Kind::closing) {
        claims.probes.push_back(
            {label.iteration, record.device_id, label.kind == Label::Kind::closing, {record.start_ns, record.end_ns}});
        continue;
      }
      const bool copy = record.kind != RecordKind::kernel;
      if (label.kind != Label::Kind::iteration) {
        claims.orphans.push_back({&record, label});
      } else if (copy && !labels.copies_allowed) {
        claims.copies.push_back(&record);
        claims.copied_in.push_back(label.iteration);
      } else {
        claims.work.push_back(
            {label.iteration, record.device_id, copy ? kNoKernel : record.name, {record.start_ns, record.end_ns}});
        claims.first_work = claims.first_work == nullptr ? &record : claims.first_work;
      }
    }
  }
  return claims;
}

Reading read_phase(const PhaseRecords& records, const PhaseLabels& labels) {
  Reading reading;
  if (std::optional<Issue> lost = find_lost_records(records)) {
    reading.issues.push_back(*std::move(lost));
    return reading;
  }
  const LabelMap map(records, labels);
  const Claims claims = claim(records, labels, map);
  std::optional<Issue> disturbed = find_disturbance(claims, records, labels.iterations);
  if (disturbed && claims.orphans.empty()) {  // else the missing probe lost its label, not its record
    reading.issues.push_back(*std::move(disturbed));
    return reading;
  }
  reading.issues = find_issues(claims, records, labels);
  if (claims.orphans.empty()) {  // an orphan may be the very record that a launch lacks
    if (std::optional<Issue> unfinished = find_unfinished_launches(records, map)) {
      reading.issues.insert(reading.issues.begin(), *std::move(unfinished));
    }
  }
  if (reading.issues.empty()) {
    reading.frames = frames_of(claims, labels.iterations);
    fill_samples(claims, records, labels.iterations, reading);
    if (std::optional<Issue> missing = find_missing_work(records, map, reading)) {
      reading = {};
      reading.issues.push_back(*std::move(missing));
    }
  }
  return reading;
}

}  // namespace opgate::core
