// SPDX-License-Identifier: MIT
#include "tools/tile/assemble.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "coxswain/isa/tile/encode.h"
#include "coxswain/isa/tile/table.h"
#include "tools/names/did_you_mean.h"
#include "tools/tile/instruction_text.h"

namespace cox::task {
namespace {

using isa::EnumType;
using isa::EnumValue;
using isa::Field;
using isa::Kind;
using nlohmann::json;
namespace tile = isa::tile;

constexpr int kMappingObject = 0;

nlohmann::json parse(const InstructionText &text) {
  try {
    return json::parse(text.json);
  } catch (const json::out_of_range &) {
    throw TextError(1, "a number that is too large for any field");
  } catch (const json::parse_error &error) {
    const std::size_t byte = error.byte == 0 ? 0 : error.byte - 1;
    const std::size_t last = text.columns.size() - 1;
    throw TextError(text.columns[byte < last ? byte : last], "not an instruction: neither JSON nor the printed form");
  }
}

/// Assembles the parameters of one instruction. Its messages name the instruction, the field and the value.
class Assembler {
 public:
  Assembler(const InstructionText &text, const tile::Instruction &instruction, int object)
      : text_(text), instruction_(instruction), object_(object) {}

  [[nodiscard]] tile::MachineCode assemble(const json &parameters) const {
    for (const auto &[name, value] : parameters.items()) {
      const bool dependency = !instruction_.configuration && (name == "Prev_Insts" || name == "Next_Insts");
      if (!dependency && tile::find_field(instruction_, name) == nullptr) {
        fail(name, "no such field in this instruction" + tools::did_you_mean(name, instruction_.fields, &Field::name));
      }
    }
    tile::MachineCode code = tile::begin(instruction_.opcode);
    for (const Field &field : instruction_.fields) {
      if (!field.optional || parameters.contains(field.name)) set_field(code, field, member(parameters, field.name));
    }
    if (!instruction_.configuration) {
      const std::uint32_t previous = classes(member(parameters, "Prev_Insts"), "Prev_Insts");
      const std::uint32_t next = classes(member(parameters, "Next_Insts"), "Next_Insts");
      if (Status status = tile::set_dependencies(code, previous, next); !status) fail(status.what(), "not in this instruction");
    }
    return code;
  }

 private:
  [[noreturn]] void fail(const std::string &field, const std::string &why) const {
    throw TextError(text_.column_of(object_, field), std::string(instruction_.name) + ": " + field + ": " + why);
  }

  [[nodiscard]] const json &member(const json &parameters, const char *name) const {
    const auto found = parameters.find(name);
    if (found == parameters.end()) fail(name, "missing");
    return *found;
  }

  void set_field(tile::MachineCode &code, const Field &field, const json &value) const {
    if (field.count == 1) {
      set_element(code, field, 0, value);
      return;
    }
    if (!value.is_array() || value.size() != field.count) {
      fail(field.name, "needs a list of " + std::to_string(field.count) + ", has " + value.dump());
    }
    for (unsigned element = 0; element < field.count; ++element) set_element(code, field, element, value[element]);
  }

  void set_element(tile::MachineCode &code, const Field &field, unsigned element, const json &value) const {
    if (field.kind == Kind::floating_point) {
      set_float(code, field, element, value);
      return;
    }
    const std::int64_t number = integer_value(field, element, value);
    if (Status status = tile::set_integer(code, field, element, number); !status) {
      fail(field.name, value.dump() + " is out of range (" + std::to_string(field.minimum) + " to " + std::to_string(field.maximum) + ")" +
                           element_text(field, element));
    }
  }

  static std::string element_text(const Field &field, unsigned element) {
    return field.count == 1 ? std::string() : ", element " + std::to_string(element);
  }

  void set_float(tile::MachineCode &code, const Field &field, unsigned element, const json &value) const {
    if (!value.is_number()) fail(field.name, value.dump() + " is not a number" + element_text(field, element));
    const auto number = static_cast<float>(value.get<double>());
    if (Status status = tile::set_float(code, field, element, number); !status) {
      fail(field.name, value.dump() + " is out of range of FP32 (-3.4028235e38 to 3.4028235e38)" + element_text(field, element));
    }
  }

  [[nodiscard]] std::int64_t integer_value(const Field &field, unsigned element, const json &value) const {
    switch (field.kind) {
      case Kind::boolean:
        if (!value.is_boolean()) fail(field.name, value.dump() + " is neither true nor false");
        return value.get<bool>() ? 1 : 0;
      case Kind::enumeration: return enumeration_value(field, *field.type_of(element), value);
      default: return whole_number(field.name, value, std::to_string(field.minimum) + " to " + std::to_string(field.maximum));
    }
  }

  /// Reads a whole number, written as 6 or as 6.0. A number that 64 bits cannot hold is out of any range.
  [[nodiscard]] std::int64_t whole_number(const char *name, const json &value, const std::string &range) const {
    constexpr double kLimit = 9.2e18;
    if (value.is_number_float()) {
      const double number = value.get<double>();
      if (number != std::floor(number)) fail(name, value.dump() + " is not a whole number");
      if (std::abs(number) > kLimit) fail(name, value.dump() + " is out of range (" + range + ")");
      return static_cast<std::int64_t>(number);
    }
    if (!value.is_number_integer()) fail(name, value.dump() + " is not a whole number");
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      fail(name, value.dump() + " is out of range (" + range + ")");
    }
    return value.get<std::int64_t>();
  }

  /// Reads "FP16" or "<DataFmt.FP16: 3>". In the second form, the type, the name and the number must agree.
  [[nodiscard]] std::int64_t enumeration_value(const Field &field, const EnumType &type, const json &value) const {
    if (!value.is_string()) fail(field.name, value.dump() + " is not one of " + names(type));
    const auto text = value.get<std::string>();
    if (text.empty() || text.front() != '<') return enumeration_name(field, type, text);
    const std::size_t dot = text.find('.');
    const std::size_t colon = text.find(": ");
    if (dot == std::string::npos || colon == std::string::npos || dot > colon) fail(field.name, text + " is not <Type.NAME: number>");
    const std::string type_name = text.substr(1, dot - 1);
    if (type_name != type.name) fail(field.name, text + " is a " + type_name + ", not a " + type.name);
    const std::int64_t number = enumeration_name(field, type, text.substr(dot + 1, colon - dot - 1));
    const std::string printed = text.substr(colon + 2, text.size() - colon - 3);
    if (printed != std::to_string(number)) fail(field.name, text + ": the number of that name is " + std::to_string(number));
    return number;
  }

  [[nodiscard]] std::int64_t enumeration_name(const Field &field, const EnumType &type, const std::string &name) const {
    const EnumValue *entry = type.find(std::string_view(name));
    if (entry == nullptr)
      fail(field.name, "'" + name + "' is not one of " + names(type) + tools::did_you_mean(name, type.values, &EnumValue::name));
    return entry->value;
  }

  static std::string names(const EnumType &type) {
    std::string all = std::string(type.name) + " (";
    for (const EnumValue &entry : type.values) all += (&entry == type.values.data() ? "" : ", ") + std::string(entry.name);
    return all + ")";
  }

  [[nodiscard]] std::uint32_t classes(const json &value, const char *name) const {
    if (!value.is_array()) fail(name, value.dump() + " is not a list of classes");
    std::uint32_t set = 0;
    for (const json &entry : value) {
      const std::uint32_t bit = class_bit(entry, name);
      if ((set & bit) != 0) fail(name, entry.dump() + " is given twice");
      set |= bit;
    }
    return set;
  }

  [[nodiscard]] std::uint32_t class_bit(const json &entry, const char *name) const {
    for (unsigned c = 0; c < tile::kClasses; ++c) {
      if (entry == tile::kClassNames[c]) return 1U << c;
    }
    fail(name, entry.dump() + " is not a class (CT, LD, LW, PE, VP, DT, ST, SI, SO)");
  }

  const InstructionText &text_;
  const tile::Instruction &instruction_;
  int object_;
};

/// Reads the mapping part, the first object of an instruction's line. A member that is not given stays -1 or an empty list.
class MappingReader {
 public:
  MappingReader(const InstructionText &text, const std::string &instruction) : text_(text), instruction_(instruction) {}

  /// Reads the mapping from `part`. Puts the member `core` into the machine code and the number of images into `tiles`, because neither
  /// belongs to the mapping.
  [[nodiscard]] Mapping read(const json &part, tile::MachineCode &code, std::optional<std::int32_t> &tiles) const {
    Mapping mapping;
    for (const auto &[name, value] : part.items()) {
      if (name == "slyr") {
        mapping.slyr = number(name, value);
      } else if (name == "clyr") {
        mapping.clyr = numbers(name, value);
      } else if (name == "s_flyr") {
        mapping.s_flyr = number(name, value);
      } else if (name == "c_flyr") {
        mapping.c_flyr = numbers(name, value);
      } else if (name == "wkl") {
        mapping.wkl = number(name, value);
      } else if (name == "tile") {
        mapping.tile = number(name, value);
      } else if (name == "tiles") {
        tiles = number(name, value);
      } else if (name == "core") {
        set_core(value, code);
      } else {
        static constexpr const char *kFields[] = {"slyr", "clyr", "s_flyr", "c_flyr", "wkl", "tile", "core"};
        fail(name, "no such field in the mapping part" + tools::did_you_mean(name, kFields));
      }
    }
    return mapping;
  }

 private:
  [[noreturn]] void fail(const std::string &field, const std::string &why) const {
    throw TextError(text_.column_of(kMappingObject, field), instruction_ + ": " + field + ": " + why);
  }

  [[nodiscard]] std::int32_t number(const std::string &name, const json &value) const {
    constexpr std::int64_t kMaximum = std::numeric_limits<std::int32_t>::max();
    if (!value.is_number_integer()) fail(name, value.dump() + " is not a whole number");
    const bool fits =
        value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMaximum) : value.get<std::int64_t>() >= -1;
    if (!fits) fail(name, value.dump() + " is out of range (-1 to " + std::to_string(kMaximum) + ")");
    return value.get<std::int32_t>();
  }

  void set_core(const json &value, tile::MachineCode &code) const {
    if (!value.is_number_integer()) fail("core", value.dump() + " is not a whole number");
    const bool fits = !value.is_number_unsigned() || value.get<std::uint64_t>() < tile::kMostCores;
    if (!fits || !tile::set_core(code, value.get<std::int64_t>())) {
      fail("core", value.dump() + " is out of range (0 to " + std::to_string(tile::kMostCores - 1) + ")");
    }
  }

  [[nodiscard]] std::vector<std::int32_t> numbers(const std::string &name, const json &value) const {
    if (!value.is_array()) fail(name, value.dump() + " is not a list");
    std::vector<std::int32_t> all;
    for (const json &entry : value) all.push_back(number(name, entry));
    return all;
  }

  const InstructionText &text_;
  std::string instruction_;
};

/// Reads the object `{'inst_idx': 1, 'time': [0, 38]}`, which only the lines of trace files have.
Times read_times(const json &part, const InstructionText &text) {
  constexpr int kTimesObject = 1;
  const auto is_index = [](const json &value) { return value.is_number_unsigned(); };
  const auto time = part.find("time");
  const auto index = part.find("inst_idx");
  if (part.size() != 2 || time == part.end() || index == part.end() || !is_index(*index) || !time->is_array() || time->size() != 2 ||
      !is_index((*time)[0]) || !is_index((*time)[1])) {
    throw TextError(text.column_of(kTimesObject, "inst_idx"), "the part of a trace file must be {'inst_idx': n, 'time': [start, end]}");
  }
  return {index->get<std::int64_t>(), (*time)[0].get<std::int64_t>(), (*time)[1].get<std::int64_t>()};
}

bool same_but_dependencies(const tile::MachineCode &a, const tile::MachineCode &b) {
  tile::MachineCode x = a;
  tile::MachineCode y = b;
  for (tile::MachineCode *code : {&x, &y}) {
    isa::insert_bits(*code, tile::kPreviousBit, tile::kClasses, 0);
    isa::insert_bits(*code, tile::kNextBit, tile::kClasses, 0);
  }
  return x == y;
}

}  // namespace

Instruction assemble_line(std::string_view line) {
  const InstructionText text = to_json_text(line);
  const json parts = parse(text);
  if (!parts.is_array() || parts.size() < 3 || parts.size() > 4) {
    throw TextError(1, "an instruction is a list of three: its name, the mapping part, the parameters");
  }
  if (!parts[0].is_string()) throw TextError(1, "an instruction begins with its name");
  const auto name = parts[0].get<std::string>();
  const tile::Instruction *instruction = tile::find_instruction(std::string_view(name));
  if (instruction == nullptr) {
    throw TextError(1, "'" + name + "' is not an instruction" + tools::did_you_mean(name, tile::kInstructions, &tile::Instruction::name));
  }
  for (std::size_t part = 1; part < parts.size(); ++part) {
    if (!parts[part].is_object()) throw TextError(1, name + ": the mapping part and the parameters must be in braces");
  }
  Instruction result;
  // The mapping part is read first, so that the leftmost error in the line is reported.
  tile::MachineCode core{};
  result.mapping = MappingReader(text, name).read(parts[1], core, result.tiles);
  if (parts.size() == 4) result.times = read_times(parts[2], text);
  const int last = static_cast<int>(parts.size()) - 2;
  result.code = Assembler(text, *instruction, last).assemble(parts.back());
  static_cast<void>(tile::set_core(result.code, tile::core_of(core)));  // cannot fail: the core has been checked
  if (result.tiles) {
    if (Status status = tile::set_images(result.code, *result.tiles); !status) {
      throw TextError(text.column_of(kMappingObject, "tiles"), name + ": tiles: " + std::to_string(*result.tiles) +
                                                                   " is out of range (1 to " + std::to_string(status.limit()) + ")");
    }
  }
  return result;
}

int set_batches(std::vector<Instruction> &instructions) {
  // The last VP instruction of each core. The loop below compares machine code, which does not have its batch index yet.
  std::array<const Instruction *, tile::kMostCores> last{};
  std::vector<std::int32_t> batches(instructions.size(), 0);
  std::vector<std::size_t> run(instructions.size());  // for each instruction: the first one of its batch
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    run[i] = i;
    const Instruction &instruction = instructions[i];
    const tile::Instruction *entry = tile::find_instruction(tile::opcode_of(instruction.code));
    if (entry == nullptr || entry->queue != tile::Class::VP) continue;
    const Instruction *&before = last[tile::core_of(instruction.code)];
    if (before != nullptr && !entry->configuration && instruction.mapping.wkl >= 0 && instruction.mapping.wkl == before->mapping.wkl &&
        before->mapping.tile >= 0 && instruction.mapping.tile == before->mapping.tile + 1 &&
        same_but_dependencies(instruction.code, before->code)) {
      // The instruction joins the batch of `before` if that batch began with `tile` 0. Then the batch index of `before` equals its `tile`.
      const auto number_before = static_cast<std::size_t>(before - instructions.data());
      if (batches[number_before] == before->mapping.tile) {
        batches[i] = instruction.mapping.tile;
        run[i] = run[number_before];
      }
    }
    before = &instruction;
  }
  std::vector<std::int32_t> images(instructions.size(), 1);  // number of images of each batch, at the index of its first instruction
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    images[run[i]] = std::max(images[run[i]], batches[i] + 1);
    if (batches[i] == 0) continue;
    if (Status status = tile::set_batch(instructions[i].code, batches[i]); !status) return static_cast<int>(i);
  }
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].tiles || images[run[i]] == 1) continue;
    static_cast<void>(tile::set_images(instructions[i].code, images[run[i]]));  // cannot fail: set_batch() has accepted the indices
  }
  return -1;
}

}  // namespace cox::task
