#include "run/replay.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cctype>
#include <set>
#include <sstream>
#include <utility>

#include "core/attribution.hpp"
#include "run/recorded_traces.hpp"
#include "store/names.hpp"

using namespace opgate;
using namespace opgate::test;
using core::RecordKind;

namespace {

constexpr std::uint32_t kTopBit = 0x8000'0000U;  // no id of a trace has it, so that a flip of it never meets another id

enum class Phases { tell_the_call, time_the_host };

// Calls `body` with a copy of the trace and one of the copy's records of this kind, for each of them in turn. Of the
// phases that time the host a reading takes no more than how long work may go unrecorded.
template <class Body>
void for_each_record(const collect::Trace& trace, RecordKind kind, const Body& body,
                     Phases phases = Phases::tell_the_call) {
  for (std::size_t p = 0; p < trace.phases.size(); ++p) {
    if (trace.phases[p].plan.drained != (phases == Phases::time_the_host)) {
      continue;
    }
    for (std::size_t b = 0; b < trace.phases[p].records.buffers.size(); ++b) {
      const core::RecordBuffer& records = trace.phases[p].records.buffers[b];
      for (std::size_t r = 0; r < records.size(); ++r) {
        if (records[r].kind == kind) {
          collect::Trace changed = trace;
          core::RecordBuffer& buffer = changed.phases[p].records.buffers[b];
          body(changed, changed.phases[p], buffer, r);
        }
      }
    }
  }
}

// What is told of this very reading, whatever the sentence around it: counts, threads, bytes, names.
std::set<std::string> details_of(const std::string& message) {
  std::set<std::string> details;
  std::istringstream words(message);
  for (std::string word; words >> word;) {
    word.erase(word.find_last_not_of(".,;:)") + 1);
    const bool number = std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (number || word.find("::") != std::string::npos) {
      details.insert(word);
    }
  }
  return details;
}

void check_error(const core::Attempt& attempt, const nlohmann::json& recorded) {
  BOOST_TEST_REQUIRE(attempt.error.has_value());
  BOOST_TEST(store::name_of(*attempt.error) == recorded.at("error").get<std::string>());
  BOOST_TEST(attempt.phase == recorded.at("phase").get<std::string>());
  BOOST_TEST(attempt.implementations.empty());
  const std::set<std::string> details = details_of(attempt.message);
  const std::set<std::string> wanted = details_of(recorded.at("message"));
  BOOST_TEST(!wanted.empty());
  for (const std::string& detail : wanted) {
    BOOST_TEST(details.count(detail) == 1U, detail << " is missing in: " << attempt.message);
  }
}

void check_figures(const core::Attempt& attempt, const nlohmann::json& recorded) {
  BOOST_TEST_REQUIRE(!attempt.error.has_value(), attempt.message);
  const nlohmann::json& wanted = recorded.at("implementations");
  BOOST_TEST_REQUIRE(attempt.implementations.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const core::ImplementationResult& got = attempt.implementations[i];
    const nlohmann::json& values = wanted[i].at("sample_values");
    BOOST_TEST(got.measurement.name == wanted[i].at("name").get<std::string>());
    const bool queued = got.measurement.launch == Launch::queued;
    BOOST_TEST(store::name_of(got.measurement.launch) == wanted[i].at("launch").get<std::string>());
    BOOST_TEST(got.measurement.launch_reason == wanted[i].value("launch_reason", ""));
    BOOST_TEST(got.measurement.retries == wanted[i].at("retries").get<int>());
    BOOST_TEST(got.kernel_groups == wanted[i].at("kernel_groups").get<std::vector<std::string>>(),
               boost::test_tools::per_element());
    std::vector<std::int64_t> busy, latency, kernels, groups;
    for (const Sample& sample : got.measurement.samples) {
      busy.push_back(sample.busy_ns);
      latency.push_back(sample.latency_ns);
      kernels.push_back(sample.n_kernels.value());
      groups.push_back(sample.group);
    }
    for (const auto& [key, list] :
         {std::pair("busy_ns", busy), std::pair(queued ? "queued_latency_ns" : "latency_ns", latency),
          std::pair("n_kernels", kernels), std::pair("group", groups)}) {
      BOOST_TEST_CONTEXT(key) {
        BOOST_TEST(list == values.at(key).get<std::vector<std::int64_t>>(), boost::test_tools::per_element());
      }
    }
  }
}

std::string kind_of(const collect::Trace& trace) {
  const core::Attempt attempt = run::replay_trace(trace);
  return attempt.error ? store::name_of(*attempt.error) : "none";
}

// Calls `check` with the trace as each disturbance of its drained calls leaves it.
template <class Check>
void disturb_host_timing(const collect::Trace& whole, const Check& check) {
  for (const RecordKind kind : {RecordKind::kernel, RecordKind::external, RecordKind::api}) {
    for_each_record(
        whole, kind,
        [&](collect::Trace& trace, auto&, core::RecordBuffer& buffer, std::size_t at) {
          const core::Record record = buffer[at];
          buffer[at].correlation_id ^= kTopBit;
          check(trace);
          buffer[at] = record;
          buffer[at].end_ns = record.start_ns - 1;
          check(trace);
          buffer.erase(buffer.begin() + static_cast<std::ptrdiff_t>(at));
          check(trace);
        },
        Phases::time_the_host);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(replay)

BOOST_AUTO_TEST_CASE(every_trace_gives_what_the_gpu_run_gave) {
  BOOST_TEST(recorded_traces().size() >= 12U);
  for (const RecordedTrace& recorded : recorded_traces()) {
    BOOST_TEST_CONTEXT(recorded.name) {
      const core::Attempt attempt = run::replay_trace(recorded.trace);
      BOOST_TEST(core::to_string(attempt.status) == recorded.attempt.at("status").get<std::string>());
      BOOST_TEST(attempt.replayed);
      if (recorded.measured()) {
        check_figures(attempt, recorded.attempt);
      } else {
        check_error(attempt, recorded.attempt);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_kernel_with_another_correlation_id_changes_the_result) {
  for_each_measured([](const RecordedTrace& recorded) {
    for_each_record(without_retries(recorded.trace), RecordKind::kernel,
                    [](collect::Trace& trace, auto&, core::RecordBuffer& buffer, std::size_t at) {
                      buffer[at].correlation_id ^= kTopBit;
                      BOOST_TEST(kind_of(trace) == "off_thread_launch");
                    });
  });
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_matters_unless_it_meets_the_same_label) {
  for_each_measured([](const RecordedTrace& recorded) {
    const std::string whole = replayed(without_retries(recorded.trace));
    int left = 4;
    for_each_record(
        without_retries(recorded.trace), RecordKind::kernel,
        [&](collect::Trace& trace, const collect::TracePhase& phase, core::RecordBuffer& buffer, std::size_t at) {
          const auto labels = labels_of(trace, phase);
          const std::uint32_t id = buffer[at].correlation_id;
          for (int bit = 0; left > 0 && bit < 32; ++bit) {
            const std::uint32_t flipped = id ^ (1U << static_cast<unsigned>(bit));
            const auto met = labels.find(flipped);
            buffer[at].correlation_id = flipped;
            const bool same = met != labels.end() && met->second == labels.at(id);
            BOOST_TEST((replayed(trace) == whole) == same, "bit " << bit << " of id " << id);
          }
          --left;
        });
  });
}

BOOST_AUTO_TEST_CASE(a_kernel_record_lost_silently_is_an_error) {
  int lost = 0;
  for_each_measured([&](const RecordedTrace& recorded) {
    const std::string whole = replayed(without_retries(recorded.trace));
    for_each_record(
        without_retries(recorded.trace), RecordKind::kernel,
        [&](collect::Trace& trace, const collect::TracePhase& phase, core::RecordBuffer& buffer, std::size_t at) {
          const std::uint64_t label = labels_of(trace, phase).at(buffer[at].correlation_id);
          buffer.erase(buffer.begin() + static_cast<std::ptrdiff_t>(at));
          if (static_cast<std::uint32_t>(label) == core::kPreparation) {
            BOOST_TEST(replayed(trace) == whole);  // the flush is in no figure
          } else {
            // A lost probe is told as disturbed tracing. A trial is only asked how calls can be made.
            if (phase.plan.kind == collect::PhaseKind::measure) {
              BOOST_TEST(kind_of(trace) != "none");
              ++lost;
            }
          }
        });
  });
  BOOST_TEST(lost > 0);
}

BOOST_AUTO_TEST_CASE(a_label_lost_silently_is_an_error) {
  for_each_measured([](const RecordedTrace& recorded) {
    for_each_record(
        without_retries(recorded.trace), RecordKind::external,
        [](collect::Trace& trace, const collect::TracePhase& phase, core::RecordBuffer& buffer, std::size_t at) {
          const bool ours = buffer[at].external_kind == trace.external_kind;  // else an id that the op pushed
          buffer.erase(buffer.begin() + static_cast<std::ptrdiff_t>(at));
          if (ours && !phase.plan.every_api) {  // there calls without work are labelled, too
            BOOST_TEST(kind_of(trace) == "off_thread_launch");
          }
        });
  });
}

BOOST_AUTO_TEST_CASE(what_disturbs_the_timing_of_the_host_gives_no_other_number) {
  int disturbed = 0;
  for_each_measured([&](const RecordedTrace& recorded) {
    const std::string whole = replayed(recorded.trace);
    disturb_host_timing(recorded.trace, [&](const collect::Trace& trace) {
      ++disturbed;
      BOOST_TEST((kind_of(trace) != "none" || replayed(trace) == whole));
    });
  });
  BOOST_TEST(disturbed > 0);
}

BOOST_AUTO_TEST_CASE(what_disturbs_the_timing_of_the_host_excuses_no_hidden_work) {
  int disturbed = 0;
  for (const RecordedTrace& recorded : recorded_traces()) {
    if (recorded.measured()) continue;
    BOOST_TEST_CONTEXT(recorded.name) {
      disturb_host_timing(recorded.trace, [&](const collect::Trace& trace) {
        ++disturbed;
        BOOST_TEST(kind_of(trace) != "none");
      });
    }
  }
  BOOST_TEST(disturbed > 0);
}

BOOST_AUTO_TEST_CASE(a_record_without_timestamps_is_an_error) {
  for_each_measured([](const RecordedTrace& recorded) {
    for (const bool no_start : {true, false}) {
      for_each_record(without_retries(recorded.trace), RecordKind::kernel,
                      [&](collect::Trace& trace, auto&, core::RecordBuffer& buffer, std::size_t at) {
                        core::Record& record = buffer[at];
                        no_start ? record.start_ns = 0 : record.end_ns = record.start_ns - 1;
                        BOOST_TEST(kind_of(trace) == "timestamps_lost");
                      });
    }
  });
}

BOOST_AUTO_TEST_CASE(three_lost_attempts_are_records_lost_and_no_number) {
  for_each_measured([](const RecordedTrace& recorded) {
    collect::Trace trace = without_retries(recorded.trace);
    collect::TracePhase lost = trace.phases.front();
    lost.records.dropped = 1;
    trace.phases.clear();
    for (const int attempt : {1, 2, 3}) {
      lost.plan.attempt = attempt;
      trace.phases.push_back(lost);
    }
    const core::Attempt attempt = run::replay_trace(trace);
    BOOST_TEST_REQUIRE(attempt.error.has_value());
    BOOST_TEST(store::name_of(*attempt.error) == "records_lost");
    BOOST_TEST(attempt.implementations.empty());
  });
}

BOOST_AUTO_TEST_CASE(a_lost_attempt_is_measured_again_and_counted) {
  for_each_measured([](const RecordedTrace& recorded) {
    const collect::Trace whole = without_retries(recorded.trace);
    collect::Trace trace = whole;
    const auto measured = std::find_if(trace.phases.begin(), trace.phases.end(), [](const collect::TracePhase& phase) {
      return phase.plan.kind == collect::PhaseKind::measure;
    });
    BOOST_TEST_REQUIRE((measured != trace.phases.end()));
    collect::TracePhase lost = *measured;
    lost.records.dropped = 7;
    lost.records.buffers.front().clear();
    measured->plan.attempt = 2;
    trace.phases.insert(measured, lost);
    core::Attempt attempt = run::replay_trace(trace);
    BOOST_TEST_REQUIRE(!attempt.error.has_value(), attempt.message);
    BOOST_TEST(attempt.implementations.front().measurement.retries == 1);
    attempt.implementations.front().measurement.retries = 0;
    BOOST_TEST(result_of(attempt) == replayed(whole));
  });
}

BOOST_AUTO_TEST_CASE(an_unknown_drop_count_is_unproven) {
  for_each_measured([](const RecordedTrace& recorded) {
    collect::Trace trace = without_retries(recorded.trace);
    trace.phases.back().records.dropped.reset();
    BOOST_TEST(kind_of(trace) == "unproven");
  });
}

BOOST_AUTO_TEST_CASE(the_order_of_buffers_changes_nothing) {
  for (const RecordedTrace& recorded : recorded_traces()) {
    BOOST_TEST_CONTEXT(recorded.name) {
      const std::string whole = replayed(recorded.trace);
      for (const std::size_t size : {1U, 4U, 9U}) {
        collect::Trace trace = in_buffers_of(size, recorded.trace);
        BOOST_TEST(trace.phases.back().records.buffers.size() > 1U);
        BOOST_TEST(replayed(trace) == whole);
        for (collect::TracePhase& phase : trace.phases) {
          std::swap(phase.records.buffers.front(), phase.records.buffers.back());
        }
        BOOST_TEST(replayed(trace) == whole);
        for (collect::TracePhase& phase : trace.phases) {
          std::reverse(phase.records.buffers.begin(), phase.records.buffers.end());
        }
        BOOST_TEST(replayed(trace) == whole);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
