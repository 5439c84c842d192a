#pragma once

#include <cstddef>
#include <cstdint>

#include "collect/record_table.hpp"
#include "core/records.hpp"

namespace opgate::collect {

struct ParsedBuffer {
  core::RecordBuffer records;
  bool complete = true;  // false: the buffer held bytes after the last record that could be read
};

// Every record of a kind that opgate knows in a completed activity buffer, in its order.
[[nodiscard]] ParsedBuffer parse_buffer(std::uint8_t* memory, std::size_t valid_bytes, RecordTable& table);

}  // namespace opgate::collect
