#include "run/recorded_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <set>

#include "run/replay.hpp"
#include "run/trace_files.hpp"
#include "store/names.hpp"

namespace fs = std::filesystem;

namespace opgate::test {
namespace {

using nlohmann::json;

const fs::path kFolder = fs::path(OPGATE_TEST_DATA) / "traces";

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::map<std::string, json> recorded_results() {
  std::map<std::string, json> results;
  std::ifstream file(kFolder / "recorded.jsonl");
  BOOST_REQUIRE(file);
  for (std::string line; std::getline(file, line);) {
    const json result = json::parse(line);
    const std::string name = result.at("case");
    BOOST_REQUIRE_MESSAGE(results.emplace(name, result).second, name << " stands twice in recorded.jsonl");
  }
  return results;
}

std::vector<RecordedTrace> load() {
  const std::map<std::string, json> results = recorded_results();
  std::set<std::string> traced;
  std::vector<RecordedTrace> all;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    if (!ends_with(name, run::kTraceSuffix)) {
      continue;
    }
    RecordedTrace one{.name = name, .trace = collect::read_trace(entry.path()), .attempt = {}};
    const std::string& case_name = one.trace.identity.name;
    BOOST_REQUIRE_MESSAGE(results.count(case_name) == 1, name << " has no line in recorded.jsonl");
    const json& attempts = results.at(case_name).at("attempts");
    one.attempt = attempts.at(ends_with(name, run::kConfirmSuffix) ? 1 : 0);
    BOOST_REQUIRE_MESSAGE(one.attempt.at("replayed") == false, name << " was never measured");
    traced.insert(case_name);
    all.push_back(std::move(one));
  }
  BOOST_REQUIRE_EQUAL(traced.size(), results.size());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

}  // namespace

const std::vector<RecordedTrace>& recorded_traces() {
  static const std::vector<RecordedTrace> all = load();
  return all;
}

void for_each_measured(const std::function<void(const RecordedTrace&)>& body) {
  int count = 0;
  for (const RecordedTrace& recorded : recorded_traces()) {
    if (recorded.measured()) {
      ++count;
      BOOST_TEST_CONTEXT(recorded.name) {
        body(recorded);
      }
    }
  }
  BOOST_TEST(count > 0);
}

std::string result_of(const core::Attempt& attempt) {
  if (attempt.error) {
    return fmt::format("{} in {}: {}\n", core::to_string(attempt.status), attempt.phase,
                       store::name_of(*attempt.error));
  }
  std::string text;
  for (const core::ImplementationResult& one : attempt.implementations) {
    text += fmt::format("{}, {} retries\n", one.measurement.name, one.measurement.retries);
    for (const Sample& sample : one.measurement.samples) {
      text += fmt::format("{} {} {} {}\n", sample.busy_ns, sample.latency_ns, sample.n_kernels.value(),
                          one.kernel_groups.at(sample.group));
    }
  }
  return text;
}

std::string replayed(const collect::Trace& trace) {
  return result_of(run::replay_trace(trace));
}

std::map<std::uint32_t, std::uint64_t> labels_of(const collect::Trace& trace, const collect::TracePhase& phase) {
  std::map<std::uint32_t, std::uint64_t> labels;
  for (const core::RecordBuffer& buffer : phase.records.buffers) {
    for (const core::Record& record : buffer) {
      if (record.kind == core::RecordKind::external && record.external_kind == trace.external_kind) {
        labels[record.correlation_id] = record.external_id;
      }
    }
  }
  return labels;
}

collect::Trace without_retries(collect::Trace trace) {
  std::erase_if(trace.phases, [](const collect::TracePhase& phase) { return phase.records.dropped != 0U; });
  for (collect::TracePhase& phase : trace.phases) {
    phase.plan.attempt = 1;
  }
  return trace;
}

collect::Trace in_buffers_of(std::size_t size, collect::Trace trace) {
  for (collect::TracePhase& phase : trace.phases) {
    std::vector<core::RecordBuffer> buffers(1);
    for (const core::RecordBuffer& buffer : phase.records.buffers) {
      for (const core::Record& record : buffer) {
        if (buffers.back().size() == size) {
          buffers.emplace_back();
        }
        buffers.back().push_back(record);
      }
    }
    phase.records.buffers = std::move(buffers);
  }
  return trace;
}

}  // namespace opgate::test
