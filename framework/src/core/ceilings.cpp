#include "core/ceilings.hpp"

#include <fmt/format.h>

#include "core/device_rates.hpp"
#include "core/waiver.hpp"

namespace opgate::core {
namespace {

struct Ceiling {
  double per_ns = 0;
  std::optional<std::int64_t> measured_unix_ms;
};

std::optional<Ceiling> measured_ceiling(const Ceilings& measured, const std::optional<MeasuredRate>& rate) {
  if (!rate || rate->per_ns <= 0) return std::nullopt;
  return Ceiling{rate->per_ns, measured.measured_unix_ms};
}

std::optional<Ceiling> memory_ceiling(const DeviceIdentity& device, const Ceilings& measured) {
  if (auto copy = measured_ceiling(measured, measured.copy)) return copy;
  const std::optional<DeviceRates> rates = rates_of(device);
  return rates ? std::optional(Ceiling{rates->memory_bytes_per_ns, std::nullopt}) : std::nullopt;
}

std::optional<Ceiling> compute_ceiling(const std::string& dtype, const DeviceIdentity& device,
                                       const Ceilings& measured) {
  if (dtype == "f16" || dtype == "bf16") {
    if (auto half = measured_ceiling(measured, measured.half)) return half;
  } else if (dtype.starts_with("f8")) {
    if (auto f8 = measured_ceiling(measured, measured.f8)) return f8;
  }
  const std::optional<double> peak = peak_flops_per_ns(device, dtype, device.max_sm_mhz);
  return peak ? std::optional(Ceiling{*peak, std::nullopt}) : std::nullopt;
}

std::optional<double> bytes_of(const CaseIdentity& identity) {
  if (identity.bytes_read && identity.bytes_written) return *identity.bytes_read + *identity.bytes_written;
  return identity.bytes;
}

std::optional<CeilingShare> share(Bound bound, std::optional<double> work, double busy_ns,
                                  const std::optional<Ceiling>& ceiling) {
  if (!work || *work <= 0 || !ceiling) return std::nullopt;
  CeilingShare share{.bound = bound, .percent = 100 * *work / busy_ns / ceiling->per_ns};
  share.measured_unix_ms = ceiling->measured_unix_ms;
  return share;
}

}  // namespace

const char* to_string(Bound bound) {
  return bound == Bound::memory ? "memory" : "compute";
}

std::optional<CeilingShare> ceiling_share(const CaseIdentity& identity, const DeviceIdentity& device,
                                          std::optional<double> busy_ns, const std::optional<Ceilings>& measured) {
  if (!busy_ns || *busy_ns <= 0) return std::nullopt;
  const bool same_unit = measured && !device.uuid.empty() && measured->unit == device.uuid;
  const Ceilings of_unit = same_unit ? *measured : Ceilings{};
  const auto memory = share(Bound::memory, bytes_of(identity), *busy_ns, memory_ceiling(device, of_unit));
  auto compute = share(Bound::compute, identity.flops, *busy_ns, compute_ceiling(identity.dtype, device, of_unit));
  if (compute) compute->dtype = identity.dtype;
  if (!memory || !compute) return memory ? memory : compute;
  return compute->percent > memory->percent ? compute : memory;
}

std::string text_of(const CeilingShare& share) {
  const std::string percent = fmt::format("{:.{}f} %", share.percent, share.percent < 10 ? 1 : 0);
  const bool memory = share.bound == Bound::memory;
  if (share.measured_unix_ms) {
    return fmt::format("{}: {} of the measured {} ({})", to_string(share.bound), percent,
                       memory ? std::string("copy bandwidth") : share.dtype + " rate",
                       date_of(*share.measured_unix_ms));
  }
  return fmt::format("{}: {} of the peak {}", to_string(share.bound), percent,
                     memory ? std::string("bandwidth") : share.dtype + " rate");
}

}  // namespace opgate::core
