#include "app/command_session.hpp"
#include "app/command_table.hpp"
#include "opgate/error.hpp"
#include "run/fixtures.hpp"

namespace opgate::app {

namespace {

// With the history that options and environment name; replayed figures stay in the project's own, or in what is named
// for them alone.
run::Project project_of(const Session& session, const run::Environment& environment) {
  if (session.project()) {
    run::Project project = *session.project();
    project.history =
        environment.replay ? environment.replay_history.value_or(project.history) : session.history_path();
    return project;
  }
  throw Error(ErrorKind::io, "no configured build folder was found", "fixture",
              "let ctest run it, or set OPGATE_PROJECT");
}

}  // namespace

void add_fixture(Command app, Session& session) {
  Command fixture = app.subcommand("fixture", "What the tests opgate.machine and opgate.complete run");
  fixture.hidden();  // for CTest, so not listed
  fixture.require_subcommand();
  Command open = fixture.subcommand("open", "Open the run of this ctest process");
  open.callback([&session] {
    session.creates_history = true;
    session.action = [&session] {
      const run::Environment environment = run::read_environment();
      return run::open_fixture(project_of(session, environment), environment);
    };
  });
  Command close = fixture.subcommand("close", "Close it and say what is missing");
  close.callback([&session] {
    session.creates_history = true;  // a machine without a GPU opened none
    session.action = [&session] {
      const run::Environment environment = run::read_environment();
      return run::close_fixture(project_of(session, environment), environment);
    };
  });
}

}  // namespace opgate::app
