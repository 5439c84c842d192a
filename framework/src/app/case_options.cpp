#include "app/case_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

namespace opgate::app {
namespace {

constexpr int kMaxIterations = 1'000'000;
constexpr std::size_t kMinBufferBytes = 8;
constexpr std::size_t kMaxBufferBytes = 1024ULL * 1024 * 1024;

void describe(CLI::App& app, run::CaseOptions& options) {
  static const std::map<std::string, Protocol> protocols{{"opgate-1", Protocol::opgate_1},
                                                         {"method-1", Protocol::method_1}};
  static const std::map<std::string, Flush> flushes{
      {"read", Flush::read}, {"memset", Flush::memset}, {"none", Flush::none}};
  static const std::map<std::string, Timing> timings{{"cupti", Timing::cupti}, {"cuda-events", Timing::cuda_events}};
  app.add_option("CASE", options.case_name, "<op>.<workload>.<dtype>, as `opgate list` names it")->required();
  auto* check = app.add_flag_callback(
      "--check", [&] { options.mode = run::Mode::check; },
      "compare with the reference only, without tracing: for compute-sanitizer");
  app.add_flag_callback(
         "--profile", [&] { options.mode = run::Mode::profile; },
         "run the call once between profiler marks, without tracing: for ncu and nsys")
      ->excludes(check);
  app.add_option("--protocol", options.protocol, "opgate-1 (default) or method-1")
      ->transform(CLI::CheckedTransformer(protocols).description("{opgate-1,method-1}"));
  app.add_option("--timing", options.timing, "cupti (default), or cuda-events: tagged, stored, never compared")
      ->transform(CLI::CheckedTransformer(timings).description("{cupti,cuda-events}"));
  app.add_option("--flush", options.flush, "how L2 is cleared before every call; default by protocol")
      ->transform(CLI::CheckedTransformer(flushes).description("{read,memset,none}"));
  app.add_option("--iterations", options.iterations, "measure this many calls instead of the calibrated count")
      ->check(CLI::Range(1, kMaxIterations));
  app.add_option("--buffer-bytes", options.buffer_bytes,
                 "size of CUPTI's activity buffers; too small ones lose records")
      ->check(CLI::Range(kMinBufferBytes, kMaxBufferBytes));
  app.add_option("--record", options.record, "write what CUPTI delivered to this trace");
  app.add_flag_callback(
      "--no-store", [&] { options.store = false; }, "judge and print, but write nothing into the history");
  app.add_option("--history", options.history, "the history to write; default OPGATE_HISTORY, then the build tree's");
  app.add_option("--baselines", options.baselines,
                 "the folder of baselines; default OPGATE_BASELINES, then the build tree's");
  app.add_option("--worker-fd", options.worker_fd)->group("");
  app.add_option("--worker-attempt", options.worker_attempt)->group("");
}

}  // namespace

std::variant<run::CaseOptions, core::ExitCode> parse_case_options(int argc, const char* const* argv) {
  run::CaseOptions options;
  CLI::App app("Measures one case of a CUDA op, stores the reading and judges it against the baseline.");
  app.footer(
      "Exit codes: 0 pass, 1 regression, 2 untrusted, 3 cannot run, 4 no baseline, 5 wrong result, 6 inconclusive,\n"
      "64 usage, 77 skipped. Without options this is what ctest runs.");
  describe(app, options);
  try {
    app.parse(argc, argv);
    return options;
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return core::ExitCode::pass;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}: {}\n  fix: see {} --help\n", app.get_name().empty() ? "opgate" : app.get_name(),
               error.what(), argv[0]);
    return core::ExitCode::usage;
  }
}

}  // namespace opgate::app
