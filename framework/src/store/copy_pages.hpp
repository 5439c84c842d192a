#pragma once

#include "store/sqlite.hpp"

namespace opgate::store {

// Makes `target` a consistent copy of `source`, also while others write to it.
void copy_pages(Connection& source, Connection& target);

}  // namespace opgate::store
