#pragma once

namespace opgate::collect {

// Switches off the tracing of every API that puts no work on the device. After enabling the RUNTIME and DRIVER kinds,
// which resets it.
void filter_apis();
// Switches them on again, to see which call of an op waits for the device.
void unfilter_apis();

}  // namespace opgate::collect
