// SPDX-License-Identifier: MIT
#include "tools/lower/network/layer_reader.h"

namespace cox::lower {
namespace {

using enum Operation;
using Formats = OperationRules::Formats;

constexpr std::string_view kPlain[] = {"name", "operation", "inputs", "output"};
constexpr std::string_view kConvolution[] = {"name",    "operation",   "inputs", "kernel",     "stride",
                                             "padding", "dilation",    "groups", "activation", "activation_parameter",
                                             "weights", "unquantised", "output"};
constexpr std::string_view kTransposed[] = {"name",    "operation",      "inputs", "kernel",     "stride",
                                            "padding", "output_padding", "groups", "activation", "activation_parameter",
                                            "weights", "unquantised",    "output"};
constexpr std::string_view kFullyConnected[] = {"name",    "operation",   "inputs", "activation", "activation_parameter",
                                                "weights", "unquantised", "output"};
constexpr std::string_view kPool[] = {"name", "operation", "inputs", "kernel", "stride", "padding", "output"};
constexpr std::string_view kResize[] = {"name", "operation", "inputs", "mode", "coordinates", "output"};
constexpr std::string_view kElementWise[] = {"name", "operation", "inputs", "activation", "output"};
constexpr std::string_view kLayerNorm[] = {"name", "operation", "inputs", "epsilon", "weights", "output"};

constexpr OperationRules kRules[] = {
    {"quantise", quantise, 1, 1, Formats::fp16, false, kPlain},
    {"convolution", convolution, 1, 1, Formats::int8, true, kConvolution},
    {"transposed_convolution", transposed_convolution, 1, 1, Formats::int8, true, kTransposed},
    {"fully_connected", fully_connected, 1, 1, Formats::int8, true, kFullyConnected},
    {"maximum_pool", maximum_pool, 1, 1, Formats::int8, false, kPool},
    {"average_pool", average_pool, 1, 1, Formats::int8, false, kPool},
    {"global_average_pool", global_average_pool, 1, 1, Formats::either, true, kPlain},
    {"resize", resize, 1, 1, Formats::either, true, kResize},
    {"concatenation", concatenation, 2, kMostConcatenated, Formats::int8, false, kPlain},
    {"add", add, 2, 2, Formats::int8, false, kElementWise},
    {"subtract", subtract, 2, 2, Formats::int8, false, kElementWise},
    {"multiply", multiply, 2, 2, Formats::int8, false, kElementWise},
    {"maximum", maximum, 2, 2, Formats::int8, false, kElementWise},
    {"minimum", minimum, 2, 2, Formats::int8, false, kElementWise},
    {"softmax", softmax, 1, 1, Formats::either, true, kPlain},
    {"layer_norm", layer_norm, 1, 1, Formats::either, true, kLayerNorm},
    {"sigmoid", sigmoid, 1, 1, Formats::either, true, kPlain},
    {"tanh", Operation::tanh, 1, 1, Formats::either, true, kPlain},
    {"gelu", gelu, 1, 1, Formats::either, true, kPlain},
    {"silu", silu, 1, 1, Formats::either, true, kPlain},
};

}  // namespace

const OperationRules &rules_of(const Object &object) {
  const std::string name = object.text("operation");
  for (const OperationRules &rules : kRules) {
    if (rules.name != name) continue;
    object.only(rules.fields);
    return rules;
  }
  object.fail("operation", "unknown operation '" + name + "'" + tools::did_you_mean(name, kRules, &OperationRules::name));
}

}  // namespace cox::lower
