#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>

#include "phase_builder.hpp"

using namespace opgate;
using namespace opgate::core;

// What an issue says: which work, how much of it, from where. Attribution's other tests hold that there is one.
BOOST_AUTO_TEST_SUITE(issue_texts)

namespace {

constexpr std::uint32_t kLast = 0xFFFFFFFF;

bool begins(const std::string& text, const std::string& with) {
  return text.rfind(with, 0) == 0;
}

void stray(PhaseBuilder& phase, std::uint32_t id, std::uint32_t thread) {
  phase.kernel(3000, 4000, id);
  phase.api(id, thread);
}

PhaseBuilder good_iteration_of(std::uint32_t thread) {
  PhaseBuilder phase;
  phase.kernel(1000, 2000, 1);
  phase.api(1, thread);
  phase.label(1, 0);
  return phase;
}

std::string stray_text(const PhaseBuilder& phase) {
  return only_issue(phase.read(1), ErrorKind::off_thread_launch).text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_launches_without_a_kernel_the_first_of_the_lowest_iteration_is_told) {
  PhaseBuilder phase = good_iteration_of(11);
  const auto lost = [&](std::uint32_t id, std::uint32_t iteration, std::uint32_t thread) {
    phase.label(id, iteration);
    phase.api(id, thread);
  };
  lost(20, 2, 5);
  lost(21, 1, 6);
  lost(22, 1, 7);
  lost(23, 2, 8);
  for (const std::uint32_t iteration : {1U, 2U}) {
    phase.kernel(2000, 3000, 1 + iteration);
    phase.label(1 + iteration, iteration);
  }
  const Reading reading = phase.read(3);
  const std::string& text = only_issue(reading, ErrorKind::records_lost).text;
  BOOST_TEST(says(text, "4 calls launched a kernel"), text);
  BOOST_TEST(says(text, "the first is cudaLaunchKernel in iteration 1, from thread 6"), text);
}

BOOST_AUTO_TEST_CASE(work_without_timestamps_is_called_by_its_kind) {
  const auto text_of = [](PhaseBuilder& phase) {
    phase.label(2, 0);
    const Reading reading = phase.read(1, true);
    const Issue& issue = only_issue(reading, ErrorKind::timestamps_lost);
    BOOST_TEST(!issue.retry);
    return issue.text;
  };
  PhaseBuilder copy = good_iteration_of(11);
  copy.copy(0, 0, 2, 8);
  BOOST_TEST(says(text_of(copy), "the first is a copy with start 0 and end 0"));
  PhaseBuilder set = good_iteration_of(11);
  set.set(0, 0, 2, 8);
  BOOST_TEST(says(text_of(set), "the first is a memset with start 0 and end 0"));
}

BOOST_AUTO_TEST_CASE(forbidden_copies_are_told_of_the_first_iteration_with_some) {
  PhaseBuilder phase = good_iteration_of(11);
  phase.copy(3000, 4000, 2, 64);
  phase.label(2, 2);
  phase.copy(3000, 4000, 3, 32);
  phase.label(3, 1);
  phase.copy(4000, 5000, 4, 16);
  phase.label(4, 2);
  for (const std::uint32_t id : {2U, 3U, 4U}) phase.api(id, 11, 1);
  const Reading reading = phase.read(3);
  const Issue& issue = only_issue(reading, ErrorKind::unmeasured_copies);
  BOOST_TEST(says(issue.text, "3 copy or memset calls inside the call"), issue.text);
  const std::string last = "in iteration 1: 1 x cudaMemcpyAsync, 32 bytes";
  BOOST_TEST(issue.text.find(last) == issue.text.size() - last.size(), issue.text);
  BOOST_TEST(!issue.retry);
}

BOOST_AUTO_TEST_CASE(stray_work_is_counted_in_kernels_and_in_copies) {
  PhaseBuilder kernel = good_iteration_of(11);
  stray(kernel, 20, 77);
  BOOST_TEST(begins(stray_text(kernel), "1 kernel carries no label of an iteration: 1 x add_kernel(float*)"));
  PhaseBuilder copy = good_iteration_of(11);
  copy.copy(3000, 4000, 20, 512);
  copy.api(20, 77, 1);
  BOOST_TEST(begins(stray_text(copy), "1 copy or memset call carries no label of an iteration: 1 x cudaMemcpyAsync"));
  stray(copy, 21, 77);
  stray(copy, 22, 77);
  BOOST_TEST(begins(stray_text(copy), "2 kernels and 1 copy or memset call carry no label of an iteration: "));
}

BOOST_AUTO_TEST_CASE(three_kinds_of_stray_work_are_told_and_no_more) {
  PhaseBuilder phase = good_iteration_of(11);
  for (const std::uint32_t id : {20U, 21U, 22U}) stray(phase, id, id);
  const std::string three = stray_text(phase);
  BOOST_TEST(says(three, "thread 22"), three);
  BOOST_TEST(!says(three, "more kinds"), three);
  stray(phase, 23, 23);
  const std::string four = stray_text(phase);
  BOOST_TEST(says(four, "thread 22; and 1 more kinds"), four);
  BOOST_TEST(!says(four, "thread 23"), four);
}

BOOST_AUTO_TEST_CASE(labels_that_were_never_pushed_are_kinds_each_and_other_labels_are_one) {
  PhaseBuilder never = good_iteration_of(11);
  stray(never, 20, 77);
  never.label(20, 5);
  stray(never, 21, 77);
  never.label(21, 6);
  const std::string each = stray_text(never);
  BOOST_TEST(says(each, "1 x add_kernel(float*) from thread 77, with the label of iteration 5, but only 1"), each);
  BOOST_TEST(says(each, "1 x add_kernel(float*) from thread 77, with the label of iteration 6, but only 1"), each);
  PhaseBuilder other = good_iteration_of(11);
  stray(other, 20, 77);
  other.external(20, external_id(kNonce + 1, 3));
  stray(other, 21, 77);
  other.external(21, external_id(kNonce + 1, 4));
  const std::string one = stray_text(other);
  BOOST_TEST(says(one, "2 x add_kernel(float*) from thread 77, with a label that is not of this phase"), one);
}

BOOST_AUTO_TEST_CASE(work_of_an_unknown_thread_is_of_no_thread_that_is_known) {
  PhaseBuilder phase = good_iteration_of(11);
  stray(phase, 20, 1);
  phase.kernel(3000, 4000, 21);
  stray(phase, 22, kLast);
  const std::string text = stray_text(phase);
  BOOST_TEST(says(text, "1 x add_kernel(float*) from thread 1;"), text);
  BOOST_TEST(says(text, "1 x add_kernel(float*) from an unknown thread"), text);
  BOOST_TEST(says(text, "1 x add_kernel(float*) from thread 4294967295"), text);
}

BOOST_AUTO_TEST_CASE(without_labelled_work_no_thread_is_the_calls_own) {
  for (const std::uint32_t thread : {0U, 1U, 2U, kLast}) {
    PhaseBuilder phase;
    stray(phase, 20, thread);
    BOOST_TEST(!says(stray_text(phase), "the call's own"), thread);
  }
  for (const std::uint32_t thread : {1U, kLast}) {
    PhaseBuilder phase = good_iteration_of(thread);
    stray(phase, 20, thread);
    BOOST_TEST(says(stray_text(phase), "(the call's own, outside of its label)"), thread);
  }
}

BOOST_AUTO_TEST_SUITE_END()
