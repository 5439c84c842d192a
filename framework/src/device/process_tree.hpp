#pragma once

#include <sys/types.h>

namespace opgate::device {

// Is `pid` the process `ancestor` or one of its descendants, by /proc? A process that is gone is nobody's.
[[nodiscard]] bool is_descendant(pid_t pid, pid_t ancestor);

}  // namespace opgate::device
