#pragma once

#include "app/command_options.hpp"
#include "app/command_session.hpp"

namespace opgate::app {

void add_gate(Command app, Session& session);

}  // namespace opgate::app
