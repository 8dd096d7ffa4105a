// SPDX-License-Identifier: MIT
#include "tests/faults/keyed_sums.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "coxswain/device/engines.h"
#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/relocation.h"
#include "coxswain/isa/unity/storage.h"
#include "coxswain/isa/unity/sync.h"

namespace cox::tests {
namespace {

using namespace isa::unity;  // NOLINT(google-build-using-namespace)

constexpr AddressSpace kSpace = AddressSpace::bits32;
constexpr unsigned kUnits = 2;
constexpr std::uint32_t kElements = 128;                               // of a vector
constexpr std::uint32_t kVectorBytes = kElements * 4;                  // of a sum
constexpr std::uint32_t kWindowBytes = 2 * kKeyedSums * kVectorBytes;  // of either window
constexpr std::uint32_t kResults = kWindowBytes / 2;                   // where the results begin in window 1
constexpr Key kKey{2, 7};

constexpr std::uint32_t kFront = container_front(kUnits, 0, 0), kImageBytes = program_bytes(kKeyedSums + 1);
constexpr std::uint32_t kImageRoom = (kImageBytes + kProgramAlignment - 1) / kProgramAlignment * kProgramAlignment;
constexpr std::uint32_t kTables = kFront + kUnits * kImageRoom, kTableBytes = 24;

/// An operand in a window.
struct Operand {
  std::uint8_t window = 0;
  std::uint32_t offset = 0;
};

/// Writes a relative container and its relocations.
class Program {
 public:
  Program() {
    put(0, ContainerHeader{.units = kUnits, .flags = kFlagRelative, .programs = kUnits});
    ImageWriter doubler = begin(0, 1);
    const Operand sums{1, 0};
    append(doubler, kKeyedSums * kElements, sums, sums, {1, kResults}, {.fetches = true, .keys = kKeyedSums, .fetch = kKey});
    doubler.end();
    ImageWriter adder = begin(1, kKeyedSums);
    for (std::uint32_t i = 0; i < kKeyedSums; ++i) {
      const std::uint32_t left = 2 * i * kVectorBytes;
      append(adder, kElements, {0, left}, {0, left + kVectorBytes}, {1, i * kVectorBytes},
             {.fetches = false, .deposits = true, .blocks = true, .deposit = kKey});
    }
    adder.end();
  }
  [[nodiscard]] ProgramText text() && {
    return {
        .engine = static_cast<std::uint8_t>(registers::Engine::unity), .code = std::move(bytes_), .relocations = std::move(relocations_)};
  }

 private:
  /// Begins a unit's program of so many instructions and an END.
  ImageWriter begin(std::uint8_t unit, std::uint16_t instructions) {
    const std::uint32_t offset = kFront + unit * kImageRoom;
    put(sizeof(ContainerHeader) + unit * sizeof(ProgramEntry),
        ProgramEntry{.offset = offset, .instructions = static_cast<std::uint16_t>(instructions + 1), .unit = unit});
    return ImageWriter(std::as_writable_bytes(std::span(bytes_)).subspan(offset, kImageRoom));
  }
  /// Appends an ADD with its table.
  void append(ImageWriter &writer, std::uint32_t elements, Operand left, Operand right, Operand to, const Sync &sync) {
    OperandTable<Opcode::ADD, kSpace> table;
    table.set<"LEN">(elements);
    table.set<"S0_UNIT">(static_cast<unsigned>(Unit::s32));
    table.set<"S1_UNIT">(static_cast<unsigned>(Unit::s32));
    table.set<"D_UNIT">(static_cast<unsigned>(Unit::s32));
    const std::uint32_t at = kTables + tables_++ * kTableBytes;
    std::memcpy(&bytes_[at], table.words().data(), table.words().size_bytes());
    relocate(at + place<Opcode::ADD, "S0">().bit(kSpace) / 8, left);
    relocate(at + place<Opcode::ADD, "S1">().bit(kSpace) / 8, right);
    relocate(at + place<Opcode::ADD, "D">().bit(kSpace) / 8, to);
    const Instruction &row = Set::row(Opcode::ADD);
    static_cast<void>(
        writer.add({row.section | static_cast<std::uint32_t>(kSpace) << 6 | std::uint32_t{row.code} << 8, sync_word(sync), at, 0}));
  }
  void relocate(std::uint32_t offset, Operand operand) {
    relocations_.push_back({.offset = operand.offset, .place = AddressPlace(offset, false).packed(), .window = operand.window});
  }
  template <typename T>
  void put(std::size_t offset, const T &value) {
    std::memcpy(&bytes_[offset], &value, sizeof value);
  }

  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(kTables + (kKeyedSums + 1) * kTableBytes);
  std::vector<firmware::image::Relocation> relocations_;
  std::uint32_t tables_ = 0;
};

std::vector<std::uint8_t> bytes_of_words(const std::vector<std::uint32_t> &values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof values[0]);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

TaskText keyed_sums() {
  TaskText text;
  text.name = "unity";
  text.l2_bytes = 0;
  text.windows = {{0, kWindowBytes, false}, {1, kWindowBytes, true}};
  text.program = Program().text();
  return text;
}

WindowContents keyed_sums_contents(unsigned seed) {
  std::vector<std::uint32_t> vectors(kWindowBytes / 4), sums, results;
  for (std::uint32_t i = 0; i < vectors.size(); ++i) vectors[i] = (i + 1) * 2654435761U + seed * 40503U;
  for (std::uint32_t sum = 0; sum < kKeyedSums; ++sum) {
    const std::uint32_t *const left = &vectors[std::size_t{2} * sum * kElements];
    for (std::uint32_t i = 0; i < kElements; ++i) sums.push_back(left[i] + left[kElements + i]);
  }
  for (const std::uint32_t sum : sums) results.push_back(2 * sum);
  sums.insert(sums.end(), results.begin(), results.end());
  return {{bytes_of_words(vectors), std::vector<std::uint8_t>(kWindowBytes)}, {bytes_of_words(vectors), bytes_of_words(sums)}};
}

}  // namespace cox::tests
