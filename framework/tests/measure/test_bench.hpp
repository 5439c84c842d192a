#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/fakes.hpp"
#include "measure/protocol.hpp"

namespace opgate::test {

struct Bench {
  measure::Measured measure(const Candidate& candidate, const BenchOptions& options = {}) {
    return measure_all({candidate}, options).front();
  }
  std::vector<measure::Measured> measure_all(const std::vector<Candidate>& candidates,
                                             const BenchOptions& options = {}) {
    return measure::measure_candidates(collector, stage, candidates, options,
                                       [&](std::string_view step) { steps.emplace_back(step); });
  }
  Candidate kernel(const std::string& name, std::int64_t duration_ns) {
    return call(name, [this, name, duration_ns] { collector.launch(name, duration_ns); });
  }
  Candidate call(const std::string& name, const std::function<void()>& body) {
    return {.name = name, .run = [body](Stream) { body(); }, .reset = {}};
  }

  test::FakeCollector collector;
  test::FakeStage stage{50'000, collector};
  std::vector<std::string> steps;
};

inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace opgate::test
