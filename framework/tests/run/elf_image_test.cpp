#include "run/elf_image.hpp"

#include <boost/test/unit_test.hpp>

#include "text/file.hpp"

using namespace opgate;

namespace {

const char kMark[] = "a text that only this test of loaded images holds";

std::string own_file() {
  return text::read_file("/proc/self/exe", ErrorKind::io);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(elf_image)

BOOST_AUTO_TEST_CASE(a_byte_that_is_loaded_counts_and_what_is_not_loaded_does_not) {
  const std::string file = own_file();
  const auto image = run::loaded_image(file);
  BOOST_REQUIRE(image);
  BOOST_TEST(image->size() < file.size());

  std::string changed = file;
  const std::size_t mark = changed.find(kMark);
  BOOST_REQUIRE(mark != std::string::npos);
  changed[mark] = 'b';
  BOOST_TEST((run::loaded_image(changed) != image));

  BOOST_TEST((run::loaded_image(file + "debug information in a section that is not loaded") == image));
  std::string commented = file;
  const std::size_t comment = commented.rfind("GCC: (");  // the .comment section
  BOOST_REQUIRE(comment != std::string::npos);
  commented[comment] = 'X';
  BOOST_TEST((run::loaded_image(commented) == image));
}

// It is a hash over the whole output, debug information included.
BOOST_AUTO_TEST_CASE(the_build_id_does_not_count) {
  std::string file = own_file();
  const auto image = run::loaded_image(file);
  const std::string note{'\x14', 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};  // 20 bytes of type NT_GNU_BUILD_ID
  const std::size_t at = file.find(note);
  if (at == std::string::npos) return;  // this linker writes none
  file[at + note.size()] = static_cast<char>(file[at + note.size()] + 1);
  BOOST_TEST((run::loaded_image(file) == image));
}

BOOST_AUTO_TEST_CASE(what_is_no_whole_elf_file_has_no_image) {
  const std::string file = own_file();
  BOOST_TEST(!run::loaded_image(""));
  BOOST_TEST(!run::loaded_image("#!/bin/sh\nexec op\n"));
  BOOST_TEST(!run::loaded_image(std::string_view(file).substr(0, file.size() / 2)));
  std::string big_endian = file;
  big_endian[5] = 2;
  BOOST_TEST(!run::loaded_image(big_endian));
}

BOOST_AUTO_TEST_SUITE_END()
