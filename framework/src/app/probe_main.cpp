#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "core/exit_code.hpp"
#include "device/cuda_identity.hpp"
#include "measure/four_methods.hpp"
#include "opgate/bench.hpp"

// opgate_probe: what `opgate doctor` cannot see without CUDA. One line per finding; exit 0 when all of it works.
int main() {
  using namespace opgate;
  try {
    const measure::FourMethods methods = measure::compare_four_methods();
    const core::DeviceIdentity device = device::query_cuda_device();
    fmt::print("device: {} ({}), compute capability {}, {} SMs, L2 {} MiB, driver {}, CUDA {}, CUPTI {}\n", device.name,
               device.uuid, device.compute_capability, device.sm_count, device.l2_bytes / (1024 * 1024), device.driver,
               device.cuda, device.cupti);
    // A phase whose drop counter was not proven live gives no number, so this line says that it was.
    fmt::print("drop counter: proven live by a forced loss\n");
    const auto line = [](const char* method, double ns) {
      fmt::print("four methods: {:<42} {:6.3f} us\n", method, ns / 1000);
    };
    line("CUPTI kernel records, memset flush", methods.cupti_memset_flush_ns);
    line("CUPTI kernel records, read flush", methods.cupti_read_flush_ns);
    line("a pair of CUDA events per iteration", methods.event_pair_ns);
    line("one pair of events around the loop / N", methods.event_loop_ns);
    line("CUDA graph replay / N", methods.graph_replay_ns);
    return 0;
  } catch (const Error& error) {
    fmt::print("{}\n", error.what());
    return static_cast<int>(core::exit_code_of(error.kind()));
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return static_cast<int>(core::ExitCode::cannot_run);
  }
}
