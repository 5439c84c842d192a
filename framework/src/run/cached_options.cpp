#include "run/cached_options.hpp"

#include <sstream>

namespace opgate::run {
namespace {

// As a whole path or the beginning of one: "/a/b" is in "/a/b/c" and in "x;/a/b", not in "/a/bc".
std::size_t find_path(const std::string& value, const std::string& path, std::size_t from) {
  for (std::size_t at = value.find(path, from); at != std::string::npos; at = value.find(path, at + 1)) {
    const std::size_t end = at + path.size();
    if (end == value.size() || value[end] == '/' || value[end] == ';' || value[end] == ' ') {
      return at;
    }
  }
  return std::string::npos;
}

std::string moved(std::string value, const std::string& from, const std::string& to) {
  for (std::size_t at = find_path(value, from, 0); at != std::string::npos;
       at = find_path(value, from, at + to.size())) {
    value.replace(at, from.size(), to);
  }
  return value;
}

struct Entry {
  std::string key;
  std::string type;
  std::string value;
};

// "KEY:TYPE=VALUE"; a key with a colon is in quotes. Comments have no colon before an equals sign in that form.
bool parse_entry(const std::string& line, Entry& entry) {
  if (line.empty() || line.front() == '#' || line.starts_with("//")) {
    return false;
  }
  const bool quoted = line.front() == '"';
  const std::size_t key_end = quoted ? line.find('"', 1) : line.find(':');
  const std::size_t colon = quoted && key_end != std::string::npos ? key_end + 1 : key_end;
  const std::size_t equals = colon == std::string::npos ? colon : line.find('=', colon);
  if (equals == std::string::npos || line[colon] != ':') {
    return false;
  }
  entry = {line.substr(quoted ? 1 : 0, key_end - (quoted ? 1 : 0)), line.substr(colon + 1, equals - colon - 1),
           line.substr(equals + 1)};
  return true;
}

}  // namespace

CachedOptions cached_options(const std::string& cache, const std::filesystem::path& source_dir,
                             const std::filesystem::path& build_dir, const std::filesystem::path& new_source) {
  CachedOptions options;
  std::istringstream lines(cache);
  Entry entry;
  for (std::string line; std::getline(lines, line);) {
    if (!parse_entry(line, entry)) {
      continue;
    }
    if (entry.key == "CMAKE_GENERATOR") {
      options.generator = entry.value;
    }
    const bool own = entry.type == "BOOL" || entry.type == "STRING" || entry.type == "PATH" ||
                     entry.type == "FILEPATH" || entry.type == "UNINITIALIZED";
    if (!own || find_path(entry.value, build_dir.string(), 0) != std::string::npos) {
      continue;
    }
    const std::string type = entry.type == "UNINITIALIZED" ? "STRING" : entry.type;
    options.initial_cache += "set([==[" + entry.key + "]==] [==[" +
                             moved(entry.value, source_dir.string(), new_source.string()) + "]==] CACHE " + type +
                             " \"\")\n";
  }
  return options;
}

}  // namespace opgate::run
