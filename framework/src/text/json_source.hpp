#pragma once

#include <string>

#include "text/json.hpp"

namespace opgate::text {

struct Json::Source {
  std::string file;
  ErrorKind kind = ErrorKind::io;
};

}  // namespace opgate::text
