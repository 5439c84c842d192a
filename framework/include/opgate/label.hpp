#pragma once

#include <cstdint>

namespace opgate {

namespace collect {
class LabelBoard;
}

/// The call that is being measured, as the work that is launched for it is labelled. A kernel that another thread
/// launches belongs to the call only when that thread carries its label:
///
/// @code
/// const opgate::CallLabel label = opgate::current_label();  // in run(), on the thread that is in the call
/// worker.post([label] { const opgate::LabelScope scope(label); kernel<<<...>>>(...); });
/// @endcode
///
/// Where nothing is measured (set-up, check, warm-up, --profile) the label is empty and carrying it does nothing.
class CallLabel {
 public:
  /// The empty label.
  CallLabel() = default;
  /// Whether something is measured right now.
  [[nodiscard]] explicit operator bool() const noexcept { return call_ != 0; }

 private:
  friend class collect::LabelBoard;
  CallLabel(std::uint64_t call, std::uint64_t id) noexcept : call_(call), id_(id) {}

  std::uint64_t call_ = 0;  ///< 0: none; else which call of this process
  std::uint64_t id_ = 0;    ///< what its records carry
};

/// The label that the calling thread carries. Take it anew in every call: it ends with the call.
[[nodiscard]] CallLabel current_label();

/// Lets the thread that makes it carry `label` until it ends, on the same thread and before the call returns. One that
/// is left open, ended on another thread, or made from the label of an earlier call fails the measurement. Never
/// throws: the thread that measures is told.
class LabelScope {
 public:
  /// Nothing happens for an empty label.
  explicit LabelScope(const CallLabel& label) noexcept;
  LabelScope(const LabelScope&) = delete;
  LabelScope& operator=(const LabelScope&) = delete;
  ~LabelScope();

 private:
  CallLabel label_;  ///< empty when nothing was pushed
  std::int32_t thread_ = 0;
};

}  // namespace opgate
