#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/exit_code.hpp"

namespace opgate::report {

// What became of a case in the gate.
enum class GateEnd : std::uint8_t {
  regressed,
  wrong_result,
  untrusted,
  failed,
  removed,  // the merge base expects it, the candidate has none of this name
  inconclusive,
  no_baseline,  // nothing that fits it is stored, and the builds cannot be compared
  not_run,      // told to stop, or no GPU
  removed_allowed,
  skipped,  // the merge base's own requirements are not met here
  waived,
  settled,  // slower than the stored baseline, not slower than the merge base
  improved,
  fresh,  // new: measured, with nothing to hold it against
  pass,
  identical,  // cannot have changed: not measured
};

struct GateCase {
  std::string name;
  GateEnd end = GateEnd::not_run;
  core::ExitCode code = core::ExitCode::cannot_run;
  std::string against{};  // "stored baseline", "merge base, 8 pairs"; empty: nothing
  std::optional<double> before_ns{}, now_ns{}, change_pct{}, limit_pct{};
  std::string reason;
  bool is_new = false;  // the merge base's gate does not have it
};

// One thing by which the candidate would have judged itself.
struct GateChange {
  std::string what;     // "tolerance", "baseline", ...
  std::string subject;  // a case or a file
  std::string detail;
};

struct GateReport {
  std::string base;  // what a reader calls the two sides
  std::string candidate;
  std::string device{};  // empty: nothing was measured
  std::string label;     // of the cases that are selected
  std::vector<GateChange> changes{};
  std::vector<GateCase> cases{};
  std::vector<std::string> notes{};  // why the gate as a whole is red, and what a reader should know
  core::ExitCode code = core::ExitCode::cannot_run;
  std::vector<std::string> steps{};  // "measure 12 cases: 8.1 s"
};

[[nodiscard]] const char* phrase_of(GateEnd end);  // "cannot have changed, not measured"
[[nodiscard]] bool needs_a_person(const GateCase& one);
// "RED (1 regression)", "GREEN".
[[nodiscard]] std::string gate_headline(const GateReport& report);
// "1 regressed, 2 passed, 5 cannot have changed, of 8 cases".
[[nodiscard]] std::string gate_counts(const GateReport& report);
// Markdown: headline and counts, what the candidate changed of its own gate, the rows that need a person, everything in
// a fold. No longer than `most_bytes`: what does not fit is left out from the end, and counted.
[[nodiscard]] std::string gate_markdown(const GateReport& report, std::size_t most_bytes);
// The same for a terminal, without the green rows.
[[nodiscard]] std::string gate_text(const GateReport& report, bool colour);

}  // namespace opgate::report
