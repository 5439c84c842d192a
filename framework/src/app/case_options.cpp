#include "app/case_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/command_parser.hpp"
#include "app/option_checks.hpp"
#include "core/bounds.hpp"

namespace opgate::app {
namespace {

constexpr double kMaxPacing = 100;
constexpr std::int64_t kMinBufferBytes = 8;
constexpr std::int64_t kMaxBufferBytes = 1024LL * 1024 * 1024;

template <class Value, class Choice>
void add_choice(Command app, const std::string& name, Value& value, const std::map<std::string, Choice>& choices,
                const std::string& description) {
  std::string words;
  for (const auto& [word, meant] : choices) {
    words += (words.empty() ? "" : "|") + word;
  }
  const auto choose = [&value, choices, words](const std::string& word) {
    const auto found = choices.find(word);
    if (found == choices.end()) return fmt::format("\"{}\" is none of {}", word, words);
    value = found->second;
    return std::string();
  };
  app.option(name, choose, description).type_name(words);
}

// reals() would print bounds with six decimals, and let nan pass.
WordCheck pacing_check() {
  return [](const std::string& word) {
    const auto value = real_number(word);
    const bool good = value && *value >= 0 && *value <= kMaxPacing;
    return good ? std::string() : fmt::format("{} not in range 0 to {}", word, kMaxPacing);
  };
}

// Two ways not to measure, which exclude each other and a trace.
void add_modes(Command app, run::CaseOptions& options) {
  app.flag(
      "--check", [&] { options.mode = run::Mode::check; },
      "Compare with the reference only, without tracing: for compute-sanitizer");
  app.flag(
      "--profile", [&] { options.mode = run::Mode::profile; },
      "Run the call once between profiler marks, without tracing: for ncu and nsys");
  app.option("--record", options.record, "Write what CUPTI delivers to this trace")
      .type_name("FILE")
      .check(not_empty());
}

// What words that are right one by one cannot mean together; "" when they can.
std::string contradiction(const CommandParser& parser, const run::CaseOptions& options) {
  if (parser.given("--check") && parser.given("--profile")) return "--check and --profile exclude each other";
  if (options.record && options.mode != run::Mode::measure) {
    return "--record needs a measurement, which --check and --profile leave out";
  }
  if (options.record && options.timing == Timing::cuda_events) {
    return "--record needs CUPTI records, which --timing cuda-events does without";
  }
  if (options.record && options.processes.value_or(1) != 1) {
    return "--record writes what one process sees: it excludes --processes";
  }
  return {};
}

void describe(Command app, run::CaseOptions& options) {
  const std::map<std::string, Protocol> protocols{{"opgate-1", Protocol::opgate_1}, {"method-1", Protocol::method_1}};
  const std::map<std::string, Flush> flushes{{"read", Flush::read}, {"memset", Flush::memset}, {"none", Flush::none}};
  const std::map<std::string, Timing> timings{{"cupti", Timing::cupti}, {"cuda-events", Timing::cuda_events}};
  const std::map<std::string, Launch> launches{{"direct", Launch::direct}, {"queued", Launch::queued}};
  app.option("CASE", options.case_name, "<op>.<workload>.<dtype>, as `opgate list` names it").required().type_name("");
  add_modes(app, options);
  add_choice(app, "--protocol", options.protocol, protocols, "How to measure (default: opgate-1)");
  add_choice(app, "--launch", options.launch, launches,
             "How calls are issued (default: queued where the call can be held, else direct)");
  add_choice(app, "--flush", options.flush, flushes,
             "How L2 is cleared before every call (default: read, of method-1 memset)");
  add_choice(app, "--timing", options.timing, timings,
             "Where times come from (default: cupti); events are tagged and never compared");
  app.option("--iterations", options.iterations, "Measure this many calls (default: calibrated)")
      .check(integers(1, core::kMostIterations))
      .type_name("N");
  app.option("--processes", options.processes,
             "Put the samples of this many fresh processes together (default: the spec's)")
      .check(integers(1, core::kMostProcesses))
      .type_name("N");
  app.option("--pacing", options.pacing,
             "Idle time after every call, in durations of the call; 0: none (default: by the protocol)")
      .check(pacing_check())
      .type_name("N");
  app.flag(
      "--no-probe", [&] { options.probe_clock = false; }, "Do not read the SM clock around every call");
  app.option("--buffer-bytes", options.buffer_bytes,
             fmt::format("Size of CUPTI's buffers (default: {}); too small ones lose records", options.buffer_bytes))
      .check(integers(kMinBufferBytes, kMaxBufferBytes))
      .type_name("N");
  app.flag(
      "--no-store", [&] { options.store = false; }, "Judge and print, but write nothing into the history");
  app.option("--history", options.history, "History file (default: OPGATE_HISTORY, else the build folder's)")
      .type_name("FILE")
      .check(not_empty());
  app.option("--baselines", options.baselines, "Baselines folder (default: OPGATE_BASELINES, else the project's)")
      .type_name("DIR")
      .check(not_empty());
  app.option("--worker-fd", options.worker_fd).hidden();
  app.option("--worker-attempt", options.worker_attempt).hidden();
  app.option("--records-fd", options.records_fd).hidden();
}

std::string exit_codes() {
  std::string text = "Exit codes:";
  for (const core::ExitCode code : core::exit_code_table()) {
    text += fmt::format("\n  {:<3} {}", static_cast<int>(code), core::meaning(code));
  }
  return text;
}

core::ExitCode usage_error(const std::string& name, const std::string& what) {
  fmt::print(stderr, "{0}: {1}\n  usage: {0} [OPTIONS] CASE\n  fix: see {0} --help\n", name, what);
  return core::ExitCode::usage;
}

}  // namespace

std::variant<run::CaseOptions, core::ExitCode> parse_case_options(int argc, const char* const* argv) {
  run::CaseOptions options;
  const std::string name = std::filesystem::path(argc > 0 ? argv[0] : "opgate_case").filename().string();
  CommandParser parser(name, "Measures one case of a CUDA op, stores the reading and judges it against its baseline");
  parser.help_of_help("Print this text and exit");
  parser.footer(exit_codes());
  parser.help_width(38);
  describe(parser.root(), options);
  const Parsed parsed = parser.parse({argv + std::min(argc, 1), argv + argc});
  if (const auto* answer = std::get_if<Answer>(&parsed)) {
    fmt::print("{}", answer->text);
    return core::ExitCode::pass;
  }
  if (const auto* problem = std::get_if<UsageProblem>(&parsed)) return usage_error(name, problem->what);
  if (const std::string what = contradiction(parser, options); !what.empty()) return usage_error(name, what);
  return options;
}

}  // namespace opgate::app
