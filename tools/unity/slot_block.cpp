// SPDX-License-Identifier: MIT
#include "tools/unity/slot_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "coxswain/device/engine_descriptor.h"
#include "coxswain/isa/unity/engine_slots.h"
#include "tools/file/error.h"

namespace cox::tools::unity {
namespace {

using isa::unity::Domain;
using isa::unity::StreamSlot;

constexpr unsigned kMostSlots = 16383;

/// Characters that begin a comment in the engine's text.
std::string_view comments_of(Domain domain) {
  switch (domain) {
    case Domain::tile: return "";
    case Domain::pim: return "#;";
    default: return "#";
  }
}

/// Length of `name` or `(expression)` at the beginning of `text`.
std::size_t reference_length(std::string_view text) {
  std::size_t length = 0;
  if (!text.starts_with('(')) {
    while (length < text.size() && is_in_name(text[length])) ++length;
    return length;
  }
  for (int depth = 0; length < text.size(); ++length) {
    if (text[length] == '(') ++depth;
    if (text[length] == ')' && --depth == 0) return length + 1;
  }
  return length;
}

/// Replaces `$name` and `$(expression)` by their values.
std::string substitute(const std::string &source, std::size_t number, std::string_view text, const Symbols &symbols, Domain domain) {
  static const std::vector<assembly::Word> kNoWords;
  const assembly::Line line(source, number, kNoWords);
  const std::size_t end = std::min(text.size(), text.find_first_of(comments_of(domain)));
  std::string result;
  for (std::size_t at = 0; at < end;) {
    if (text[at] != '$') {
      result += text[at++];
      continue;
    }
    const std::size_t length = reference_length(text.substr(at + 1, end - at - 1));
    if (length == 0) line.fail(at + 1, "a name or an expression in parentheses is missing behind $");
    // The blanks keep the columns of messages.
    const std::string expression = std::string(at + 1, ' ').append(text.substr(at + 1, length));
    Tokens tokens(line, expression);
    result += fmt::format("{}", take_operand(tokens, symbols));
    tokens.expect_end();
    at += 1 + length;
  }
  return result;
}

}  // namespace

void SlotBlock::next_stream(std::size_t line) {
  if (!isa::unity::has_streams(domain_)) fail(line, ".stream: slots of tile cores are instructions and describe no streams");
  streams_.emplace_back();
}

void SlotBlock::add_file(EngineCode code) {
  if (streams_.back().code) next_stream(line_);
  streams_.back().code = std::move(code);
}

void SlotBlock::fail(std::size_t line, const std::string &why) const { throw FileError(fmt::format("{}:{}:1: {}", source_, line, why)); }

EngineCode SlotBlock::code_of(const Stream &stream, const Symbols &symbols) const {
  if (stream.code) return *stream.code;
  // Empty lines in front give each line its number in the file.
  std::string text;
  std::size_t number = 1;
  bool has_text = false;
  for (const TextLine &line : stream.lines) {
    text.append(line.line - number, '\n');
    const std::string written = substitute(source_, line.line, line.text, symbols, domain_);
    has_text = has_text || written.find_first_not_of(" \t\r") != std::string::npos;
    text += written;
    number = line.line;
  }
  if (!has_text) fail(stream.lines.empty() ? line_ : stream.lines.back().line, "the stream has no instruction");
  return assemble_engine(domain_, text, source_);
}

SlotBlock::Built SlotBlock::build(const Symbols &symbols, std::uint64_t address) const {
  Built built;
  if (!isa::unity::has_streams(domain_)) {
    EngineCode code = code_of(streams_.front(), symbols);
    built.queue = code.queue;
    built.bytes = std::move(code.bytes);
    built.slots = static_cast<unsigned>(built.bytes.size() / isa::unity::kSlotBytes);
  } else {
    built.slots = static_cast<unsigned>(streams_.size());
    built.bytes.resize(streams_.size() * isa::unity::kSlotBytes);
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      const std::vector<std::uint8_t> stream = code_of(streams_[i], symbols).bytes;
      if (stream.size() % registers::kStreamAlignment != 0)
        fail(line_, fmt::format("the stream has {} bytes; a slot takes a multiple of {}", stream.size(), registers::kStreamAlignment));
      built.bytes.resize((built.bytes.size() + kSlotAlignment - 1) / kSlotAlignment * kSlotAlignment);
      const StreamSlot slot{.address = address + built.bytes.size(), .bytes = static_cast<std::uint32_t>(stream.size())};
      std::memcpy(&built.bytes[i * sizeof slot], &slot, sizeof slot);
      built.bytes.insert(built.bytes.end(), stream.begin(), stream.end());
    }
  }
  if (built.slots > kMostSlots) fail(line_, fmt::format("{} slots; an instruction submits at most {}", built.slots, kMostSlots));
  return built;
}

}  // namespace cox::tools::unity
