#pragma once

#include <cmath>
#include <set>
#include <string>

#include "clear.hpp"
#include "exchange/imported_file.hpp"

namespace opgate::fuzz {

// What is stored and judged afterwards without another look.
inline void check(const exchange::ImportedFile& file) {
  std::set<std::string> uuids;
  require(!file.runs.empty() && file.ignored >= 0, "a file without a run");
  for (const exchange::ImportedRun& run : file.runs) {
    require(uuids.insert(run.info.uuid).second, "two runs with one UUID", run.info.uuid);
    require(run.results.size() == run.info.selected.size(), "results and selection differ");
    std::string before;
    for (const store::CaseResult& result : run.results) {
      require(!exchange::fault_of_name(result.identity.name), "a bad name", result.identity.name);
      require(before < result.identity.name, "names out of order", result.identity.name);
      before = result.identity.name;
      require(result.identity.op.find_first_of("./\\") == std::string::npos, "an op that is a path",
              result.identity.op);
      for (const core::Attempt& attempt : result.attempts) {
        require(attempt.message.size() <= exchange::kLongestMessage + 16, "a message too long");
        for (const core::ImplementationResult& one : attempt.implementations) {
          const auto& summary = one.imported->summary;
          require(!summary || (summary->busy_ns > 0 && std::isfinite(summary->busy_ns)), "no time above zero");
        }
      }
    }
  }
}

}  // namespace opgate::fuzz
