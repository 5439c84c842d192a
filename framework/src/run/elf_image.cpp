#include "run/elf_image.hpp"

#include <elf.h>

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

}  // namespace

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
  return image;
}

}  // namespace opgate::run
