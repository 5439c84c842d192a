#include "exchange/export_junit.hpp"

#include <algorithm>
#include <optional>
#include <pugixml.hpp>
#include <sstream>

#include "exchange/export_values.hpp"
#include "store/names.hpp"

namespace opgate::exchange {

namespace {

class Properties {
 public:
  explicit Properties(pugi::xml_node test_case) : node_(test_case.append_child("properties")) {}
  void add(const std::string& name, const std::string& value) {
    if (value.empty()) return;
    pugi::xml_node property = node_.append_child("property");
    property.append_attribute("name") = name.c_str();
    property.append_attribute("value") = printable(value).c_str();
  }
  void add(const std::string& name, const std::optional<double>& value) {
    if (value) add(name, exact(*value));
  }
  void add_ms(const std::string& name, const std::optional<double>& ns) {
    if (ns) add(name, exact_ms(*ns));
  }

 private:
  pugi::xml_node node_;
};

void add_figures(Properties& properties, const std::string& prefix, const core::ImplementationResult& one) {
  const core::SampleFigures figures = core::figures_of(one);
  properties.add_ms(prefix + "device_busy_ms", figures.busy_ns);
  properties.add_ms(prefix + "device_busy_p10_ms", figures.p10_ns);
  properties.add_ms(prefix + "device_busy_p90_ms", figures.p90_ns);
  properties.add_ms(prefix + "latency_ms", figures.latency_ns);
  properties.add_ms(prefix + "gap_ms", figures.gap_ns);
  properties.add_ms(prefix + "queued_latency_ms", figures.queued_latency_ns);
  properties.add_ms(prefix + "device_gap_ms", figures.device_gap_ns);
  properties.add_ms(prefix + "busy_trimmed_mean_ms", figures.trimmed_mean_ns);
  properties.add(prefix + "sm_mhz", figures.sm_mhz);
  if (figures.samples > 0) properties.add(prefix + "n_samples", std::to_string(figures.samples));
  if (figures.n_kernels) properties.add(prefix + "n_kernels", std::to_string(*figures.n_kernels));
  const store::Method method = store::method_of(one);
  properties.add(prefix + "timing", method.timing);
  properties.add(prefix + "protocol", method.protocol);
  properties.add(prefix + "flush", method.flush);
  properties.add(prefix + "launch", method.launch);
}

// What each number is of, so that a reader can compute rates.
void add_work(Properties& properties, const core::CaseIdentity& identity) {
  properties.add("flops", identity.flops);
  properties.add("bytes_read", identity.bytes_read);
  properties.add("bytes_written", identity.bytes_written);
  properties.add("bytes", identity.bytes);
  properties.add("dtype", identity.dtype);
}

void add_judgement(Properties& properties, const core::Judgement& judgement) {
  properties.add("verdict", core::to_string(judgement.verdict));
  properties.add_ms("baseline_ms", judgement.baseline_ns);
  properties.add("change_pct", judgement.change_pct);
  properties.add("threshold_pct", judgement.threshold_pct);
  properties.add("detectable_pct", judgement.detectable_pct);
}

const char* element_of(const store::CaseResult& result) {
  if (!result.exit_code) return "error";
  switch (*result.exit_code) {
    case core::ExitCode::pass:
      return nullptr;
    case core::ExitCode::skipped:
      return "skipped";
    case core::ExitCode::regression:
    case core::ExitCode::wrong_result:
    case core::ExitCode::no_baseline:
    case core::ExitCode::inconclusive:
      return "failure";
    default:
      return "error";
  }
}

void add_case(pugi::xml_node suite, const store::CaseResult& result) {
  pugi::xml_node node = suite.append_child("testcase");
  // "<op>.<rest>", as an import puts it together again.
  const std::string name = printable(result.identity.name);
  const std::size_t dot = name.find('.');
  const bool split = dot != std::string::npos && dot > 0 && dot + 1 < name.size();
  if (split) node.append_attribute("classname") = name.substr(0, dot).c_str();
  node.append_attribute("name") = (split ? name.substr(dot + 1) : name).c_str();
  std::int64_t wall_ns = 0;
  for (const core::Attempt& attempt : result.attempts) wall_ns += attempt.wall_ns;
  node.append_attribute("time") = exact(static_cast<double>(wall_ns) / 1e9).c_str();
  Properties properties(node);
  properties.add("op", result.identity.op);
  if (const core::Attempt* const attempt = measured_attempt(result)) {
    for (const core::ImplementationResult& one : attempt->implementations) {
      add_figures(properties, one.measurement.name.empty() ? "" : one.measurement.name + "_", one);
    }
    add_work(properties, result.identity);
    properties.add("device", attempt->device.name);
  }
  if (result.judgement) add_judgement(properties, *result.judgement);
  if (const char* const element = element_of(result)) {
    pugi::xml_node problem = node.append_child(element);
    const std::string reason = printable(reason_of(result));
    problem.append_attribute("message") = reason.substr(0, reason.find('\n')).c_str();
    problem.text().set(reason.c_str());
  }
}

std::size_t count_of(const std::vector<store::CaseResult>& results, const std::string& element) {
  return static_cast<std::size_t>(std::count_if(results.begin(), results.end(), [&](const store::CaseResult& result) {
    const char* const its = element_of(result);
    return its != nullptr && element == its;
  }));
}

}  // namespace

std::string junit_of(const store::RunInfo& run, const std::vector<store::CaseResult>& results) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "utf-8";
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  suite.append_attribute("name") = ("opgate run " + std::to_string(run.id)).c_str();
  suite.append_attribute("tests") = static_cast<unsigned long long>(results.size());
  suite.append_attribute("failures") = static_cast<unsigned long long>(count_of(results, "failure"));
  suite.append_attribute("errors") = static_cast<unsigned long long>(count_of(results, "error"));
  suite.append_attribute("skipped") = static_cast<unsigned long long>(count_of(results, "skipped"));
  suite.append_attribute("timestamp") = iso_8601(run.started_unix_ms).c_str();
  if (!run.host.empty()) suite.append_attribute("hostname") = printable(run.host).c_str();
  for (const store::CaseResult& result : results) add_case(suite, result);
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

}  // namespace opgate::exchange
