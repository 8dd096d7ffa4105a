// SPDX-License-Identifier: MIT
#include "tests/firmware/scheduled_tasks.h"

#include <array>
#include <random>

namespace cox::tests {

using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::MachineCode;
using isa::tile::Opcode;

TaskText random_task(unsigned seed, std::int64_t block, unsigned length) {
  std::mt19937 random(seed);
  TaskText text = copy_task(block, block);
  const std::vector<MachineCode> copy = text.code;
  text.code = {copy[kStart], copy[kCut], copy[kLoadConfiguration], copy[kStoreConfiguration], copy[kLoad], copy[kStore]};
  isa::insert_bits(text.code[kCut], isa::tile::kNextBit, kClasses, bit(Class::LD) | bit(Class::ST));
  for (const std::size_t first : {text.code.size() - 2, text.code.size() - 1}) {
    isa::insert_bits(text.code[first], isa::tile::kPreviousBit, kClasses, bit(Class::CT));
    isa::insert_bits(text.code[first], isa::tile::kNextBit, kClasses, 0);
  }
  std::array<std::array<unsigned, kClasses>, kClasses> open{};
  std::vector<std::size_t> last(kClasses, 0);
  const unsigned classes[] = {static_cast<unsigned>(Class::CT), static_cast<unsigned>(Class::LD), static_cast<unsigned>(Class::ST)};
  for (unsigned i = 0; i < length; ++i) {
    const unsigned own = classes[random() % 3];
    MachineCode code = own == 0 ? copy[kCut] : own == 1 ? copy[kLoad] : copy[kStore];
    std::uint32_t previous = 0;
    std::uint32_t next = 0;
    for (const unsigned other : classes) {
      if (open[other][own] > 0 && random() % 2 == 0) {
        previous |= 1U << other;
        --open[other][own];
      }
    }
    for (const unsigned other : classes) {
      if (random() % 3 == 0) next |= 1U << other;
    }
    for (const unsigned other : classes) open[own][other] += next >> other & 1;
    isa::insert_bits(code, isa::tile::kPreviousBit, kClasses, previous);
    isa::insert_bits(code, isa::tile::kNextBit, kClasses, next);
    text.code.push_back(code);
    for (auto n = random() % 12; random() % 4 == 0 && n > 0; --n)
      text.code.push_back(own == 2 ? copy[kStoreConfiguration] : copy[kLoadConfiguration]);
  }
  // Adds instructions that take the tokens that are left.
  for (bool any = true; any;) {
    any = false;
    for (const unsigned own : classes) {
      std::uint32_t previous = 0;
      for (const unsigned other : classes) {
        if (open[other][own] == 0) continue;
        previous |= 1U << other;
        --open[other][own];
      }
      if (previous == 0) continue;
      any = true;
      MachineCode code = own == 0 ? copy[kCut] : own == 1 ? copy[kLoad] : copy[kStore];
      isa::insert_bits(code, isa::tile::kPreviousBit, kClasses, previous);
      isa::insert_bits(code, isa::tile::kNextBit, kClasses, 0);
      text.code.push_back(code);
    }
  }
  text.code.push_back(make(Opcode::ct_ed));
  return text;
}

TaskText chain_task(unsigned rounds) {
  TaskText text = copy_task();
  const std::vector<MachineCode> copy = text.code;
  text.code = {copy[kStart], copy[kCut], copy[kLoadConfiguration], copy[kStoreConfiguration]};
  for (unsigned i = 0; i < rounds; ++i) {
    text.code.push_back(copy[kLoad]);
    if (i != 0) isa::insert_bits(text.code.back(), isa::tile::kPreviousBit, kClasses, bit(Class::ST));
    text.code.push_back(copy[kStore]);
    if (i + 1 != rounds) isa::insert_bits(text.code.back(), isa::tile::kNextBit, kClasses, bit(Class::LD));
  }
  text.code.push_back(copy[kEnd]);
  return text;
}

TaskText copies_task(std::int64_t first, std::int64_t last, unsigned rounds, unsigned distance) {
  TaskText text = copy_task(first, last);
  if (distance == 0) distance = rounds;
  text.windows = {{0, static_cast<std::uint64_t>((rounds + distance) * kTensorBytes), true}};
  text.tensors.clear();
  text.code.resize(kLoad);
  text.code.push_back(copy_task().code[kStoreConfiguration]);
  const std::int64_t l2 = first * 1024;
  for (unsigned i = 0; i < rounds; ++i) {
    text.code.push_back(make(Opcode::lda_mov, {{"STaddr", {i * kTensorBytes}}, {"DTaddr", {l2}}, {"Tile", {1, 8, 4, 4}}},
                             i == 0 ? bit(Class::CT) : bit(Class::ST), bit(Class::ST)));
    text.code.push_back(make(Opcode::sta_mov, {{"STaddr", {l2}}, {"DTaddr", {(i + distance) * kTensorBytes}}, {"Tile", {1, 8, 4, 4}}},
                             bit(Class::LD), i + 1 == rounds ? bit(Class::CT) : bit(Class::LD)));
  }
  text.code.push_back(make(Opcode::ct_ed, {}, bit(Class::ST)));
  return text;
}

TaskText two_core_task(std::int64_t block, unsigned rounds) {
  TaskText text = copy_task(block, block);
  text.tile_cores = 2;
  text.windows = {{0, static_cast<std::uint64_t>(2 * rounds * kTensorBytes), true}};
  text.tensors.clear();
  const std::vector<MachineCode> copy = text.code;
  const auto on_core_1 = [](MachineCode code) {
    isa::insert_bits(code, isa::tile::kCoreBit, isa::tile::kCoreWidth, 1);
    return code;
  };
  const std::int64_t l2 = block * 1024;
  const Fields tiles = {{"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}};
  text.code = {copy[kStart], copy[kCut], copy[kLoadConfiguration], copy[kStoreConfiguration]};
  isa::insert_bits(text.code[kCut], isa::tile::kNextBit, kClasses, bit(Class::SI));
  text.code.push_back(on_core_1(copy[kCut]));
  text.code.push_back(on_core_1(copy[kLoadConfiguration]));
  text.code.push_back(make(Opcode::si_cfg, tiles));
  for (unsigned i = 0; i < rounds; ++i) {
    const bool first = i == 0;
    const bool last = i + 1 == rounds;
    text.code.push_back(on_core_1(make(Opcode::lda_mov, {{"STaddr", {i * kTensorBytes}}, {"DTaddr", {l2}}, {"Tile", {1, 8, 4, 4}}},
                                       bit(first ? Class::CT : Class::SO), bit(Class::SO))));
    text.code.push_back(on_core_1(make(Opcode::so_sync, {{"Prev_Cores", {0}}, {"Next_Cores", {1}}}, bit(Class::LD), 0)));
    text.code.push_back(
        make(Opcode::si_mov,
             {{"CORE", {1}}, {"STaddr", {l2}}, {"DTaddr", {l2}}, {"Tile", {1, 8, 4, 4}}, {"Prev_Cores", {2}}, {"Next_Cores", {2}}},
             bit(first ? Class::CT : Class::ST), bit(Class::ST)));
    text.code.push_back(on_core_1(make(Opcode::so_sync, {{"Prev_Cores", {1}}, {"Next_Cores", {0}}}, 0, last ? 0 : bit(Class::LD))));
    text.code.push_back(make(Opcode::sta_mov, {{"STaddr", {l2}}, {"DTaddr", {(i + rounds) * kTensorBytes}}, {"Tile", {1, 8, 4, 4}}},
                             bit(Class::SI), bit(last ? Class::CT : Class::SI)));
  }
  text.code.push_back(copy[kEnd]);
  return text;
}

}  // namespace cox::tests
