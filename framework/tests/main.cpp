#define BOOST_TEST_MODULE opgate
#include <boost/test/unit_test.hpp>
