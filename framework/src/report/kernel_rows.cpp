#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/kernel_name.hpp"
#include "report/case_rows.hpp"
#include "report/kernels.hpp"
#include "report/outcome.hpp"

namespace opgate::report {
namespace {

constexpr std::size_t kMostKernels = 6;
constexpr std::size_t kLongestKernelName = 72;

std::string extent_text(const std::array<std::int32_t, 3>& extent) {
  return fmt::format("{}x{}x{}", extent[0], extent[1], extent[2]);
}

std::string shared_text(const core::KernelInfo& kernel) {
  if (kernel.static_shared_bytes == 0 || kernel.dynamic_shared_bytes == 0) {
    const bool dynamic = kernel.dynamic_shared_bytes != 0;
    return fmt::format("{}{} shared",
                       bytes_text(std::int64_t{kernel.static_shared_bytes} + kernel.dynamic_shared_bytes),
                       dynamic ? " dynamic" : "");
  }
  return fmt::format("{} + {} dynamic shared", bytes_text(kernel.static_shared_bytes),
                     bytes_text(kernel.dynamic_shared_bytes));
}

std::string shape_text(const core::KernelInfo& kernel) {
  return fmt::format("grid {}, block {}, {} registers, {}", extent_text(kernel.grid), extent_text(kernel.block),
                     kernel.registers, shared_text(kernel));
}

// "2 x ", where one number says it.
std::string times_text(const core::ImplementationResult& implementation, const core::KernelInfo& kernel) {
  const std::optional<int> launches = launches_per_call(implementation, kernel);
  return launches && *launches > 1 ? fmt::format("{} x ", *launches) : "";
}

std::string kernel_text(const core::ImplementationResult& ours, const core::KernelInfo& kernel) {
  const std::string whole = core::demangle(kernel.name);
  const std::string name = whole.size() <= kLongestKernelName ? whole : core::short_kernel_name(kernel.name);
  return fmt::format("{}{} {}", times_text(ours, kernel), name, shape_text(kernel));
}

// Then the row of the kernel says it all; copies, and a kernel launched twice, need a row of their own.
bool is_one_kernel(const core::GroupFigures& group, const core::ImplementationResult& ours) {
  return ours.kernels.size() == 1 && group.kernels == core::short_kernel_name(ours.kernels.front().name);
}

std::string ran_text(const core::ImplementationResult& implementation) {
  std::string text;
  for (std::size_t i = 0; i < implementation.kernel_groups.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : " | ", implementation.kernel_groups[i]);
  }
  return text;
}

}  // namespace

std::optional<int> launches_per_call(const core::ImplementationResult& implementation, const core::KernelInfo& kernel) {
  const auto shapes = std::count_if(implementation.kernels.begin(), implementation.kernels.end(),
                                    [&](const core::KernelInfo& other) { return other.name == kernel.name; });
  if (shapes != 1 || implementation.launches.size() != 1) {
    return std::nullopt;
  }
  const auto& counts = implementation.launches.front().kernels;
  const auto found = counts.find(kernel.name);
  return found == counts.end() ? std::nullopt : std::optional(found->second);
}

std::string kernel_rows(const core::ImplementationResult& ours, const Figures& figures) {
  std::string rows;
  for (const core::GroupFigures& group : figures.groups) {
    if (figures.groups.size() > 1) {
      rows += open_row(rows.empty() ? "mixed" : "",
                       fmt::format("{:.0f} % of calls {} (trimmed mean {}): {}", 100 * group.share,
                                   duration_text(group.busy_ns), duration_text(group.trimmed_mean_ns), group.kernels));
    } else if (!ours.kernel_groups.empty() && !is_one_kernel(group, ours)) {
      rows += open_row("launches", group.kernels);
    }
  }
  for (std::size_t i = 0; i < std::min(ours.kernels.size(), kMostKernels); ++i) {
    rows += open_row(i == 0 ? "kernels" : "", kernel_text(ours, ours.kernels[i]));
  }
  if (ours.kernels.size() > kMostKernels) {
    rows += open_row("", fmt::format("and {} more", ours.kernels.size() - kMostKernels));
  }
  return rows;
}

std::string kernels_block(const store::CaseResult& result) {
  const core::Attempt* const attempt = deciding_attempt(result);
  std::string text;
  for (const core::ImplementationResult& implementation :
       attempt != nullptr ? attempt->implementations : std::vector<core::ImplementationResult>{}) {
    if (implementation.kernels.empty()) {
      continue;
    }
    const std::string& name = implementation.measurement.name;
    text +=
        fmt::format("What one call of {} launched: {}\n", name.empty() ? "this op" : name, ran_text(implementation));
    for (const core::KernelInfo& kernel : implementation.kernels) {
      text += fmt::format("  {}{}\n      {}\n", times_text(implementation, kernel), core::demangle(kernel.name),
                          shape_text(kernel));
    }
  }
  return text;
}

}  // namespace opgate::report
