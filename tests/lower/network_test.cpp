// SPDX-License-Identifier: MIT
// What a network file may say, and how everything else is refused.
#include "tools/lower/network.h"

#include <gmock/gmock.h>

#include <functional>

#include "tests/lower/network_files.h"
#include "tools/lower/lowering.h"
#include "tools/lower/weights.h"
#include "tools/task/error.h"

namespace cox::lower {
namespace {

using test::Folder;
using test::json;
using ::testing::HasSubstr;

/// Reads, packs and lowers; the message of the error, or "" if there is none.
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
  EXPECT_TRUE(conv.relu);
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
  const char *message;  ///< what follows the file's name
};

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreRefusedByFileLayerAndField) {
  const Folder folder;
  test::write_small_weights(folder);
  json network = test::small_network();
  GetParam().make(network);
  EXPECT_THAT(refusal(folder, network), HasSubstr("net.json: " + std::string(GetParam().message)));
}

json &layer(json &network, std::size_t i) { return network["layers"][i]; }

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
    {"UnknownLayerField", [](json &n) { layer(n, 1)["dilation"] = 2; }, "layer conv: dilation: unknown field"},
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
     "layer quantise: output.format: FP16 comes from convolution and fully_connected alone"},
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
    {"Activation", [](json &n) { layer(n, 1)["activation"] = "gelu"; }, "layer conv: activation: 'gelu' is not relu or none"},
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

TEST(Network, BrokenJsonNamesTheFile) {
  const Folder folder;
  const std::string path = folder.write("net.json", "{\"format\": ");
  try {
    static_cast<void>(read_network(path));
    FAIL();
  } catch (const NetworkError &error) {
    EXPECT_THAT(error.what(), HasSubstr("net.json: "));
    EXPECT_THAT(error.what(), HasSubstr("line 1"));
  }
}

TEST(Network, ANumberThatNoTypeHoldsIsRefused) {
  const Folder folder;
  EXPECT_THROW(static_cast<void>(read_network(folder.write("net.json", R"({"format": 9e99999})"))), NetworkError);
}

TEST(Network, MissingFileIsAFileError) { EXPECT_THROW(static_cast<void>(read_network("/nowhere/net.json")), task::FileError); }

}  // namespace
}  // namespace cox::lower
