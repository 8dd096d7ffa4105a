// SPDX-License-Identifier: MIT
// Tests the unit and its faults with streams that the test writes slot by slot, without kernels (docs/isa/cube.md).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "coxswain/isa/cube/build.h"
#include "coxswain/isa/numbers/bfloat16.h"
#include "coxswain/kernels/cube/intrinsics.h"
#include "selftest.h"

namespace selftest {
namespace {

using namespace cox::isa::cube;
using cox::ErrorCode;
using cox::isa::numbers::bfloat16_from_float;
using cox::isa::numbers::bfloat16_to_float;

constexpr std::uint32_t kM = 33, kK = 40, kN = 17;
constexpr std::uint32_t kL1Right = 0x8000;

struct Problem {
  std::span<std::uint16_t> a, b;
  std::span<float> c;
};

Problem random_problem() {
  release_memory();
  const Problem problem{take_array<std::uint16_t>(kM * kK), take_array<std::uint16_t>(kK * kN), take_array<float>(kM * kN)};
  for (std::uint16_t &element : problem.a) element = bfloat16_from_float(random_value());
  for (std::uint16_t &element : problem.b) element = bfloat16_from_float(random_value());
  std::fill(problem.c.begin(), problem.c.end(), 0.0F);
  give(std::as_bytes(problem.a));
  give(std::as_bytes(problem.b));
  give(std::as_bytes(problem.c));
  return problem;
}

/// Returns true if `c` is the sum of `times` products of `a` and `b`, bit for bit.
bool is_product(const Problem &problem, unsigned times) {
  fetch(std::as_writable_bytes(problem.c));
  for (std::uint32_t row = 0; row < kM; ++row) {
    for (std::uint32_t column = 0; column < kN; ++column) {
      float sum = 0;
      for (unsigned time = 0; time < times; ++time) {
        for (std::uint32_t k = 0; k < kK; ++k)
          sum = std::fma(bfloat16_to_float(problem.a[row * kK + k]), bfloat16_to_float(problem.b[k * kN + column]), sum);
      }
      if (std::bit_cast<std::uint32_t>(problem.c[row * kN + column]) != std::bit_cast<std::uint32_t>(sum)) return false;
    }
  }
  return true;
}

constexpr std::uint32_t flag(Pipe own, Pipe other) { return 1U << mask_bit(own, other, 0); }

/// Writes the product as one MAD, and `times` - 1 more MADs that accumulate. Without `operands_flag` the array does not wait for its
/// operands.
bool write_product(const Problem &problem, unsigned times, bool operands_flag) {
  const auto rows_to_l1 = [](std::uint64_t source, std::uint32_t rows, std::uint32_t columns, std::uint32_t destination) {
    const std::uint32_t bytes = columns * 2;
    return DramToL1{source, rows, bytes, bytes, Format::fractal, destination, fractals(rows, kFractalRows)};
  };
  Mad mad{.m = kM, .k = kK, .n = kN};
  const L1ToL0 left{.source_pitch = fractals(kM, kFractalRows), .rows = kM, .columns = kK};
  const L1ToL0 right{
      .right = true, .transpose = true, .source = kL1Right, .source_pitch = fractals(kK, kFractalRows), .rows = kK, .columns = kN};
  const Output out{.configuration = {},
                   .destination = address_of(problem.c),
                   .destination_pitch = kN * sizeof(float),
                   .source_pitch = fractals(kM, kFractalRows),
                   .rows = kM,
                   .columns = kN};

  stream.clear();
  bool written = good(stream.append(encode(rows_to_l1(address_of(problem.a), kM, kK, 0)))) &&
                 good(stream.append(encode(rows_to_l1(address_of(problem.b), kK, kN, kL1Right), {.set = flag(Pipe::MTE2, Pipe::MTE1)}))) &&
                 good(stream.append(encode(left, {.wait = flag(Pipe::MTE1, Pipe::MTE2)}))) &&
                 good(stream.append(encode(right, {.set = operands_flag ? flag(Pipe::MTE1, Pipe::M) : 0})));
  for (unsigned time = 0; written && time < times; ++time) {
    Flags flags;
    if (time == 0) flags.wait = flag(Pipe::M, Pipe::MTE1);
    if (time + 1 == times) flags.set = flag(Pipe::M, Pipe::FIX);
    mad.start = time == 0 ? Start::zero : Start::accumulator;
    written = good(stream.append(encode(mad, flags)));
  }
  return written && good(stream.append(encode(OutputConfiguration{}))) &&
         good(stream.append(encode(out, {.wait = flag(Pipe::FIX, Pipe::M)})));
}

/// Computes the problem's product by calls of the intrinsics.
bool call_product(const Problem &problem) {
  using namespace cox::kernels::cube::intrinsics;
  using bfloat16 = cox::kernels::cube::intrinsics::bfloat16_t;
  const auto load = [](std::uint64_t source, std::uint32_t rows, std::uint32_t columns, std::uint32_t destination) {
    dram_to_l1({source, rows, columns * 2, columns * 2, Format::fractal, destination, fractals(rows, kFractalRows)});
  };
  auto *const a = static_cast<__ca__ bfloat16 *>(nullptr);
  auto *const b = static_cast<__cb__ bfloat16 *>(nullptr);
  auto *const c = static_cast<__cc__ float *>(nullptr);
  stream.clear();
  const Scope scope(stream);
  load(address_of(problem.a), kM, kK, 0);
  load(address_of(problem.b), kK, kN, kL1Right);
  set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  l1_to_l0a(a, 0, fractals(kM, kFractalRows), kM, kK);
  l1_to_l0b(b, kL1Right, fractals(kK, kFractalRows), kK, kN, true);
  set_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
  wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
  mad(c, a, b, kM, kK, kN, 0, 0, 0, false, false, false, true);
  set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
  wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
  out_cfg({});
  Output out;
  out.destination_pitch = kN * sizeof(float);
  out.source_pitch = fractals(kM, kFractalRows);
  out.rows = kM;
  out.columns = kN;
  l0c_to_dram(address_of(problem.c), c, out);
  return good(scope.status());
}

void test_fault() {
  const Problem problem = random_problem();
  constexpr std::int32_t kMad = 4;
  bool seen = write_product(problem, 1, false);
  const cox::Status status = engine.run(stream, kLimit);
  const cox::kernels::cube::StreamFault &fault = engine.fault();
  seen = seen && status.code() == ErrorCode::device_fault && std::strcmp(status.what(), "Wait") == 0 && status.index() == kMad;
  seen = seen && fault.code == cox::hal::FaultCode::flag_not_set && std::strcmp(fault.name, "MAD") == 0 && fault.instruction == kMad;
  // The refused slot and those behind it have had no effect.
  fetch(std::as_writable_bytes(problem.c));
  seen = seen && std::all_of(problem.c.begin(), problem.c.end(), [](float element) { return element == 0; });
  verdict("fault", seen);
  verdict("after a fault", write_product(problem, 1, true) && good(engine.run(stream, kLimit)) && is_product(problem, 1));
}

}  // namespace

void test_streams() {
  Problem problem = random_problem();
  verdict("stream by hand", write_product(problem, 1, true) && good(engine.run(stream, kLimit)) && is_product(problem, 1));

  problem = random_problem();
  verdict("intrinsics", call_product(problem) && good(engine.run(stream, kLimit)) && is_product(problem, 1));

  problem = random_problem();
  constexpr unsigned kMany = 700;  // more than the stream's segments hold, so full segments run while others are written
  verdict("joined segments", write_product(problem, kMany, true) && stream.slots() > kMany && stream.code().size() < kMany * kSlotBytes &&
                                 good(engine.run(stream, kLimit)) && is_product(problem, kMany));
  test_fault();
}

}  // namespace selftest
