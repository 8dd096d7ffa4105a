// SPDX-License-Identifier: MIT
// Tests which contents a network file may have, and that all others are refused.
#include "tools/lower/network/network.h"

#include <gmock/gmock.h>

#include <functional>
#include <ostream>

#include "tests/tools/lower/network_files.h"
#include "tools/file/error.h"
#include "tools/lower/lowering.h"
#include "tools/lower/weights/weights.h"

namespace cox::lower {
namespace {

using test::Folder;
using test::json;
using ::testing::HasSubstr;

/// Reads, packs and lowers the network. Returns the error's message, or "" without an error.
std::string refusal(const Folder &folder, const json &network) {
  const std::string path = folder.write("net.json", network.dump());
  try {
    const Network read = read_network(path);
    static_cast<void>(lower(read, pack_weights(read)));
    return "";
  } catch (const NetworkError &error) {
    return error.what();
  }
}

TEST(Network, ReadsEveryField) {
  const Folder folder;
  const Network network = read_network(folder.write("net.json", test::small_network().dump()));
  EXPECT_EQ(network.name, "small");
  ASSERT_EQ(network.maps.size(), 6U);
  ASSERT_EQ(network.layers.size(), 5U);
  EXPECT_EQ(network.maps[0].format, isa::tile::DataFmt::FP16);
  const Layer &conv = network.layers[1];
  EXPECT_EQ(conv.operation, Operation::convolution);
  EXPECT_EQ(conv.inputs, std::vector<std::size_t>{1});
  EXPECT_EQ(conv.kernel, (std::array<std::uint32_t, 2>{3, 3}));
  EXPECT_EQ(conv.stride, (std::array<std::uint32_t, 2>{1, 1}));
  EXPECT_EQ(conv.padding.bottom, 1U);
  EXPECT_EQ(conv.activation, Activation::relu);
  EXPECT_EQ(conv.weights, folder.file("conv.bin"));
  EXPECT_EQ(network.output_of(conv).zero_point, -128);
  EXPECT_EQ(network.layers[3].inputs, (std::vector<std::size_t>{3, 3}));
  EXPECT_EQ(network.layers[4].kernel, (std::array<std::uint32_t, 2>{4, 4}));
  EXPECT_EQ(network.output, 5U);
}

TEST(Network, SmallNetworkLowers) {
  const Folder folder;
  test::write_small_weights(folder);
  EXPECT_EQ(refusal(folder, test::small_network()), "");
}

struct Mistake {
  const char *name;
  std::function<void(json &)> make;
  const char *message;  ///< the part after the file's name
};

void PrintTo(const Mistake &mistake, std::ostream *out) { *out << mistake.name; }

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreRefusedByFileLayerAndField) {
  const Folder folder;
  test::write_small_weights(folder);
  json network = test::small_network();
  GetParam().make(network);
  EXPECT_THAT(refusal(folder, network), HasSubstr("net.json: " + std::string(GetParam().message)));
}

json &layer(json &network, std::size_t i) { return network["layers"][i]; }

/// Makes layer 1 a 4 x 4 transposed convolution with stride 2 and padding 1, as in a U-Net.
void make_transposed(json &network) {
  json &own = layer(network, 1);
  own["operation"] = "transposed_convolution";
  own["kernel"] = {4, 4};
  own["stride"] = {2, 2};
  own["output"]["shape"] = {16, 16, 16};
}

/// Makes layer 3 a function of one tensor.
void make_function(json &network, const char *operation, const json &fields) {
  json &own = layer(network, 3);
  own.erase("activation");
  own["operation"] = operation;
  own["inputs"] = {"pool"};
  if (!fields.is_null()) own.update(fields);
}

const Mistake kMistakes[] = {
    {"Format", [](json &n) { n["format"] = "onnx"; }, "format: 'coxswain-network' is wanted"},
    {"Version", [](json &n) { n["version"] = 2; }, "version: 2 is not 1"},
    {"Batch", [](json &n) { n["batch"] = 257; }, "batch: 257 is not an integer from 1 to 256"},
    {"MissingName", [](json &n) { n.erase("name"); }, "name: missing"},
    {"UnknownNetworkField", [](json &n) { n["author"] = "me"; }, "author: unknown field"},
    {"NoLayers", [](json &n) { n["layers"] = json::array(); }, "layers: a list of layers is wanted"},
    {"InputShape",
     [](json &n) {
       n["input"]["shape"] = {3, 8};
     },
     "shape: a list of 3 integers is wanted"},
    {"InputExtent",
     [](json &n) {
       n["input"]["shape"] = {3, 8, 65536};
     },
     "shape: 65536 is not an integer from 1 to 65535"},
    {"ScaleOfFp16", [](json &n) { n["input"]["scale"] = 1; }, "input.scale: an FP16 map has none"},
    {"UnknownFormat", [](json &n) { layer(n, 0)["output"]["format"] = "INT4"; },
     "layer quantise: output.format: 'INT4' is not INT8 or FP16"},
    {"NamelessLayer", [](json &n) { layer(n, 1).erase("name"); }, "layer 1: name: missing"},
    {"NameTwice", [](json &n) { layer(n, 1)["name"] = "quantise"; }, "layer quantise: name: used before"},
    {"UnknownOperation", [](json &n) { layer(n, 1)["operation"] = "deconvolution"; },
     "layer conv: operation: unknown operation 'deconvolution'"},
    {"UnknownLayerField", [](json &n) { layer(n, 1)["colour"] = 2; }, "layer conv: colour: unknown field"},
    {"FieldOfAnotherOperation",
     [](json &n) {
       layer(n, 3)["kernel"] = {1, 1};
     },
     "layer add: kernel: unknown field"},
    {"UnknownInput", [](json &n) { layer(n, 1)["inputs"] = {"pool"}; },
     "layer conv: inputs: \"pool\" is neither the network's input nor a layer before this one"},
    {"OneInputOfAdd", [](json &n) { layer(n, 3)["inputs"] = {"pool"}; }, "layer add: inputs: a list of 2 names is wanted"},
    {"Fp16Convolution", [](json &n) { layer(n, 1)["inputs"] = {"image"}; }, "layer conv: inputs: image is not INT8"},
    {"Int8Quantise",
     [](json &n) {
       layer(n, 0)["output"]["format"] = "FP16";
       layer(n, 0)["output"].erase("scale");
       layer(n, 0)["output"].erase("zero_point");
     },
     "layer quantise: output.format: FP16 does not come from quantise"},
    {"NegativeScale", [](json &n) { layer(n, 0)["output"]["scale"] = -1; }, "layer quantise: output.scale: -1 is not a positive number"},
    {"TinyScale", [](json &n) { layer(n, 0)["output"]["scale"] = 1e-60; }, "layer quantise: output.scale: 1e-60 is not a positive number"},
    {"ZeroPoint", [](json &n) { layer(n, 0)["output"]["zero_point"] = 128; },
     "layer quantise: output.zero_point: 128 is not an integer from -128 to 127"},
    {"Kernel",
     [](json &n) {
       layer(n, 1)["kernel"] = {0, 3};
     },
     "layer conv: kernel: 0 is not an integer from 1 to 255"},
    {"Stride",
     [](json &n) {
       layer(n, 2)["stride"] = {2, 256};
     },
     "layer pool: stride: 256 is not an integer from 1 to 255"},
    {"Padding",
     [](json &n) {
       layer(n, 1)["padding"] = {1, 1, 1};
     },
     "layer conv: padding: a list of 4 integers is wanted"},
    {"PaddingOverKernel",
     [](json &n) {
       layer(n, 2)["padding"] = {2, 0, 0, 0};
     },
     "layer pool: padding: must be smaller than the kernel"},
    {"KernelOverMap",
     [](json &n) {
       layer(n, 1)["kernel"] = {11, 3};
     },
     "layer conv: kernel: 11 x 3 is larger than the padded map of 10 x 10"},
    {"Shape",
     [](json &n) {
       layer(n, 1)["output"]["shape"] = {16, 7, 8};
     },
     "layer conv: output.shape: [16, 7, 8] does not follow from the input, which gives [16, 8, 8]"},
    {"PoolChannels",
     [](json &n) {
       layer(n, 2)["output"]["shape"] = {8, 4, 4};
     },
     "layer pool: output.shape: [8, 4, 4] does not follow"},
    {"AddShape",
     [](json &n) {
       layer(n, 3)["inputs"] = {"pool", "conv"};
     },
     "layer add: output.shape: [16, 4, 4] is not the shape of conv, [16, 8, 8]"},
    {"Activation", [](json &n) { layer(n, 1)["activation"] = "swish"; },
     "layer conv: activation: 'swish' is not none, relu, relu_x, leaky_relu, prelu, sigmoid, tanh, gelu, silu or relu6"},
    {"ActivationOfAdd", [](json &n) { layer(n, 3)["activation"] = "gelu"; }, "layer add: activation: 'gelu' is not none or relu"},
    {"NoActivationParameter", [](json &n) { layer(n, 1)["activation"] = "leaky_relu"; }, "layer conv: activation_parameter: missing"},
    {"NegativeActivationParameter",
     [](json &n) {
       layer(n, 1)["activation"] = "relu_x";
       layer(n, 1)["activation_parameter"] = -1;
     },
     "layer conv: activation_parameter: -1 is not a positive number"},
    {"UselessActivationParameter",
     [](json &n) {
       layer(n, 1)["activation"] = "relu6";
       layer(n, 1)["activation_parameter"] = 6;
     },
     "layer conv: activation_parameter: relu_x and leaky_relu alone have one"},
    {"Groups", [](json &n) { layer(n, 1)["groups"] = 2; }, "layer conv: groups: 2 do not divide 3 channels into 16 evenly"},
    {"GroupsOfKernels", [](json &n) { layer(n, 1)["groups"] = 3; }, "layer conv: groups: 3 do not divide 3 channels into 16 evenly"},
    {"Dilation",
     [](json &n) {
       layer(n, 1)["dilation"] = {1, 256};
     },
     "layer conv: dilation: 256 is not an integer from 1 to 255"},
    {"DilatedShape",
     [](json &n) {
       layer(n, 1)["dilation"] = {2, 3};
     },
     "layer conv: output.shape: [16, 8, 8] does not follow from the input, which gives [16, 6, 4]"},
    {"DilatedKernelOverMap",
     [](json &n) {
       layer(n, 1)["dilation"] = {5, 1};
     },
     "layer conv: kernel: 11 x 3 is larger than the padded map of 10 x 10"},
    {"RowsThatNoInstructionNames",
     [](json &n) {
       n["input"]["shape"] = layer(n, 0)["output"]["shape"] = {3, 40000, 8};
       layer(n, 1)["output"]["shape"] = {16, 40000, 8};
     },
     "layer conv: output.shape: the last row begins at row 39999 under the kernel, the most are 32767"},
    {"TransposedShape",
     [](json &n) {
       make_transposed(n);
       layer(n, 1)["output"]["shape"] = {16, 16, 15};
     },
     "layer conv: output.shape: [16, 16, 15] does not follow from the input, which gives [16, 16, 16]"},
    {"TransposedDilation",
     [](json &n) {
       make_transposed(n);
       layer(n, 1)["dilation"] = {1, 1};
     },
     "layer conv: dilation: unknown field"},
    {"OutputPadding",
     [](json &n) {
       make_transposed(n);
       layer(n, 1)["output_padding"] = {2, 0};
     },
     "layer conv: output_padding: must be smaller than the stride"},
    {"PaddingThatLeavesNothing",
     [](json &n) {
       make_transposed(n);
       n["input"]["shape"] = layer(n, 0)["output"]["shape"] = {3, 1, 8};
       layer(n, 1)["padding"] = {3, 0, 1, 0};
     },
     "layer conv: padding: leaves nothing of 4 x 18"},
    {"ResizeMode",
     [](json &n) {
       make_function(n, "resize", {{"mode", "cubic"}});
     },
     "layer add: mode: 'cubic' is not nearest or bilinear"},
    {"NoResizeMode", [](json &n) { make_function(n, "resize", {}); }, "layer add: mode: missing"},
    {"ResizeCoordinates",
     [](json &n) {
       make_function(n, "resize", {{"mode", "nearest"}, {"coordinates", "corners"}});
     },
     "layer add: coordinates: 'corners' is not half_pixel or aligned_corners"},
    {"ResizeChannels",
     [](json &n) {
       make_function(n, "resize", {{"mode", "nearest"}});
       layer(n, 3)["output"]["shape"] = {8, 4, 4};
     },
     "layer add: output.shape: [8, 4, 4] does not follow from the input, which gives [16, 4, 4]"},
    {"ResizeRows",
     [](json &n) {
       make_function(n, "resize", {{"mode", "nearest"}});
       layer(n, 3)["output"]["shape"] = {16, 32769, 1};
     },
     "layer add: output.shape: 32769 rows, a resize makes 32768 at most"},
    {"OneInputOfConcatenation", [](json &n) { make_function(n, "concatenation", {}); },
     "layer add: inputs: a list of 2 to 16 names is wanted"},
    {"ConcatenationExtent",
     [](json &n) {
       make_function(n, "concatenation", {{"inputs", {"pool", "conv"}}});
     },
     "layer add: inputs: conv is 8 x 8, pool 4 x 4"},
    {"ConcatenationChannels",
     [](json &n) {
       make_function(n, "concatenation", {{"inputs", {"pool", "pool"}}});
     },
     "layer add: output.shape: [16, 4, 4] does not follow from the input, which gives [32, 4, 4]"},
    {"SoftmaxShape",
     [](json &n) {
       make_function(n, "softmax", {});
       layer(n, 3)["output"]["shape"] = {16, 4, 5};
     },
     "layer add: output.shape: [16, 4, 5] is not the shape of pool, [16, 4, 4]"},
    {"NoEpsilon", [](json &n) { make_function(n, "layer_norm", {}); }, "layer add: epsilon: missing"},
    {"Epsilon",
     [](json &n) {
       make_function(n, "layer_norm", {{"epsilon", 0}});
     },
     "layer add: epsilon: 0 is not a positive number"},
    {"NormWeightsMissing",
     [](json &n) {
       make_function(n, "layer_norm", {{"epsilon", 1e-5}, {"weights", "absent.bin"}});
     },
     "layer add: weights: "},
    {"GlobalAveragePoolShape", [](json &n) { make_function(n, "global_average_pool", {}); },
     "layer add: output.shape: [16, 4, 4] does not follow from the input, which gives [16, 1, 1]"},
    {"SlopesMissing", [](json &n) { layer(n, 1)["activation"] = "prelu"; }, "layer conv: weights: "},
    {"AddReluZeroPoint", [](json &n) { layer(n, 3)["output"]["zero_point"] = 0; }, "layer add: output.zero_point: must be -128"},
    {"NoWeights", [](json &n) { layer(n, 1).erase("weights"); }, "layer conv: weights: missing"},
    {"OutputLayer", [](json &n) { n["output"]["layer"] = "image"; }, "output.layer: no layer 'image'"},
    {"OutputName", [](json &n) { n["output"]["name"] = "image"; }, "output.name: is the input's name"},
    {"UnusedLayer", [](json &n) { n["output"]["layer"] = "add"; }, "layer logits: output: is never used"},
    {"WeightsMissing", [](json &n) { layer(n, 1)["weights"] = "absent.bin"; }, "layer conv: weights: "},
    {"WeightsSize", [](json &n) { layer(n, 1)["weights"] = "logits.bin"; }, "layer conv: weights: "},
};

INSTANTIATE_TEST_SUITE_P(Network, Mistakes, ::testing::ValuesIn(kMistakes),
                         [](const auto &mistake) { return std::string(mistake.param.name); });

TEST(Network, WeightsOfTheWrongSizeNameBothSizes) {
  const Folder folder;
  folder.write_weights("logits.bin", 10, 256);
  folder.write_weights("conv.bin", 16, 26);
  EXPECT_THAT(refusal(folder, test::small_network()),
              HasSubstr("conv.bin has 544 bytes; 16 kernels of 27 weights with a scale and a bias each are 560"));
}

TEST(Network, WeightsThatAreNotFiniteAreRefused) {
  const Folder folder;
  test::write_small_weights(folder);
  std::string bytes(std::size_t{16} * 27, '\1');
  for (int i = 0; i < 32; ++i) bytes.append("\0\0\x80\x7f", 4);
  folder.write("conv.bin", bytes);
  EXPECT_THAT(refusal(folder, test::small_network()), HasSubstr("layer conv: weights: the scale or bias of kernel 0 is not finite"));
}

TEST(Network, OperationsSayWhatTheDeviceIsToDo) {
  const Folder folder;
  json file = test::small_network();
  make_transposed(file);
  layer(file, 1)["padding"] = {1, 0, 2, 3};
  layer(file, 1)["output_padding"] = {1, 0};
  layer(file, 1)["activation"] = "relu6";
  layer(file, 1)["output"]["shape"] = {16, 16, 15};
  layer(file, 2)["output"]["shape"] = {16, 8, 7};
  make_function(file, "resize", {{"mode", "bilinear"}, {"coordinates", "aligned_corners"}});
  folder.write_weights("conv.bin", 16, 48);
  const Network network = read_network(folder.write("net.json", file.dump()));
  const Layer &transposed = network.layers[1];
  // The layer becomes a convolution with stride 1 over a spread input, in which neighbouring rows and columns are 2 apart.
  // padding.left = 4 (kernel) - 1 = 3
  // padding.top = 4 (kernel) - 1 - 1 (row that `padding` in the file cuts off) = 2
  EXPECT_EQ(transposed.upsample, (std::array<std::uint32_t, 2>{2, 2}));
  EXPECT_EQ(transposed.stride, (std::array<std::uint32_t, 2>{1, 1}));
  EXPECT_EQ(transposed.padding.top, 2U);
  EXPECT_EQ(transposed.padding.left, 3U);
  EXPECT_EQ(transposed.activation, Activation::relu_x);
  EXPECT_EQ(transposed.activation_parameter, 6);
  EXPECT_TRUE(network.layers[3].bilinear);
  EXPECT_EQ(network.layers[3].coordinates, Coordinates::aligned_corners);
}

TEST(Network, BrokenJsonNamesTheFile) {
  const Folder folder;
  const std::string path = folder.write("net.json", "{\"format\": ");
  try {
    static_cast<void>(read_network(path));
    FAIL();
  } catch (const tools::FileError &error) {
    EXPECT_THAT(error.what(), HasSubstr("net.json:1:12: this is not JSON"));
  }
}

TEST(Network, ANumberThatNoTypeHoldsIsRefused) {
  const Folder folder;
  EXPECT_THROW(static_cast<void>(read_network(folder.write("net.json", R"({"format": 9e99999})"))), tools::FileError);
}

TEST(Network, MissingFileIsAFileError) { EXPECT_THROW(static_cast<void>(read_network("/nowhere/net.json")), tools::FileError); }

}  // namespace
}  // namespace cox::lower
