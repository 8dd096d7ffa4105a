// SPDX-License-Identifier: MIT
// Makes operations for tests from a checked instruction and a configuration, which is plain() by default.
#pragma once

#include "coxswain/isa/cube/operation.h"
#include "tests/isa/cube/instruction.h"

namespace cox::isa::cube {

/// The configurations that tests start from: a map of 1 x 1 pixels of one BF16 channel, and an output without scale, bias, residual or
/// activation.
inline Configuration plain() {
  Configuration configuration;
  configuration.im2col.emplace();
  configuration.output.emplace();
  return configuration;
}

inline Result<Operation> resolved(const MachineCode &code, const Configuration &configuration = plain()) {
  EXPECT_TRUE(check(code).ok()) << check(code).what();
  return resolve(code, configuration);
}

/// Returns the operation if it is a `Kind`. If it is another kind, the test fails and gets a default `Kind`.
template <typename Kind>
Kind operation_of_kind(const MachineCode &code, const Configuration &configuration = plain()) {
  const Result<Operation> result = resolved(code, configuration);
  EXPECT_TRUE(result.ok()) << error_name(result.status().code()) << " " << result.status().what();
  const auto *kind = result.ok() ? std::get_if<Kind>(&result.value()) : nullptr;
  EXPECT_NE(kind, nullptr);
  return kind == nullptr ? Kind{} : *kind;
}

inline void expect_error(const Status &status, ErrorCode code, const char *what, std::int64_t value = 0, std::int64_t limit = 0) {
  EXPECT_EQ(status.code(), code) << error_name(status.code());
  EXPECT_STREQ(status.what(), what);
  EXPECT_EQ(status.value(), value);
  EXPECT_EQ(status.limit(), limit);
}

inline void expect_refused(const MachineCode &code, ErrorCode error, const char *what, std::int64_t value = 0, std::int64_t limit = 0,
                           const Configuration &configuration = plain()) {
  SCOPED_TRACE(testing::Message() << instruction_of(static_cast<Opcode>(code[0] & 0xFF)).name << " " << what);
  expect_error(resolved(code, configuration).status(), error, what, value, limit);
}

/// The configuration that results from an IM2COL_CFG or OUT_CFG with these settings.
inline Configuration configured(Opcode opcode, const std::vector<Setting> &settings) {
  Configuration configuration = plain();
  const Result<Operation> result = resolved(instruction(opcode, settings));
  EXPECT_TRUE(result.ok()) << result.status().what();
  if (result.ok()) configuration.apply(result.value());
  return configuration;
}

}  // namespace cox::isa::cube
