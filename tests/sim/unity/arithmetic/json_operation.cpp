// SPDX-License-Identifier: MIT
#include "tests/sim/unity/arithmetic/json_operation.h"

#include "tests/sim/unity/arithmetic/json_reader.h"

namespace cox::test {
namespace {

using nlohmann::json;
using namespace isa::unity;  // the operations
using Reader = JsonReader;

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

}  // namespace

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

Operation operation_of(const json &members, std::uint64_t base) {
  static const JsonFamilies families = [] {
    JsonFamilies all{
        {"Elementwise", read_json_family<Elementwise, fill>},
        {"Reduction", read_json_family<Reduction, fill>},
        {"DataMove", read_json_family<DataMove, fill>},
        {"Copy", read_json_family<Copy, fill>},
        {"Pad", read_json_family<Pad, fill>},
        {"Concatenate", read_json_family<Concatenate, fill>},
        {"Split", read_json_family<Split, fill>},
        {"Transpose", read_json_family<Transpose, fill>},
        {"Gather", read_json_family<Gather, fill>},
        {"Scatter", read_json_family<Scatter, fill>},
        {"Tile", read_json_family<Tile, fill>},
        {"Roll", read_json_family<Roll, fill>},
        {"Reverse", read_json_family<Reverse, fill>},
        {"Select", read_json_family<Select, fill>},
        {"Search", read_json_family<Search, fill>},
        {"Resize", read_json_family<Resize, fill>},
        {"Convolution", read_json_family<Convolution, fill>},
        {"Pool", read_json_family<Pool, fill>},
        {"QuantisedAdd", read_json_family<QuantisedAdd, fill>},
        {"Activation", read_json_family<Activation, fill>},
        {"Softmax", read_json_family<Softmax, fill>},
        {"Norm", read_json_family<Norm, fill>},
    };
    add_matrix_families(all);
    add_creation_families(all);
    add_volume_families(all);
    add_recurrent_families(all);
    add_vision_families(all);
    add_training_families(all);
    return all;
  }();
  return families.at(members.at("family").get<std::string>())(Reader(members, base));
}

}  // namespace cox::test
