#include "run/elf_image.hpp"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace opgate::run {
namespace {

template <class Struct>
std::optional<Struct> read_at(std::string_view file, std::size_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(Struct)) {
    return std::nullopt;
  }
  Struct value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::optional<std::string_view> content_of(std::string_view file, const Elf64_Shdr& section) {
  if (section.sh_type == SHT_NOBITS) {
    return std::string_view();
  }
  if (section.sh_offset > file.size() || file.size() - section.sh_offset < section.sh_size) {
    return std::nullopt;
  }
  return file.substr(section.sh_offset, section.sh_size);
}

std::optional<std::vector<Elf64_Shdr>> sections_of(std::string_view file, const Elf64_Ehdr& header) {
  const bool readable = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
                        header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_shentsize == sizeof(Elf64_Shdr) &&
                        header.e_shstrndx < header.e_shnum;
  if (!readable) {
    return std::nullopt;
  }
  std::vector<Elf64_Shdr> sections;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto section = read_at<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) {
      return std::nullopt;
    }
    sections.push_back(*section);
  }
  return sections;
}

void append_number(std::string& image, std::uint64_t number) {
  image.append(reinterpret_cast<const char*>(&number), sizeof number);
}

bool is_hex(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// Zeroes `count` hexadecimal digits at `at` that a '_' follows; false when there are others.
bool zero_hash(std::string& image, std::size_t at, std::size_t count) {
  if (at + count >= image.size() || image[at + count] != '_') {
    return false;
  }
  const auto begin = image.begin() + static_cast<std::ptrdiff_t>(at);
  const auto end = begin + static_cast<std::ptrdiff_t>(count);
  if (!std::all_of(begin, end, is_hex)) {
    return false;
  }
  std::fill(begin, end, '0');
  return true;
}

}  // namespace

void forget_place_of_build(std::string& image) {
  constexpr std::string_view kMark = "_GLOBAL__N__";
  constexpr std::size_t kHash = 8;
  for (std::size_t at = image.find(kMark); at != std::string::npos; at = image.find(kMark, at + 1)) {
    std::size_t next = at + kMark.size();
    if (!zero_hash(image, next, kHash)) {
      continue;
    }
    next += kHash + 1;
    std::size_t length = 0;
    for (; next < image.size() && is_digit(image[next]) && length < image.size(); ++next) {
      length = length * 10 + static_cast<std::size_t>(image[next] - '0');
    }
    next += 1 + length + 1;
    if (next < image.size() && zero_hash(image, next, kHash)) {
      for (next += kHash + 1; next < image.size() && is_digit(image[next]); ++next) {
        image[next] = '0';
      }
    }
  }
}

std::optional<std::string> loaded_image(std::string_view file) {
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  const auto sections = header ? sections_of(file, *header) : std::nullopt;
  const auto names = sections ? content_of(file, (*sections)[header->e_shstrndx]) : std::nullopt;
  if (!names) {
    return std::nullopt;
  }
  std::string image;
  append_number(image, header->e_type);
  append_number(image, header->e_machine);
  append_number(image, header->e_entry);
  for (const Elf64_Shdr& section : *sections) {
    if ((section.sh_flags & SHF_ALLOC) == 0) {
      continue;
    }
    const auto content = content_of(file, section);
    if (!content || section.sh_name >= names->size()) {
      return std::nullopt;
    }
    const std::string_view rest = names->substr(section.sh_name);
    const std::string_view name = rest.substr(0, rest.find('\0'));
    if (name == ".note.gnu.build-id") {
      continue;
    }
    image.append(name);
    for (const std::uint64_t number :
         {std::uint64_t{section.sh_type}, section.sh_flags, section.sh_addr, section.sh_size}) {
      append_number(image, number);
    }
    image.append(*content);
  }
  forget_place_of_build(image);
  return image;
}

}  // namespace opgate::run
