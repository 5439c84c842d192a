#include "core/label_map.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

#include "phase_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(label_map)

namespace {

using Kind = Label::Kind;

// Ids that lie close together, and, by one more label far away, ids that do not.
const std::vector<std::uint32_t> kFarthest{20U, 0xffff'ffffU};

Label found(const PhaseBuilder& phase, std::uint32_t id, int iterations = 4) {
  return LabelMap(phase.records, {kKind, kNonce, iterations, false}).find(id);
}

// What `lower` says with this phase's nonce, of 4 iterations.
Label said(std::uint32_t lower) {
  PhaseBuilder phase;
  phase.label(7, lower);
  return found(phase, 7);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_lower_half_says_whose_work_it_is) {
  BOOST_TEST((said(0) == Label{Kind::iteration, 0}));
  BOOST_TEST((said(3) == Label{Kind::iteration, 3}));
  BOOST_TEST((said(kPreparation) == Label{Kind::preparation, kPreparation}));
  BOOST_TEST((said(kOpeningProbe | 2) == Label{Kind::opening, 2}));
  BOOST_TEST((said(kClosingProbe | 2) == Label{Kind::closing, 2}));
}

BOOST_AUTO_TEST_CASE(what_was_never_pushed_keeps_its_whole_lower_half) {
  for (const std::uint32_t lower : {4U, kIterationMask, kOpeningProbe | 4, kClosingProbe | 9,
                                    kOpeningProbe | kClosingProbe, kOpeningProbe | kClosingProbe | 1}) {
    BOOST_TEST((said(lower) == Label{Kind::never_pushed, lower}), lower);
  }
}

BOOST_AUTO_TEST_CASE(another_nonce_is_another_phase) {
  PhaseBuilder phase;
  phase.external(7, external_id(kNonce + 1, 2));
  phase.external(8, external_id(kNonce, 2) + (std::uint64_t{1} << 63U));
  BOOST_TEST((found(phase, 7) == Label{Kind::other_phase, 2}));
  BOOST_TEST((found(phase, 8).kind == Kind::other_phase));
}

BOOST_AUTO_TEST_CASE(an_id_without_a_label_has_none) {
  BOOST_TEST((found(PhaseBuilder(), 0) == Label{}));
  BOOST_TEST((found(PhaseBuilder(), 5) == Label{}));
  for (const std::uint32_t farthest : kFarthest) {
    PhaseBuilder phase;
    phase.label(7, 1);
    phase.label(9, 2);
    phase.label(farthest, 3);
    for (const std::uint32_t id : {0U, 1U, 6U, 8U, 10U, farthest - 1, farthest + 1}) {
      BOOST_TEST((found(phase, id) == Label{}), id);
    }
    BOOST_TEST((found(phase, 7) == Label{Kind::iteration, 1}));
    BOOST_TEST((found(phase, 9) == Label{Kind::iteration, 2}));
    BOOST_TEST((found(phase, farthest) == Label{Kind::iteration, 3}));
  }
}

BOOST_AUTO_TEST_CASE(several_labels_of_one_id_merge_in_any_order) {
  const std::uint64_t ours = external_id(kNonce, 1);
  const std::uint64_t another = external_id(kNonce, 2);
  const std::uint64_t foreign = external_id(kNonce + 1, 2);
  const std::vector<std::pair<std::vector<std::uint64_t>, Label>> cases{
      {{ours, ours}, {Kind::iteration, 1}},          {{ours, foreign}, {Kind::iteration, 1}},
      {{foreign, ours}, {Kind::iteration, 1}},       {{foreign, ours, foreign, ours}, {Kind::iteration, 1}},
      {{ours, another}, {Kind::ambiguous, 0}},       {{another, foreign, ours}, {Kind::ambiguous, 0}},
      {{ours, another, ours}, {Kind::ambiguous, 0}}, {{ours, another, foreign}, {Kind::ambiguous, 0}},
      {{foreign, foreign}, {Kind::other_phase, 2}},
  };
  for (const std::uint32_t farthest : kFarthest) {
    for (const auto& [labels, merged] : cases) {
      PhaseBuilder phase;
      phase.label(farthest, 3);
      for (const std::uint64_t label : labels) {
        phase.external(5, label);
        phase.label(6, 0);
      }
      BOOST_TEST((found(phase, 5) == merged), "far up to " << farthest << ", first " << labels.front());
      BOOST_TEST((found(phase, 6) == Label{Kind::iteration, 0}));
    }
  }
}

BOOST_AUTO_TEST_CASE(only_external_records_of_our_kind_label) {
  PhaseBuilder phase;
  Record& kernel = phase.kernel(1000, 2000, 5);
  kernel.external_kind = kKind;
  kernel.external_id = external_id(kNonce, 1);
  phase.external(6, external_id(kNonce, 1), kKind + 1);
  phase.label(0, 1);
  phase.label(9, 2);
  for (const std::uint32_t id : {0U, 5U, 6U}) {
    BOOST_TEST((found(phase, id) == Label{}), id);
  }
}

BOOST_AUTO_TEST_SUITE_END()
