#pragma once

#include <string>

#include "run/environment.hpp"

namespace opgate::run {

// Which GPU a case uses, decided without CUDA; or why there is none.
struct GpuChoice {
  std::string uuid;  // of the chosen one; becomes CUDA_VISIBLE_DEVICES of the worker
  std::string lock_key;
  std::string absent;    // no NVIDIA GPU here: a reason to skip
  std::string unusable;  // there is one that CUDA cannot use, or none was assigned: cannot run
  [[nodiscard]] bool found() const { return absent.empty() && unusable.empty(); }
};

// CTest's resource assignment first, then CUDA_VISIBLE_DEVICES, then the first GPU.
[[nodiscard]] GpuChoice choose_gpu(const Environment& environment);

}  // namespace opgate::run
