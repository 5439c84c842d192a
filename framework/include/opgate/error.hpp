#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace opgate {

/// Why something could not proceed. core/exit_code.hpp maps each kind to the exit code users see.
enum class ErrorKind : std::uint8_t {
  usage,              ///< wrong command line
  spec,               ///< a spec, or an op that does not fit its spec
  baseline,           ///< a baseline file that cannot be read or written
  history,            ///< the results database
  trace,              ///< a recorded trace
  io,                 ///< any other file
  device,             ///< no usable GPU, lock not obtained, machine unfit
  cuda,               ///< a CUDA call failed
  cupti,              ///< CUPTI cannot be used
  op,                 ///< the op itself: throws, misses an implementation
  wrong_result,       ///< output differs from the reference, or an input was changed
  records_lost,       ///< CUPTI discarded records in every attempt
  off_thread_launch,  ///< a kernel carries no iteration label
  attribution,        ///< an iteration launched nothing
  timestamps_lost,    ///< a record has start = 0 or end < start
  unproven,           ///< the drop counter could not be read or proven live
  unmeasured_copies,  ///< copies or memsets inside the call, which busy time does not contain
  impossible,         ///< a rate above what the hardware can do, or a reading below the timer
};

/// One exception type for "cannot proceed". The text says what happened, where, and what to do about it.
class Error : public std::runtime_error {
 public:
  /// where: file:line, case or phase; remedy: one imperative sentence. Either may be empty.
  Error(ErrorKind kind, const std::string& what, const std::string& where = {}, const std::string& remedy = {})
      : std::runtime_error(join(what, where, remedy)), kind_(kind), what_(what), where_(where), remedy_(remedy) {}

  /// Decides the exit code.
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  /// What happened, without where and remedy.
  [[nodiscard]] const std::string& summary() const noexcept { return what_; }
  /// file:line, case or phase; may be empty.
  [[nodiscard]] const std::string& where() const noexcept { return where_; }
  /// One imperative sentence; may be empty.
  [[nodiscard]] const std::string& remedy() const noexcept { return remedy_; }

 private:
  static std::string join(const std::string& what, const std::string& where, const std::string& remedy) {
    std::string text = where.empty() ? what : where + ": " + what;
    return remedy.empty() ? text : text + "\n  fix: " + remedy;
  }

  ErrorKind kind_;
  std::string what_;
  std::string where_;
  std::string remedy_;
};

}  // namespace opgate
