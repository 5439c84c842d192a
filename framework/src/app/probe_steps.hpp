#pragma once

#include "app/probe_report.hpp"
#include "measure/doctor_readings.hpp"

namespace opgate::app {

// Makes the checks of core::probe_check_names() on the GPU that a case would use, in that order; none but the first
// where CUDA cannot be used at all.
void run_probe_steps(ProbeReport& report, measure::Fault fault);

// And, instead of those, core::ceiling_check_names(): how fast it is at most.
void run_ceiling_steps(ProbeReport& report);

}  // namespace opgate::app
