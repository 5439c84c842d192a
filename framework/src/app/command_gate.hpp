#pragma once

#include <CLI/CLI.hpp>

#include "app/command_session.hpp"

namespace opgate::app {

void add_gate(CLI::App& app, Session& session);

}  // namespace opgate::app
