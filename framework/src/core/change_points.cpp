#include "core/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "core/energy_split.hpp"
#include "core/level_test.hpp"
#include "core/statistics.hpp"

namespace opgate::core {
namespace {

struct Candidate {
  std::size_t index = 0;
  LevelTest test;
  double change_of_medians = 0;  // relative
};

double middle(std::span<const double> values) {
  return median(std::vector<double>(values.begin(), values.end()));
}

class Finder {
 public:
  Finder(std::span<const double> values, const ChangePointOptions& options)
      : values_(values), options_(options), min_runs_(std::max<std::size_t>(options.min_runs, 1)) {}

  [[nodiscard]] std::vector<Candidate> find() const {
    std::vector<Candidate> candidates;
    for (const std::size_t index : proposals()) {
      candidates.push_back({index, {}, 0});
    }
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      retest(candidates, k);
    }
    while (const auto weakest = weakest_of(candidates)) {
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(*weakest));
      const std::size_t first = options_.as_otava ? *weakest : *weakest - 1;  // wraps round at the front: no neighbour
      retest(candidates, first);
      retest(candidates, first + 1);
    }
    return candidates;
  }

 private:
  [[nodiscard]] LevelTest test(std::size_t begin, std::size_t at, std::size_t end) const {
    return test_levels(values_.subspan(begin, at - begin), values_.subspan(at, end - at),
                       {options_.resolution, options_.as_otava});
  }

  // More than is asked for in the end: a point that looks weak in its window may be strong once others are gone.
  [[nodiscard]] double first_p_value() const {
    const double wanted = options_.max_p_value;
    return wanted < 0.05 ? wanted * 10 : wanted < 0.5 ? wanted * 2 : wanted;
  }

  // Points that stand out in some window, by index.
  [[nodiscard]] std::vector<std::size_t> proposals() const {
    std::vector<std::size_t> found;
    const std::size_t window = std::max<std::size_t>(options_.window, 2);
    for (std::size_t start = 0; start < values_.size();) {
      const std::vector<std::size_t> here = split(start, std::min(start + window, values_.size()));
      found.insert(found.end(), here.begin(), here.end());
      start = std::max(here.empty() ? 0 : here.back(), start + window / 2);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  // E-divisive: splits where the parts differ most, until the test no longer tells them apart.
  [[nodiscard]] std::vector<std::size_t> split(std::size_t begin, std::size_t end) const {
    std::vector<std::size_t> edges{begin, end};
    for (;;) {
      std::optional<EnergySplit> best;
      std::size_t part = 0;
      for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
        auto candidate = best_energy_split(values_.subspan(edges[k], edges[k + 1] - edges[k]), min_runs_);
        if (candidate && (!best || candidate->distance > best->distance)) {
          best = candidate;
          part = k;
        }
      }
      if (!best) {
        break;
      }
      const std::size_t at = edges[part] + best->at;
      if (!(test(edges[part], at, edges[part + 1]).p_value <= first_p_value())) {
        break;
      }
      edges.insert(edges.begin() + static_cast<std::ptrdiff_t>(part) + 1, at);
    }
    return {edges.begin() + 1, edges.end() - 1};
  }

  [[nodiscard]] std::size_t begin_before(const std::vector<Candidate>& candidates, std::size_t k) const {
    return k == 0 ? 0 : candidates[k - 1].index;
  }
  [[nodiscard]] std::size_t end_after(const std::vector<Candidate>& candidates, std::size_t k) const {
    return k + 1 < candidates.size() ? candidates[k + 1].index : values_.size();
  }

  void retest(std::vector<Candidate>& candidates, std::size_t k) const {
    if (k >= candidates.size()) {
      return;
    }
    Candidate& candidate = candidates[k];
    const std::size_t begin = begin_before(candidates, k);
    const std::size_t end = end_after(candidates, k);
    candidate.test = test(begin, candidate.index, end);
    candidate.change_of_medians = relative_change(middle(values_.subspan(begin, candidate.index - begin)),
                                                  middle(values_.subspan(candidate.index, end - candidate.index)));
  }

  // The means may differ for a few odd runs among the others; the medians then do not.
  [[nodiscard]] double change_of(const Candidate& candidate) const {
    const double of_means = relative_change(candidate.test.before, candidate.test.after);
    return options_.as_otava ? of_means : std::min(of_means, candidate.change_of_medians);
  }

  // Two windows may place one change twice, a few runs apart.
  [[nodiscard]] std::optional<std::size_t> next_to_a_short_level(const std::vector<Candidate>& candidates) const {
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (candidates[k].index - begin_before(candidates, k) < min_runs_) {
        return k > 0 && candidates[k - 1].test.p_value > candidates[k].test.p_value ? k - 1 : k;
      }
    }
    const bool short_end = !candidates.empty() && values_.size() - candidates.back().index < min_runs_;
    return short_end ? std::optional(candidates.size() - 1) : std::nullopt;
  }

  // The point to drop next: the least certain one, or the smallest when all are certain enough; nothing when all stay.
  [[nodiscard]] std::optional<std::size_t> weakest_of(const std::vector<Candidate>& candidates) const {
    if (candidates.empty()) {
      return std::nullopt;
    }
    if (const auto beside = next_to_a_short_level(candidates)) {
      return beside;
    }
    const auto doubtful = std::max_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
      return a.test.p_value < b.test.p_value;
    });
    if (!(doubtful->test.p_value < options_.max_p_value)) {
      return static_cast<std::size_t>(doubtful - candidates.begin());
    }
    const auto smallest = std::min_element(candidates.begin(), candidates.end(), [this](const auto& a, const auto& b) {
      return change_of(a) < change_of(b);
    });
    const bool large = change_of(*smallest) > options_.min_change &&
                       std::abs(smallest->test.after - smallest->test.before) >= options_.resolution;
    return large ? std::nullopt : std::optional(static_cast<std::size_t>(smallest - candidates.begin()));
  }

  std::span<const double> values_;
  const ChangePointOptions& options_;
  std::size_t min_runs_;
};

}  // namespace

std::vector<ChangePoint> find_change_points(std::span<const double> values, const ChangePointOptions& options) {
  std::vector<ChangePoint> points;
  for (const Candidate& candidate : Finder(values, options).find()) {
    const LevelTest& test = candidate.test;
    const double change = test.before != 0 ? (test.after / test.before - 1) * 100 : 0;
    points.push_back({candidate.index, test.before, test.after, change, test.p_value});
  }
  return points;
}

}  // namespace opgate::core
