// SPDX-License-Identifier: MIT
#include "tools/unity/token.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace cox::tools::unity {
namespace {

using assembly::quoted;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Cuts the comment off. A `#` in quotes begins none.
std::string_view without_comment(std::string_view text) {
  bool quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quotes = !quotes;
    if (!quotes && text[i] == '#') return text.substr(0, i);
  }
  return text;
}

}  // namespace

bool is_in_name(char c) { return begins_name(c) || is_digit(c); }

Tokens::Tokens(const assembly::Line &line, std::string_view text) : line_(line), text_(without_comment(text)) { static_cast<void>(take()); }

Token Tokens::take() {
  const Token taken = token_;
  token_ = read();
  return taken;
}

bool Tokens::take_sign(std::string_view sign) {
  if (!token_.is(sign)) return false;
  static_cast<void>(take());
  return true;
}

void Tokens::expect_sign(std::string_view sign) {
  if (!take_sign(sign)) line_.fail(token_.column, fmt::format("a {} is missing", sign));
}

void Tokens::expect_end() const {
  if (!at_end()) line_.fail(token_.column, quoted(token_.text) + " is not expected here");
}

Token Tokens::read() {
  constexpr std::array<std::string_view, 15> kSigns{"<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^", "~", "(", ")", ",", "="};
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  const std::string_view rest = text_.substr(at_);
  Token token{.kind = TokenKind::end, .text = rest, .column = at_ + 1};
  if (rest.empty()) return token;
  if (is_digit(rest[0])) return read_number();
  std::size_t length = 0;
  if (rest[0] == '"') {
    const std::size_t end = rest.find('"', 1);
    if (end == std::string_view::npos) line_.fail(token.column, "the text has no end; a second \" is missing");
    token.kind = TokenKind::text;
    token.text = rest.substr(1, end - 1);
    at_ += end + 1;
    return token;
  }
  if (begins_name(rest[0])) {
    while (length < rest.size() && is_in_name(rest[length])) ++length;
    token.kind = TokenKind::name;
  } else {
    const auto sign = std::ranges::find_if(kSigns, [rest](std::string_view each) { return rest.starts_with(each); });
    if (sign == kSigns.end() && rest[0] != ':') {
      const bool printed = rest[0] > ' ' && rest[0] <= '~';
      line_.fail(token.column, (printed ? quoted(rest.substr(0, 1))
                                        : fmt::format("byte {}", static_cast<unsigned>(static_cast<unsigned char>(rest[0])))) +
                                   " is not expected here");
    }
    length = sign == kSigns.end() ? 1 : sign->size();
    token.kind = TokenKind::sign;
  }
  token.text = rest.substr(0, length);
  at_ += length;
  return token;
}

Token Tokens::read_number() {
  const std::string_view rest = text_.substr(at_);
  const bool hexadecimal = rest.starts_with("0x") || rest.starts_with("0X"), binary = rest.starts_with("0b") || rest.starts_with("0B");
  std::size_t length = 0;
  for (; length < rest.size(); ++length) {
    const bool exponent = !hexadecimal && length > 0 && (rest[length - 1] == 'e' || rest[length - 1] == 'E');
    if (!is_in_name(rest[length]) && !(exponent && (rest[length] == '-' || rest[length] == '+'))) break;
  }
  Token token{.kind = TokenKind::number, .text = rest.substr(0, length), .column = at_ + 1};
  at_ += length;
  token.is_whole = hexadecimal || binary || token.text.find_first_of(".eE") == std::string_view::npos;
  if (!token.is_whole) {
    double value = 0;
    const auto [stop, error] = std::from_chars(token.text.data(), token.text.data() + length, value);
    if (stop != token.text.data() + length || error != std::errc{}) line_.fail(token.column, quoted(token.text) + " is not a number");
    return token;
  }
  const std::string_view digits = token.text.substr(hexadecimal || binary ? 2 : 0);
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : binary ? 2 : 10);
  if (error == std::errc::result_out_of_range) line_.fail(token.column, std::string(token.text) + " is too large");
  if (stop != digits.data() + digits.size() || error != std::errc{}) line_.fail(token.column, quoted(token.text) + " is not a number");
  token.number = static_cast<std::int64_t>(number);
  return token;
}

}  // namespace cox::tools::unity
