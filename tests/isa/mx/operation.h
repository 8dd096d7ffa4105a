// SPDX-License-Identifier: MIT
// For tests: base registers, and a CONFBADDR that selects a different register for each operand. The addresses in the registers are far
// apart.
#pragma once

#include "coxswain/isa/mx/operation.h"
#include "tests/isa/mx/instruction.h"

namespace cox::isa::mx {

inline constexpr std::uint64_t kInput1 = 0x1'0000'0000, kInput2 = 0x2'0000'0000, kOutput1 = 0x3'0000'0000, kOutput2 = 0x4'0000'0000,
                               kWeight = 0x5'0000'0000;
inline constexpr Selection kSelection{true, 1, 2, 3, 4, 31};

inline BaseRegisters bases() {
  BaseRegisters bases;
  bases.address[1] = kInput1;
  bases.address[2] = kInput2;
  bases.address[3] = kOutput1;
  bases.address[4] = kOutput2;
  bases.address[31] = kWeight;
  bases.written = 1U << 1 | 1U << 2 | 1U << 3 | 1U << 4 | 1U << 31;
  return bases;
}

inline Result<Operation> resolved(const MachineCode &code, const BaseRegisters &registers = bases()) {
  EXPECT_TRUE(check(code).ok());
  return resolve(code, registers, kSelection);
}

/// Returns the operation if it is a `Kind`. If it is another kind, the test fails and gets a default `Kind`.
template <typename Kind>
Kind operation_of_kind(const MachineCode &code, const BaseRegisters &registers = bases()) {
  const Result<Operation> result = resolved(code, registers);
  EXPECT_TRUE(result.ok()) << error_name(result.status().code()) << " " << result.status().what();
  const auto *kind = result.ok() ? std::get_if<Kind>(&result.value()) : nullptr;
  EXPECT_NE(kind, nullptr);
  return kind == nullptr ? Kind{} : *kind;
}

inline void expect_refused(const Result<Operation> &result, ErrorCode code, const char *what, std::int64_t value = 0,
                           std::int64_t limit = 0) {
  const Status status = result.status();
  EXPECT_EQ(status.code(), code) << error_name(status.code());
  EXPECT_STREQ(status.what(), what);
  EXPECT_EQ(status.value(), value);
  EXPECT_EQ(status.limit(), limit);
}

}  // namespace cox::isa::mx
