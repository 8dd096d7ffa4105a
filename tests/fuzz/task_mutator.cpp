// SPDX-License-Identifier: MIT
#include "tests/fuzz/task_mutator.h"

#include <array>
#include <random>
#include <span>
#include <utility>

#include "coxswain/firmware/image/image_header.h"
#include "coxswain/firmware/image/task_generated.h"
#include "coxswain/isa/tile/table.h"
#include "tests/fuzz/seal.h"

namespace cox::fuzz {
namespace {

using isa::tile::MachineCode;

class Mutator {
 public:
  Mutator(std::span<MachineCode> code, unsigned seed) : code_(code), random_(seed) {}

  void mutate() {
    for (unsigned i = 0; i <= below(3); ++i) {
      switch (below(8)) {
        case 0: toggle_dependency(); break;
        case 1: code_[pick()] = code_[pick()]; break;
        case 2: std::swap(code_[pick()], code_[pick()]); break;
        case 3: code_[pick()][below(8)] ^= 1U << below(32); break;
        case 4: move_instruction(); break;
        default: change_field(); break;
      }
    }
  }

 private:
  unsigned below(std::size_t limit) { return static_cast<unsigned>(random_() % limit); }
  std::size_t pick() { return below(code_.size()); }

  void change_field() {
    MachineCode &code = code_[pick()];
    const isa::tile::Instruction *instruction = isa::tile::find_instruction(isa::tile::opcode_of(code));
    if (instruction == nullptr || instruction->fields.empty()) return;
    const isa::Field &field = instruction->fields[below(instruction->fields.size())];
    const unsigned bit = field.bit_of(below(field.count));
    const std::uint32_t old = isa::extract_bits(code, bit, field.width);
    isa::insert_bits(code, bit, field.width, changed(old));
  }

  std::uint32_t changed(std::uint32_t old) {
    // Small integers, and the bits of notable FP32 numbers such as NaNs, infinities and the largest number.
    static constexpr std::array<std::uint32_t, 16> kNotable = {0,          1,          2,          7,          8,          0x7FC00000,
                                                               0x7F800001, 0x7F800000, 0xFF800000, 0x80000000, 0x00000001, 0x7F7FFFFF,
                                                               0x42FE0000, 0xC3000000, 0x007FFFFF, 0xFFFFFFFF};
    switch (below(7)) {
      case 0: return old + 1;
      case 1: return old - 1;
      case 2: return old * 2;
      case 3: return old / 2;
      case 4: return kNotable[below(kNotable.size())];
      case 5: return old + (below(2) != 0 ? 1024U : ~1023U) * (1 + below(8192));
      default: return below(2) != 0 ? below(32) : static_cast<std::uint32_t>(random_());
    }
  }

  /// Adds or removes both ends of a token, so that the task stays balanced.
  void toggle_dependency() {
    MachineCode &giver = code_[pick()];
    MachineCode &taker = code_[pick()];
    const isa::tile::Instruction *from = isa::tile::find_instruction(isa::tile::opcode_of(giver));
    const isa::tile::Instruction *to = isa::tile::find_instruction(isa::tile::opcode_of(taker));
    if (from == nullptr || to == nullptr || from->configuration || to->configuration) return;
    const unsigned next = isa::tile::kNextBit + static_cast<unsigned>(to->queue);
    const unsigned previous = isa::tile::kPreviousBit + static_cast<unsigned>(from->queue);
    isa::insert_bits(giver, next, 1, isa::extract_bits(giver, next, 1) ^ 1U);
    isa::insert_bits(taker, previous, 1, isa::extract_bits(taker, previous, 1) ^ 1U);
  }

  void move_instruction() {
    std::size_t at = pick();
    for (const std::size_t to = pick(); at < to; ++at) std::swap(code_[at], code_[at + 1]);
  }

  std::span<MachineCode> code_;
  std::minstd_rand random_;
};

}  // namespace

std::size_t mutate_task(std::uint8_t *data, std::size_t size, unsigned seed) {
  namespace image = firmware::image;
  if (size < sizeof(image::ImageHeader) + 2 * sizeof(flatbuffers::uoffset_t)) return 0;
  flatbuffers::Verifier verifier(data + sizeof(image::ImageHeader), size - sizeof(image::ImageHeader));
  if (!image::VerifyTaskBuffer(verifier)) return 0;
  const image::Task *task = image::GetTask(data + sizeof(image::ImageHeader));
  const std::size_t count = task->instructions()->size();
  if (count == 0) return 0;
  const std::size_t at = static_cast<std::size_t>(task->instructions()->Data() - data);
  std::vector<MachineCode> code(count);
  std::memcpy(code.data(), data + at, count * sizeof(MachineCode));
  Mutator(code, seed).mutate();
  std::memcpy(data + at, code.data(), count * sizeof(MachineCode));
  seal({reinterpret_cast<std::byte *>(data), size});
  return size;
}

}  // namespace cox::fuzz
