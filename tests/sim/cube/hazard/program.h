// SPDX-License-Identifier: MIT
// Small streams for tests of the matrix unit's hazard detector. Each function makes one slot, and Slot::waits() and sets() add flags to
// it. Matrices are BF16 in whole fractals. A fractal has 512 bytes in L1, L0A, L0B and the output, and 1,024 in L0C.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "coxswain/isa/cube/build.h"
#include "sim/model/cube/hazard/detector.h"

namespace cox::model::cube::test {

using isa::cube::MachineCode;
using isa::cube::Pipe;
using enum isa::cube::Pipe;

/// One slot with the flags that it waits for and sets.
class Slot {
 public:
  Slot(const MachineCode &code) : code_(code) {}  // NOLINT(google-explicit-constructor): a slot without flags is its code

  [[nodiscard]] Slot waits(Pipe from, unsigned event = 0) const { return with(isa::cube::kWaitBit, from, event); }
  [[nodiscard]] Slot sets(Pipe to, unsigned event = 0) const { return with(isa::cube::kSetBit, to, event); }

  [[nodiscard]] const MachineCode &code() const { return code_; }
  [[nodiscard]] Pipe pipe() const { return isa::cube::pipe_of(code_); }

 private:
  [[nodiscard]] Slot with(unsigned mask, Pipe other, unsigned event) const {
    Slot changed = *this;
    isa::insert_bits(changed.code_, mask + isa::cube::mask_bit(pipe(), other, event), 1, 1);
    return changed;
  }

  MachineCode code_;
};

inline constexpr std::uint32_t kFractal = isa::cube::kFractalBytes, kAccumulators = isa::cube::kAccumulatorFractalBytes;

inline Slot load(std::uint64_t from, std::uint32_t to, std::uint32_t bytes = kFractal) {
  return encode(isa::cube::DramToL1{.source = from, .row_bytes = bytes, .destination = to});
}
/// Loads `rows` rows of `bytes` bytes. In DRAM the rows begin `pitch` bytes apart. In L1 they follow each other without gaps.
inline Slot load_rows(std::uint64_t from, std::uint32_t rows, std::uint32_t bytes, std::uint32_t pitch, std::uint32_t to) {
  return encode(isa::cube::DramToL1{
      .source = from, .rows = rows, .row_bytes = bytes, .source_pitch = pitch, .destination = to, .destination_pitch = bytes});
}
inline Slot move(bool right, std::uint32_t from, std::uint32_t to, std::uint32_t fractals = 1) {
  isa::cube::L1ToL0 operation{.right = right, .source = from, .source_pitch = fractals, .destination = to};
  operation.rows = right ? 16 : 16 * fractals;
  operation.columns = right ? 16 * fractals : 16;
  return encode(operation);
}
inline Slot move_left(std::uint32_t from, std::uint32_t to, std::uint32_t fractals = 1) { return move(false, from, to, fractals); }
inline Slot move_right(std::uint32_t from, std::uint32_t to, std::uint32_t fractals = 1) { return move(true, from, to, fractals); }
inline Slot load_biases(std::uint32_t from, std::uint32_t to, std::uint32_t bytes = 64) {
  return encode(isa::cube::L1ToBt{.source = from, .destination = to, .bytes = bytes});
}
inline Slot mad(std::uint32_t left, std::uint32_t right, std::uint32_t to, isa::cube::Start start = isa::cube::Start::zero,
                std::uint32_t biases = 0, std::uint32_t side = 16) {
  return encode(isa::cube::Mad{
      .left = left, .right = right, .destination = to, .m = side, .k = 16, .n = side, .start = start, .bias_address = biases});
}
inline Slot output_configuration(const isa::cube::OutputConfiguration &configuration = {}) { return encode(configuration); }
/// Stores 16 x 16 accumulators as BF16, with rows `pitch` bytes apart.
inline Slot store(std::uint32_t from, std::uint64_t to, std::uint32_t pitch = 32) {
  isa::cube::Output operation;
  operation.destination = to;
  operation.destination_pitch = pitch;
  operation.to = isa::cube::OutputType::bfloat16;
  operation.source = from;
  operation.rows = operation.columns = 16;
  return encode(operation);
}
inline Slot store_l1(std::uint32_t from, std::uint32_t to, std::uint32_t residual = 0) {
  isa::cube::Output operation;
  operation.to_l1 = true;
  operation.destination = to;
  operation.destination_pitch = 32;
  operation.to = isa::cube::OutputType::bfloat16;
  operation.source = from;
  operation.rows = operation.columns = 16;
  operation.residual_address = residual;
  return encode(operation);
}
inline Slot barrier(std::initializer_list<Pipe> pipes) {
  isa::cube::Barrier operation;
  for (const Pipe pipe : pipes) operation.pipes |= 1U << static_cast<unsigned>(pipe);
  return encode(operation);
}

inline std::vector<MachineCode> codes_of(std::span<const Slot> slots) {
  std::vector<MachineCode> codes;
  for (const Slot &slot : slots) codes.push_back(slot.code());
  return codes;
}

/// Returns the findings for the stream. Expects that the device would accept each slot.
inline std::vector<Finding> findings_of(std::span<const MachineCode> codes) {
  const Analysis analysis = analyse(std::as_bytes(codes));
  EXPECT_TRUE(analysis.refusal.ok()) << error_name(analysis.refusal.code()) << ": " << analysis.refusal.what() << " of instruction "
                                     << analysis.refusal.index();
  return analysis.findings;
}
inline std::vector<Finding> findings_of(std::initializer_list<Slot> slots) { return findings_of(codes_of(slots)); }

inline std::string text_of(std::span<const Finding> findings) {
  std::string text;
  for (const Finding &finding : findings) text += finding.text() + '\n';
  return text;
}

}  // namespace cox::model::cube::test
