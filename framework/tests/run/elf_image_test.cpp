#include "run/elf_image.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>

#include "text/file.hpp"

using namespace opgate;

namespace {

const char kMark[] = "a text that only this test of loaded images holds";

std::string own_file() {
  return text::read_file("/proc/self/exe", ErrorKind::io, SIZE_MAX);  // larger with a sanitizer
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

// Names as nvcc 13.0 gave them to one file in two folders, the second pair in a file without external names.
BOOST_AUTO_TEST_CASE(where_it_was_built_does_not_count_and_everything_else_does) {
  const auto forgotten = [](std::string text) {
    run::forget_place_of_build(text);
    return text;
  };
  BOOST_TEST(forgotten("x_ZN35_GLOBAL__N__fcc1082c_4_x_cu__Z2goPf1kEPf") ==
             forgotten("x_ZN35_GLOBAL__N__7a557a82_4_x_cu__Z2goPf1kEPf"));
  BOOST_TEST(forgotten("_GLOBAL__N__a1a69146_6_add_cu_246a6317_1123510add_kernel") ==
             forgotten("_GLOBAL__N__4f573977_6_add_cu_f2e57aaf_1252710add_kernel"));
  BOOST_TEST(forgotten("_GLOBAL__N__fcc1082c_4_x_cu__Z2goPf1k") != forgotten("_GLOBAL__N__fcc1082c_4_x_cu__Z2goPf1l"));
  BOOST_TEST(forgotten("_GLOBAL__N__fcc1082c_4_x_cu_A") != forgotten("_GLOBAL__N__fcc1082c_4_y_cu_A"));
  for (const char* whole : {"", "_GLOBAL__N__", "_GLOBAL__N__fcc1082", "_GLOBAL__N__fcc1082c", "_GLOBAL__N__fcc1082c_",
                            "_GLOBAL__N__fcc1082g_4_x_cu", "deadbeef_12345678_"}) {
    BOOST_TEST(forgotten(whole).size() == std::string(whole).size());
  }
  BOOST_TEST(forgotten("_GLOBAL__N__fcc1082g_4") == "_GLOBAL__N__fcc1082g_4");
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
