// SPDX-License-Identifier: MIT
// The Unity units in the conformance suite: unit 0 adds two vectors, unit 1 waits for the sum and stores it doubled.
#include <cstring>

#include "coxswain/isa/unity/location.h"
#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/storage.h"
#include "tests/conformance/sample.h"

namespace cox::conformance {
namespace {

using namespace isa::unity;  // NOLINT(google-build-using-namespace)

constexpr std::uint32_t kElements = 512;

/// A relative container with one ADD of s32 vectors for each unit, and the operand tables behind the programs.
class Sum {
 public:
  Sum() : bytes_(kTables + 2 * kTableBytes) {
    const ContainerHeader header{.units = 2, .flags = kFlagRelative, .programs = 2};
    put(0, header);
  }
  void add(unsigned unit, std::uint64_t d, std::uint64_t a, std::uint64_t b, const Sync &sync, std::uint32_t reserved = 0) {
    OperandTable<Opcode::ADD, AddressSpace::bits32> table;
    table.set<"S0">(a);
    table.set<"S1">(b);
    table.set<"D">(d);
    table.set<"LEN">(kElements);

    table.set<"S0_UNIT">(static_cast<unsigned>(Unit::s32));
    table.set<"S1_UNIT">(static_cast<unsigned>(Unit::s32));
    table.set<"D_UNIT">(static_cast<unsigned>(Unit::s32));
    const std::uint32_t place = kTables + unit * kTableBytes;
    std::memcpy(&bytes_[place], table.words().data(), table.words().size_bytes());
    const Instruction &row = Set::row(Opcode::ADD);
    const MachineCode code{row.section | 1U << 6 | std::uint32_t{row.code} << 8 | reserved, sync_word(sync), place, 0};
    const std::uint32_t offset = kFront + unit * kImageBytes;
    put(static_cast<std::uint32_t>(sizeof(ContainerHeader)) + unit * 8,
        ProgramEntry{.offset = offset, .instructions = 2, .unit = static_cast<std::uint8_t>(unit)});
    ImageWriter writer(std::span<std::byte>(bytes_).subspan(offset, kImageBytes));
    (void)writer.add(code);
    writer.end();
  }
  [[nodiscard]] const Bytes &bytes() const { return bytes_; }
  /// Position of a unit's instruction.
  [[nodiscard]] static Position position(unsigned unit) { return {unit, (kFront + unit * kImageBytes + kIdBytes) / 16}; }

 private:
  static constexpr std::uint32_t kFront = container_front(2, 0, 0), kImageBytes = 64, kTables = kFront + 2 * kImageBytes, kTableBytes = 24;
  static_assert(kImageBytes == program_bytes(2));

  template <typename T>
  void put(std::uint32_t offset, const T &value) {
    std::memcpy(&bytes_[offset], &value, sizeof value);
  }
  Bytes bytes_;
};

class UnitySample final : public Sample {
 public:
  Bytes input(unsigned seed) const override {
    std::vector<std::uint32_t> values(2 * kElements);
    for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = (i + 1) * 2654435761U + seed * 40503U;
    Bytes bytes(values.size() * sizeof values[0]);
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }
  Bytes expected(const Bytes &input) const override {
    std::vector<std::uint32_t> values(2 * kElements), doubled(kElements);
    std::memcpy(values.data(), input.data(), input.size());
    for (std::uint32_t i = 0; i < kElements; ++i) doubled[i] = 2 * (values[i] + values[kElements + i]);
    Bytes bytes(4 * kElements);
    std::memcpy(bytes.data(), doubled.data(), bytes.size());
    return bytes;
  }
  Bytes program(std::uint64_t input, std::uint64_t output) const override {
    Sum sum;
    const std::uint64_t between = input + 8 * kElements;
    sum.add(0, between, input, input + 4 * kElements, {.fetches = false, .deposits = true, .deposit = kKey});
    sum.add(1, output, between, between, {.fetches = true, .keys = 1, .fetch = kKey});
    return sum.bytes();
  }
  Refused refused() const override {
    Sum sum;
    sum.add(0, 0, 0, 0, {.fetches = true, .keys = 1, .fetch = kKey});
    constexpr unsigned kReserved = 25;
    sum.add(1, 0, 0, 0, {}, 1U << kReserved);
    return {sum.bytes(), registers::FaultCode::field_out_of_range,
            registers::EngineFaultDetail{Sum::position(1).pack(), field_number("table", nullptr)}.pack()};
  }

 private:
  static constexpr Key kKey{2, 7};
};

}  // namespace

std::unique_ptr<Sample> make_unity_sample() { return std::make_unique<UnitySample>(); }

}  // namespace cox::conformance
