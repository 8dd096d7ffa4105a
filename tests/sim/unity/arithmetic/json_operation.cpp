// SPDX-License-Identifier: MIT
#include "tests/sim/unity/arithmetic/json_operation.h"

#include <functional>
#include <map>
#include <string>
#include <type_traits>

#include "isa/unity/table.h"

namespace cox::test {
namespace {

using nlohmann::json;
using namespace isa::unity;  // the operations

class Reader {
 public:
  Reader(const json &members, std::uint64_t base) : members_(members), base_(base) {}

  template <typename Number>
  const Reader &operator()(const char *name, Number &value) const {
    if (const auto found = members_.find(name); found != members_.end()) set(*found, value);
    return *this;
  }

 private:
  void set(const json &from, Opcode &op) const {
    const Instruction *row = Set::find(from.get<std::string>());
    if (row == nullptr) throw std::out_of_range(from.get<std::string>());
    op = row->opcode;
  }
  void set(const json &from, Run &run) const {
    run.address = base_ + from.at(0).get<std::uint64_t>();
    set(from.at(1), run.unit);
    run.elements = from.at(2).get<std::uint64_t>();
  }
  void set(const json &from, Clip &clip) const {
    Reader(from, base_)("minimum", clip.minimum)("maximum", clip.maximum)("float_minimum", clip.float_minimum)("float_maximum",
                                                                                                               clip.float_maximum);
    clip.on = true;
  }
  void set(const json &from, FeatureMap &map) const {
    Reader(from, base_)("address", map.address)("unit", map.unit)("height", map.height)("width", map.width)("channels", map.channels)(
        "row", map.row)("column", map.column)("channel", map.channel);
    map.address += base_;
  }
  void set(const json &from, Surfaces &map) const {
    Reader(from, base_)("address", map.address)("unit", map.unit)("surfaces", map.surfaces)("lines", map.lines)("width", map.width)(
        "line", map.line)("surface", map.surface);
    map.address += base_;
  }
  void set(const json &from, Parameter &parameter) const {
    Reader(from, base_)("immediate", parameter.immediate)("unit", parameter.unit)("value", parameter.value)("address", parameter.address)(
        "row", parameter.row)("column", parameter.column)("channel", parameter.channel);
    parameter.address += base_;
  }
  void set(const json &from, Convolution::Kernel &kernel) const {
    Reader(from, base_)("address", kernel.address)("unit", kernel.unit)("number", kernel.number)("height", kernel.height)(
        "width", kernel.width)("channels", kernel.channels)("number_step", kernel.number_step)("row", kernel.row)("column", kernel.column)(
        "channel", kernel.channel);
    kernel.address += base_;
  }
  void set(const json &from, Broadcast &broadcast) const { Reader(from, base_)("repeat", broadcast.repeat)("period", broadcast.period); }
  template <typename Element, std::size_t kCount>
  void set(const json &from, std::array<Element, kCount> &array) const {
    for (std::size_t i = 0; i < from.size(); ++i) set(from.at(i), array.at(i));
  }
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void set(const json &from, Number &value) const { value = from.get<Number>(); }
  template <typename Name>
  requires std::is_enum_v<Name>
  void set(const json &from, Name &value) const { value = static_cast<Name>(from.get<unsigned>()); }

  const json &members_;
  std::uint64_t base_;
};

void fill(const Reader &from, Elementwise &to) {
  from("op", to.op)("sources", to.sources)("source", to.source)("result", to.result)("saturate", to.saturate)("rounding", to.rounding)(
      "less", to.less)("scalar_second", to.scalar_second)("clip", to.clip);
}
void fill(const Reader &from, Reduction &to) {
  from("op", to.op)("source", to.source)("result", to.result)("height", to.height)("width", to.width)("channels", to.channels)(
      "over_height", to.over_height)("over_width", to.over_width)("over_channels", to.over_channels)("saturate", to.saturate)("rounding",
                                                                                                                              to.rounding);
}
void fill(const Reader &from, DataMove &to) {
  from("mode", to.mode)("source", to.source)("destination", to.destination)("value", to.value);
}
void fill(const Reader &from, Copy &to) { from("op", to.op)("source", to.source)("result", to.result); }
void fill(const Reader &from, Pad &to) {
  from("source", to.source)("result", to.result)("height", to.height)("width", to.width)("channels", to.channels)("top", to.top)(
      "bottom", to.bottom)("left", to.left)("right", to.right)("value", to.value);
}
void fill(const Reader &from, Concatenate &to) {
  from("source", to.source)("result", to.result)("outer", to.outer)("first", to.first)("second", to.second);
}
void fill(const Reader &from, Split &to) {
  from("op", to.op)("source", to.source)("result", to.result)("outer", to.outer)("extent", to.extent)("inner", to.inner)("index", to.index);
}
void fill(const Reader &from, Transpose &to) { from("source", to.source)("result", to.result)("extents", to.extents)("order", to.order); }
void fill(const Reader &from, Gather &to) {
  from("op", to.op)("source", to.source)("result", to.result)("index", to.index)("outer", to.outer)("extent", to.extent)("inner", to.inner)(
      "coordinates", to.coordinates)("coordinate_extents", to.coordinate_extents);
}
void fill(const Reader &from, Scatter &to) {
  from("op", to.op)("tensor", to.tensor)("update", to.update)("index", to.index)("extent", to.extent)("inner", to.inner)(
      "coordinates", to.coordinates)("coordinate_extents", to.coordinate_extents);
}
void fill(const Reader &from, Tile &to) { from("source", to.source)("result", to.result)("copies", to.copies); }
void fill(const Reader &from, Roll &to) { from("source", to.source)("result", to.result)("extents", to.extents)("shift", to.shift); }
void fill(const Reader &from, Reverse &to) {
  from("source", to.source)("result", to.result)("outer", to.outer)("extent", to.extent)("inner", to.inner);
}
void fill(const Reader &from, Select &to) { from("condition", to.condition)("source", to.source)("result", to.result); }
void fill(const Reader &from, Search &to) {
  from("op", to.op)("source", to.source)("values", to.values)("indices", to.indices)("saturate", to.saturate);
}
void fill(const Reader &from, Resize &to) {
  from("op", to.op)("source", to.source)("result", to.result)("align_corners", to.align_corners)("half_pixel", to.half_pixel);
}
void fill(const Reader &from, Convolution &to) {
  from("op", to.op)("source", to.source)("result", to.result)("kernel", to.kernel)("groups", to.groups)("kernel_zero", to.kernel_zero)(
      "top", to.top)("bottom", to.bottom)("left", to.left)("right", to.right)("stride_vertical", to.stride_vertical)(
      "stride_horizontal", to.stride_horizontal)("rate_vertical", to.rate_vertical)("rate_horizontal", to.rate_horizontal)(
      "enlarge_vertical", to.enlarge_vertical)("enlarge_horizontal", to.enlarge_horizontal)("padding", to.padding)("plain", to.plain)(
      "has_multiplier", to.has_multiplier)("bias", to.bias)("multiplier", to.multiplier)("shift", to.shift)("scale", to.scale)("clip",
                                                                                                                               to.clip);
}
void fill(const Reader &from, Pool &to) {
  from("op", to.op)("kind", to.kind)("source", to.source)("result", to.result)("kernel_height", to.kernel_height)(
      "kernel_width", to.kernel_width)("top", to.top)("bottom", to.bottom)("left", to.left)("right", to.right)(
      "stride_vertical", to.stride_vertical)("stride_horizontal", to.stride_horizontal)("padding", to.padding);
}
void fill(const Reader &from, QuantisedAdd &to) {
  from("op", to.op)("source", to.source)("result", to.result)("second", to.second)("has_multiplier", to.has_multiplier)(
      "multiplier_unit", to.multiplier_unit)("multiplier", to.multiplier)("shift", to.shift)("input_zero", to.input_zero)(
      "output_zero", to.output_zero)("left_shift", to.left_shift)("input_multiplier", to.input_multiplier)("input_shift", to.input_shift)(
      "clip", to.clip);
}
void fill(const Reader &from, Activation &to) {
  from("op", to.op)("source", to.source)("result", to.result)("parameter", to.parameter)("multiplier", to.multiplier)("shift", to.shift)(
      "broadcast", to.broadcast);
}
void fill(const Reader &from, Softmax &to) {
  from("op", to.op)("source", to.source)("result", to.result)("outer", to.outer)("extent", to.extent)("inner", to.inner)(
      "multiplier", to.multiplier)("left_shift", to.left_shift)("smallest_difference", to.smallest_difference);
}
void fill(const Reader &from, Norm &to) {
  from("op", to.op)("source", to.source)("result", to.result)("weight", to.weight)("bias", to.bias)("mean", to.mean)(
      "variance", to.variance)("batches", to.batches)("spatial", to.spatial)("channels", to.channels)("channels_last", to.channels_last)(
      "groups", to.groups)("epsilon", to.epsilon)("size", to.size)("alpha", to.alpha)("beta", to.beta)("k", to.k)("p", to.p);
}

template <typename Family>
Operation read_family(const Reader &from) {
  Family family;
  fill(from, family);
  return family;
}

}  // namespace

Operation operation_of(const json &members, std::uint64_t base) {
  static const std::map<std::string, std::function<Operation(const Reader &)>> families{
      {"Elementwise", read_family<Elementwise>},
      {"Reduction", read_family<Reduction>},
      {"DataMove", read_family<DataMove>},
      {"Copy", read_family<Copy>},
      {"Pad", read_family<Pad>},
      {"Concatenate", read_family<Concatenate>},
      {"Split", read_family<Split>},
      {"Transpose", read_family<Transpose>},
      {"Gather", read_family<Gather>},
      {"Scatter", read_family<Scatter>},
      {"Tile", read_family<Tile>},
      {"Roll", read_family<Roll>},
      {"Reverse", read_family<Reverse>},
      {"Select", read_family<Select>},
      {"Search", read_family<Search>},
      {"Resize", read_family<Resize>},
      {"Convolution", read_family<Convolution>},
      {"Pool", read_family<Pool>},
      {"QuantisedAdd", read_family<QuantisedAdd>},
      {"Activation", read_family<Activation>},
      {"Softmax", read_family<Softmax>},
      {"Norm", read_family<Norm>},
  };
  return families.at(members.at("family").get<std::string>())(Reader(members, base));
}

}  // namespace cox::test
