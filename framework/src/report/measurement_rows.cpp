#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/case_rows.hpp"
#include "store/names.hpp"

namespace opgate::report {
namespace {

using Words = std::vector<std::string>;

std::string count_of_samples(const core::ImplementationResult& ours, int processes, const Figures& figures) {
  if (figures.summary) {
    return figures.summary->readings
               ? fmt::format("figures of {} readings, none of them kept", *figures.summary->readings)
               : "figures only";
  }
  std::string text = fmt::format("{}", figures.samples);
  if (processes > 1) {
    text += fmt::format(" of {} processes", processes);
  }
  if (ours.iterations_asked) {
    text += fmt::format(" ({} asked for{})", *ours.iterations_asked, processes > 1 ? " of each" : "");
  }
  if (figures.samples < core::kFewSamples && figures.p10_ns) {
    text += ", so p10 and p90 are coarse";
  }
  return text;
}

std::string samples_row(const core::ImplementationResult& ours, int processes, const Figures& figures) {
  const Measurement& m = ours.measurement;
  Words samples{count_of_samples(ours, processes, figures)};
  samples.push_back(figures.n_kernels ? count_text(static_cast<std::size_t>(*figures.n_kernels), "kernel") + " a call"
                                      : "kernels a call unknown");
  Words passes;
  for (const double median : m.pass_medians_ns) {
    passes.push_back(duration_text(median));
  }
  if (passes.size() > 1) {
    samples.push_back(fmt::format("pass medians {}", fmt::join(passes, " and ")));
  }
  if (!ours.imported) {
    samples.push_back(fmt::format("{} {}", m.retries, m.retries == 1 ? "retry" : "retries"));
  }
  return open_row("samples", comma_list(samples));
}

std::string rates_row(const Figures& figures, const Words& remarks) {
  Words rates;
  if (figures.tflops) {
    rates.push_back(four_digits(*figures.tflops) + " TFLOP/s");
  }
  if (figures.bandwidth_tbs) {
    rates.push_back(four_digits(*figures.bandwidth_tbs) + " TB/s");
  }
  if (!rates.empty()) {
    rates.insert(rates.end(), remarks.begin(), remarks.end());
  }
  return rates.empty() ? std::string{} : open_row("rates", comma_list(rates));
}

// A held call's span and gaps are the device's own; those of a direct one hold the host's pace as well.
std::string span_row(const Figures& figures) {
  const bool queued = figures.queued_latency_ns.has_value();
  const auto span = queued ? figures.queued_latency_ns : figures.latency_ns;
  const auto gap = queued ? figures.device_gap_ns : figures.gap_ns;
  Words parts;
  if (span && gap && *gap > 0) {
    parts.push_back(fmt::format("{} from first start to last end{}, {} of it gaps between kernels",
                                duration_text(*span), queued ? " of the held call" : "", duration_text(*gap)));
  }
  if (figures.work_ns && figures.busy_ns && *figures.work_ns > *figures.busy_ns) {
    parts.push_back(fmt::format("kernels overlap: {} of work", duration_text(*figures.work_ns)));
  }
  return parts.empty() ? std::string{} : open_row("span", comma_list(parts));
}

}  // namespace

std::string method_row(const core::ImplementationResult& ours) {
  const Measurement& m = ours.measurement;
  const store::Method method = store::method_of(ours);
  const auto word = [](const std::string& text) { return text.empty() ? store::kUnknown : text.c_str(); };
  std::string text = fmt::format("protocol {}, timing {}, flush {}, launch {}", word(method.protocol),
                                 word(method.timing), word(method.flush), word(method.launch));
  if (!m.launch_reason.empty()) {
    text += " (" + m.launch_reason + ")";
  }
  if (!ours.imported) {
    text += fmt::format(", pacing {}, {}", store::pacing_name(m.pacing),
                        count_text(static_cast<std::size_t>(m.warmup_iterations), "warm-up call"));
  }
  return open_row("method", text);
}

std::string measurement_rows(const core::ImplementationResult& ours, int processes, const Figures& figures,
                             const Words& rate_remarks) {
  return samples_row(ours, processes, figures) + rates_row(figures, rate_remarks) + span_row(figures) +
         method_row(ours);
}

}  // namespace opgate::report
