#include "app/case_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "app/option_checks.hpp"

namespace opgate::app {
namespace {

constexpr int kMaxIterations = 1'000'000;
constexpr double kMaxPacing = 100;
constexpr std::size_t kMinBufferBytes = 8;
constexpr std::size_t kMaxBufferBytes = 1024ULL * 1024 * 1024;

template <class Value, class Choice>
void add_choice(CLI::App& app, const std::string& name, Value& value, const std::map<std::string, Choice>& choices,
                const std::string& description) {
  std::string words;
  for (const auto& [word, meant] : choices) {
    words += (words.empty() ? "" : "|") + word;
  }
  const auto choose = [&value, name, choices, words](const std::string& word) {
    const auto found = choices.find(word);
    if (found == choices.end()) {
      throw CLI::ValidationError(name, fmt::format("\"{}\" is none of {}", word, words));
    }
    value = found->second;
  };
  app.add_option_function<std::string>(name, choose, description)->type_name(words);
}

// CLI::Range would print bounds with six decimals, and let nan pass.
CLI::Validator pacing_check() {
  const auto check = [](const std::string& text) {
    double value = 0;
    const bool good = CLI::detail::lexical_cast(text, value) && value >= 0 && value <= kMaxPacing;
    return good ? std::string() : fmt::format("{} not in range 0 to {}", text, kMaxPacing);
  };
  return {check, ""};
}

// Two ways not to measure, which exclude each other and a trace.
void add_modes(CLI::App& app, run::CaseOptions& options) {
  app.add_flag_callback(
      "--check", [&] { options.mode = run::Mode::check; },
      "Compare with the reference only, without tracing: for compute-sanitizer");
  app.add_flag_callback(
      "--profile", [&] { options.mode = run::Mode::profile; },
      "Run the call once between profiler marks, without tracing: for ncu and nsys");
  app.add_option("--record", options.record, "Write what CUPTI delivers to this trace")
      ->type_name("FILE")
      ->check(not_empty());
}

void refuse_contradictions(const CLI::App& app, const run::CaseOptions& options) {
  if (app.count("--check") > 0 && app.count("--profile") > 0) {
    throw CLI::ValidationError("--check and --profile exclude each other");
  }
  if (options.record && options.mode != run::Mode::measure) {
    throw CLI::ValidationError("--record needs a measurement, which --check and --profile leave out");
  }
  if (options.record && options.timing == Timing::cuda_events) {
    throw CLI::ValidationError("--record needs CUPTI records, which --timing cuda-events does without");
  }
}

void describe(CLI::App& app, run::CaseOptions& options) {
  const std::map<std::string, Protocol> protocols{{"opgate-1", Protocol::opgate_1}, {"method-1", Protocol::method_1}};
  const std::map<std::string, Flush> flushes{{"read", Flush::read}, {"memset", Flush::memset}, {"none", Flush::none}};
  const std::map<std::string, Timing> timings{{"cupti", Timing::cupti}, {"cuda-events", Timing::cuda_events}};
  const std::map<std::string, Launch> launches{{"direct", Launch::direct}, {"queued", Launch::queued}};
  app.set_help_flag("-h,--help", "Print this text and exit");
  app.add_option("CASE", options.case_name, "<op>.<workload>.<dtype>, as `opgate list` names it")
      ->required()
      ->type_name("");
  add_modes(app, options);
  add_choice(app, "--protocol", options.protocol, protocols, "How to measure (default: opgate-1)");
  add_choice(app, "--launch", options.launch, launches,
             "How calls are issued (default: queued where the call can be held, else direct)");
  add_choice(app, "--flush", options.flush, flushes,
             "How L2 is cleared before every call (default: read, of method-1 memset)");
  add_choice(app, "--timing", options.timing, timings,
             "Where times come from (default: cupti); events are tagged and never compared");
  app.add_option("--iterations", options.iterations, "Measure this many calls (default: calibrated)")
      ->check(CLI::Range(1, kMaxIterations).description(""))
      ->type_name("N");
  app.add_option("--pacing", options.pacing,
                 "Idle time after every call, in durations of the call; 0: none (default: by the protocol)")
      ->check(pacing_check())
      ->type_name("N");
  app.add_flag_callback(
      "--no-probe", [&] { options.probe_clock = false; }, "Do not read the SM clock around every call");
  app.add_option(
         "--buffer-bytes", options.buffer_bytes,
         fmt::format("Size of CUPTI's buffers (default: {}); too small ones lose records", options.buffer_bytes))
      ->check(CLI::Range(kMinBufferBytes, kMaxBufferBytes).description(""))
      ->type_name("N");
  app.add_flag_callback(
      "--no-store", [&] { options.store = false; }, "Judge and print, but write nothing into the history");
  app.add_option("--history", options.history, "History file (default: OPGATE_HISTORY, else the build folder's)")
      ->type_name("FILE")
      ->check(not_empty());
  app.add_option("--baselines", options.baselines, "Baselines folder (default: OPGATE_BASELINES, else the project's)")
      ->type_name("DIR")
      ->check(not_empty());
  app.add_option("--worker-fd", options.worker_fd)->group("");
  app.add_option("--worker-attempt", options.worker_attempt)->group("");
  app.add_option("--records-fd", options.records_fd)->group("");
}

std::string exit_codes() {
  std::string text = "Exit codes:";
  for (const core::ExitCode code : core::exit_code_table()) {
    text += fmt::format("\n  {:<3} {}", static_cast<int>(code), core::meaning(code));
  }
  return text;
}

}  // namespace

std::variant<run::CaseOptions, core::ExitCode> parse_case_options(int argc, const char* const* argv) {
  run::CaseOptions options;
  const std::string name = std::filesystem::path(argc > 0 ? argv[0] : "opgate_case").filename().string();
  CLI::App app("Measures one case of a CUDA op, stores the reading and judges it against its baseline", name);
  app.footer(exit_codes());
  app.get_formatter()->column_width(38);
  describe(app, options);
  try {
    app.parse(argc, argv);
    refuse_contradictions(app, options);
    return options;
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return core::ExitCode::pass;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{0}: {1}\n  usage: {0} [OPTIONS] CASE\n  fix: see {0} --help\n", name, error.what());
    return core::ExitCode::usage;
  }
}

}  // namespace opgate::app
