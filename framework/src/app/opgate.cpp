#include <iostream>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "run/terminal.hpp"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return opgate::app::command_line(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr,
                                   opgate::run::look_at_terminal().unicode);
}
