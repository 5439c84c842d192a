#include "report/report_samples.hpp"

#include "report/samples.hpp"

namespace opgate::report::test {

using core::ExitCode;
using core::Status;
using core::Verdict;

const std::string kHostileName = "a|`b`<img src=x onerror=alert(1)>[c](http://d)@e\n| f | \xff\x1b[31m</script>\"";

store::RunInfo everything_run() {
  store::RunInfo run;
  run.id = 12;
  run.uuid = "6b1f0c1e-0000-4000-8000-000000000012";
  run.origin = "ctest";
  run.started_unix_ms = 1'760'000'000'123;
  run.closed_unix_ms = 1'760'000'600'000;
  run.host = "gpu-runner-1";
  run.commit = "0123456789abcdef0123456789abcdef01234567";
  run.label = "ctest -L nightly";
  for (const store::CaseResult& result : everything_results()) run.selected.push_back(result.identity.name);
  run.selected.emplace_back("n.missing");
  return run;
}

std::vector<store::CaseResult> everything_results() {
  store::CaseResult open = named(ended_case(Status::running, ErrorKind::op, ExitCode::pass, "", ""), "j.never");
  open.exit_code.reset();
  open.attempts[0].error.reset();
  store::CaseResult twice = named(judged_case(Verdict::pass, ExitCode::pass, 0.1), "l.twice");
  twice.times_recorded = 2;
  store::CaseResult waived = named(judged_case(Verdict::regressed, ExitCode::pass, 5.5), "m.waived");
  waived.judgement->waiver = core::Waiver{"m.waived", "", "Ada", "waits for CUDA 13.1", "2026-12-31"};
  store::CaseResult replayed = named(judged_case(Verdict::pass, ExitCode::pass, 0.2), "o.replayed");
  replayed.attempts[0].replayed = true;
  store::CaseResult imported = named(measured_case(), "p.imported");
  imported.attempts[0].implementations[0].imported.emplace();
  imported.exit_code = ExitCode::pass;
  store::CaseResult passed = named(judged_case(Verdict::pass, ExitCode::pass, 0.1), "a.pass");
  passed.ceilings = measured_ceilings();
  return {named(ended_case(Status::failed, ErrorKind::cuda, ExitCode::cannot_run, "set-up", "no memory"), "i.failed"),
          passed,
          named(judged_case(Verdict::regressed, ExitCode::regression, 10.3), "b.regressed"),
          named(judged_case(Verdict::regressed, ExitCode::regression, 20.6), "z.regressed-more"),
          named(judged_case(Verdict::improved, ExitCode::pass, -10), "c.improved"),
          named(judged_case(Verdict::inconclusive, ExitCode::inconclusive, 1.4), "d.inconclusive"),
          named(judged_case(Verdict::no_baseline, ExitCode::pass, 0), "e.new"),
          named(judged_case(Verdict::not_comparable, ExitCode::no_baseline, 0), "f.changed"),
          named(ended_case(Status::wrong, ErrorKind::wrong_result, ExitCode::wrong_result, "check", "y[3] is 1.5"),
                "g.wrong"),
          named(ended_case(Status::untrusted, ErrorKind::records_lost, ExitCode::untrusted, "measure",
                           "lost 3 records\n  fix: measure fewer"),
                "h.lost"),
          open,
          named(ended_case(Status::skipped, ErrorKind::device, ExitCode::skipped, "machine", "no GPU"), "k.skipped"),
          twice,
          waived,
          replayed,
          imported};
}

std::vector<store::SeriesRow> nights_of(const std::string& name, std::int64_t last_run) {
  std::vector<store::SeriesRow> rows;
  for (int night = 23; night >= 0; --night) {
    store::SeriesRow& row = rows.emplace_back();
    row.run_id = last_run - 23 + night;
    row.started_unix_ms = 1'760'000'000'123 - (23 - night) * std::int64_t{86'400'000};
    row.commit = "commit-" + std::to_string(night);
    row.identity.name = name;
    row.exit_code = night < 12 ? ExitCode::pass : ExitCode::regression;
    row.verdict = night < 12 ? Verdict::pass : Verdict::regressed;
    row.metric = core::Metric::time;
    row.baseline_ns = 100'000;
    row.threshold_pct = 1.0;
    row.last_status = Status::measured;
    row.reading.emplace();
    row.reading->conditions.device_name = "NVIDIA H200";
    row.reading->median_ns = (night < 12 ? 100'000 : 105'000) + night % 3;
    row.reading->p10_ns = row.reading->median_ns - 32;
    row.reading->p90_ns = row.reading->median_ns + 96.5;
    row.reading->sm_mhz = 1980;
  }
  return rows;
}

Report everything_report() {
  return make_report(everything_run(), everything_results(), {{"b.regressed", nights_of("b.regressed", 12)}});
}

Report hostile_report() {
  store::RunInfo run;
  run.id = 1;
  run.origin = "ctest";
  run.closed_unix_ms = 1;
  run.commit = kHostileName;
  run.label = kHostileName;
  run.selected = {kHostileName};
  store::CaseResult result = named(judged_case(Verdict::regressed, ExitCode::regression, 10.3), kHostileName);
  result.judgement->reason = kHostileName;
  result.attempts[0].device.name = kHostileName;
  auto rows = nights_of(kHostileName, 1);
  for (store::SeriesRow& row : rows) row.commit = kHostileName;
  return make_report(run, {result}, {{kHostileName, rows}});
}

}  // namespace opgate::report::test
