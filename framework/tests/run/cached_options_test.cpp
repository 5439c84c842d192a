#include "run/cached_options.hpp"

#include <boost/test/unit_test.hpp>

using namespace opgate;

BOOST_AUTO_TEST_SUITE(cached_options)

BOOST_AUTO_TEST_CASE(the_users_options_move_to_the_new_sources) {
  const auto options = run::cached_options(
      "# comment: a=b\n//Help: text=1\nCMAKE_GENERATOR:INTERNAL=Ninja\nCMAKE_BUILD_TYPE:STRING=Release\n"
      "fake_SOURCE_DIR:STATIC=/src\nTOOLS:PATH=/src/tools;/srcs/other\nFOUND:FILEPATH=/src/build/dev/x\n"
      "\"A:B\":BOOL=ON\nHAND:UNINITIALIZED=1\nEMPTY:STRING=\n",
      "/src", "/src/build/dev", "/new");
  BOOST_TEST(options.generator == "Ninja");
  BOOST_TEST(options.initial_cache ==
             "set([==[CMAKE_BUILD_TYPE]==] [==[Release]==] CACHE STRING \"\")\n"
             "set([==[TOOLS]==] [==[/new/tools;/srcs/other]==] CACHE PATH \"\")\n"
             "set([==[A:B]==] [==[ON]==] CACHE BOOL \"\")\n"
             "set([==[HAND]==] [==[1]==] CACHE STRING \"\")\n"
             "set([==[EMPTY]==] [==[]==] CACHE STRING \"\")\n");
}

BOOST_AUTO_TEST_SUITE_END()
