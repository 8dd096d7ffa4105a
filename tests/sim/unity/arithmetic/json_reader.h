// SPDX-License-Identifier: MIT
// Reads operations of the Unity units from JSON, member by member.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "coxswain/isa/unity/operation.h"
#include "coxswain/isa/unity/table.h"

namespace cox::test {

/// Reads members of a JSON object into the fields of an operation. Fields without a member keep their values.
class JsonReader {
 public:
  JsonReader(const nlohmann::json &members, std::uint64_t base) : members_(members), base_(base) {}

  template <typename Number>
  const JsonReader &operator()(const char *name, Number &value) const {
    if (const auto found = members_.find(name); found != members_.end()) set(*found, value);
    return *this;
  }

 private:
  void set(const nlohmann::json &from, isa::unity::Opcode &op) const {
    const isa::unity::Instruction *row = isa::unity::Set::find(from.get<std::string>());
    if (row == nullptr) throw std::out_of_range(from.get<std::string>());
    op = row->opcode;
  }
  void set(const nlohmann::json &from, isa::unity::Run &run) const {
    run.address = base_ + from.at(0).get<std::uint64_t>();
    set(from.at(1), run.unit);
    run.elements = from.at(2).get<std::uint64_t>();
  }
  void set(const nlohmann::json &from, isa::unity::Clip &clip) const {
    JsonReader(from, base_)("minimum", clip.minimum)("maximum", clip.maximum)("float_minimum", clip.float_minimum)("float_maximum",
                                                                                                                   clip.float_maximum);
    clip.on = true;
  }
  void set(const nlohmann::json &from, isa::unity::FeatureMap &map) const {
    JsonReader(from, base_)("address", map.address)("unit", map.unit)("height", map.height)("width", map.width)("channels", map.channels)(
        "row", map.row)("column", map.column)("channel", map.channel);
    map.address += base_;
  }
  void set(const nlohmann::json &from, isa::unity::Surfaces &map) const {
    JsonReader(from, base_)("address", map.address)("unit", map.unit)("surfaces", map.surfaces)("lines", map.lines)("width", map.width)(
        "line", map.line)("surface", map.surface);
    map.address += base_;
  }
  void set(const nlohmann::json &from, isa::unity::Parameter &parameter) const {
    JsonReader(from, base_)("immediate", parameter.immediate)("unit", parameter.unit)("value", parameter.value)(
        "address", parameter.address)("row", parameter.row)("column", parameter.column)("channel", parameter.channel);
    parameter.address += base_;
  }
  void set(const nlohmann::json &from, isa::unity::Convolution::Kernel &kernel) const {
    JsonReader(from, base_)("address", kernel.address)("unit", kernel.unit)("number", kernel.number)("height", kernel.height)(
        "width", kernel.width)("channels", kernel.channels)("number_step", kernel.number_step)("row", kernel.row)("column", kernel.column)(
        "channel", kernel.channel);
    kernel.address += base_;
  }
  void set(const nlohmann::json &from, isa::unity::Broadcast &broadcast) const {
    JsonReader(from, base_)("repeat", broadcast.repeat)("period", broadcast.period);
  }
  template <typename Element, std::size_t kCount>
  void set(const nlohmann::json &from, std::array<Element, kCount> &array) const {
    for (std::size_t i = 0; i < from.size(); ++i) set(from.at(i), array.at(i));
  }
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void set(const nlohmann::json &from, Number &value) const { value = from.get<Number>(); }
  template <typename Name>
  requires std::is_enum_v<Name>
  void set(const nlohmann::json &from, Name &value) const { value = static_cast<Name>(from.get<unsigned>()); }

  const nlohmann::json &members_;
  std::uint64_t base_;
};

// Families that others contain.
void fill(const JsonReader &from, isa::unity::Convolution &to);
void fill(const JsonReader &from, isa::unity::Pool &to);

using JsonFamilies = std::map<std::string, std::function<isa::unity::Operation(const JsonReader &)>>;

// Families of json_KIND.cpp.
void add_matrix_families(JsonFamilies &families);
void add_creation_families(JsonFamilies &families);
void add_volume_families(JsonFamilies &families);
void add_recurrent_families(JsonFamilies &families);
void add_vision_families(JsonFamilies &families);
void add_training_families(JsonFamilies &families);

/// `kFill` reads the family's members.
template <typename Family, void (*kFill)(const JsonReader &, Family &)>
isa::unity::Operation read_json_family(const JsonReader &from) {
  Family family;
  kFill(from, family);
  return family;
}

}  // namespace cox::test
