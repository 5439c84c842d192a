#include "run/build_difference.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>

#include "opgate/error.hpp"
#include "run/command.hpp"
#include "run/elf_image.hpp"
#include "text/file.hpp"

namespace opgate::run {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  return text::read_file(path, ErrorKind::io, SIZE_MAX);
}

bool same_tensors(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Tensor& one, const Tensor& other) {
    return one.name == other.name && one.dtype == other.dtype && one.shape == other.shape;
  });
}

// Tolerance, labels and timeout judge a reading, they do not make it.
bool same_row(const CaseRequest& a, const CaseRequest& b) {
  return a.identity == b.identity && a.libraries == b.libraries && a.compute_capability == b.compute_capability &&
         a.memory_gib == b.memory_gib && a.count_copies == b.count_copies &&
         a.spec_case.iterations == b.spec_case.iterations && same_tensors(a.spec_case.inputs, b.spec_case.inputs) &&
         same_tensors(a.spec_case.outputs, b.spec_case.outputs);
}

// Shared libraries by name, as the loader finds them: "libfoo.so.1 => /usr/lib/libfoo.so.1 (0x...)". Absent when one
// is not found, or the loader does not say.
std::optional<std::map<std::string, fs::path>> libraries_of(const fs::path& executable) {
  const CapturedCommand listed = capture({"ldd", executable.string()});
  if (listed.exit_status != 0) {
    return std::nullopt;
  }
  std::map<std::string, fs::path> libraries;
  std::istringstream lines(listed.output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t arrow = line.find(" => ");
    if (arrow == std::string::npos) {
      continue;  // the kernel's own, and the loader by its absolute path
    }
    const std::size_t begin = line.find_first_not_of(" \t");
    const std::size_t end = line.rfind(" (0x");
    if (end == std::string::npos || end < arrow) {
      return std::nullopt;  // "not found"
    }
    std::error_code problem;
    libraries[line.substr(begin, arrow - begin)] = fs::canonical(line.substr(arrow + 4, end - arrow - 4), problem);
    if (problem) {
      return std::nullopt;
    }
  }
  return libraries;
}

// One file of the system for both, however large; a library of the build trees is read.
bool same_library(const fs::path& base, const fs::path& candidate) {
  if (base == candidate) {
    return true;
  }
  const auto image = loaded_image(read(base));
  return image && image == loaded_image(read(candidate));
}

std::string library_difference(const fs::path& base, const fs::path& candidate) {
  const auto before = libraries_of(base);
  const auto now = libraries_of(candidate);
  if (!before || !now) {
    return "the shared libraries of the executables cannot be listed";
  }
  if (before->size() != now->size()) {
    return "the executables need other shared libraries";
  }
  for (const auto& [name, path] : *before) {
    const auto other = now->find(name);
    if (other == now->end()) {
      return "only the base needs " + name;
    }
    if (!same_library(path, other->second)) {
      return name + " differs";
    }
  }
  return {};
}

}  // namespace

fs::path case_executable(const BuildTree& tree, const std::string& op) {
  return tree.project.build_dir / "bin" / ("op_" + op);
}

std::string program_difference(const BuildTree& base, const BuildTree& candidate, const std::string& op) {
  const fs::path before = case_executable(base, op);
  const fs::path now = case_executable(candidate, op);
  const auto image = loaded_image(read(before));
  if (!image) {
    return "the base's executable is no ELF file whose code can be compared";
  }
  if (image != loaded_image(read(now))) {
    return "the executables differ";
  }
  return library_difference(before, now);
}

std::string row_difference(const CaseRequest& base, const CaseRequest& candidate) {
  return same_row(base, candidate) ? std::string() : "the spec says something else of the case";
}

std::string build_difference(const BuildTree& base, const CaseRequest& base_request, const BuildTree& candidate,
                             const CaseRequest& candidate_request) {
  std::string difference = row_difference(base_request, candidate_request);
  return difference.empty() ? program_difference(base, candidate, base_request.identity.op) : difference;
}

}  // namespace opgate::run
