#include "exchange/csv_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <unordered_map>

#include "exchange/imported_file.hpp"
#include "opgate/error.hpp"
#include "text/clear_error.hpp"

namespace opgate::exchange {

namespace {

constexpr std::array<std::string_view, 7> kColumns = {"run",        "case",      "iteration", "busy_ns",
                                                      "latency_ns", "n_kernels", "sm_mhz"};
enum Column : std::size_t { kRun, kCase, kIteration, kBusy, kLatency, kKernels, kClock };
constexpr std::size_t kMostFields = 64;
constexpr std::size_t kMostRows = 10'000'000;
constexpr const char* kHeader = "run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz";

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  SampleRows read() {
    refuse_other_formats();
    read_header();
    while (next_line()) {
      if (line_text_.empty()) continue;
      split();
      if (fields_.size() != kColumns.size()) {
        throw error(fmt::format("{} fields instead of {}", fields_.size(), kColumns.size()),
                    "give every line the columns of the header");
      }
      if (result_.rows.size() == kMostRows) {
        throw error(fmt::format("more than {} samples in one file", kMostRows), "split the file by runs");
      }
      result_.rows.push_back(row());
    }
    if (result_.rows.empty()) throw error("no samples after the header", fmt::format("export {} lines", kHeader));
    return std::move(result_);
  }

 private:
  Error error(const std::string& what, const std::string& remedy) const {
    return text::clear_error(ErrorKind::io, what, fmt::format("{}:{}", name_, std::max(line_, 1)), remedy);
  }

  void refuse_other_formats() {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
    if (text_.find('\0') != std::string_view::npos) throw error("the file is not text", "give a CSV file");
  }

  bool next_line() {
    if (text_.empty()) return false;
    const std::size_t end = text_.find('\n');
    line_text_ = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    if (line_text_.ends_with('\r')) line_text_.remove_suffix(1);
    ++line_;
    return true;
  }

  // RFC 4180, without line ends inside quotes.
  void split() {
    fields_.clear();
    std::size_t at = 0;
    while (true) {
      if (fields_.size() == kMostFields) {
        throw error(fmt::format("more than {} fields on one line", kMostFields),
                    fmt::format("export {} lines", kHeader));
      }
      fields_.emplace_back();
      if (at < line_text_.size() && line_text_[at] == '"') {
        at = quoted(at + 1, fields_.back());
      } else {
        const std::size_t end = std::min(line_text_.find(',', at), line_text_.size());
        fields_.back().assign(line_text_.substr(at, end - at));
        at = end;
      }
      if (at >= line_text_.size()) return;
      ++at;
    }
  }

  std::size_t quoted(std::size_t at, std::string& field) const {
    for (; at < line_text_.size(); ++at) {
      if (line_text_[at] != '"') {
        field += line_text_[at];
      } else if (at + 1 < line_text_.size() && line_text_[at + 1] == '"') {
        field += '"';
        ++at;
      } else if (at + 1 == line_text_.size() || line_text_[at + 1] == ',') {
        return at + 1;
      } else {
        throw error("text after a closing quote", "double quotes inside a quoted field");
      }
    }
    throw error("a quote is not closed", "close it on the same line");
  }

  void read_header() {
    if (!next_line() || line_text_.empty())
      throw error("the header line is missing", fmt::format("begin with {}", kHeader));
    split();
    for (std::size_t column = 0; column < kColumns.size(); ++column) {
      const auto found = std::find(fields_.begin(), fields_.end(), kColumns[column]);
      if (found == fields_.end()) {
        throw error(fmt::format("there is no column '{}'", kColumns[column]), fmt::format("begin with {}", kHeader));
      }
      place_[column] = static_cast<std::size_t>(found - fields_.begin());
    }
    if (fields_.size() != kColumns.size()) {
      throw error("the header has an unknown or repeated column", fmt::format("begin with {}", kHeader));
    }
  }

  template <class Integer>
  Integer integer(Column column, Integer least) const {
    const std::string& field = fields_[place_[column]];
    Integer value = 0;
    const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (problem != std::errc() || end != field.data() + field.size() || field.empty() || value < least) {
      throw error(fmt::format("{} is '{:.40}{}'", kColumns[column], field, field.size() > 40 ? "..." : ""),
                  fmt::format("write an integer from {} to {}", least, std::numeric_limits<Integer>::max()));
    }
    return value;
  }

  std::optional<std::int32_t> optional_integer(Column column) const {
    if (fields_[place_[column]].empty()) return std::nullopt;
    const auto value = integer<std::int32_t>(column, 0);
    if (value == 0) throw error(fmt::format("{} is 0", kColumns[column]), "leave the field empty when it is unknown");
    return value;
  }

  std::size_t case_index() {
    const std::string& name = fields_[place_[kCase]];
    if (last_case_ && result_.case_names[*last_case_] == name) return *last_case_;
    if (const auto fault = fault_of_name(name)) throw error(fault->what, fault->remedy);
    const auto [place, is_new] = cases_.try_emplace(name, result_.case_names.size());
    if (is_new) result_.case_names.push_back(name);
    last_case_ = place->second;
    return place->second;
  }

  SampleRow row() {
    constexpr auto kAny = std::numeric_limits<std::int64_t>::min();
    SampleRow row;
    row.line = line_;
    row.run = integer<std::int64_t>(kRun, 0);
    row.case_index = case_index();
    row.iteration = integer<std::int64_t>(kIteration, 0);
    row.busy_ns = integer<std::int64_t>(kBusy, kAny);
    row.latency_ns = integer<std::int64_t>(kLatency, kAny);
    row.n_kernels = optional_integer(kKernels);
    row.sm_mhz = optional_integer(kClock);
    if (row.latency_ns < row.busy_ns) {
      throw error(fmt::format("latency_ns {} is below busy_ns {}", row.latency_ns, row.busy_ns),
                  "export last end - first start as latency_ns");
    }
    return row;
  }

  std::string_view text_;
  const std::string& name_;
  std::string_view line_text_;
  int line_ = 0;
  std::vector<std::string> fields_;
  std::array<std::size_t, kColumns.size()> place_{};
  std::unordered_map<std::string, std::size_t> cases_;
  std::optional<std::size_t> last_case_;
  SampleRows result_;
};

}  // namespace

SampleRows read_sample_rows(std::string_view text, const std::string& name_for_messages) {
  return Reader(text, name_for_messages).read();
}

}  // namespace opgate::exchange
