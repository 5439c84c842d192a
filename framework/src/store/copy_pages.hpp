#pragma once

#include "store/sqlite.hpp"

namespace opgate::store {

// All of one database into another, in one step: a copy in several starts over whenever somebody writes.
void copy_pages(Connection& source, Connection& target);

}  // namespace opgate::store
