#pragma once

#include <string>

#include "collect/cupti_search.hpp"

namespace opgate::collect {

// How this build looks for libcupti. Built only with CUDA, as all here.
[[nodiscard]] CuptiSearch this_cupti_search();
// Loads it, at the first call, and names the file. Error(cupti) when it cannot be loaded. Every function of CUPTI that
// opgate calls does the same first.
std::string cupti_path();

}  // namespace opgate::collect
