#include "core/kernel_name.hpp"

#include <cxxabi.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace opgate::core {
namespace {

// The identifier that ends where the first bracket outside template arguments begins. "(anonymous namespace)::" is a
// scope, not an argument list.
std::string_view without_arguments(std::string_view name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') {
      ++depth;
    } else if (name[i] == '>') {
      --depth;
    } else if (name[i] == '(' && depth == 0) {
      if (name.substr(i, kAnonymous.size()) == kAnonymous) {
        i += kAnonymous.size() - 1;
        continue;
      }
      return name.substr(0, i);
    }
  }
  return name;
}

std::string_view without_template(std::string_view name) {
  if (name.empty() || name.back() != '>') {
    return name;
  }
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    depth += name[i] == '>' ? 1 : name[i] == '<' ? -1 : 0;
    if (depth == 0) {
      return name.substr(0, i);
    }
  }
  return name;
}

// Return type and namespaces go.
std::string_view without_scope(std::string_view name) {
  const std::size_t scope = name.find_last_of(": ");
  if (scope != std::string_view::npos && scope + 1 < name.size()) {
    name.remove_prefix(scope + 1);
  }
  return name;
}

}  // namespace

std::string demangle(const std::string& name) {
  // A plain name such as "f" would be taken for a mangled type ("float").
  if (name.rfind("_Z", 0) != 0) {
    return name;
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

std::string short_kernel_name(const std::string& name) {
  const std::string full = demangle(name);
  const std::string_view rest = without_scope(without_template(without_arguments(full)));
  return rest.empty() ? full : std::string(rest);
}

std::string kernel_instance_name(const std::string& name) {
  const std::string full = demangle(name);
  const std::string_view instance = without_arguments(full);
  const std::string_view bare = without_template(instance);
  const std::string_view rest = without_scope(bare);
  return rest.empty() ? full : std::string(rest).append(instance.substr(bare.size()));
}

}  // namespace opgate::core
