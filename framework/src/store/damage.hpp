#pragma once

#include <string>

#include "opgate/error.hpp"

namespace opgate::store {

// What is stored is not what was written. The file is named above, where it is known.
[[nodiscard]] inline Error damage(const std::string& what) {
  return {ErrorKind::history, "the history is damaged: " + what, {}, "restore a copy made by `opgate backup`"};
}

}  // namespace opgate::store
