#include "device/process_tree.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>

namespace opgate::device {
namespace {

// Deeper than any process tree, so that a chain that changes while it is read ends.
constexpr int kDeepest = 256;

// 0: none, or gone.
pid_t parent_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  // proc(5): "pid (name) state ppid"; the name may hold blanks and parentheses.
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream rest(line.substr(name_end + 1));
  char state = 0;
  pid_t parent = 0;
  rest >> state >> parent;
  return rest ? parent : 0;
}

}  // namespace

bool is_descendant(pid_t pid, pid_t ancestor) {
  for (int depth = 0; pid > 0 && depth < kDeepest; ++depth) {
    if (pid == ancestor) return true;
    pid = parent_of(pid);
  }
  return false;
}

}  // namespace opgate::device
