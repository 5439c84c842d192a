#include "core/result.hpp"

#include <fmt/format.h>

#include <array>

namespace opgate::core {
namespace {

constexpr std::array kStatuses{Status::measured, Status::untrusted, Status::failed,
                               Status::wrong,    Status::skipped,   Status::running};

}  // namespace

const char* to_string(Status status) {
  switch (status) {
    case Status::measured:
      return "measured";
    case Status::untrusted:
      return "untrusted";
    case Status::failed:
      return "failed";
    case Status::wrong:
      return "wrong";
    case Status::skipped:
      return "skipped";
    case Status::running:
      return "running";
  }
  return "unknown";
}

Status parse_status(const std::string& text) {
  for (const Status status : kStatuses) {
    if (text == to_string(status)) {
      return status;
    }
  }
  throw Error(ErrorKind::history, fmt::format("unknown status \"{}\"", text), {},
              "read this history with the opgate version that wrote it");
}

}  // namespace opgate::core
