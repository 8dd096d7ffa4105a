// SPDX-License-Identifier: MIT
#include "tools/pim/token.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace cox::tools::pim {
namespace {

using assembly::quoted;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.'; }
bool is_in_name(char c) { return begins_name(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Cuts the comment off. A `#` or `;` in quotes begins none.
std::string_view without_comment(std::string_view text) {
  bool quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quotes = !quotes;
    if (!quotes && (text[i] == '#' || text[i] == ';')) return text.substr(0, i);
  }
  return text;
}

}  // namespace

Tokens::Tokens(const assembly::Line &line, std::string_view text) : line_(line), text_(without_comment(text)) { static_cast<void>(take()); }

assembly::Word Tokens::take_head() {
  std::size_t end = begin_;
  if (end >= text_.size() || !begins_name(text_[end])) return {{}, begin_ + 1};
  while (end < text_.size() && (is_in_name(text_[end]) || text_[end] == '-')) ++end;
  const assembly::Word word{text_.substr(begin_, end - begin_), begin_ + 1};
  at_ = end;
  static_cast<void>(take());
  return word;
}

Token Tokens::second() const {
  std::size_t at = at_;
  return read(at);
}

Token Tokens::take() {
  const Token taken = token_;
  token_ = read(at_);
  begin_ = token_.column - 1;
  return taken;
}

bool Tokens::take_sign(std::string_view sign) {
  if (!token_.is(sign)) return false;
  static_cast<void>(take());
  return true;
}

void Tokens::expect_end() const {
  if (token_.kind != TokenKind::end) line_.fail(token_.column, quoted(token_.text) + " is not expected here");
}

Token Tokens::read(std::size_t &at) const {
  constexpr std::array<std::string_view, 17> kSigns{"<<", ">>", "..", "+", "-", "*", "/", "%", "&", "|", "^", "~", "(", ")", ",", "=", ":"};
  while (at < text_.size() && is_blank(text_[at])) ++at;
  const std::string_view rest = text_.substr(at);
  Token token{TokenKind::end, rest, at + 1, 0};
  if (rest.empty()) return token;
  std::size_t length = 0;
  if (is_digit(rest[0])) return read_number(at);
  if (rest[0] == '"') {
    length = rest.find('"', 1);
    if (length == std::string_view::npos) line_.fail(at + 1, "the text has no end; a second \" is missing");
    token.kind = TokenKind::text;
    token.text = rest.substr(1, length - 1);
    at += length + 1;
    return token;
  }
  if (begins_name(rest[0]) && !rest.starts_with("..")) {
    while (length < rest.size() && is_in_name(rest[length]) && !rest.substr(length).starts_with("..")) ++length;
    token.kind = TokenKind::name;
  } else {
    const auto sign = std::ranges::find_if(kSigns, [rest](std::string_view each) { return rest.starts_with(each); });
    if (sign == kSigns.end()) {
      const bool printed = rest[0] > ' ' && rest[0] <= '~';
      line_.fail(at + 1, (printed ? quoted(rest.substr(0, 1)) : "byte " + std::to_string(static_cast<unsigned char>(rest[0]))) +
                             " is not expected here");
    }
    length = sign->size();
    token.kind = TokenKind::sign;
  }
  token.text = rest.substr(0, length);
  at += length;
  return token;
}

Token Tokens::read_number(std::size_t &at) const {
  const std::string_view rest = text_.substr(at);
  std::size_t length = 0;
  while (length < rest.size() && is_in_name(rest[length]) && rest[length] != '.') ++length;
  const Token token{TokenKind::number, rest.substr(0, length), at + 1, 0};
  const std::string_view text = token.text;
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X"), binary = text.starts_with("0b") || text.starts_with("0B");
  const std::string_view digits = text.substr(hexadecimal || binary ? 2 : 0);
  std::uint64_t number = 0;
  const char *const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number, hexadecimal ? 16 : binary ? 2 : 10);
  if (stop != end || error == std::errc::invalid_argument) line_.fail(at + 1, quoted(text) + " is not a number");
  if (error != std::errc{} || number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    line_.fail(at + 1, std::string(text) + " is too large");
  Token found = token;
  found.number = static_cast<std::int64_t>(number);
  at += length;
  return found;
}

void skip_labels(Tokens &tokens) {
  while (tokens.peek().kind == TokenKind::name && tokens.second().is(":")) {
    static_cast<void>(tokens.take());
    static_cast<void>(tokens.take());
  }
}

}  // namespace cox::tools::pim
