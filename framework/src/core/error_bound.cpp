#include "core/error_bound.hpp"

namespace opgate::core {
namespace {

struct Row {
  DType dtype;
  double bound;
};

// u is half a unit in the last place, relative. Rounding the output once costs 0.4 u in the norm and at most u in one
// element; 2 u leaves room for one more rounding inside the op (a normalised value stored before it is scaled). Sums
// are taken in f32 and wander by about sqrt(k) u of f32: 2e-5 of the term size at k = 100,000, invisible in 16 bits,
// the whole error in f32; hence 168 u there, which TF32 inputs (u = 4.9e-4) still fail. f64 likewise. A dropped term
// of k changes the norm by about 1/sqrt(k) and single elements by more than kElementFactor allows up to k = 1,000 in
// bf16. Integers have one right value.
constexpr Row kBounds[] = {
    {DType::f64, 1e-13},     // u = 1.1e-16
    {DType::f32, 1e-5},      // u = 6.0e-8
    {DType::f16, 1e-3},      // u = 4.9e-4
    {DType::bf16, 8e-3},     // u = 3.9e-3
    {DType::f8e4m3, 0.125},  // u = 6.3e-2
    {DType::i64, 0},        {DType::i32, 0}, {DType::i8, 0}, {DType::u8, 0},
};

}  // namespace

double error_bound(DType dtype) noexcept {
  for (const Row& row : kBounds) {
    if (row.dtype == dtype) return row.bound;
  }
  return 0;
}

}  // namespace opgate::core
