// SPDX-License-Identifier: MIT
// Expressions: each operator, precedence, kinds of values, and the message for each error.
#include <gtest/gtest.h>

#include "tests/tools/pim/text.h"

namespace cox::tools::pim::expression_test {
namespace {

using test::message;
using test::words;

std::uint32_t value(const std::string &expression) { return words(".word " + expression).at(0); }

TEST(Expression, Operators) {
  EXPECT_EQ(value("1 + 2"), 3U);
  EXPECT_EQ(value("1 - 2"), 0xFFFFFFFFU);
  EXPECT_EQ(value("6 * 7"), 42U);
  EXPECT_EQ(value("-7 / 2"), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(value("-7 % 2"), static_cast<std::uint32_t>(-1));
  EXPECT_EQ(value("7 / -1"), static_cast<std::uint32_t>(-7));
  EXPECT_EQ(value("7 % -1"), 0U);
  EXPECT_EQ(value("3 << 4"), 48U);
  EXPECT_EQ(value("-16 >> 2"), static_cast<std::uint32_t>(-4));
  EXPECT_EQ(value("12 & 10"), 8U);
  EXPECT_EQ(value("12 ^ 10"), 6U);
  EXPECT_EQ(value("12 | 10"), 14U);
  EXPECT_EQ(value("~0 & 0xFF"), 255U);
  EXPECT_EQ(value("- - 5"), 5U);
  EXPECT_EQ(value("+5"), 5U);
  EXPECT_EQ(value("0b1011"), 11U);
  EXPECT_EQ(value("0xAbCd"), 0xABCDU);
}

TEST(Expression, PrecedenceAsInC) {
  EXPECT_EQ(value("2 + 3 * 4"), 14U);
  EXPECT_EQ(value("(2 + 3) * 4"), 20U);
  EXPECT_EQ(value("1 << 2 + 3"), 32U);
  EXPECT_EQ(value("1 | 6 & 3 << 1"), 1U | (6U & (3U << 1)));
  EXPECT_EQ(value("7 ^ 2 & 3 | 8"), (7U ^ (2U & 3U)) | 8U);
  EXPECT_EQ(value("10 - 4 - 3"), 3U);
  EXPECT_EQ(value("100 / 10 / 2"), 5U);
  EXPECT_EQ(value("-2 * 3"), static_cast<std::uint32_t>(-6));
}

TEST(Expression, ConstantsAndLabels) {
  EXPECT_EQ(value("input"), 0x100000U);
  EXPECT_EQ(words(".equ A = 3\n.equ B, A * 2\n.word A + B").at(0), 9U);
  EXPECT_EQ(words("nop\nhere: nop\nnop\nthere: .word there - here").at(3), 2U);
  EXPECT_EQ(words("nop\nnop\n.word . - 1").at(2), 1U);
  EXPECT_EQ(words(".word end + 1\nend:").at(0), 2U);
  EXPECT_EQ(words(".word dram1 - dram").at(0), 0x20000000U);
  EXPECT_EQ(words(".equ input = 5\n.word input").at(0), 5U);  // a constant hides the memory's name
}

TEST(Expression, Errors) {
  EXPECT_EQ(message(".word 1 / 0"), "test.pim:1:9: .word: division by zero");
  EXPECT_EQ(message(".word 1 % (2 - 2)"), "test.pim:1:9: .word: division by zero");
  EXPECT_EQ(message(".word 1 << 64"), "test.pim:1:9: .word: a shift by 64 is not from 0 to 63");
  EXPECT_EQ(message(".word 1 >> -1"), "test.pim:1:9: .word: a shift by -1 is not from 0 to 63");
  EXPECT_EQ(message(".word 1 << 63"), "test.pim:1:9: .word: the result has more than 64 bits");
  EXPECT_EQ(message(".word 0x7fffffffffffffff + 1"), "test.pim:1:26: .word: the result has more than 64 bits");
  EXPECT_EQ(message(".word (-0x7fffffffffffffff - 1) / -1"), "test.pim:1:33: .word: the result has more than 64 bits");
  EXPECT_EQ(message(".word 0x100000000 * 0x100000000"), "test.pim:1:19: .word: the result has more than 64 bits");
  EXPECT_EQ(message(".word 0x10000000000000000"), "test.pim:1:7: 0x10000000000000000 is too large");
  EXPECT_EQ(message(".word 12x"), "test.pim:1:7: '12x' is not a number");
  EXPECT_EQ(message(".word 0x"), "test.pim:1:7: '0x' is not a number");
  EXPECT_EQ(message(".word 0b12"), "test.pim:1:7: '0b12' is not a number");
  EXPECT_EQ(message(".word (1 + 2"), "test.pim:1:13: .word: a ) is missing");
  EXPECT_EQ(message(".word 1 +"), "test.pim:1:10: .word: a value is missing");
  EXPECT_EQ(message(".word"), "test.pim:1:6: .word: a value is missing");
  EXPECT_EQ(message(".word )"), "test.pim:1:7: .word: ')' is not expected here; a value is missing");
  EXPECT_EQ(message(".word 1 2"), "test.pim:1:9: .word: '2' is not expected here");
  EXPECT_EQ(message(".word 1 ? 2"), "test.pim:1:9: .word: '?' is not expected here");
  EXPECT_EQ(message(".word 1 \x01"), "test.pim:1:9: .word: byte 1 is not expected here");
  EXPECT_EQ(message(".word 0x100000000"), "test.pim:1:7: .word: 4294967296 does not fit into 32 bits");
  EXPECT_EQ(message(".word -0x80000001"), "test.pim:1:7: .word: -2147483649 does not fit into 32 bits");
  EXPECT_EQ(message(".word r1"), "test.pim:1:7: .word: is a register, not a number");
  EXPECT_EQ(message(".word 2 * r1"), "test.pim:1:9: .word: a register has no value here; a comma may be missing");
  EXPECT_EQ(message("a: .word a + a"), "test.pim:1:12: .word: labels can only be subtracted, and moved by a number");
  EXPECT_EQ(message("a: .word -a"), "test.pim:1:10: .word: labels can only be subtracted, and moved by a number");
  EXPECT_EQ(message(".equ width = 3\n.word widht"), "test.pim:2:7: .word: there is no 'widht'; did you mean \"width\"?");
  EXPECT_EQ(message(".word mask_bufer"), "test.pim:1:7: .word: there is no 'mask_bufer'; did you mean \"mask_buffer\"?");
  EXPECT_EQ(message(".word CORE"), "test.pim:1:7: .word: there is no 'CORE'");
  EXPECT_EQ(message(".word " + std::string(64, '(') + "1" + std::string(64, ')')),
            "test.pim:1:71: .word: the expression is nested too deeply");
  EXPECT_EQ(value(std::string(63, '(') + "1" + std::string(63, ')')), 1U);
  EXPECT_EQ(message(".word " + std::string(100000, '-') + "1"), "test.pim:1:71: .word: the expression is nested too deeply");
}

}  // namespace
}  // namespace cox::tools::pim::expression_test
