#include <cctype>
#include <optional>

#include "report/console.hpp"
#include "report/figures.hpp"
#include "report/outcome.hpp"
#include "store/names.hpp"

namespace opgate::report {
namespace {

constexpr double kNsPerMs = 1e6;

class Lines {
 public:
  void add(const std::string& name, const std::optional<double>& value) {
    if (value) {
      text_ += "<CTestMeasurement type=\"numeric/double\" name=\"" + name + "\">" + number_text(*value) +
               "</CTestMeasurement>\n";
    }
  }
  void add_text(const std::string& name, const std::string& value) {
    text_ += "<CTestMeasurement type=\"text/string\" name=\"" + name + "\">";
    for (const char c : value) {
      text_ += c == '<' || c == '>' || c == '&' || c == '\n' ? ' ' : c;  // CTest takes the text as it stands
    }
    text_ += "</CTestMeasurement>\n";
  }
  void add_ms(const std::string& name, const std::optional<double>& ns) {
    add(name, ns ? std::optional(*ns / kNsPerMs) : std::nullopt);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// CTest finds these lines by a pattern that knows neither quotes nor markup in a name.
std::string plain(const std::string& name) {
  std::string out;
  for (const char c : name) {
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return out;
}

void add_method(Lines& lines, const Measurement& measurement) {
  lines.add_text("launch", store::name_of(measurement.launch));
  if (!measurement.launch_reason.empty()) {
    lines.add_text("launch_reason", measurement.launch_reason);
  }
  lines.add_text("pacing", store::pacing_name(measurement.pacing));
}

void add_figures(Lines& lines, const store::CaseResult& result, const core::Attempt& attempt) {
  const core::CaseIdentity& identity = result.identity;
  if (const core::ImplementationResult* const ours = ours_of(attempt)) {
    const Figures f = figures_of(*ours, identity);
    if (f.samples == 0) {
      return;
    }
    lines.add_ms("device_busy_ms", f.busy_ns);
    lines.add_ms("busy_trimmed_mean_ms", f.trimmed_mean_ns);
    lines.add_ms("clock_corrected_busy_ms", clock_corrected_ns(f, attempt.device.max_sm_mhz));
    lines.add_ms("p10_ms", f.p10_ns);
    lines.add_ms("p90_ms", f.p90_ns);
    lines.add_ms("latency_ms", f.latency_ns);
    lines.add_ms("gap_ms", f.gap_ns);
    lines.add_ms("queued_latency_ms", f.queued_latency_ns);
    lines.add_ms("device_gap_ms", f.device_gap_ns);
    lines.add("tflops", f.tflops);
    lines.add("bandwidth_tbs", f.bandwidth_tbs);
    if (const auto ceiling = ceiling_of(result, attempt)) {
      lines.add("ceiling_pct", ceiling->percent);
      lines.add_text("ceiling", core::text_of(*ceiling));
    }
    lines.add("n_kernels", f.n_kernels);
    lines.add("sm_mhz", f.sm_mhz);
    add_method(lines, ours->measurement);
    lines.add("samples", static_cast<double>(f.samples));
    lines.add("iterations_asked", ours->iterations_asked);
    if (attempt.processes > 1) {
      lines.add("processes", static_cast<double>(attempt.processes));
    }
    lines.add("retries", ours->measurement.retries);
    lines.add("kernel_groups", static_cast<double>(f.groups.size()));
  }
  for (const core::ImplementationResult& other : attempt.implementations) {
    if (!other.measurement.name.empty()) {
      lines.add_ms("library_" + plain(other.measurement.name) + "_ms", figures_of(other, identity).busy_ns);
    }
  }
}

}  // namespace

std::string ctest_measurements(const store::CaseResult& result) {
  const core::Attempt* const attempt = deciding_attempt(result);
  if (!has_number(outcome_of(result)) || attempt == nullptr || attempt->status != core::Status::measured) {
    return {};
  }
  Lines lines;
  add_figures(lines, result, *attempt);
  if (result.judgement) {
    lines.add_ms("baseline_ms", result.judgement->baseline_ns);
    lines.add("change_pct", result.judgement->change_pct);
    lines.add("threshold_pct", result.judgement->threshold_pct);
    lines.add("detectable_pct", result.judgement->detectable_pct);
  }
  if (is_replayed(result)) {
    lines.add("replayed", 1);
  }
  return lines.text();
}

// https://cmake.org/cmake/help/latest/command/ctest_test.html#additional-test-measurements
std::string ctest_attachment(const std::string& name, const std::string& path) {
  if (path.find_first_of("<>&\n") != std::string::npos) {
    return {};
  }
  return "<CTestMeasurementFile type=\"file\" name=\"" + name + "\">" + path + "</CTestMeasurementFile>\n";
}

}  // namespace opgate::report
