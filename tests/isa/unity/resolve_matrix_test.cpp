// SPDX-License-Identifier: MIT
// resolve() of linear algebra and Fourier transforms.
#include <gtest/gtest.h>

#include <string>

#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace resolve_matrix_test {

constexpr std::int64_t kS32 = 8, kFp16 = 10, kFp32 = 11, kFp64 = 12;

void expect_run(const Run &run, std::uint64_t address, std::int64_t unit, std::uint64_t elements) {
  EXPECT_EQ(run.address, address);
  EXPECT_EQ(static_cast<std::int64_t>(run.unit), unit);
  EXPECT_EQ(run.elements, elements);
}
void expect_none(const Run &run) { EXPECT_EQ(run.elements, 0U); }

/// Integer units are refused; the float units are not.
void expect_float_units(const TestInstruction &instruction) {
  for (std::int64_t unit = 0; unit < kUnits; ++unit) {
    const TestInstruction other = instruction.with({{"UNIT", unit}});
    if (unit >= kFp16) {
      EXPECT_TRUE(other.resolve());
    } else {
      expect_refused(other, "UNIT", unit, kUnits - 1);
    }
  }
}

/// "A r 1000+20 ..." of the accesses behind the table.
std::string accesses_text(const TestInstruction &instruction) {
  std::string text;
  for (const Access &access : instruction.accesses()) {
    if (std::string_view(access.field) == "table") continue;
    char line[80];
    std::snprintf(line, sizeof line, "%s %s %llX+%llX ", access.field, access.write ? "w" : "r",
                  static_cast<unsigned long long>(access.start), static_cast<unsigned long long>(access.bytes));
    text += line;
  }
  return text;
}

TEST(UnityResolveMatrix, Lu) {
  const TestInstruction lu(Opcode::LU, {{"A", 0x1000}, {"D0", 0x2000}, {"D1", 0x3000}, {"I_H", 5}, {"I_W", 3}, {"UNIT", kFp16}});
  const auto m = lu.as<MatrixOperation>();
  EXPECT_EQ(m.op, Opcode::LU);
  EXPECT_EQ(m.rows, 5U);
  EXPECT_EQ(m.columns, 3U);
  expect_run(m.a, 0x1000, kFp16, 15);
  expect_run(m.result, 0x2000, kFp16, 15);
  expect_run(m.second, 0x3000, kS32, 3);
  expect_none(m.b);
  EXPECT_EQ(lu.with({{"I_H", 2}}).as<MatrixOperation>().second.elements, 2U);
  EXPECT_EQ(accesses_text(lu), "A r 1000+1E D0 w 2000+1E D1 w 3000+C ");
  expect_float_units(lu);
  expect_refused(lu.with({{"I_H", 0}}), "I_H", 0, 1);
  expect_refused(lu.with({{"I_W", 0}}), "I_W", 0, 1);
  expect_error(lu.with({{"D1", 0x3002}}), ErrorCode::misaligned_address, "D1", 0x3002, 4);
  expect_error(lu.with({{"D0", 0x1000}}), ErrorCode::tensor_overlap, "D0", 0x1000, 0);
  expect_error(lu.with({{"D0", 0x101C}}), ErrorCode::tensor_overlap, "D0", 0x101C, 0);
  EXPECT_TRUE(lu.with({{"D0", 0x101E}}).resolve());
  expect_error(lu.with({{"D1", 0x201C}}), ErrorCode::tensor_overlap, "D1", 0x201C, 0);
  EXPECT_TRUE(lu.with({{"D1", 0x2020}}).resolve());
}

TEST(UnityResolveMatrix, LuOfTheLargestMatrix) {
  const TestInstruction lu(Opcode::LU,
                           {{"A", 0x1000}, {"D0", 0x10000000}, {"D1", 0x20000000}, {"I_H", 4095}, {"I_W", 4095}, {"UNIT", kFp64}});
  expect_run(lu.as<MatrixOperation>().a, 0x1000, kFp64, 4095 * 4095);
  expect_run(lu.as<MatrixOperation>().second, 0x20000000, kS32, 4095);
  expect_error(lu.with({{"D0", 0xFFFFF000}}), ErrorCode::address_outside_window, "D0", 0xFFFFF000, 0);
}

TEST(UnityResolveMatrix, Qr) {
  const TestInstruction qr(Opcode::QR, {{"A", 0x1000}, {"Q", 0x2000}, {"R", 0x3000}, {"I_H", 5}, {"I_W", 3}, {"UNIT", kFp32}});
  const auto tall = qr.as<MatrixOperation>();
  EXPECT_EQ(tall.op, Opcode::QR);
  expect_run(tall.a, 0x1000, kFp32, 15);
  expect_run(tall.result, 0x2000, kFp32, 15);
  expect_run(tall.second, 0x3000, kFp32, 9);
  const auto wide = qr.with({{"I_H", 2}}).as<MatrixOperation>();
  EXPECT_EQ(wide.rows, 2U);
  EXPECT_EQ(wide.columns, 3U);
  expect_run(wide.a, 0x1000, kFp32, 6);
  expect_run(wide.result, 0x2000, kFp32, 4);
  expect_run(wide.second, 0x3000, kFp32, 6);
  EXPECT_EQ(accesses_text(qr), "A r 1000+3C Q w 2000+3C R w 3000+24 ");
  expect_float_units(qr);
  expect_refused(qr.with({{"I_H", 0}}), "I_H", 0, 1);
  expect_refused(qr.with({{"I_W", 0}}), "I_W", 0, 1);
  expect_error(qr.with({{"Q", 0x1000}}), ErrorCode::tensor_overlap, "Q", 0x1000, 0);
  expect_error(qr.with({{"R", 0x2038}}), ErrorCode::tensor_overlap, "R", 0x2038, 0);
}

TEST(UnityResolveMatrix, Cholesky) {
  const TestInstruction cholesky(Opcode::CHOLESKY, {{"A", 0x1000}, {"D", 0x2000}, {"I_H", 4}, {"I_W", 4}, {"UNIT", kFp64}});
  const auto m = cholesky.as<MatrixOperation>();
  EXPECT_EQ(m.op, Opcode::CHOLESKY);
  EXPECT_EQ(m.rows, 4U);
  EXPECT_EQ(m.columns, 4U);
  EXPECT_FALSE(m.upper);
  expect_run(m.a, 0x1000, kFp64, 16);
  expect_run(m.result, 0x2000, kFp64, 16);
  expect_none(m.second);
  EXPECT_TRUE(cholesky.with({{"UPPER", 1}}).as<MatrixOperation>().upper);
  EXPECT_EQ(accesses_text(cholesky), "A r 1000+80 D w 2000+80 ");
  expect_refused(cholesky.with({{"UPPER", 2}}), "UPPER", 2, 1);
  expect_refused(cholesky.with({{"UPPER", 3}}), "UPPER", 3, 1);
  expect_float_units(cholesky);
  expect_refused(cholesky.with({{"I_H", 0}}), "I_H", 0, 1);
  expect_refused(cholesky.with({{"I_W", 0}}), "I_W", 0, 1);
  expect_error(cholesky.with({{"I_W", 5}}), ErrorCode::shape_mismatch, "I_W", 5, 4);
  expect_error(cholesky.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
}

TEST(UnityResolveMatrix, Norm) {
  const TestInstruction norm(Opcode::NORM, {{"S", 0x1000}, {"D", 0x2000}, {"I_H", 5}, {"I_W", 3}, {"UNIT", kFp32}});
  constexpr std::uint64_t kNorms[] = {1, 3, 5, 1};
  for (unsigned axis = 0; axis < 4; ++axis) {
    for (unsigned type = 0; type < 4; ++type) {
      const auto m = norm.with({{"AXIS", axis}, {"NORM_TYPE", type}}).as<MatrixOperation>();
      EXPECT_EQ(m.op, Opcode::NORM);
      EXPECT_EQ(m.axis, static_cast<NormAxis>(axis));
      EXPECT_EQ(m.type, static_cast<NormType>(type));
      expect_run(m.a, 0x1000, kFp32, 15);
      expect_run(m.result, 0x2000, kFp32, kNorms[axis]);
    }
  }
  EXPECT_EQ(accesses_text(norm.with({{"AXIS", 2}})), "S r 1000+3C D w 2000+14 ");
  expect_float_units(norm);
  expect_refused(norm.with({{"I_H", 0}}), "I_H", 0, 1);
  expect_refused(norm.with({{"I_W", 0}}), "I_W", 0, 1);
  expect_error(norm.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
}

TEST(UnityResolveMatrix, Inverse) {
  const TestInstruction inverse(Opcode::INVERSE, {{"S", 0x1000}, {"D", 0x2000}, {"I_H", 3}, {"I_W", 3}, {"UNIT", kFp16}});
  const auto m = inverse.as<MatrixOperation>();
  EXPECT_EQ(m.op, Opcode::INVERSE);
  expect_run(m.a, 0x1000, kFp16, 9);
  expect_run(m.result, 0x2000, kFp16, 9);
  EXPECT_EQ(accesses_text(inverse), "S r 1000+12 D w 2000+12 ");
  expect_float_units(inverse);
  expect_error(inverse.with({{"I_W", 2}}), ErrorCode::shape_mismatch, "I_W", 2, 3);
  expect_refused(inverse.with({{"I_H", 0}, {"I_W", 0}}), "I_H", 0, 1);
  expect_error(inverse.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
}

TEST(UnityResolveMatrix, LeastSquares) {
  const TestInstruction lstsq(Opcode::LSTSQ, {{"S", 0x1000}, {"D", 0x2000}, {"M", 5}, {"N", 3}, {"K", 2}, {"UNIT", kFp64}});
  const auto m = lstsq.as<MatrixOperation>();
  EXPECT_EQ(m.op, Opcode::LSTSQ);
  EXPECT_EQ(m.rows, 5U);
  EXPECT_EQ(m.columns, 3U);
  EXPECT_EQ(m.right_sides, 2U);
  expect_run(m.a, 0x1000, kFp64, 15);
  expect_run(m.b, 0x1000 + 15 * 8, kFp64, 10);
  expect_run(m.result, 0x2000, kFp64, 6);
  EXPECT_EQ(lstsq.with({{"M", 2}}).as<MatrixOperation>().rows, 2U);
  EXPECT_EQ(accesses_text(lstsq), "S r 1000+C8 D w 2000+30 ");
  expect_float_units(lstsq);
  for (const char *field : {"M", "N", "K"}) expect_refused(lstsq.with({{field, 0}}), field, 0, 1);
  expect_error(lstsq.with({{"D", 0x10C0}}), ErrorCode::tensor_overlap, "D", 0x10C0, 0);  // the last element of B
  EXPECT_TRUE(lstsq.with({{"D", 0x10C8}}).resolve());
  EXPECT_TRUE(lstsq.with({{"S", 0xFFFFFF38}}).resolve());
  expect_error(lstsq.with({{"S", 0xFFFFFF40}}), ErrorCode::address_outside_window, "S", 0xFFFFFF40, 0);
}

TEST(UnityResolveMatrix, Solve) {
  const TestInstruction solve(Opcode::SOLVE,
                              {{"A", 0x1000}, {"B", 0x1800}, {"X", 0x2000}, {"LU", 0x3000}, {"N", 3}, {"K", 2}, {"UNIT", kFp32}});
  const auto m = solve.as<MatrixOperation>();
  EXPECT_EQ(m.op, Opcode::SOLVE);
  EXPECT_EQ(m.rows, 3U);
  EXPECT_EQ(m.columns, 3U);
  EXPECT_EQ(m.right_sides, 2U);
  expect_run(m.a, 0x1000, kFp32, 9);
  expect_run(m.b, 0x1800, kFp32, 6);
  expect_run(m.result, 0x2000, kFp32, 6);
  expect_run(m.second, 0x3000, kFp32, 9);
  EXPECT_EQ(accesses_text(solve), "A r 1000+24 B r 1800+18 X w 2000+18 LU w 3000+24 ");
  expect_none(solve.with({{"LU", 0}}).as<MatrixOperation>().second);
  EXPECT_EQ(accesses_text(solve.with({{"LU", 0}})), "A r 1000+24 B r 1800+18 X w 2000+18 ");
  EXPECT_TRUE(solve.with({{"B", 0x1000}}).resolve());  // both are only read
  expect_float_units(solve);
  expect_refused(solve.with({{"N", 0}}), "N", 0, 1);
  expect_refused(solve.with({{"K", 0}}), "K", 0, 1);
  expect_error(solve.with({{"X", 0x1800}}), ErrorCode::tensor_overlap, "X", 0x1800, 0);
  expect_error(solve.with({{"LU", 0x1000}}), ErrorCode::tensor_overlap, "LU", 0x1000, 0);
  expect_error(solve.with({{"LU", 0x2014}}), ErrorCode::tensor_overlap, "LU", 0x2014, 0);
}

TEST(UnityResolveMatrix, SolveInTheSmallestAddressSpace) {
  const TestInstruction solve(Opcode::SOLVE, {{"A", 0x1000}, {"B", 0x1800}, {"X", 0x2000}, {"N", 2}, {"K", 2}, {"UNIT", kFp32}},
                              AddressSpace::bits16);
  expect_run(solve.as<MatrixOperation>().a, TestInstruction::kPage + 0x1000, kFp32, 4);
  expect_none(solve.as<MatrixOperation>().second);
  expect_run(solve.with({{"LU", 0x3000}}).as<MatrixOperation>().second, TestInstruction::kPage + 0x3000, kFp32, 4);
}

TEST(UnityResolveMatrix, Fourier) {
  for (const Opcode op : {Opcode::FFT, Opcode::IFFT}) {
    const TestInstruction fft(op, {{"S", 0x1000}, {"D", 0x2000}, {"N", 7}, {"BATCH", 3}, {"UNIT", kFp16}});
    const auto f = fft.as<Fourier>();
    EXPECT_EQ(f.op, op);
    EXPECT_EQ(f.length, 7U);
    EXPECT_EQ(f.batch, 3U);
    EXPECT_FALSE(f.real_input);
    expect_run(f.source, 0x1000, kFp16, 42);
    expect_run(f.result, 0x2000, kFp16, 42);
    const auto real = fft.with({{"REAL", 1}}).as<Fourier>();
    EXPECT_TRUE(real.real_input);
    expect_run(real.source, 0x1000, kFp16, 21);
    expect_run(real.result, 0x2000, kFp16, 42);
    EXPECT_EQ(accesses_text(fft.with({{"REAL", 1}})), "S r 1000+2A D w 2000+54 ");
    expect_float_units(fft);
    expect_refused(fft.with({{"N", 0}}), "N", 0, 1);
    expect_refused(fft.with({{"BATCH", 0}}), "BATCH", 0, 1);
    expect_error(fft.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
    expect_error(fft.with({{"D", 0x1052}}), ErrorCode::tensor_overlap, "D", 0x1052, 0);
    EXPECT_TRUE(fft.with({{"D", 0x1054}}).resolve());
    const TestInstruction large = fft.with({{"N", 4095}, {"BATCH", 4095}, {"D", 0x40000000}, {"UNIT", kFp64}});
    expect_run(large.as<Fourier>().result, 0x40000000, kFp64, 2 * 4095 * 4095);
  }
}

}  // namespace resolve_matrix_test
}  // namespace
}  // namespace cox::isa::unity
