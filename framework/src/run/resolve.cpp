#include "run/resolve.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "opgate/error.hpp"
#include "run/trace_files.hpp"
#include "text/suggest.hpp"

namespace opgate::run {
namespace {

Error unknown_op(const std::string& op, const std::string& case_name, const std::optional<Project>& project) {
  const std::string what = fmt::format("no spec of op \"{}\" is known here", op);
  if (!project) {
    return {ErrorKind::spec, what, case_name,
            "run it from its build tree, or name the tree's opgate/project.json in OPGATE_PROJECT"};
  }
  std::vector<std::string> ops;
  for (const auto& [known, spec] : project->specs) {
    ops.push_back(known);
  }
  if (const auto meant = text::nearest(op, std::span<const std::string>(ops))) {
    return {ErrorKind::spec, what, case_name, fmt::format("write {}{}", *meant, case_name.substr(op.size()))};
  }
  return {ErrorKind::spec, what, case_name, "add it with opgate_add_op(" + op + " ...), or correct the case name"};
}

}  // namespace

CaseRequest resolve_request(const CaseOptions& options, const Environment& environment,
                            const std::optional<Project>& project) {
  const std::string& name = options.case_name;
  std::optional<std::filesystem::path> trace;
  if (environment.replay) {
    if (std::error_code failed; !std::filesystem::is_directory(*environment.replay, failed)) {
      throw Error(ErrorKind::trace, "this is no folder, though OPGATE_REPLAY names it", environment.replay->string(),
                  "name a folder of *.trace.jsonl files, or unset OPGATE_REPLAY");
    }
    trace = find_trace(*environment.replay, name, options.worker_attempt > 1);
  }
  const std::string op = name.substr(0, name.find('.'));
  if (project && project->specs.contains(op)) {
    CaseRequest request = request_from_spec(project->specs.at(op), name);
    if (trace) {
      // Of what was measured, should the spec have moved on.
      request.identity = request_from_trace(*trace, name).identity;
      request.trace = trace;
    }
    return request;
  }
  if (trace) {
    return request_from_trace(*trace, name);
  }
  throw unknown_op(op, name, project);
}

}  // namespace opgate::run
