#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collect/collector.hpp"
#include "core/result.hpp"
#include "measure/stage.hpp"
#include "opgate/bench.hpp"
#include "run/request.hpp"

namespace opgate::run {

enum class CheckKind : std::uint8_t {
  before_timing,  // the inputs of the timing
  after_timing,   // fresh inputs: an answer kept from before is caught
};

// What a worker measures in: a GPU with the op linked in (cuda_world.cpp), or a recorded trace (replay.cpp). Called in
// the order of declaration; each may throw.
class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  virtual ~World() = default;

  // Creates the context and says what the device is. With `tracing`, turns CUPTI on before anything of the op exists.
  virtual core::DeviceIdentity open(bool tracing) = 0;
  // Why this device cannot run the case; empty when it can.
  [[nodiscard]] virtual std::string unmet_requirement() const = 0;
  // Tensors, inputs, implementations.
  virtual void set_up() = 0;
  // What is wrong with the outputs of any implementation, or with inputs it changed.
  [[nodiscard]] virtual std::optional<std::string> check(CheckKind kind) = 0;
  // Ours first, then the libraries of the spec.
  [[nodiscard]] virtual std::vector<Candidate> candidates() = 0;
  [[nodiscard]] virtual collect::Collector& collector() = 0;
  [[nodiscard]] virtual measure::Stage& stage() = 0;
  [[nodiscard]] virtual core::DeviceState state() = 0;
  // One warm call, then one call between the profiler's start and stop marks.
  virtual void profile() = 0;
  [[nodiscard]] virtual bool replayed() const noexcept = 0;
};

// Absent: this executable was built without CUDA.
using WorldFactory = std::function<std::unique_ptr<World>(const CaseRequest&)>;

}  // namespace opgate::run
