#include <fmt/format.h>

#include <array>

#include "report/report_json.hpp"
#include "store/names.hpp"

namespace opgate::report {
namespace {

constexpr const char* kHead =
    "run,run_uuid,started_unix_ms,commit,dirty,case,outcome,source,exit_code,verdict,metric,baseline_ns,measured_ns,"
    "change_pct,"
    "threshold_pct,limit_ns,detectable_pct,busy_ns,p10_ns,p90_ns,sm_mhz,samples,tflops,bandwidth_tbs,device,unit,"
    "driver,"
    "cuda,protocol,timing,flush,launch,reason,ceiling_bound,ceiling_pct,ceiling_source,ceiling_measured_unix_ms\r\n";

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted(1, '"');
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  quoted.push_back('"');
  return quoted;
}

std::string field(const std::optional<double>& value) {
  return value ? number_text(*value) : "";
}

class Line {
 public:
  template <class T>
  Line& operator<<(const T& value) {
    if (!text_.empty()) text_.push_back(',');
    text_.append(field(value));
    return *this;
  }
  Line& operator<<(std::int64_t value) { return *this << std::to_string(value); }
  [[nodiscard]] std::string end() const { return text_ + "\r\n"; }

 private:
  std::string text_;
};

std::string line_of(const ReportCase& one, const store::RunInfo& run) {
  const core::Judgement no_judgement;
  const Figures no_figures;
  const bool judged = one.figures && one.result.judgement;
  const core::Judgement& judgement = judged ? *one.result.judgement : no_judgement;
  const Figures& figures = one.figures ? *one.figures : no_figures;
  const core::Attempt* const attempt = deciding_attempt(one.result);
  const core::DeviceIdentity device = attempt != nullptr ? attempt->device : core::DeviceIdentity{};
  const auto* const ours = attempt != nullptr ? ours_of(*attempt) : nullptr;
  const store::Method method = ours != nullptr ? store::method_of(*ours) : store::Method{};
  Line line;
  line << run.id << run.uuid << run.started_unix_ms << run.commit << std::int64_t{run.dirty ? 1 : 0} << one.name
       << std::string(one.outcome ? word_of(*one.outcome) : "missing")
       << std::string(one.outcome ? word_of(one.source) : "")
       << (one.result.exit_code ? std::to_string(static_cast<int>(*one.result.exit_code)) : std::string())
       << std::string(judged ? core::to_string(judgement.verdict) : "")
       << std::string(judged && judgement.measured_ns ? core::to_string(judgement.metric) : "") << judgement.baseline_ns
       << judgement.measured_ns << judgement.change_pct << judgement.threshold_pct
       << limit_ns(judgement.baseline_ns, judgement.threshold_pct) << judgement.detectable_pct << figures.busy_ns
       << figures.p10_ns << figures.p90_ns << figures.sm_mhz << static_cast<std::int64_t>(figures.samples)
       << figures.tflops << figures.bandwidth_tbs << device.name << device.uuid << device.driver << device.cuda
       << method.protocol << method.timing << method.flush << method.launch << one.reason;
  const auto& ceiling = one.ceiling;
  line << std::string(ceiling ? core::to_string(ceiling->bound) : "")
       << (ceiling ? std::optional(ceiling->percent) : std::nullopt)
       << std::string(!ceiling                    ? ""
                      : ceiling->measured_unix_ms ? "measured"
                                                  : "peak")
       << (ceiling && ceiling->measured_unix_ms ? std::to_string(*ceiling->measured_unix_ms) : std::string());
  return line.end();
}

}  // namespace

std::string report_csv(const Report& report) {
  std::string text = kHead;
  for (const ReportCase& one : report.cases) text += line_of(one, report.run);
  return text;
}

}  // namespace opgate::report
