// SPDX-License-Identifier: MIT
// The tokens of a line of PIM assembly (docs/pim.md, Assembler).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/assembly/line.h"

namespace cox::tools::pim {

enum class TokenKind : std::uint8_t { name, number, text, sign, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  ///< as in the file; of a text without its quotes
  std::size_t column = 1;
  std::int64_t number = 0;  ///< of a number

  [[nodiscard]] bool is(std::string_view sign) const { return kind == TokenKind::sign && text == sign; }
};

/// The tokens of a line without its comment, then one `end`. Names consist of letters, digits, `_` and `.`, and do not begin with a digit.
/// At `head`, the place of an instruction's name, a name may have `-`, too. Fails the line at a character that begins no token.
class Tokens {
 public:
  Tokens(const assembly::Line &line, std::string_view text);

  /// Takes the instruction's name, which may have `-`. Empty if no name stands there.
  [[nodiscard]] assembly::Word take_head();
  [[nodiscard]] const Token &peek() const { return token_; }
  /// The token behind peek().
  [[nodiscard]] Token second() const;
  Token take();
  /// Takes the sign and returns true if it stands there.
  bool take_sign(std::string_view sign);
  void expect_end() const;
  [[nodiscard]] const assembly::Line &line() const { return line_; }

 private:
  [[nodiscard]] Token read(std::size_t &at) const;
  [[nodiscard]] Token read_number(std::size_t &at) const;

  const assembly::Line &line_;
  std::string_view text_;
  std::size_t at_ = 0;     ///< behind token_
  std::size_t begin_ = 0;  ///< where token_ begins
  Token token_;
};

/// Takes the labels at the beginning of a line, each with its colon.
void skip_labels(Tokens &tokens);

}  // namespace cox::tools::pim
