#pragma once

#include <iostream>

#include "app/command_session.hpp"
#include "run/terminal.hpp"

namespace opgate::app {

// What reads the session's output: the terminal only where it prints to this process's own.
[[nodiscard]] inline run::Terminal terminal_of(const Session& session) {
  return &session.out() == &std::cout ? run::look_at_terminal() : run::Terminal{};
}

}  // namespace opgate::app
