#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace opgate::exchange {

[[nodiscard]] bool is_gzip(std::string_view head) noexcept;

// Decompresses all members of a gzip file piece by piece. Error(io) naming the file and the byte for one that is
// damaged, cut short or followed by something else, and for more than `most` bytes: a few kilobytes can hold terabytes.
void gunzip(std::string_view compressed, const std::string& name_for_messages, std::size_t most,
            const std::function<void(std::string_view)>& take);
[[nodiscard]] std::string gunzip(std::string_view compressed, const std::string& name_for_messages, std::size_t most);

}  // namespace opgate::exchange
