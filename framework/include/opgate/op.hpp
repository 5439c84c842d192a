#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "opgate/error.hpp"
#include "opgate/tensor.hpp"
#include "opgate/workload.hpp"

struct CUstream_st;

namespace opgate {

/// The same type as cudaStream_t, so that this header needs no CUDA header.
using Stream = CUstream_st*;

/// What one call works on. Inputs hold seeded random values, outputs are poisoned before the check and lie between
/// guards.
struct Call {
  const Workload& workload;  ///< dimensions, dtype and parameters
  const Tensors& in;         ///< not to be changed
  const Tensors& out;        ///< to be written whole
  Stream stream;             ///< where the call is launched
};

/// One implementation of an op. The framework allocates the tensors of the spec, calls set_up once, then
/// run many times; only run is timed. A failed CUDA call is thrown as Error(cuda) (OPGATE_CUDA in cuda.cuh).
class Op {
 public:
  Op() = default;
  Op(const Op&) = delete;
  Op& operator=(const Op&) = delete;
  virtual ~Op() = default;

  /// Workspace, handles, graphs; tracing is already on, the device is idle. Not timed.
  virtual void set_up(const Call&) {}
  /// Before every run, labelled as preparation, in no reading: e.g. restore an in-place input.
  virtual void reset(const Call&) {}
  /// The call that is measured. Launches into call.stream, or into streams ordered after and before it.
  virtual void run(const Call&) = 0;
};

/// Makes one implementation for a case.
using OpFactory = std::function<std::unique_ptr<Op>(const Workload&)>;
/// Fills `expected`, whose tensors are the outputs of the spec in f64, from the same inputs. It shares no
/// kernel and no helper with the op; it may be slow.
using Reference = std::function<void(const Call& call_with_f64_outputs)>;

/// What OPGATE_OP and OPGATE_LIBRARY register.
struct Registration {
  std::string op;              ///< as the spec names it
  std::string implementation;  ///< "" = ours, else the library's name as listed under "baselines" in the spec
  OpFactory make;              ///< called once per case
};

/// Registration happens before main, from the macros below; one executable holds one op.
void register_implementation(Registration registration);
/// One per op.
void register_reference(std::string op, Reference reference);
/// All of this executable.
[[nodiscard]] const std::vector<Registration>& registrations();
/// Error(op) naming the op when no reference was registered.
[[nodiscard]] const Reference& reference_of(const std::string& op);

/// Registers when it is constructed; the macros make one.
struct Registrar {
  /// An implementation.
  explicit Registrar(Registration registration) { register_implementation(std::move(registration)); }
  /// The reference of an op.
  Registrar(std::string op, Reference reference) { register_reference(std::move(op), std::move(reference)); }
};

}  // namespace opgate

/// OPGATE_OP(rmsnorm, Rmsnorm): Rmsnorm is an opgate::Op with a default constructor.
#define OPGATE_OP(op, Class) OPGATE_IMPLEMENTATION(op, "", Class)
/// OPGATE_LIBRARY(gemm, "cublas", CublasGemm): a library implementation measured in the same case.
#define OPGATE_LIBRARY(op, library, Class) OPGATE_IMPLEMENTATION(op, library, Class)
/// OPGATE_REFERENCE(rmsnorm, function)
#define OPGATE_REFERENCE(op, function) \
  static const ::opgate::Registrar opgate_reference_##op{#op, ::opgate::Reference(function)};

/// What OPGATE_OP and OPGATE_LIBRARY expand to.
#define OPGATE_IMPLEMENTATION(op, implementation, Class)                                 \
  static const ::opgate::Registrar opgate_implementation_##Class{::opgate::Registration{ \
      #op, implementation, [](const ::opgate::Workload&) { return std::unique_ptr<::opgate::Op>(new Class()); }}};
