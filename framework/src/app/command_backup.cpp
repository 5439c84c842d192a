#include <memory>

#include "app/command_session.hpp"
#include "app/command_table.hpp"

namespace opgate::app {

void add_backup(Command app, Session& session) {
  auto file = std::make_shared<std::string>();
  Command backup = app.subcommand("backup", "Write a consistent copy of the history, also while cases run");
  backup.option("FILE", *file, "The copy; never overwrites").required();
  backup.callback([file, &session] {
    session.action = [file, &session] {
      store::backup(session.history_path(), *file);
      if (session.json) {
        session.print({{"history", session.history_path().string()}, {"backup", *file}});
      } else {
        session.out() << "wrote " << *file << '\n';
      }
      return core::ExitCode::pass;
    };
  });
}

}  // namespace opgate::app
