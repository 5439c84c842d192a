#pragma once

#include <sys/types.h>

namespace opgate::app {

// Another process with a context on the GPU, as long as this object lives. Error(cuda) when it does not get one.
class Neighbour {
 public:
  Neighbour();
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;
  ~Neighbour();

 private:
  pid_t pid_ = 0;
  int reader_ = -1;
};

// What that process does: makes a context, says so on standard output, and ends when nobody reads it any more.
[[nodiscard]] int be_a_neighbour();

}  // namespace opgate::app
