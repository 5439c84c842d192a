#include <map>
#include <utility>

#include "opgate/op.hpp"

namespace opgate {
namespace {

// Filled by static initialisers of other files, so built at the first use.
std::vector<Registration>& implementations() {
  static std::vector<Registration> all;
  return all;
}

std::map<std::string, Reference>& references() {
  static std::map<std::string, Reference> all;
  return all;
}

}  // namespace

void register_implementation(Registration registration) {
  implementations().push_back(std::move(registration));
}

void register_reference(std::string op, Reference reference) {
  references().insert_or_assign(std::move(op), std::move(reference));
}

const std::vector<Registration>& registrations() {
  return implementations();
}

const Reference& reference_of(const std::string& op) {
  const auto found = references().find(op);
  if (found == references().end()) {
    throw Error(ErrorKind::op, "no reference of \"" + op + "\" is linked into this executable", op,
                "add OPGATE_REFERENCE(" + op + ", function) to one of the SOURCES of opgate_add_op(" + op + ")");
  }
  return found->second;
}

}  // namespace opgate
