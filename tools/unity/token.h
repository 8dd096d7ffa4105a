// SPDX-License-Identifier: MIT
// The tokens of a line of xDSA assembly (docs/unity-assembly.md).
#pragma once

#include <cstdint>
#include <string_view>

#include "tools/assembly/line.h"

namespace cox::tools::unity {

enum class TokenKind : std::uint8_t { name, number, text, sign, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  ///< as in the file; of a text without its quotes
  std::size_t column = 1;
  bool is_whole = false;    ///< a number without fraction and exponent
  std::int64_t number = 0;  ///< of a whole number; numbers above 2^63 - 1 as their two's complement

  [[nodiscard]] bool is(std::string_view sign) const { return kind == TokenKind::sign && text == sign; }
};

/// True for letters, digits, `_` and `.`.
[[nodiscard]] bool is_in_name(char c);

/// The tokens of a line without its comment, then one `end`. Names consist of letters, digits, `_` and `.`, and do not begin with a digit.
/// Fails the line at a character that begins no token.
class Tokens {
 public:
  Tokens(const assembly::Line &line, std::string_view text);

  [[nodiscard]] const Token &peek() const { return token_; }
  [[nodiscard]] bool at_end() const { return token_.kind == TokenKind::end; }
  Token take();
  /// Takes the sign and returns true if it stands there.
  bool take_sign(std::string_view sign);
  void expect_sign(std::string_view sign);
  void expect_end() const;
  [[nodiscard]] const assembly::Line &line() const { return line_; }

 private:
  [[nodiscard]] Token read();
  [[nodiscard]] Token read_number();

  const assembly::Line &line_;
  std::string_view text_;
  std::size_t at_ = 0;  ///< behind token_
  Token token_;
};

}  // namespace cox::tools::unity
