#pragma once

#include <string>

namespace opgate::core {

// "_Z9add_kernelIfEvPKT_S2_PS0_l" -> "void add_kernel<float>(float const*, ...)"; a name that is not mangled as it is.
[[nodiscard]] std::string demangle(const std::string& name);
// Without return type, arguments, template arguments and namespaces: "add_kernel".
[[nodiscard]] std::string short_kernel_name(const std::string& name);
// The same with its template arguments: "add_kernel<float>".
[[nodiscard]] std::string kernel_instance_name(const std::string& name);

}  // namespace opgate::core
