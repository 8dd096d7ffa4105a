// SPDX-License-Identifier: MIT
#include "coxswain/isa/mx/published_form.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "coxswain/isa/mx/table.h"

namespace cox::isa::mx {
namespace published_form_test {

/// ELADD and ELMUL of tensors at 0x1200 and 0x3400, as the published description prints them.
constexpr std::uint64_t kAdd = std::uint64_t{0x3400} << 32 | 0x1200 << 8 | 0b001001;
constexpr std::uint64_t kMultiply = kAdd | 0b010000;
constexpr std::uint64_t kSelection = 5 << 11, kSigmoid = 1 << 22 | 0b101010, kConvAct = 3 << 13 | 0b001001;

bool is_refused(const std::vector<std::uint64_t> &words) {
  const Result<Fetched> fetched = fetch(std::as_bytes(std::span(words)));
  const bool refused = fetched.status().what() == kPublishedForm;
  EXPECT_EQ(refused, fetched.status().code() == ErrorCode::unknown_instruction);
  EXPECT_EQ(refused, is_published_form(std::as_bytes(std::span(words))));
  return refused;
}

TEST(PublishedForm, IsRefusedByItsName) {
  EXPECT_TRUE(is_refused({kMultiply}));
  EXPECT_TRUE(is_refused({kMultiply, 0, 0}));
  EXPECT_TRUE(is_refused({kAdd, kAdd, kAdd}));
  EXPECT_TRUE(is_refused({kAdd, kMultiply}));
  EXPECT_TRUE(is_refused({kAdd, kSigmoid, 0x1200 << 8}));
  EXPECT_TRUE(is_refused({kAdd, kSelection, kAdd}));
  EXPECT_TRUE(is_refused({kAdd, kConvAct, 0x100 << 8, 0x200 << 8}));
}

TEST(PublishedForm, AConvActIsNot) {
  // The second and third word of a CONVACT have zeros in bits [5:0].
  EXPECT_FALSE(is_refused({kConvAct, 0xFFFFFF00, 0xFFFFFF00}));
  EXPECT_FALSE(is_refused({kConvAct, 0, 0, kSigmoid, 0}));
  EXPECT_FALSE(is_refused({kAdd, 0x100 << 8, 0x200 << 8}));
  // Bits [5:0] of the second word are 7. No instruction has the opcode 7, so the second word is part of the CONVACT.
  EXPECT_FALSE(is_refused({kConvAct, 0x100 << 8 | 0b000111, 0}));
  EXPECT_FALSE(is_refused({kConvAct | 1 << 6, kSigmoid, 0})) << "the printed form has zeros in [7:6]";
  EXPECT_FALSE(is_refused({kConvAct})) << "truncated";
}

}  // namespace published_form_test
}  // namespace cox::isa::mx
