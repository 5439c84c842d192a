#pragma once

#include <cstddef>
#include <vector>

#include "measure/stage.hpp"

namespace opgate::measure {

// Passes everything on and keeps the event times that the protocol turned into iteration counts.
class RecordingStage final : public Stage {
 public:
  RecordingStage(Stage& inner, std::vector<double>& calibrations_ns)
      : inner_(inner), calibrations_ns_(calibrations_ns) {}

  [[nodiscard]] Stream stream() const override { return inner_.stream(); }
  void flush_l2(Flush kind) override { inner_.flush_l2(kind); }
  void drain() override { inner_.drain(); }
  double time_calls_ns(int calls, const std::function<void()>& body) override;
  std::int64_t time_one_ns(const std::function<void()>& body) override { return inner_.time_one_ns(body); }

 private:
  Stage& inner_;
  std::vector<double>& calibrations_ns_;
};

// The device of a trace: there is nothing to flush or to wait for, and calibration returns what was recorded, in order.
// Error(trace) when more is asked for than was recorded.
class RecordedStage final : public Stage {
 public:
  explicit RecordedStage(std::vector<double> calibrations_ns) : calibrations_ns_(std::move(calibrations_ns)) {}

  [[nodiscard]] Stream stream() const override { return nullptr; }
  void flush_l2(Flush) override {}
  void drain() override {}
  double time_calls_ns(int calls, const std::function<void()>& body) override;
  std::int64_t time_one_ns(const std::function<void()>& body) override;

 private:
  std::vector<double> calibrations_ns_;
  std::size_t next_ = 0;
};

}  // namespace opgate::measure
