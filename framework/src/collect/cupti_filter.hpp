#pragma once

namespace opgate::collect {

// Switches off the tracing of every API that puts no work on the device. After enabling the RUNTIME and DRIVER kinds,
// which resets it.
void filter_apis();

}  // namespace opgate::collect
