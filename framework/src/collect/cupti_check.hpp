#pragma once

namespace opgate::collect {

// result is a CUptiResult. Error(cupti) saying what failed, why, and what to do; nothing on success.
void check_cupti(int result, const char* call);

}  // namespace opgate::collect
