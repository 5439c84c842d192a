#pragma once

namespace opgate::collect {

// Creates the current device's context. Error(device) when CUDA has no usable device. Built only with CUDA.
void create_context();
// Waits for every device that has an active primary context in this process; Error(cuda) naming the device.
void drain_devices();
// Of the calling thread.
[[nodiscard]] int current_device();
void use_device(int device);
// One small operation on the device that CUPTI records, awaited.
void do_something_traceable();

}  // namespace opgate::collect
