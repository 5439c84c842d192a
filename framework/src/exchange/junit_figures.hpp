#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/imported.hpp"
#include "exchange/junit_xml.hpp"
#include "opgate/error.hpp"

namespace opgate::exchange {

// What the properties of one test case say of one implementation. Absent: not said.
struct JunitReading {
  core::Imported imported;  // with a summary
  std::optional<double> flops, bytes, bytes_read, bytes_written;
  std::string dtype;
};

struct JunitFigures {
  std::vector<std::string> order;                // implementations as they come
  std::map<std::string, JunitReading> readings;  // by name; those whose figure is above zero
  std::vector<Property> properties;              // of the case
  int ignored = 0;                               // figures of zero or less
};

// An error at a property.
using ErrorAt = std::function<Error(const Property&, const std::string& what, const std::string& remedy)>;

[[nodiscard]] JunitFigures figures_of(const std::vector<Property>& properties, const ErrorAt& error_at);

}  // namespace opgate::exchange
