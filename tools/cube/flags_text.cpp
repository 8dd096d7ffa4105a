// SPDX-License-Identifier: MIT
#include "tools/cube/flags_text.h"

#include <algorithm>
#include <charconv>

#include "coxswain/isa/cube/table.h"

namespace cox::tools::cube {
namespace {

using assembly::Line;
using assembly::quoted;
using assembly::Word;
using isa::Field;
using isa::cube::kEvents;
using isa::cube::Pipe;

const char *pipe_name(Pipe pipe) { return isa::cube::detail::kPipe.find(static_cast<std::int64_t>(pipe))->name; }

Pipe read_pipe(const Line &line, const Field &field, const Word &word) {
  if (const isa::EnumValue *entry = isa::cube::detail::kPipe.find(word.text)) return static_cast<Pipe>(entry->value);
  std::string names;
  for (const isa::EnumValue &entry : isa::cube::detail::kPipe.values) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  line.fail(field, word.column, quoted(word.text) + " is not one of Pipe (" + names + ")");
}

/// Removes the first element of a comma-separated list and returns it.
Word next_part(Word &list) {
  const std::size_t comma = std::min(list.text.find(','), list.text.size());
  const Word part{list.text.substr(0, comma), list.column};
  const std::size_t taken = std::min(comma + 1, list.text.size());
  list.text.remove_prefix(taken);
  list.column += taken;
  return part;
}

/// Returns the OR of the bits that `read` makes of each element of the list.
template <typename Read>
std::uint32_t read_list(const Line &line, const Field &field, const Word &value, Read read) {
  if (value.text.empty()) line.fail(field, value.column, "no value");
  std::uint32_t mask = 0;
  for (Word list = value; !list.text.empty();) {
    const bool last = list.text.find(',') == std::string_view::npos;
    const Word part = next_part(list);
    const std::uint32_t bit = 1U << read(part);
    if ((mask & bit) != 0) line.fail(field, part.column, std::string(part.text) + " is given twice");
    mask |= bit;
    if (!last && list.text.empty()) line.fail(field, list.column, "ends in a comma");
  }
  return mask;
}

template <typename Text>
std::string list_text(std::uint32_t mask, Text text_of) {
  std::string text;
  for (unsigned bit = 0; bit < isa::cube::kMaskWidth; ++bit) {
    if ((mask >> bit & 1U) != 0) text += (text.empty() ? "" : ",") + text_of(bit);
  }
  return text;
}

}  // namespace

std::string flags_text(Pipe own, std::uint32_t mask) {
  return list_text(
      mask, [own](unsigned bit) { return std::string(pipe_name(isa::cube::other_pipe(own, bit))) + ":" + std::to_string(bit % kEvents); });
}

std::uint32_t read_flags(const Line &line, const Field &field, const Word &value, Pipe own) {
  return read_list(line, field, value, [&](const Word &part) {
    const std::size_t colon = part.text.find(':');
    if (colon == std::string_view::npos) line.fail(field, part.column, quoted(part.text) + " is not PIPE:event");
    const Pipe other = read_pipe(line, field, {part.text.substr(0, colon), part.column});
    if (other == own) line.fail(field, part.column, std::string(pipe_name(own)) + " is the instruction's own pipe");
    const Word number{part.text.substr(colon + 1), part.column + colon + 1};
    unsigned event = 0;
    const char *end = number.text.data() + number.text.size();
    const auto [stop, error] = std::from_chars(number.text.data(), end, event);
    if (stop != end || error != std::errc{} || event >= kEvents) {
      line.fail(field, number.column, "event " + quoted(number.text) + " is not one of 0 to " + std::to_string(kEvents - 1));
    }
    return isa::cube::mask_bit(own, other, event);
  });
}

std::string pipes_text(std::uint32_t pipes) {
  return list_text(pipes, [](unsigned bit) { return std::string(pipe_name(static_cast<Pipe>(bit))); });
}

std::uint32_t read_pipes(const Line &line, const Field &field, const Word &value) {
  return read_list(line, field, value, [&](const Word &part) { return static_cast<unsigned>(read_pipe(line, field, part)); });
}

}  // namespace cox::tools::cube
