// An op with one small fault, named by its workload, which the check must see.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <opgate/cuda.cuh>
#include <opgate/op.hpp>

namespace {

constexpr int kThreads = 128;

enum class Fault : int {
  none,
  term_dropped,
  off_by_one_row,
  stale_row,
  stale_element,
  wrong_integer,
  past_end,
  row_past_end,
  before_begin,
  alters_input,
  alters_integer_input,
  does_nothing
};

struct Problem {
  float* x;
  std::int32_t* ids;
  float* y;
  std::int64_t* picked;
  std::int64_t rows;
  std::int64_t cols;
};

__device__ void misbehave(const Problem& p, Fault fault) {
  if (fault == Fault::past_end) p.y[p.rows * p.cols] = 1;
  if (fault == Fault::row_past_end) p.picked[p.rows + 128] = 1;
  if (fault == Fault::before_begin) p.y[-1] = 1;
  if (fault == Fault::alters_input) p.x[p.rows * p.cols - 1] += 1;
  if (fault == Fault::alters_integer_input) p.ids[p.rows - 1] ^= 1;
}

// One block a row.
__global__ void mutant_kernel(Problem p, Fault fault) {
  const std::int64_t row = blockIdx.x;
  const bool last = row == p.rows - 1;
  const std::int64_t picked = p.ids[row];
  const std::int64_t from = fault == Fault::off_by_one_row ? (picked + 1) % p.rows : picked;
  if (fault == Fault::stale_row && last) return;
  for (std::int64_t c = threadIdx.x; c < p.cols; c += kThreads) {
    if (fault == Fault::stale_element && last && c == p.cols - 1) continue;
    const float own = fault == Fault::term_dropped && row == 100 ? 0 : p.x[row * p.cols + c];
    p.y[row * p.cols + c] = 2 * p.x[from * p.cols + c] + own;
  }
  if (threadIdx.x == 0) p.picked[row] = picked + (fault == Fault::wrong_integer && row == 17 ? 1 : 0);
}

// After all rows were read.
__global__ void misbehave_kernel(Problem p, Fault fault) {
  misbehave(p, fault);
}

Fault fault_of(const std::string& name, bool checked) {
  if (name == "term-dropped") return Fault::term_dropped;
  if (name == "off-by-one-row") return Fault::off_by_one_row;
  if (name == "stale-row") return Fault::stale_row;
  if (name == "stale-element") return Fault::stale_element;
  if (name == "wrong-integer") return Fault::wrong_integer;
  if (name == "past-end") return Fault::past_end;
  if (name == "row-past-end") return Fault::row_past_end;
  if (name == "before-begin") return Fault::before_begin;
  if (name == "past-end-when-timed" && checked) return Fault::past_end;
  if (name == "alters-input") return Fault::alters_input;
  if (name == "alters-integer-input") return Fault::alters_integer_input;
  if (name == "stale-when-timed" && checked) return Fault::does_nothing;
  return Fault::none;
}

template <class T>
std::vector<T> on_host(const opgate::Call& call, const char* input) {
  const opgate::Tensor& tensor = call.in[input];
  std::vector<T> values(static_cast<std::size_t>(tensor.elements()));
  OPGATE_CUDA(cudaMemcpyAsync(values.data(), tensor.data, tensor.bytes(), cudaMemcpyDeviceToHost, call.stream));
  OPGATE_CUDA(cudaStreamSynchronize(call.stream));
  return values;
}

void require(bool right, const std::string& what) {
  if (!right) throw opgate::Error(opgate::ErrorKind::op, "the inputs are not filled as the spec says: " + what);
}

void check_fills(const opgate::Call& call) {
  const std::int64_t rows = call.workload.dim("rows");
  const auto ids = on_host<std::int32_t>(call, "ids");
  require(std::all_of(ids.begin(), ids.end(), [&](std::int32_t id) { return id >= 0 && id < rows; }), "ids");
  require(*std::max_element(ids.begin(), ids.end()) > *std::min_element(ids.begin(), ids.end()) + rows / 2, "ids");
  const auto ends = on_host<std::int64_t>(call, "ends");
  require(ends.front() == 0 && ends.back() == rows && std::is_sorted(ends.begin(), ends.end()), "ends");
  double sum = 0;
  double squares = 0;
  const auto x = on_host<float>(call, "x");
  for (const float value : x) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  const auto n = static_cast<double>(x.size());
  require(std::abs(sum / n) < 0.05 && std::abs(squares / n - 1) < 0.05, "x");
  const auto odd = on_host<float>(call, "odd");
  const auto [least, most] = std::minmax_element(odd.begin(), odd.end());
  require(*least >= -100 && *least < -99 && *most <= 100 && *most > 99, "odd");
}

class Mutant final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override { check_fills(call); }

  void run(const opgate::Call& call) override {
    const Fault fault = fault_of(call.workload.name, ++calls_ > 1);
    const Problem p{call.in["x"].as<float>(),  call.in["ids"].as<std::int32_t>(),
                    call.out["y"].as<float>(), call.out["picked"].as<std::int64_t>(),
                    call.workload.dim("rows"), call.workload.dim("cols")};
    if (fault != Fault::does_nothing) {
      mutant_kernel<<<static_cast<unsigned>(p.rows), kThreads, 0, call.stream>>>(p, fault);
    }
    misbehave_kernel<<<1, 1, 0, call.stream>>>(p, fault);
    OPGATE_LAUNCHED();
  }

 private:
  int calls_ = 0;
};

__global__ void mutant_reference(const float* x, const std::int32_t* ids, double* y, double* picked, std::int64_t rows,
                                 std::int64_t cols) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= rows * cols) return;
  const std::int64_t id = ids[i / cols];
  y[i] = 2.0 * static_cast<double>(x[id * cols + i % cols]) + static_cast<double>(x[i]);
  if (i % cols == 0) picked[i / cols] = static_cast<double>(id);
}

void expect_mutant(const opgate::Call& call) {
  const std::int64_t elements = call.in["x"].elements();
  mutant_reference<<<static_cast<unsigned>((elements + kThreads - 1) / kThreads), kThreads, 0, call.stream>>>(
      call.in["x"].as<float>(), call.in["ids"].as<std::int32_t>(), call.out["y"].as<double>(),
      call.out["picked"].as<double>(), call.workload.dim("rows"), call.workload.dim("cols"));
  OPGATE_LAUNCHED();
}

}  // namespace

OPGATE_OP(selftest_mutant, Mutant)
OPGATE_REFERENCE(selftest_mutant, expect_mutant)
