#include "opgate/workload.hpp"

#include <fmt/format.h>

#include "opgate/error.hpp"

namespace opgate {
namespace {

template <class Map>
const typename Map::mapped_type& value_of(const Map& values, std::string_view name, const char* what,
                                          const std::string& case_name) {
  const auto found = values.find(name);
  if (found == values.end()) {
    throw Error(ErrorKind::spec, fmt::format("the spec gives no {} \"{}\"", what, name), case_name,
                fmt::format("add the {} to the spec, or do not use it in the op", what));
  }
  return found->second;
}

}  // namespace

std::string Workload::case_name() const {
  return fmt::format("{}.{}.{}", op, name, to_string(dtype));
}

std::int64_t Workload::dim(std::string_view dimension) const {
  return value_of(dimensions, dimension, "dimension", case_name());
}

double Workload::param(std::string_view parameter) const {
  return value_of(params, parameter, "parameter", case_name());
}

}  // namespace opgate
