#include "app/desk.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <sstream>

#include "app/command_line.hpp"
#include "text/file.hpp"

namespace opgate::tests {

namespace fs = std::filesystem;

std::vector<nlohmann::json> Said::lines() const {
  std::vector<nlohmann::json> parsed;
  std::istringstream text(out);
  for (std::string line; std::getline(text, line);) parsed.push_back(nlohmann::json::parse(line));
  return parsed;
}

Desk::Desk() {
  std::string pattern = (fs::temp_directory_path() / "opgate-desk-XXXXXX").string();
  BOOST_REQUIRE(::mkdtemp(pattern.data()) != nullptr);
  folder_ = pattern;
  for (const char* name : {"OPGATE_HISTORY", "OPGATE_BASELINES", "OPGATE_REQUIRE_BASELINE", "OPGATE_INCONCLUSIVE",
                           "OPGATE_REQUIRE_GPU", "OPGATE_REPLAY", "OPGATE_REPLAY_HISTORY", "OPGATE_RESOURCE_GROUPS"}) {
    ::unsetenv(name);
  }
  fs::create_directories(at("specs"));
  write("specs/add.json",
        R"({"op": "add", "doc": "c = a + b", "inputs": {"a": "dtype[n]", "b": "dtype[n]"}, "outputs": {"c": "dtype[n]"},
            "dtypes": ["f16"], "labels": ["nightly"], "workloads": [{"name": "small", "n": 1024}]})");
  const nlohmann::json project{{"version", 1},
                               {"source_dir", folder_.string()},
                               {"build_dir", folder_.string()},
                               {"specs", {{"add", at("specs/add.json").string()}}},
                               {"history", at("project.sqlite").string()},
                               {"baselines", at("project-baselines").string()},
                               {"have_cuda", false}};
  ::setenv("OPGATE_PROJECT", write("project.json", project.dump()).c_str(), 1);
}

Desk::~Desk() {
  ::unsetenv("OPGATE_PROJECT");
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Said Desk::bare(const std::vector<std::string>& words) const {
  std::ostringstream out, err;
  const int code = app::command_line(words, out, err);
  return {code, out.str(), err.str()};
}

Said Desk::run(std::vector<std::string> words) const {
  words.insert(words.end(), {"--history", at("h.sqlite").string(), "--baselines", at("b").string()});
  return bare(words);
}

fs::path Desk::write(const std::string& name, const std::string& content) const {
  text::write_file(at(name), content, ErrorKind::io);
  return at(name);
}

void Desk::import(const std::string& csv) const {
  const Said said = run({"import", write("in.csv", csv).string()});
  BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
}

store::History Desk::history() const {
  return store::History::open_for_writing(at("h.sqlite"));
}

std::string samples(int run, const std::string& name, int busy_ns) {
  std::string text;
  for (int i = 0; i < 12; ++i) {
    const int busy = busy_ns + (i % 3 - 1) * 32;
    text += fmt::format("{},{},{},{},{},1,1980\n", run, name, i, busy, busy);
  }
  return text;
}

std::string steady_runs(int first, int last, const std::string& name, int busy_ns) {
  std::string text;
  for (int run = first; run <= last; ++run) text += samples(run, name, busy_ns + run % 3);
  return text;
}

store::CaseResult stored_result(const std::string& name, int busy_ns) {
  store::CaseResult result;
  result.identity.name = name;
  result.identity.op = "add";
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  core::ImplementationResult ours;
  ours.imported.emplace();  // comparable with the samples of a CSV, which do not say how they were taken
  for (int i = 0; i < 12; ++i) {
    Sample sample;
    sample.busy_ns = sample.latency_ns = busy_ns + i % 2;
    sample.n_kernels = 1;
    sample.sm_mhz = 1980;
    ours.measurement.samples.push_back(sample);
  }
  ours.kernel_groups = {"1 x add"};
  attempt.implementations.push_back(ours);
  result.attempts.push_back(attempt);
  result.exit_code = core::ExitCode::pass;
  return result;
}

}  // namespace opgate::tests
