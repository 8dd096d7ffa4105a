// SPDX-License-Identifier: MIT
// Takes any bytes as a program of the PIM cores, or as the code of its cores. A program is checked, which runs it, and printed. The printed
// text must assemble, to the same bytes if the program was built from parts. The first byte chooses; text is tried, too.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "tools/file/error.h"
#include "tools/pim/assemble.h"
#include "tools/pim/check_program.h"
#include "tools/pim/debugger.h"
#include "tools/pim/disassemble.h"
#include "tools/pim/open_program.h"

namespace cox::tools::pim {
namespace {

constexpr std::uint64_t kMostCycles = 20'000;
constexpr std::uint32_t kMostInputBytes = 1U << 16;

void require(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

model::pim::Settings settings() {
  model::pim::Settings settings;
  settings.cores = 4;
  settings.timing.time_limit = 2 * kMostCycles;
  return settings;
}

void use(std::span<const std::uint8_t> bytes, bool exact) {
  const Report report = check_program({.stream = bytes, .windows = {}, .constants = {}}, settings(), kMostCycles);
  for (const Finding &finding : report.errors) require(!finding.message.empty(), "a finding without a message");
  const auto opened = isa::pim::Program::open(std::as_bytes(bytes));
  if (!opened) return;
  const std::vector<std::uint8_t> again = build_program(assemble_program(disassemble(opened.value()), "again").parts);
  require(!exact || (again.size() == bytes.size() && std::memcmp(again.data(), bytes.data(), bytes.size()) == 0),
          "the text is of another program");
}

/// Words of the input become the code of up to four cores, and the first bytes their registers. Most words are made legal instructions.
void use_as_code(std::span<const std::uint8_t> bytes, bool legal) {
  ProgramParts parts;
  const unsigned cores = 1 + bytes[0] % 4;
  bytes = bytes.subspan(1);
  constexpr std::size_t kSettings = 8;
  for (unsigned core = 0; core < cores && bytes.size() >= 4 * kSettings; ++core) {
    for (std::size_t i = 0; i < kSettings; ++i) {
      std::uint32_t value = 0;
      std::memcpy(&value, &bytes[4 * i], sizeof value);
      // Addresses of memories, small numbers, or anything.
      if (value % 4 == 0) value = (value >> 8 & 7) << 20 | (value >> 16 & 0xFF);
      if (value % 4 == 1) value = value >> 24;
      const auto place = static_cast<std::uint8_t>(i < 6 ? i + 1 : 32 + (value + i) % 9);
      if (parts.settings.empty() || parts.settings.back().core != core || parts.settings.back().place != place)
        parts.settings.push_back({.core = static_cast<std::uint8_t>(core), .place = place, .value = value});
    }
    bytes = bytes.subspan(4 * kSettings);
  }
  // The two special registers may be the same one.
  for (std::size_t i = parts.settings.size(); i-- > 0;) {
    for (std::size_t j = i; j-- > 0;) {
      if (parts.settings[i].core == parts.settings[j].core && parts.settings[i].place == parts.settings[j].place) {
        parts.settings.erase(parts.settings.begin() + static_cast<std::ptrdiff_t>(j));
        --i;
      }
    }
  }
  const std::size_t words = bytes.size() / 4 / cores;
  for (unsigned core = 0; core < cores; ++core) {
    Code code;
    for (std::size_t i = 0; i < words; ++i) {
      std::uint32_t word = 0;
      std::memcpy(&word, &bytes[(core * words + i) * 4], sizeof word);
      const isa::pim::Instruction *row = isa::pim::Set::find(isa::pim::MachineCode{word});
      if (legal && row == nullptr) row = &isa::pim::Set::instructions()[word % isa::pim::Set::instructions().size()];
      if (legal) {
        word = (word & isa::pim::Set::legal_bits(*row)[0]) | row->word;
        if (row->opcode >= isa::pim::Opcode::beq && row->opcode < isa::pim::Opcode::jmp) word = (word & 0xFFFF0000) | (word % words & 0xF);
      }
      code.push_back(word);
    }
    if (code.empty()) {
      parts.cores.emplace_back();
    } else {
      parts.cores.emplace_back(parts.codes.size());
      parts.codes.push_back(std::move(code));
    }
  }
  use(build_program(parts), true);
}

void use_as_text(std::string_view text) {
  try {
    const Assembled assembled = assemble_program(text, "fuzz");
    static_cast<void>(listing(text, assembled));
    use(build_program(assembled.parts), true);
  } catch (const FileError &error) {
    require(error.what()[0] != '\0', "an error without a message");
  }
}

}  // namespace
}  // namespace cox::tools::pim

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  if (size < 2 || size > cox::tools::pim::kMostInputBytes) return 0;
  const std::span<const std::uint8_t> bytes(data + 1, size - 1);
  switch (data[0] % 4) {
    case 0: cox::tools::pim::use(bytes, false); break;
    case 1: cox::tools::pim::use_as_code(bytes, false); break;
    case 2: cox::tools::pim::use_as_code(bytes, true); break;
    default: cox::tools::pim::use_as_text({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  }
  return 0;
}
