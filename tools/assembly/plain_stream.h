// SPDX-License-Identifier: MIT
// The text form of streams (docs/cox.md, MX streams). A line has the instruction's name, then Field=value for each of its fields. The class
// PlainStream works for any isa::InstructionSet whose instructions share no fields other than the opcode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coxswain/base/status.h"
#include "coxswain/device/engine_descriptor.h"
#include "coxswain/isa/instruction_set.h"
#include "tools/assembly/instruction_name.h"
#include "tools/assembly/line.h"
#include "tools/assembly/refusal.h"
#include "tools/assembly/value.h"
#include "tools/check/report.h"
#include "tools/file/error.h"
#include "tools/names/did_you_mean.h"

namespace cox::tools::assembly {

/// Returns the default refusal text: the instruction's name and the status.
template <typename Instruction>
[[nodiscard]] std::string plain_refusal(const Instruction *instruction, const Status &status) {
  return refusal_text(instruction == nullptr ? "" : instruction->name, status);
}

/// `kRefusal` is a function that returns the reason why the engine refuses an instruction. Its first argument is nullptr if the instruction
/// is not known.
template <typename Set, auto kRefusal = plain_refusal<typename Set::Instruction>>
class PlainStream {
 public:
  using Instruction = typename Set::Instruction;
  using Bytes = std::vector<std::uint8_t>;

  /// Throws FileError with file, line and column. Also throws it if the stream would have more than `most_bytes`.
  [[nodiscard]] static Bytes assemble(std::string_view text, const std::string &file,
                                      std::size_t most_bytes = registers::kMostStreamBytes) {
    Bytes stream;
    for (Lines lines(text); lines.next();) {
      Line line(file, lines.number(), lines.words());
      const Instruction &instruction = instruction_of<Set>(line);
      const auto code = assemble_line(line, instruction);
      for (std::size_t byte = 0; byte < Set::bytes(instruction); ++byte)
        stream.push_back(static_cast<std::uint8_t>(code[byte / 4] >> byte % 4 * 8));
      if (stream.size() > most_bytes) {
        throw FileError(file + ":" + std::to_string(lines.number()) + ":1: the stream is longer than an engine takes (" +
                        std::to_string(most_bytes) + " bytes)");
      }
    }
    if (stream.empty()) throw FileError(file + ": no instruction in it");
    return stream;
  }

  /// Returns text that assembles to the stream again. Throws FileError at the first instruction that the engine would refuse; the message
  /// gives its byte offset.
  [[nodiscard]] static std::string print(std::span<const std::uint8_t> stream, const std::string &file) {
    if (stream.empty()) throw FileError(file + ": no instruction in it", ErrorCode::stream_truncated);
    std::string text;
    walk(stream, [&](std::size_t, std::size_t at, const Instruction *instruction, const auto &code, const Status &status) {
      if (!status.ok()) throw FileError(file + ": byte " + std::to_string(at) + ": " + kRefusal(instruction, status), status.code());
      text += instruction->name;
      for (const isa::Field &field : instruction->fields)
        text.append(" ").append(field.name).append("=").append(value_text(field, isa::read_integer(code, field)));
      text.append("  # byte ").append(std::to_string(at)).append("\n");
    });
    return text;
  }

  /// Reports at most one error: the first instruction that the engine would refuse. `also(code)` makes further checks of an instruction
  /// whose bits are valid. The error for an empty stream is stream_truncated.
  template <typename Also>
  [[nodiscard]] static Report check(std::span<const std::uint8_t> stream, const Also &also) {
    Report report;
    const auto refuse = [&](std::size_t number, std::size_t at, const Instruction *instruction, const Status &status) {
      report.errors.push_back(
          {error_name(status.code()),
           {static_cast<std::int32_t>(number)},
           "instruction " + std::to_string(number) + " (byte " + std::to_string(at) + "): " + kRefusal(instruction, status),
           ""});
    };
    if (stream.empty()) refuse(0, 0, nullptr, Status(ErrorCode::stream_truncated, "stream", -1, 0, kShortest));
    walk(stream, [&](std::size_t number, std::size_t at, const Instruction *instruction, const auto &code, Status status) {
      if (status.ok()) status = also(code);
      if (!status.ok() && report.errors.empty()) refuse(number, at, instruction, status);
    });
    return report;
  }
  [[nodiscard]] static Report check(std::span<const std::uint8_t> stream) {
    return check(stream, [](const auto &) { return Status(); });
  }

  /// Counts the instructions in the stream. An instruction that cannot be decoded is counted, too, and ends the count.
  [[nodiscard]] static std::size_t count(std::span<const std::uint8_t> stream) {
    std::size_t instructions = 0;
    walk(
        stream, [&](std::size_t number, std::size_t, const Instruction *, const auto &, const Status &) { instructions = number + 1; },
        false);
    return instructions;
  }

 private:
  /// The number of bytes of the set's shortest instruction.
  static constexpr std::size_t kShortest = [] {
    std::size_t shortest = std::numeric_limits<std::size_t>::max();
    for (const Instruction &row : Set::instructions()) shortest = Set::bytes(row) < shortest ? Set::bytes(row) : shortest;
    return shortest;
  }();

  /// Calls `visit(number, at, instruction, code, status)` for each instruction. `at` is its offset in the stream, in bytes. The walk ends
  /// after the first instruction that cannot be decoded or, if `checked`, that has invalid bits. `status` is then the error. If the
  /// code cannot be decoded, `instruction` is the one that the error names, or nullptr if it names none.
  template <typename Visit>
  static void walk(std::span<const std::uint8_t> stream, const Visit &visit, bool checked = true) {
    std::size_t number = 0;
    for (std::size_t at = 0; at < stream.size(); ++number) {
      const auto fetched = Set::fetch(std::as_bytes(stream.subspan(at)));
      if (!fetched) {
        visit(number, at, Set::find(std::string_view(fetched.status().what())), typename Set::MachineCode{}, fetched.status());
        return;
      }
      const Instruction &instruction = *fetched.value().instruction;
      const Status status = checked ? Set::check(fetched.value().code) : Status();
      visit(number, at, &instruction, fetched.value().code, status);
      if (!status.ok()) return;
      at += Set::bytes(instruction);
    }
  }

  static typename Set::MachineCode assemble_line(const Line &line, const Instruction &instruction) {
    auto code = Set::begin(instruction);
    std::uint32_t given = 0;  // one bit for each field to which the line has given a value
    for (const Word &word : std::span(line.words()).subspan(1)) {
      const Setting setting = setting_of(line, word);
      const isa::Field *field = Set::find_field(instruction, setting.field.text);
      if (field == nullptr) {
        line.fail(word.column, std::string(setting.field.text) + ": no such field in this instruction" +
                                   did_you_mean(setting.field.text, instruction.fields, &isa::Field::name));
      }
      const std::uint32_t bit = 1U << (field - instruction.fields.data());
      if ((given & bit) != 0) line.fail(*field, word.column, "is given twice");
      given |= bit;
      if (!Set::set(code, *field, read_value(line, *field, setting.value))) fail_out_of_range(line, *field, setting.value);
    }
    for (std::size_t i = 0; i < instruction.fields.size(); ++i) {
      if ((given >> i & 1U) == 0) line.fail(instruction.fields[i], line.words().front().column, "missing");
    }
    return code;
  }
};

}  // namespace cox::tools::assembly
