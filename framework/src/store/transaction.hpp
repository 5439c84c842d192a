#pragma once

#include <cstdint>

#include "store/sqlite.hpp"

namespace opgate::store {

// Rolls back unless committed.
class Transaction {
 public:
  enum class Kind : std::uint8_t { read, write };  // write: BEGIN IMMEDIATE, so that waiting for the lock is possible
  Transaction(Connection& connection, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

}  // namespace opgate::store
