#pragma once

#include <cstddef>
#include <utility>
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
  void hold(std::uint32_t iteration) override { inner_.hold(iteration); }
  void release() noexcept override { inner_.release(); }
  void probe_clock() override { inner_.probe_clock(); }
  [[nodiscard]] core::StageFacts take_facts() override { return inner_.take_facts(); }
  void drain() override { inner_.drain(); }
  void idle(std::int64_t time_ns) override { inner_.idle(time_ns); }
  void wait_for_clock() override { inner_.wait_for_clock(); }
  void launch_plain_kernel() override { inner_.launch_plain_kernel(); }
  double time_calls_ns(int calls, const std::function<void()>& body) override;
  std::int64_t time_one_ns(const std::function<void()>& body) override { return inner_.time_one_ns(body); }

 private:
  Stage& inner_;
  std::vector<double>& calibrations_ns_;
};

// The device of a trace: there is nothing to flush, to hold or to wait for, and calibration returns what was recorded,
// in order. What the real stage saw of a phase comes with the phase's records. Error(trace) when more is asked for than
// was recorded.
class RecordedStage final : public Stage {
 public:
  explicit RecordedStage(std::vector<double> calibrations_ns) : calibrations_ns_(std::move(calibrations_ns)) {}

  [[nodiscard]] Stream stream() const override { return nullptr; }
  void flush_l2(Flush) override {}
  void hold(std::uint32_t) override {}
  void release() noexcept override {}
  void probe_clock() override {}
  [[nodiscard]] core::StageFacts take_facts() override { return {}; }
  void drain() override {}
  void idle(std::int64_t) override {}
  void wait_for_clock() override {}
  void launch_plain_kernel() override {}
  double time_calls_ns(int calls, const std::function<void()>& body) override;
  std::int64_t time_one_ns(const std::function<void()>& body) override;

 private:
  std::vector<double> calibrations_ns_;
  std::size_t next_ = 0;
};

}  // namespace opgate::measure
