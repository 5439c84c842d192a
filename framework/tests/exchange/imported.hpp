#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "opgate/error.hpp"
#include "store/history.hpp"

namespace opgate::test {

inline const store::CaseResult& found(const std::vector<store::CaseResult>& results, std::string_view name) {
  for (const store::CaseResult& result : results) {
    if (result.identity.name == name) return result;
  }
  throw Error(ErrorKind::io, "no case " + std::string(name));
}

// What `parse` says against a text; every refusal names a remedy.
template <class Parse>
std::string problem_of(const Parse& parse, const std::string& text) {
  try {
    static_cast<void>(parse(text));
  } catch (const Error& error) {
    BOOST_TEST((error.kind() == ErrorKind::io));
    BOOST_TEST(!error.remedy().empty());
    return error.what();
  }
  return "no error";
}

}  // namespace opgate::test
