#include "app/command_import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <system_error>

#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "app/progress.hpp"
#include "app/session_terminal.hpp"
#include "exchange/csv.hpp"
#include "exchange/format.hpp"
#include "exchange/google_benchmark.hpp"
#include "exchange/gunzip.hpp"
#include "exchange/junit.hpp"
#include "exchange/nvbench.hpp"
#include "opgate/error.hpp"
#include "run/wall_clock.hpp"
#include "text/file.hpp"

namespace opgate::app {

namespace {

namespace fs = std::filesystem;
using exchange::Format;

constexpr std::size_t kMostBytes = std::size_t{1} << 30U;  // of a file, packed or not; a plain history has no bound

struct Words {
  std::vector<std::string> files;
  std::string format;
  std::optional<std::string> ours;
};

// A history that came packed, for as long as it is read.
class UnpackedHistory {
 public:
  explicit UnpackedHistory(const std::string& content) {
    std::string pattern = (fs::temp_directory_path() / "opgate-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw Error(ErrorKind::io, std::string("no temporary folder can be made: ") + std::strerror(errno), pattern,
                  "set TMPDIR to a folder that this user can write");
    }
    folder_ = pattern;
    text::write_file(path(), content, ErrorKind::io);
  }
  UnpackedHistory(const UnpackedHistory&) = delete;
  UnpackedHistory& operator=(const UnpackedHistory&) = delete;
  ~UnpackedHistory() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  [[nodiscard]] fs::path path() const { return folder_ / "history.sqlite"; }

 private:
  fs::path folder_;
};

// SQLite reads its files itself: they may be larger than memory, and have a write-ahead log beside them.
bool is_plain_history(const std::string& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  std::array<char, 16> head{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), head.size());
  return exchange::recognise({head.data(), static_cast<std::size_t>(stream.gcount())}) == Format::history;
}

Format format_of(const std::string& content, const std::string& file, const std::optional<Format>& forced) {
  if (forced) return *forced;
  if (const auto format = exchange::recognise(content)) return *format;
  throw Error(ErrorKind::io, "the format is not recognised", file,
              fmt::format("give --format {}", joined(exchange::format_names(), "|")));
}

exchange::ImportedFile parse(Format format, const std::string& content, const std::string& file, const Words& words) {
  const std::int64_t now_ms = run::unix_ms();
  if (words.ours && format != Format::junit) {
    throw Error(ErrorKind::usage, "--ours names an implementation of a JUnit file", file, "leave --ours out");
  }
  exchange::ImportedFile imported = format == Format::csv       ? exchange::parse_sample_csv(content, file, now_ms)
                                    : format == Format::nvbench ? exchange::parse_nvbench(content, file, now_ms)
                                    : format == Format::junit ? exchange::parse_junit(content, file, now_ms, words.ours)
                                                              : exchange::parse_google_benchmark(content, file, now_ms);
  for (exchange::ImportedRun& run : imported.runs) {
    run.info.origin = "import";
    run.info.label = "import " + fs::path(file).filename().string();
  }
  return imported;
}

core::ExitCode import_one(const Session& session, const std::string& file, const Words& words, Progress& reading) {
  reading.next(file);
  const auto forced = exchange::parse_format(words.format);
  const bool plain_history = is_plain_history(file);
  const bool as_history = plain_history && (!forced || *forced == Format::history);
  std::string content = as_history ? std::string() : text::read_file(file, ErrorKind::io, kMostBytes);
  if (exchange::is_gzip(content)) content = exchange::gunzip(content, file, kMostBytes);
  const Format format = as_history ? Format::history : format_of(content, file, forced);
  if (format == Format::history) {
    if (words.ours) {
      throw Error(ErrorKind::usage, "--ours names an implementation of a JUnit file", file, "leave --ours out");
    }
    const std::optional<UnpackedHistory> unpacked =
        as_history ? std::nullopt : std::optional<UnpackedHistory>(std::in_place, content);
    content.clear();
    store::History history = store::History::open_for_writing(session.history_path());
    reading.hide();
    return merge_history(session, history, unpacked ? unpacked->path() : fs::path(file), file);
  }
  exchange::ImportedFile imported = parse(format, content, file, words);
  store::History history = store::History::open_for_writing(session.history_path());
  reading.hide();
  return store_imported(session, history, std::move(imported), file);
}

core::ExitCode run_import(const Session& session, const Words& words) {
  std::vector<core::ExitCode> codes;
  const run::Terminal terminal = terminal_of(session);
  Progress reading(session.err(), terminal.progress, terminal.width, "read", words.files.size());
  for (const std::string& file : words.files) codes.push_back(import_one(session, file, words, reading));
  return core::worst(codes);
}

}  // namespace

void add_import(Command app, Session& session) {
  auto words = std::make_shared<Words>();
  Command command = app.subcommand("import", "Add the runs of files to the history; nothing is overwritten");
  command
      .option("FILE", words->files,
              "Sample CSV (run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz), JSON of Google Benchmark or "
              "NVBench, JUnit XML with properties, or another history; each may be packed by gzip")
      .required();
  const std::vector<std::string> formats = exchange::format_names();
  command.option("--format", words->format, "What the files are, instead of finding out by their content")
      .type_name(fmt::format("FORMAT:{{{}}}", fmt::join(formats, ",")))
      .check(one_of(formats));
  command.option("--ours", words->ours, "JUnit: the implementation that is the op itself, not a library")
      .type_name("NAME");
  command.callback([words, &session] {
    session.creates_history = true;
    session.action = [words, &session] { return run_import(session, *words); };
  });
}

}  // namespace opgate::app
