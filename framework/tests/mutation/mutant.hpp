#pragma once

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <type_traits>
#include <utility>

// What mutants.py puts into a copy of a source, so that one program holds all of its mutants: OPGATE_MUTANT=N turns the
// N-th on. An operator keeps its place in the expression because its stand-in has its precedence: a < b becomes
// a < Less<N>{} < b.
namespace mutant {

inline bool is_on(int id) {
  static const int chosen = [] {
    const char* const text = std::getenv("OPGATE_MUTANT");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  return id == chosen;
}

template <int kId, class A>
struct Left {
  A&& a;
};

// kId and kId + 1 are the two mutants of one operator.
#define OPGATE_MUTANT_OPERATOR(Name, op, first, second)     \
  template <int kId>                                        \
  struct Name {};                                           \
  template <class A, int kId>                               \
  Left<kId, A> operator op(A&& a, Name<kId>) {              \
    return {std::forward<A>(a)};                            \
  }                                                         \
  template <class A, class B, int kId>                      \
  requires requires(A x, B y) {                             \
    x op y;                                                 \
    first;                                                  \
    second;                                                 \
  }                                                         \
  auto operator op(Left<kId, A> left, B&& y) {              \
    auto& x = left.a;                                       \
    using Result = decltype(x op y);                        \
    if (is_on(kId)) return static_cast<Result>(first);      \
    if (is_on(kId + 1)) return static_cast<Result>(second); \
    return x op y;                                          \
  }
OPGATE_MUTANT_OPERATOR(Less, <, x <= y, x >= y)
OPGATE_MUTANT_OPERATOR(LessEqual, <=, x<y, x> y)
OPGATE_MUTANT_OPERATOR(Greater, >, x >= y, x <= y)
OPGATE_MUTANT_OPERATOR(GreaterEqual, >=, x > y, x < y)
OPGATE_MUTANT_OPERATOR(Equal, ==, x != y, true)
OPGATE_MUTANT_OPERATOR(NotEqual, !=, x == y, true)
OPGATE_MUTANT_OPERATOR(Plus, +, x - y, x)
OPGATE_MUTANT_OPERATOR(Minus, -, x + y, x)
OPGATE_MUTANT_OPERATOR(Times, *, x / y, x)
OPGATE_MUTANT_OPERATOR(Over, /, x* y, x)

// !x becomes Not<N>{}->*x: x itself, or true.
template <int kId>
struct Not {};
template <int kId, class B>
bool operator->*(Not<kId>, B&& y) {
  if (is_on(kId)) return static_cast<bool>(y);
  return is_on(kId + 1) || !static_cast<bool>(y);
}

// a += b becomes a += Term<N>{} |= b: nothing is added, or taken away instead.
template <int kId>
struct Term {
  template <class B>
  requires std::is_arithmetic_v<B>
  auto operator|=(B y) const {
    if (is_on(kId)) return static_cast<B>(0);
    return is_on(kId + 1) ? static_cast<B>(0 - y) : y;
  }
};

template <int kId, class T>
T number(T value) {
  if (is_on(kId)) return static_cast<T>(value + 1);
  return is_on(kId + 1) ? static_cast<T>(value == 0 ? value - 1 : 0) : value;
}

template <int kId>
bool flag(bool value) {
  return is_on(kId) != value;
}

template <int kId, bool kMax>
struct Extreme {
  template <class T>
  static T of(const T& a, const T& b) {
    if (is_on(kId + 1)) return a;
    return is_on(kId) != kMax ? std::max(a, b) : std::min(a, b);
  }
  template <class T>
  static T of(std::initializer_list<T> values) {
    if (is_on(kId + 1)) return *values.begin();
    return is_on(kId) != kMax ? std::max(values) : std::min(values);
  }
};

}  // namespace mutant
