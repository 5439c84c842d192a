#include "run/cuda_world.hpp"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "collect/cupti.hpp"
#include "collect/trace.hpp"
#include "core/error_bound.hpp"
#include "device/cuda_identity.hpp"
#include "device/machine.hpp"
#include "measure/compare.hpp"
#include "measure/cuda_check.hpp"
#include "measure/cuda_stage.hpp"
#include "measure/generator.hpp"
#include "opgate/op.hpp"
#include "run/case_tensors.hpp"

namespace opgate::run {
namespace {

constexpr double kBytesPerGib = 1024.0 * 1024.0 * 1024.0;

struct Implementation {
  std::string name;
  std::unique_ptr<Op> op;
};

const Registration& find_registration(const std::string& op, const std::string& implementation) {
  const auto& all = registrations();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Registration& one) {
    return one.op == op && one.implementation == implementation;
  });
  if (found != all.end()) {
    return *found;
  }
  if (implementation.empty()) {
    throw Error(ErrorKind::op, "no implementation of \"" + op + "\" is linked into this executable", op,
                "add OPGATE_OP(" + op + ", Class) to one of the SOURCES of opgate_add_op(" + op + ")");
  }
  throw Error(
      ErrorKind::op, "the library implementation \"" + implementation + "\" is not linked into this executable", op,
      "add OPGATE_LIBRARY(" + op + ", \"" + implementation + "\", Class), or take it out of \"baselines\" in the spec");
}

class CudaWorld final : public World {
 public:
  explicit CudaWorld(const CaseRequest& request) : request_(request) {}

  core::DeviceIdentity open(bool tracing) override {
    measure::check_cuda(cudaFree(nullptr), "creating a CUDA context");
    if (tracing) {
      start_tracing();
    }
    device_ = device::query_cuda_device();
    if (tracing) {
      device_.cupti = collect::cupti_version();
    }
    stage_ = measure::make_cuda_stage();
    return device_;
  }

  [[nodiscard]] std::string unmet_requirement() const override {
    if (request_.compute_capability && device_.compute_capability < *request_.compute_capability) {
      return fmt::format("needs compute capability {}, {} has {}", *request_.compute_capability, device_.name,
                         device_.compute_capability);
    }
    if (request_.memory_gib && static_cast<double>(device_.memory_bytes) < *request_.memory_gib * kBytesPerGib) {
      return fmt::format("needs {} GiB of GPU memory, {} has {:.1f}", *request_.memory_gib, device_.name,
                         static_cast<double>(device_.memory_bytes) / kBytesPerGib);
    }
    return {};
  }

  void set_up() override {
    const std::string& op = request_.identity.op;
    std::vector<const Registration*> wanted{&find_registration(op, "")};
    for (const std::string& library : request_.libraries) {
      wanted.push_back(&find_registration(op, library));
    }
    tensors_ = std::make_unique<CaseTensors>(request_.spec_case);
    tensors_->fill_inputs(measure::kTimingSeed, stage_->stream());
    for (const Registration* registration : wanted) {
      implementations_.push_back({registration->implementation, registration->make(request_.spec_case.workload)});
      implementations_.back().op->set_up(call());
    }
    stage_->drain();
  }

  [[nodiscard]] std::optional<std::string> check(CheckKind kind) override {
    auto* const stream = stage_->stream();
    if (kind == CheckKind::after_timing) {
      if (const auto damage = tensors_->guard_damage(stream)) {
        return fmt::format("{}: a measured call {}", request_.identity.op, *damage);
      }
      tensors_->fill_inputs(measure::kRecheckSeed, stream);
    }
    const std::vector<std::uint64_t> inputs_before = tensors_->input_checksums(stream);
    reference_of(request_.identity.op)(Call{.workload = request_.spec_case.workload,
                                            .in = tensors_->inputs(),
                                            .out = tensors_->expected(),
                                            .stream = stream});
    for (Implementation& implementation : implementations_) {
      if (auto wrong = check_one(implementation, inputs_before)) {
        return wrong;
      }
    }
    tensors_->free_expected();
    return std::nullopt;
  }

  [[nodiscard]] std::vector<Candidate> candidates() override {
    std::vector<Candidate> candidates;
    for (Implementation& implementation : implementations_) {
      Op* op = implementation.op.get();
      candidates.push_back({.name = implementation.name,
                            .run = [this, op](Stream) { op->run(call()); },
                            .reset = [this, op](Stream) { op->reset(call()); }});
    }
    return candidates;
  }

  [[nodiscard]] collect::Collector& collector() override { return collect::cupti_collector(); }
  [[nodiscard]] measure::Stage& stage() override { return *stage_; }
  [[nodiscard]] core::DeviceState state() override { return device::query_state(device_.uuid); }

  void profile() override {
    for (Implementation& implementation : implementations_) {
      run_once(implementation);
    }
    measure::check_cuda(cudaProfilerStart(), "cudaProfilerStart");
    for (Implementation& implementation : implementations_) {
      run_once(implementation);
    }
    measure::check_cuda(cudaProfilerStop(), "cudaProfilerStop");
  }

  [[nodiscard]] bool replayed() const noexcept override { return false; }

 private:
  [[nodiscard]] Call call() const {
    return {.workload = request_.spec_case.workload,
            .in = tensors_->inputs(),
            .out = tensors_->outputs(),
            .stream = stage_->stream()};
  }

  void run_once(Implementation& implementation) {
    implementation.op->reset(call());
    implementation.op->run(call());
    stage_->drain();
  }

  std::optional<std::string> check_one(Implementation& implementation,
                                       const std::vector<std::uint64_t>& inputs_before) {
    const std::string label = implementation.name.empty() ? "this op" : implementation.name;
    tensors_->poison_outputs(stage_->stream());
    run_once(implementation);
    if (const auto damage = tensors_->guard_damage(stage_->stream())) {
      return fmt::format("{}: {} {}", request_.identity.op, label, *damage);
    }
    for (std::size_t i = 0; i < tensors_->outputs().size(); ++i) {
      const Tensor& out = tensors_->outputs()[i];
      const measure::Difference difference = measure::compare(out, tensors_->expected()[i], stage_->stream());
      if (!measure::acceptable(difference, out.dtype)) {
        return fmt::format(
            "{}: output \"{}\" differs from the reference: error norm {:.3g} (limit {:.3g}), largest difference "
            "{:.3g}, {} of "
            "{} elements bad, the first at index {}, {} of them not finite",
            label, out.name, difference.error_norm, core::error_bound(out.dtype), difference.max_abs, difference.bad,
            difference.elements, difference.first_bad, difference.nans);
      }
    }
    const std::vector<std::uint64_t> inputs_after = tensors_->input_checksums(stage_->stream());
    for (std::size_t i = 0; i < inputs_after.size(); ++i) {
      if (inputs_after[i] != inputs_before[i]) {
        return fmt::format("{}: the call changed its input \"{}\"", label, tensors_->inputs()[i].name);
      }
    }
    return std::nullopt;
  }

  const CaseRequest& request_;
  core::DeviceIdentity device_;
  std::unique_ptr<measure::Stage> stage_;
  std::unique_ptr<CaseTensors> tensors_;
  std::vector<Implementation> implementations_;
};

}  // namespace

std::unique_ptr<World> make_cuda_world(const CaseRequest& request) {
  return std::make_unique<CudaWorld>(request);
}

}  // namespace opgate::run
