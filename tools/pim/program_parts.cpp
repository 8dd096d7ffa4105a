// SPDX-License-Identifier: MIT
#include "tools/pim/program_parts.h"

#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "coxswain/isa/pim/write_program.h"

namespace cox::tools::pim {
std::vector<std::uint8_t> build_program(const ProgramParts &parts) {
  std::vector<std::uint32_t> lengths;
  for (const Code &code : parts.codes) lengths.push_back(static_cast<std::uint32_t>(code.size()));
  const auto cores = static_cast<unsigned>(parts.cores.size());
  const auto settings = static_cast<std::uint32_t>(parts.settings.size()), copies = static_cast<std::uint32_t>(parts.copies.size());
  // The writer wants memory at a multiple of 8.
  std::vector<std::uint64_t> memory((isa::pim::program_bytes(cores, lengths, settings, copies) + 7) / 8);
  isa::pim::ProgramWriter writer(std::as_writable_bytes(std::span(memory)), cores);
  std::vector<std::optional<unsigned>> first(parts.codes.size());  // the core that has the code
  for (unsigned core = 0; core < cores; ++core) {
    if (!parts.cores[core]) continue;
    std::optional<unsigned> &owner = first[*parts.cores[core]];
    if (owner) {
      writer.share_code(core, *owner);
      continue;
    }
    owner = core;
    writer.begin_code(core);
    for (const std::uint32_t word : parts.codes[*parts.cores[core]]) writer.append(isa::pim::MachineCode{word});
  }
  if (settings > 0) writer.begin_settings();
  for (const isa::pim::Setting &setting : parts.settings) writer.append(setting);
  if (copies > 0) writer.begin_copies();
  for (const isa::pim::Copy &copy : parts.copies) writer.append(copy);
  writer.set_time_limit(parts.time_limit);
  const Result<std::span<const std::byte>> program = writer.finish();
  if (!program) throw std::logic_error(std::string("a program with wrong parts: ") + program.status().what());
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(program.value().data());
  return {bytes, bytes + program.value().size()};
}

ProgramParts parts_of(const isa::pim::Program &program) {
  ProgramParts parts;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known;
  for (unsigned core = 0; core < program.cores(); ++core) {
    const isa::pim::CodeEntry entry = program.entry(core);
    if (entry.instructions == 0) {
      parts.cores.emplace_back();
      continue;
    }
    const auto [at, is_new] = known.try_emplace({entry.offset, entry.instructions}, parts.codes.size());
    parts.cores.emplace_back(at->second);
    if (!is_new) continue;
    Code code(entry.instructions);
    std::memcpy(code.data(), program.code(core).data(), code.size() * sizeof(std::uint32_t));
    parts.codes.push_back(std::move(code));
  }
  for (std::uint32_t i = 0; i < program.header().settings; ++i) parts.settings.push_back(program.setting(i));
  for (std::uint32_t i = 0; i < program.header().copies; ++i) parts.copies.push_back(program.copy(i));
  parts.time_limit = program.time_limit();
  return parts;
}

}  // namespace cox::tools::pim
