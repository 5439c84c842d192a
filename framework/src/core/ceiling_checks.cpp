#include "core/ceiling_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/device_rates.hpp"
#include "core/statistics.hpp"

namespace opgate::core {
namespace {

constexpr const char* kRate = "per_s";
constexpr const char* kClock = "sm_mhz";
constexpr double kPerSecond = 1e9;  // of a nanosecond
constexpr double kTera = 1e-3;      // per ns -> T per s

std::string name_of(const std::string& dtype) {
  return "ceiling." + (dtype.empty() ? "copy" : dtype);
}

// As a case that does this work, which the rule of impossible rates knows.
CaseIdentity work_of(const CeilingReading& reading) {
  CaseIdentity identity;
  identity.dtype = reading.dtype;
  if (reading.dtype.empty()) {
    identity.bytes_read = reading.work / 2;
    identity.bytes_written = reading.work / 2;
  } else {
    identity.flops = reading.work;
  }
  return identity;
}

std::optional<double> peak_per_ns(const DeviceIdentity& device, const std::string& dtype, double sm_mhz) {
  if (!dtype.empty()) return peak_flops_per_ns(device, dtype, sm_mhz);
  const std::optional<DeviceRates> rates = rates_of(device);
  return rates ? std::optional(rates->memory_bytes_per_ns) : std::nullopt;
}

class Judge {
 public:
  Judge(const DeviceIdentity& device, const CeilingReading& reading) : device_(device), reading_(reading) {}

  Check check() {
    if (reading_.medians_ns.empty() || reading_.work <= 0 ||
        *std::min_element(reading_.medians_ns.begin(), reading_.medians_ns.end()) <= 0) {
      return failed("there is no reading", "report this as a defect of opgate");
    }
    busy_ns_ = median(std::vector<double>(reading_.medians_ns));
    // Of the highest clock: one that is sampled beside the call may be lower than inside it.
    if (const auto issue = impossible_rate(work_of(reading_), device_, busy_ns_, std::nullopt, Flush::read)) {
      return failed(issue->text, "report this as a defect of opgate");
    }
    rate_ = reading_.work / busy_ns_;
    Check check{name_of(reading_.dtype), Health::ok, {}};
    check.figures = {{kRate, rate_ * kPerSecond}, {"busy_ns", busy_ns_}, {"spread_pct", spread_pct()}};
    check.detail = fmt::format("{:.{}f} {}", rate_ * kTera, reading_.dtype.empty() ? 3 : 1,
                               reading_.dtype.empty() ? "TB/s read and written" : "TFLOP/s");
    add_peak(check);
    add_clock(check);
    check.detail += fmt::format("; {} readings within {:.1f} %", reading_.medians_ns.size(), spread_pct());
    return check;
  }

 private:
  [[nodiscard]] Check failed(const std::string& why, const std::string& remedy) const {
    return {name_of(reading_.dtype), Health::fail, why, remedy};
  }

  [[nodiscard]] double spread_pct() const {
    const auto [least, most] = std::minmax_element(reading_.medians_ns.begin(), reading_.medians_ns.end());
    return 100 * (*most - *least) / busy_ns_;
  }

  void add_peak(Check& check) const {
    const auto peak = peak_per_ns(device_, reading_.dtype, device_.max_sm_mhz);
    if (!peak) {
      check.detail += ", of a peak that is not in the table";
      return;
    }
    check.figures.push_back({"percent_of_peak", 100 * rate_ / *peak});
    check.detail += fmt::format(", {:.1f} % of the peak of {:.{}f}", 100 * rate_ / *peak, *peak * kTera,
                                reading_.dtype.empty() ? 3 : 1);
  }

  void add_clock(Check& check) const {
    if (reading_.sm_mhz.empty()) return;
    const double mhz = median(std::vector<double>(reading_.sm_mhz));
    check.figures.push_back({kClock, mhz});
    check.detail += fmt::format(", SM clock {:.0f} MHz", mhz);
    const auto peak = peak_per_ns(device_, reading_.dtype, mhz);
    if (reading_.dtype.empty() || !peak) return;
    check.figures.push_back({"percent_of_peak_at_clock", 100 * rate_ / *peak});
    check.detail += fmt::format(" ({:.1f} % of what is possible at it)", 100 * rate_ / *peak);
  }

  const DeviceIdentity& device_;
  const CeilingReading& reading_;
  double busy_ns_ = 0;
  double rate_ = 0;
};

std::optional<double> figure_of(const Check& check, const char* name) {
  const auto found =
      std::find_if(check.figures.begin(), check.figures.end(), [&](const Figure& one) { return one.name == name; });
  return found == check.figures.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace

const std::vector<std::string>& ceiling_check_names() {
  static const std::vector<std::string> names{name_of(""), name_of("bf16"), name_of("f8e4m3")};
  return names;
}

Check judge_ceiling(const DeviceIdentity& device, const CeilingReading& reading) {
  return Judge(device, reading).check();
}

Check no_tensor_ceiling(const DeviceIdentity& device, const std::string& dtype) {
  return {name_of(dtype), Health::unknown,
          fmt::format("not measured: the loop is written for compute capability 9.0 (wgmma), and {} has {}.{}",
                      device.name, device.compute_capability / 10, device.compute_capability % 10),
          "hold rates of this GPU against the table's peak"};
}

std::optional<MeasuredRate> rate_of(const Check& check) {
  const std::optional<double> rate = figure_of(check, kRate);
  if (check.health != Health::ok || !rate || *rate <= 0) return std::nullopt;
  return MeasuredRate{*rate / kPerSecond, figure_of(check, kClock)};
}

void take_ceiling(const Check& check, Ceilings& ceilings) {
  if (check.name == name_of("")) ceilings.copy = rate_of(check);
  if (check.name == name_of("bf16")) ceilings.half = rate_of(check);
  if (check.name == name_of("f8e4m3")) ceilings.f8 = rate_of(check);
}

}  // namespace opgate::core
