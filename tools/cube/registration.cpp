// SPDX-License-Identifier: MIT
#include "tools/cube/registration.h"

#include <algorithm>
#include <cstring>

#include "coxswain/isa/cube/dram_address.h"
#include "coxswain/isa/cube/operation.h"
#include "coxswain/isa/cube/table.h"
#include "tools/cube/assemble.h"
#include "tools/cube/check_stream.h"
#include "tools/cube/disassemble.h"
#include "tools/cube/page.h"
#include "tools/registry/stream_format.h"
#include "tools/registry/stream_operations.h"

namespace cox::tools::cube {
namespace {

isa::cube::MachineCode slot_at(std::span<const std::uint8_t> stream, std::size_t place) {
  isa::cube::MachineCode code;
  std::memcpy(code.data(), &stream[place], sizeof(code));
  return code;
}

class Format final : public StreamFormat {
 public:
  Format() : StreamFormat(registers::Engine::cube) {}

  [[nodiscard]] std::string_view text_ending() const override { return ".cube"; }
  [[nodiscard]] std::string_view binary_ending() const override { return ".cubes"; }
  [[nodiscard]] std::string page(const std::string &prose) const override { return cube_page(prose); }

  [[nodiscard]] std::span<const Lane> lanes() const override {
    static constexpr Lane kLanes[] = {
        {"MTE2", "DRAM to L1"}, {"MTE1", "L1 to L0A and L0B"}, {"M", "the array"}, {"FIX", "L0C to DRAM and L1"}, {"all", "barriers"}};
    static_assert(std::size(kLanes) == isa::cube::kPipes + 1);
    return kLanes;
  }

  [[nodiscard]] std::optional<Drawn> drawn(std::uint8_t opcode) const override {
    const auto has_opcode = [&](const auto &instruction) { return static_cast<unsigned>(instruction.opcode) == opcode; };
    const auto found = std::ranges::find_if(isa::cube::kInstructions, has_opcode);
    if (found == std::end(isa::cube::kInstructions)) return std::nullopt;
    using enum isa::cube::Opcode;
    constexpr isa::cube::Opcode kSmall[] = {SET_FLAG, WAIT_FLAG, BARRIER, IM2COL_CFG, OUT_CFG};
    return Drawn{found->name, std::ranges::find(kSmall, found->opcode) != std::end(kSmall)};
  }

  [[nodiscard]] std::vector<std::uint8_t> assemble_text(std::string_view text, const std::string &file) const override {
    return cube::assemble(text, file);
  }
  [[nodiscard]] std::string print(std::span<const std::uint8_t> stream, const std::string &file) const override {
    return cube::disassemble(stream, file);
  }

  [[nodiscard]] std::uint64_t multiply_accumulates(const Placed &program) const override {
    std::uint64_t sum = 0;
    for_each_operation<isa::cube::Set>(program.stream, isa::cube::State(), [&](const isa::cube::Operation &operation) {
      if (const auto *mad = std::get_if<isa::cube::Mad>(&operation)) sum += std::uint64_t{mad->m} * mad->k * mad->n;
    });
    return sum;
  }
  [[nodiscard]] bool restartable(const Placed &program) const override {
    InputWatch watch;
    for_each_operation<isa::cube::Set>(program.stream, isa::cube::State(), [&](const isa::cube::Operation &operation) {
      const isa::cube::Footprint footprint = isa::cube::footprint(operation);
      for (const isa::cube::Access &access : std::span(footprint.accesses).first(footprint.count)) {
        if (access.memory != isa::cube::Memory::dram) continue;
        for (std::uint64_t j = 0; j < access.count[1]; ++j) {
          for (std::uint64_t i = 0; i < access.count[0]; ++i)
            watch.add(access.write, access.start + j * access.stride[1] + i * access.stride[0], access.run);
        }
      }
    });
    return !watch.changes_inputs();
  }

 protected:
  [[nodiscard]] bool is_instruction(std::string_view name) const override { return isa::cube::find_instruction(name) != nullptr; }
  [[nodiscard]] Report check_stream(std::span<const std::uint8_t> stream) const override { return check_cube_stream(stream); }
  [[nodiscard]] std::size_t count(std::span<const std::uint8_t> stream) const override { return stream.size() / isa::cube::kSlotBytes; }
  [[nodiscard]] std::vector<PlacedAddress> addresses(std::span<const std::uint8_t> stream) const override {
    std::vector<PlacedAddress> all;
    for (std::uint32_t place = 0; place + isa::cube::kSlotBytes <= stream.size(); place += isa::cube::kSlotBytes) {
      const isa::cube::MachineCode code = slot_at(stream, place);
      const isa::cube::Instruction *const instruction = isa::cube::find_instruction(code[0]);
      if (instruction != nullptr && isa::cube::has_dram_address(instruction->opcode))
        all.push_back({place, isa::cube::read_dram_address(code.data())});
    }
    return all;
  }
  void write_address(std::span<std::uint8_t> stream, const PlacedAddress &placed) const override {
    isa::cube::MachineCode code = slot_at(stream, placed.place);
    isa::cube::write_dram_address(code.data(), placed.address);
    std::memcpy(&stream[placed.place], code.data(), sizeof(code));
  }
};

}  // namespace

const ProgramFormat &program_format() {
  static const Format format;
  return format;
}

}  // namespace cox::tools::cube
