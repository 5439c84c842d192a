#pragma once

namespace opgate::run {

// A call that forks leaves two processes that both think they measure: beside the parent's reading a copy of the op may
// have used the GPU, and the child must never speak for the worker.

// From now on forks of this process are counted. Idempotent.
void watch_forks();
[[nodiscard]] int forks_seen() noexcept;
// Error(op) when there were more than `before`; ends the process when it is a copy.
void refuse_forks(int before);
// Ends a copy of the process that called watch_forks().
void end_forked_child() noexcept;

}  // namespace opgate::run
