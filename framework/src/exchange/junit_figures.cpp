#include "exchange/junit_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "exchange/values.hpp"

namespace opgate::exchange {

namespace {

constexpr const char* kBaseline = "baseline";         // a copy of the implementation that baseline_tag names
constexpr const char* kBaselineTag = "baseline_tag";  // of the case
constexpr std::array<std::string_view, 5> kDurations = {"device_busy", "latency", "gap", "device_busy_p10",
                                                        "device_busy_p90"};
constexpr std::array<std::string_view, 4> kUnits = {"ns", "us", "ms", "s"};

struct Duration {
  std::string_view figure;
  int power = 0;  // of ten over ns
};

// "device_busy_ms" -> device_busy, 6.
std::optional<Duration> duration_of(std::string_view key) {
  for (const std::string_view figure : kDurations) {
    for (const std::string_view unit : kUnits) {
      if (key.size() == figure.size() + unit.size() + 1 && key.starts_with(figure) && key.ends_with(unit) &&
          key[figure.size()] == '_') {
        return Duration{figure, *power_of_unit(unit)};
      }
    }
  }
  return std::nullopt;
}

// Of "torch-ref_device_busy_ms" the implementation "torch-ref"; absent for a property that is no reading.
std::optional<std::string> implementation_of(std::string_view name) {
  for (const std::string_view figure : {std::string_view("device_busy"), std::string_view("latency")}) {
    const std::size_t at = name.rfind(figure);
    if (at == std::string_view::npos || !duration_of(name.substr(at))) continue;
    if (at == 0) return std::string();
    if (at > 1 && name[at - 1] == '_') return std::string(name.substr(0, at - 1));
  }
  return std::nullopt;
}

// The implementation a property belongs to, the longest name first, and what is left of the property's name.
struct Place {
  std::string implementation;
  std::string_view key;
};

class Collector {
 public:
  Collector(const std::vector<Property>& properties, const ErrorAt& error_at)
      : properties_(properties), error_at_(error_at) {}

  JunitFigures collect() {
    for (const Property& property : properties_) {
      const auto name = implementation_of(property.name);
      if (name && result_.readings.try_emplace(*name).second) result_.order.push_back(*name);
      if (property.name == kBaselineTag) tag_ = property.value;
    }
    for (const Property& property : properties_) put(property);
    settle_baseline();
    // Once for all: erasing them one by one would take quadratic time.
    std::erase_if(result_.order, [this](const std::string& name) { return !keeps(name); });
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::optional<Place> place_of_property(const std::string& name) const {
    for (std::size_t end = name.rfind('_'); end != std::string::npos && end > 0; end = name.rfind('_', end - 1)) {
      const std::string implementation = name.substr(0, end);
      if (result_.readings.contains(implementation))
        return Place{implementation, std::string_view(name).substr(end + 1)};
    }
    if (result_.readings.contains("") && is_figure(name)) return Place{"", name};
    return std::nullopt;
  }

  // Without an implementation in front only the names that are figures belong to a reading.
  static bool is_figure(std::string_view key) {
    constexpr std::array<std::string_view, 13> kOthers = {
        "n_samples", "n_kernels", "timing",     "protocol",      "flush",  "launch",       "flops",
        "bytes",     "dtype",     "bytes_read", "bytes_written", "tflops", "bandwidth_tbs"};
    return duration_of(key) || std::find(kOthers.begin(), kOthers.end(), key) != kOthers.end();
  }

  void put(const Property& property) {
    const auto place = property.name == kBaselineTag ? std::nullopt : place_of_property(property.name);
    if (!place) {
      result_.properties.push_back(property);
      return;
    }
    if (!seen_.emplace(property.name, property.value).second) {
      throw error_at_(property, fmt::format("property '{:.80}' appears twice in one test case", property.name),
                      "remove one of the two");
    }
    put(result_.readings.at(place->implementation), place->key, property);
  }

  void put(JunitReading& reading, std::string_view key, const Property& property) const {
    if (!reading.imported.summary) reading.imported.summary.emplace();
    core::Summary& summary = *reading.imported.summary;
    if (const auto duration = duration_of(key)) {
      const double ns = nanoseconds(property, duration->power);
      const std::string_view figure = duration->figure;
      if (figure == "device_busy") summary.busy_ns = ns;
      if (figure == "latency") summary.latency_ns = ns;
      if (figure == "gap") summary.gap_ns = ns;
      if (figure == "device_busy_p10") summary.p10_ns = ns;
      if (figure == "device_busy_p90") summary.p90_ns = ns;
    } else if (!put_words(reading, key, property) && !put_counts(reading, key, property)) {
      reading.imported.properties.emplace(key, property.value);
    }
  }

  static bool put_words(JunitReading& reading, std::string_view key, const Property& property) {
    std::string* const word = key == "timing"     ? &reading.imported.timing
                              : key == "protocol" ? &reading.imported.protocol
                              : key == "flush"    ? &reading.imported.flush
                              : key == "launch"   ? &reading.imported.launch
                              : key == "dtype"    ? &reading.dtype
                                                  : nullptr;
    if (word != nullptr) *word = property.value;
    return word != nullptr;
  }

  bool put_counts(JunitReading& reading, std::string_view key, const Property& property) const {
    if (key == "n_samples") {
      reading.imported.summary->readings = count(property, std::numeric_limits<std::int64_t>::max());
    } else if (key == "n_kernels") {
      reading.imported.summary->n_kernels =
          static_cast<std::int32_t>(count(property, std::numeric_limits<std::int32_t>::max()));
    } else if (key == "flops") {
      reading.flops = work(property);
    } else if (key == "bytes") {
      reading.bytes = work(property);
    } else if (key == "bytes_read") {
      reading.bytes_read = work(property);
    } else if (key == "bytes_written") {
      reading.bytes_written = work(property);
    } else {
      return false;
    }
    return true;
  }

  [[nodiscard]] Error bad(const Property& property, const char* remedy) const {
    return error_at_(property, fmt::format("{:.80} is '{:.40}'", property.name, property.value), remedy);
  }
  [[nodiscard]] double nanoseconds(const Property& property, int power) const {
    const auto ns = scaled(property.value, power);
    if (!ns || !is_duration(*ns)) throw bad(property, "write a finite decimal number");
    return *ns;
  }
  [[nodiscard]] std::int64_t count(const Property& property, std::int64_t most) const {
    const auto value = integer(property.value);
    if (!value || *value < 0 || *value > most) throw bad(property, "write an integer of 0 or more");
    return *value;
  }
  [[nodiscard]] double work(const Property& property) const {
    const auto value = scaled(property.value, 0);
    if (!value || *value < 0) throw bad(property, "write a finite number of 0 or more");
    return *value;
  }

  // The baseline's figures are there once more under its own name: counted once. Where they are not, or differ, nothing
  // is dropped.
  void settle_baseline() {
    const auto alias = result_.readings.find(kBaseline);
    if (alias == result_.readings.end() || !tag_ || tag_->empty()) return;
    const auto own = result_.readings.find(*tag_);
    if (own == result_.readings.end()) {
      result_.readings.emplace(*tag_, std::move(alias->second));
      *std::find(result_.order.begin(), result_.order.end(), kBaseline) = *tag_;
      result_.readings.erase(kBaseline);
    } else if (own->second.imported.summary == alias->second.imported.summary) {
      result_.readings.erase(alias);
      std::erase(result_.order, kBaseline);
    }
  }

  bool keeps(const std::string& name) {
    core::Imported& imported = result_.readings.at(name).imported;
    core::Summary& summary = *imported.summary;
    imported.name = name;
    // A tool that knows no device time tells the span; as with CUDA events that is then all there is.
    if (!(summary.busy_ns > 0) && !has_busy(name) && summary.latency_ns) {
      summary.busy_ns = *summary.latency_ns;
      if (imported.timing.empty()) imported.timing = "latency";
    }
    if (summary.busy_ns > 0) return true;
    ++result_.ignored;
    result_.readings.erase(name);
    return false;
  }

  [[nodiscard]] bool has_busy(const std::string& name) const {
    const std::string prefix = name.empty() ? "device_busy_" : name + "_device_busy_";
    return std::any_of(kUnits.begin(), kUnits.end(),
                       [&](std::string_view unit) { return seen_.contains(prefix + std::string(unit)); });
  }

  const std::vector<Property>& properties_;
  const ErrorAt& error_at_;
  std::map<std::string, std::string> seen_;
  std::optional<std::string> tag_;
  JunitFigures result_;
};

}  // namespace

JunitFigures figures_of(const std::vector<Property>& properties, const ErrorAt& error_at) {
  return Collector(properties, error_at).collect();
}

}  // namespace opgate::exchange
