#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "app/command_session.hpp"
#include "app/command_table.hpp"
#include "app/new_project.hpp"
#include "app/option_checks.hpp"
#include "opgate/error.hpp"
#include "run/project.hpp"
#include "spec/names.hpp"

namespace opgate::app {

namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() != fs::file_type::not_found;
}

// For the shell that the words are copied into.
std::string quoted(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%") ==
      std::string::npos) {
    return word;
  }
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

[[noreturn]] void cannot_write(const fs::path& file, int reason) {
  throw Error(ErrorKind::io, "cannot be written: " + std::generic_category().message(reason), file.string(),
              "name a folder that this user can write");
}

// Exclusive, so that a file that appears meanwhile is kept as well.
void create(const fs::path& file, const std::string& content) {
  std::error_code problem;
  fs::create_directories(file.parent_path(), problem);
  if (problem) cannot_write(file, problem.value());
  std::FILE* const stream = std::fopen(file.c_str(), "wx");
  if (stream == nullptr) cannot_write(file, errno);
  const bool whole = std::fwrite(content.data(), 1, content.size(), stream) == content.size();
  const int reason = errno;
  if (std::fclose(stream) != 0 || !whole) cannot_write(file, reason);
}

// What is there already is never touched, and then nothing else is written either.
void refuse_existing(const fs::path& folder, const std::vector<NewFile>& files) {
  std::vector<std::string> there;
  for (const NewFile& file : files) {
    if (!file.may_exist && is_there(folder / file.path)) there.push_back(file.path.string());
  }
  if (there.empty()) return;
  throw Error(ErrorKind::io, fmt::format("there is already {}; nothing was written", fmt::join(there, " and ")),
              folder.string(),
              "name a new folder, or add an op to this project: specs/NAME.json, and opgate_add_op(NAME SOURCES "
              "NAME.cu) in its CMakeLists.txt");
}

// How a project finds the opgate that this command belongs to.
std::string cmake_option() {
  const fs::path program = run::search_roots().executable;
  std::error_code ignored;
  const fs::path prefix = program.parent_path().parent_path();
  if (const auto file = run::locate_project({{}, program, {}})) {
    const run::Project project = run::load_project(*file);
    const bool built_here = fs::equivalent(prefix, project.build_dir, ignored);
    if (built_here && fs::exists(project.source_dir / "cmake" / "Opgate.cmake", ignored)) {
      return "-DOPGATE_SOURCE=" + project.source_dir.string();
    }
  }
  // Where CMake looks by itself.
  if (prefix == "/usr" || prefix == "/usr/local") return {};
  return "-DCMAKE_PREFIX_PATH=" + prefix.string();
}

core::ExitCode run_init(const Session& session, const std::string& name, const std::string& op) {
  if (const auto fault = spec::check_op_name(op)) throw Error(ErrorKind::usage, fault->what, "--op", fault->remedy);
  const fs::path folder = fs::weakly_canonical(name);
  const std::vector<NewFile> files = new_project(project_name(folder), op);
  refuse_existing(folder, files);
  const std::string build = quoted((folder / "build").string());
  std::string configure = fmt::format("cmake -S {} -B {}", quoted(folder.string()), build);
  if (const std::string option = cmake_option(); !option.empty()) configure += fmt::format(" {}", quoted(option));
  for (const NewFile& file : files) {
    const bool kept = is_there(folder / file.path);
    if (!kept) create(folder / file.path, file.content);
    if (session.json) {
      session.print({{"file", (folder / file.path).string()}, {"written", !kept}});
    } else {
      session.out() << (kept ? "kept  " : "wrote ") << (folder / file.path).string() << '\n';
    }
  }
  if (session.json) return core::ExitCode::pass;
  session.out() << "next:\n  " << configure << '\n'
                << fmt::format("  cmake --build {0}\n  ctest --test-dir {0} -L nightly\n", build);
  return core::ExitCode::pass;
}

}  // namespace

void add_init(Command app, Session& session) {
  auto folder = std::make_shared<std::string>(".");
  auto op = std::make_shared<std::string>("scale");
  Command init = app.subcommand("init", "Write a small project with one op; overwrites nothing");
  init.option("DIR", *folder, "Its folder (default: this one)").check(not_empty());
  init.option("--op", *op, "The op's name (default: scale)").type_name("NAME");
  init.callback(
      [folder, op, &session] { session.action = [folder, op, &session] { return run_init(session, *folder, *op); }; });
}

}  // namespace opgate::app
