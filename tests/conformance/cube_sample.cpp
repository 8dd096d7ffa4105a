// SPDX-License-Identifier: MIT
// The matrix unit in the conformance suite: a product with the identity matrix, which converts INT8 to INT32.
#include <cstring>
#include <span>

#include "coxswain/isa/cube/build.h"
#include "tests/conformance/sample.h"

namespace cox::conformance {
namespace {

namespace cube = isa::cube;
using cube::Pipe;

constexpr std::uint32_t kRows = 64, kSide = 32;
constexpr std::uint32_t kIdentity = kRows * kSide;  // offset in bytes of the identity matrix, which is behind the rows
constexpr std::uint32_t kL1Identity = 0x8000;

/// Encodes an operation as a slot. The slot waits for flag 0 from each pipe in `wait`, and sets flag 0 for each pipe in `set`.
template <typename Operation>
cube::MachineCode slot(const Operation &operation, std::initializer_list<Pipe> wait, std::initializer_list<Pipe> set) {
  const Pipe own = cube::pipe_of(cube::encode(operation));
  cube::Flags flags;
  for (const Pipe origin : wait) flags.wait |= 1U << cube::mask_bit(own, origin, 0);
  for (const Pipe target : set) flags.set |= 1U << cube::mask_bit(own, target, 0);
  return cube::encode(operation, flags);
}

Bytes bytes_of(std::span<const cube::MachineCode> slots) {
  const std::span<const std::byte> bytes = std::as_bytes(slots);
  return {bytes.begin(), bytes.end()};
}

class CubeSample final : public Sample {
 public:
  Bytes input(unsigned seed) const override {
    Bytes bytes(kIdentity + kSide * kSide);
    for (std::uint32_t i = 0; i < kIdentity; ++i) bytes[i] = static_cast<std::byte>(i * 7 + seed * 29 + (i >> 8));
    for (std::uint32_t i = 0; i < kSide; ++i) bytes[kIdentity + i * kSide + i] = std::byte{1};
    return bytes;
  }
  Bytes expected(const Bytes &input) const override {
    Bytes result(kIdentity * sizeof(std::int32_t));
    for (std::uint32_t i = 0; i < kIdentity; ++i) {
      const std::int32_t value = static_cast<std::int8_t>(input[i]);
      std::memcpy(&result[i * sizeof value], &value, sizeof value);
    }
    return result;
  }
  Bytes program(std::uint64_t input, std::uint64_t output) const override {
    const cube::Format fractal = cube::Format::fractal;
    const cube::MachineCode slots[] = {
        slot(cube::DramToL1{input, kRows, kSide, kSide, fractal, 0, kRows / 16}, {}, {}),
        slot(cube::DramToL1{input + kIdentity, kSide, kSide, kSide, fractal, kL1Identity, kSide / 16}, {}, {Pipe::MTE1}),
        slot(cube::L1ToL0{false, cube::Type::int8, false, false, 0, kRows / 16, 0, kRows, kSide}, {Pipe::MTE2}, {}),
        slot(cube::L1ToL0{true, cube::Type::int8, true, false, kL1Identity, kSide / 16, 0, kSide, kSide}, {}, {Pipe::M}),
        slot(cube::Mad{cube::Type::int8, 0, 0, 0, kRows, kSide, kSide}, {Pipe::MTE1}, {Pipe::FIX}),
        slot(cube::OutputConfiguration{}, {}, {}),
        slot(store(output), {Pipe::M}, {}),
    };
    return bytes_of(slots);
  }
  Bytes spy(std::uint64_t output) const override {
    const cube::MachineCode slots[] = {slot(cube::OutputConfiguration{}, {}, {}), slot(store(output), {}, {})};
    return bytes_of(slots);
  }
  Refused refused() const override {
    // The engine refuses the WAIT_FLAG, because no earlier slot sets its flag.
    const cube::MachineCode slots[] = {slot(cube::OutputConfiguration{}, {}, {}), cube::encode_wait_flag(Pipe::M, Pipe::MTE1, 0)};
    const std::uint32_t offset = sizeof slots[0];
    return {bytes_of(slots), registers::FaultCode::flag_not_set, registers::EngineFaultDetail{offset, registers::kNoFaultField}.pack()};
  }

 private:
  /// Stores the accumulators.
  static cube::Output store(std::uint64_t output) {
    return {.configuration = {},
            .destination = output,
            .destination_pitch = kSide * sizeof(std::int32_t),
            .integer = true,
            .to = cube::OutputType::int32,
            .source_pitch = kRows / 16,
            .rows = kRows,
            .columns = kSide};
  }
};

}  // namespace

std::unique_ptr<Sample> make_cube_sample() { return std::make_unique<CubeSample>(); }

}  // namespace cox::conformance
