// SPDX-License-Identifier: MIT
#include "tools/unity/engine_text.h"

#include <fmt/format.h>

#include <cstring>

#include "coxswain/isa/tile/table.h"
#include "coxswain/isa/unity/engine_domain.h"
#include "tools/cube/registration.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/image/container.h"
#include "tools/mx/registration.h"
#include "tools/names/did_you_mean.h"
#include "tools/pim/registration.h"
#include "tools/tile/stream.h"

namespace cox::tools::unity {

using isa::unity::Domain;

namespace {

constexpr std::string_view kTileEnding = ".jsonl";

const ProgramFormat &format_of(Domain domain) {
  switch (domain) {
    case Domain::mx: return mx::program_format();
    case Domain::cube: return cube::program_format();
    default: return pim::program_format();
  }
}

const isa::tile::Instruction &row_of(const task::Instruction &instruction) {
  return *isa::tile::find_instruction(isa::tile::opcode_of(instruction.code));
}

EngineCode assemble_tile(std::string_view text, const std::string &file) {
  const std::vector<task::Instruction> instructions = task::read_stream(text, file);
  const isa::tile::Instruction &first = row_of(instructions.front());
  EngineCode code{.bytes = {}, .queue = static_cast<unsigned>(first.queue)};
  for (const task::Instruction &instruction : instructions) {
    const isa::tile::Instruction &row = row_of(instruction);
    if (row.queue != first.queue) {
      const auto name_of = [](const isa::tile::Instruction &each) { return isa::tile::kClassNames[static_cast<unsigned>(each.queue)]; };
      throw FileError(fmt::format("{}:{}:1: {} is of class {}, but {} is of class {}; a submission has instructions of one class", file,
                                  instruction.line, row.name, name_of(row), first.name, name_of(first)));
    }
    const auto *const bytes = reinterpret_cast<const std::uint8_t *>(instruction.code.data());
    code.bytes.insert(code.bytes.end(), bytes, bytes + sizeof instruction.code);
  }
  return code;
}

std::string print_tile(std::span<const std::uint8_t> bytes) {
  std::vector<task::Instruction> instructions(bytes.size() / sizeof(isa::tile::MachineCode));
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    isa::tile::MachineCode &code = instructions[i].code;
    std::memcpy(code.data(), &bytes[i * sizeof code], sizeof code);
    if (isa::tile::find_instruction(isa::tile::opcode_of(code)) == nullptr) return {};
  }
  return task::write_stream(instructions);
}

}  // namespace

const char *engine_name(Domain domain) {
  switch (domain) {
    case Domain::tile: return "tile";
    case Domain::mx: return "mx";
    case Domain::cube: return "cube";
    default: return "pim";
  }
}

std::optional<Domain> find_engine(std::string_view name) {
  for (const Domain domain : isa::unity::kEngineDomains) {
    if (name == engine_name(domain)) return domain;
  }
  return std::nullopt;
}

std::string suggest_engine(std::string_view name) {
  const std::string near = did_you_mean(name, isa::unity::kEngineDomains, engine_name);
  return near.empty() ? ": tile, mx, cube or pim" : near;
}

EngineCode assemble_engine(Domain domain, std::string_view text, const std::string &file) {
  if (domain == Domain::tile) return assemble_tile(text, file);
  return {format_of(domain).assemble_text(text, file), 0};
}

EngineCode read_engine_file(Domain domain, const std::string &path) {
  std::vector<std::uint8_t> bytes = read_file(path);
  if (is_image(bytes)) throw FileError(path + ": is a task image; .slots takes the text or the bytes of a stream");
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (domain == Domain::tile) {
    if (path.ends_with(kTileEnding)) return assemble_tile(text, path);
    throw FileError(path + ": .slots takes tile instructions only as text, from a file " + std::string(kTileEnding));
  }
  const ProgramFormat &format = format_of(domain);
  if (path.ends_with(format.text_ending()) || format.is_text(text)) return {format.assemble_text(text, path), 0};
  if (!format.is_binary(bytes)) throw FileError(path + ": is not " + format.binary_name());
  return {std::move(bytes), 0};
}

std::string engine_position(Domain domain, std::uint32_t position) { return format_of(domain).position_text(position); }

std::string print_engine(Domain domain, std::span<const std::uint8_t> bytes) {
  try {
    std::string text = domain == Domain::tile ? print_tile(bytes) : format_of(domain).print(bytes, "");
    const std::vector<std::uint8_t> again = assemble_engine(domain, text, "").bytes;
    return std::ranges::equal(again, bytes) ? text : std::string();
  } catch (const FileError &) {
    return {};
  }
}

}  // namespace cox::tools::unity
