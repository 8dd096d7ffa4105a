// SPDX-License-Identifier: MIT
// Shapes and addresses worked out by hand from docs/isa/tile.md.
#include "coxswain/isa/tile/operation.h"
#include "tests/isa/tile/operation/instruction.h"

namespace cox::isa::tile {
namespace resolve_test {

using test::configured;
using test::instruction;

constexpr double kInt8 = 1, kFp16 = 3;

// The first convolution of the published ResNets: 7x7, stride 2, padding 3, image 3x224x224 at L2 address 0.
Configuration first_convolution() {
  return configured({
      instruction("pe_cfg_fm", {{"IF", {1}},
                                {"OF", {1}},
                                {"SF", {kInt8}},
                                {"WF", {kInt8}},
                                {"DF", {kInt8}},
                                {"PADV", {6}},
                                {"STile", {3, 224, 224}},
                                {"DTile", {64, 112, 112}}}),
      instruction("pe_cfg_pm", {{"ACTMD", {1}}, {"QC", {2}}, {"QB", {-128}}, {"QK", {43.5}}, {"STRIDE", {2, 2}}, {"XYmode", {3, 1}}}),
      instruction("pe_cfg_tp", {{"KERNEL", {7, 7}}, {"Tile", {1, 64, 3, 112, 112}}}),
  });
}

TEST(Resolve, ConvolutionUndoesTheShiftedStart) {
  const MachineCode code =
      instruction("pe_conv", {{"SPHI", {-3}}, {"SPWI", {-3}}, {"STaddr", {-5400}}, {"SWaddr", {2}}, {"DTaddr", {401408}}});
  const Result<Operation> result = resolve(code, first_convolution());
  ASSERT_TRUE(result.ok()) << result.status().what();
  const auto &op = std::get<Convolution>(result.value());
  EXPECT_EQ(op.source.pixel_bytes, 8U);             // three INT8 channels, padded to eight bytes
  EXPECT_EQ(op.source.row_bytes, 224 * 8);          // 1,792
  EXPECT_EQ(op.source.image_bytes, 224 * 224 * 8);  // 401,408
  EXPECT_EQ(op.source.base, 0);  // STaddr is -5400, and the map begins 3 rows of 1,792 bytes and 3 pixels of 8 bytes behind it
  EXPECT_EQ(op.destination.base, 401408);
  EXPECT_EQ(op.record_bytes, 7U * 7 * 8 + 32);  // 7 x 7 positions of 8 bytes, and 32 bytes of parameters: 424
  EXPECT_EQ(op.weights, 128);                   // unit 2 of 64 bytes
  EXPECT_EQ(op.kernels, 64U);
  EXPECT_EQ(op.channels, 3U);
  EXPECT_EQ(op.stride_height, 2U);
  EXPECT_EQ(op.activation, ActMode::RELU);
  EXPECT_FLOAT_EQ(op.scale, 43.5F);
  EXPECT_FLOAT_EQ(op.padding_value, 6.0F);
  EXPECT_EQ(multiply_accumulates(result.value()), std::int64_t{64} * 3 * 112 * 112 * 49);
}

TEST(Resolve, ConvolutionNamesTheConfigurationThatIsMissing) {
  const MachineCode code = instruction("pe_conv", {});
  EXPECT_STREQ(resolve(code, Configuration{}).status().what(), "pe_cfg_fm");
  EXPECT_EQ(resolve(code, Configuration{}).status().code(), ErrorCode::missing_configuration);
  Configuration configuration = first_convolution();
  Configuration partial = configured({*configuration.find(Opcode::pe_cfg_fm)});
  EXPECT_STREQ(resolve(code, partial).status().what(), "pe_cfg_pm");
  ASSERT_TRUE(partial.apply(*configuration.find(Opcode::pe_cfg_pm)).ok());
  EXPECT_STREQ(resolve(code, partial).status().what(), "pe_cfg_tp");
}

TEST(Resolve, ConvolutionWeightsMustEndAtAUnitThatTheFieldCanName) {
  Configuration configuration = first_convolution();
  // 64 records of 424 bytes take exactly 424 of the 65,536 units of WL0, which have 64 bytes each.
  // The last unit at which they can begin is 65,536 - 424 = 65,112.
  EXPECT_TRUE(resolve(instruction("pe_conv", {{"SWaddr", {65112}}}), configuration).ok());
  const Status status = resolve(instruction("pe_conv", {{"SWaddr", {65113}}}), configuration).status();
  EXPECT_EQ(status.code(), ErrorCode::address_outside_wl0);
  EXPECT_STREQ(status.what(), "SWaddr");
}

TEST(Resolve, ConvolutionTileMustFitTheMaps) {
  Configuration configuration = first_convolution();
  const auto with_tile = [&](test::Values tile) {
    Configuration copy = configuration;
    EXPECT_TRUE(copy.apply(instruction("pe_cfg_tp", {{"KERNEL", {7, 7}}, {"Tile", std::move(tile)}})).ok());
    return resolve(instruction("pe_conv", {}), copy).status();
  };
  EXPECT_TRUE(with_tile({4, 64, 3, 112, 112}).ok());
  EXPECT_EQ(with_tile({1, 65, 3, 112, 112}).code(), ErrorCode::shape_mismatch);
  EXPECT_EQ(with_tile({1, 64, 4, 112, 112}).code(), ErrorCode::shape_mismatch);
  EXPECT_EQ(with_tile({1, 64, 3, 113, 112}).code(), ErrorCode::shape_mismatch);
  EXPECT_EQ(with_tile({1, 64, 3, 112, 113}).code(), ErrorCode::shape_mismatch);
}

TEST(Resolve, DequantisationInPe) {
  Configuration configuration = first_convolution();
  ASSERT_TRUE(configuration.apply(instruction("pe_cfg_dq", {{"DQC", {3}}, {"DQB", {5}}, {"DQK", {0.5}}})).ok());
  const auto op = std::get<Convolution>(resolve(instruction("pe_conv", {}), configuration).value());
  EXPECT_TRUE(op.dequantise);
  EXPECT_EQ(op.clip, 3);
  EXPECT_FLOAT_EQ(op.dequantisation_scale, 0.5F);
  EXPECT_FLOAT_EQ(op.dequantisation_zero_point, 5);
  // Without a scale no dequantisation occurs.
  ASSERT_TRUE(configuration.apply(instruction("pe_cfg_dq", {{"DQC", {3}}, {"DQB", {5}}})).ok());
  EXPECT_FALSE(std::get<Convolution>(resolve(instruction("pe_conv", {}), configuration).value()).dequantise);
}

TEST(Resolve, DenseImageInDramIsPaddedInL2) {
  const Configuration configuration = configured(
      {instruction("lda_cfg", {{"SME", {1}}, {"RS", {1}}, {"BAS", {2}}, {"DF", {kFp16}}, {"STile", {3, 224, 224}}, {"DTile", {3, 4, 5}}})});
  const MachineCode code =
      instruction("lda_mov", {{"RS", {1}}, {"DBSG", {7}}, {"STaddr", {96}}, {"DTaddr", {1024}}, {"Tile", {2, 3, 4, 5}}});
  const auto op = std::get<Move>(resolve(code, configuration).value());
  EXPECT_EQ(op.from.space, Space::dram);
  EXPECT_EQ(op.from.selector, 2);
  EXPECT_EQ(op.from.pixel_bytes, 6U);  // three FP16 channels, dense
  EXPECT_EQ(op.from.row_bytes, 6 * 224);
  EXPECT_EQ(op.from.base, 96);
  EXPECT_EQ(op.to.selector, 7);
  EXPECT_EQ(op.to.pixel_bytes, 8U);  // three FP16 channels, padded to eight bytes
  EXPECT_EQ(op.to.row_bytes, 40);
  EXPECT_EQ(op.to.image_bytes, 160);
  EXPECT_EQ(op.batch, 2U);
}

TEST(Resolve, StoreWithoutPackingPadsDramToo) {
  const Configuration configuration =
      configured({instruction("sta_cfg", {{"SME", {0}}, {"DF", {kFp16}}, {"STile", {5, 2, 2}}, {"DTile", {5, 2, 2}}})});
  const auto op = std::get<Move>(resolve(instruction("sta_mov", {{"Tile", {1, 5, 2, 2}}}), configuration).value());
  EXPECT_EQ(op.to.pixel_bytes, 16U);
  EXPECT_EQ(op.from.pixel_bytes, 16U);
}

TEST(Resolve, MoveBeyondItsMapsIsRefused) {
  const Configuration configuration = configured({instruction("dt_cfg", {{"DF", {kInt8}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 3}}})});
  EXPECT_TRUE(resolve(instruction("dt_cal", {{"Tile", {1, 8, 4, 3}}}), configuration).ok());
  const Status status = resolve(instruction("dt_cal", {{"Tile", {1, 8, 4, 4}}}), configuration).status();
  EXPECT_EQ(status.code(), ErrorCode::shape_mismatch);
  EXPECT_STREQ(status.what(), "DTile");
}

TEST(Resolve, WeightRecords) {
  const Configuration configuration =
      configured({instruction("lw_cfg", {{"BAS", {1}}, {"DF", {kInt8}}, {"SWsize", {3, 7, 7}}, {"DWsize", {3, 7, 7}}})});
  const MachineCode code = instruction("lw_mov", {{"SS", {1}}, {"STaddr", {27136}}, {"DTaddr", {384}}, {"Wsize", {64, 3, 7, 7}}});
  const auto op = std::get<WeightMove>(resolve(code, configuration).value());
  EXPECT_EQ(op.from_space, Space::dram);
  EXPECT_EQ(op.from_selector, 1);
  EXPECT_EQ(op.bytes, 64 * 424);
  EXPECT_EQ(op.to, 384 * 64);
  const auto from_l2 =
      std::get<WeightMove>(resolve(instruction("lw_mov", {{"SBSG", {3}}, {"Wsize", {64, 3, 7, 7}}}), configuration).value());
  EXPECT_EQ(from_l2.from_space, Space::l2);
  EXPECT_EQ(from_l2.from_selector, 3);
  const Status mismatch = resolve(instruction("lw_mov", {{"Wsize", {64, 3, 7, 6}}}), configuration).status();
  EXPECT_EQ(mismatch.code(), ErrorCode::shape_mismatch);
  EXPECT_STREQ(mismatch.what(), "SWsize");
  EXPECT_TRUE(resolve(instruction("lw_mov", {{"DTaddr", {65112}}, {"Wsize", {64, 3, 7, 7}}}), configuration).ok());
  const Status outside = resolve(instruction("lw_mov", {{"DTaddr", {65113}}, {"Wsize", {64, 3, 7, 7}}}), configuration).status();
  EXPECT_EQ(outside.code(), ErrorCode::address_outside_wl0);
}

TEST(Resolve, RecordsThatNoMemoryHoldsAreRefused) {
  const Configuration configuration =
      configured({instruction("ldw_cfg", {{"DF", {kInt8}}, {"SWsize", {65535, 65535, 65535}}, {"DWsize", {65535, 65535, 65535}}})});
  EXPECT_EQ(resolve(instruction("ldw_mov", {{"Wsize", {65535, 65535, 65535, 65535}}}), configuration).status().code(),
            ErrorCode::shape_mismatch);
}

Configuration vector_configuration(double source_format, double destination_format, double tensor1) {
  return configured({
      instruction("vp_cfg_gcs", {{"CMPS", {1}}}),
      instruction("vp_cfg_gms", {{"MG0V", {0.25}}}),
      instruction("vp_cfg_qp", {{"QCS", {2}}, {"QB", {-3}}, {"QK", {2}}}),
      instruction("vp_cfg_iq", {{"IQB0", {5}}, {"IQK0", {6}}}),
      instruction("vp_cfg_iq1", {{"IQB1", {7}}, {"IQK1", {8}}}),
      instruction(
          "vp_cfg_fm",
          {{"IF", {1}}, {"OF", {1}}, {"IDF", {source_format}}, {"ODF", {destination_format}}, {"STile", {9, 4, 6}}, {"DTile", {9, 4, 6}}}),
      instruction("vp_cfg_tp",
                  {{"STRIDE", {2, 3}}, {"KERNEL", {3, 2}}, {"Tile", {9, 4, 6}}, {"T0F", {7}}, {"T1F", {tensor1}}, {"PADV_AREA", {-32768}}}),
  });
}

TEST(Resolve, OneTensorUsesIq0) {
  const MachineCode code =
      instruction("vp_self", {{"IQEN", {1}}, {"QEN", {3}}, {"GPMD", {4}}, {"LUT", {16}}, {"STaddr", {64}}, {"DTaddr", {128}}});
  const auto op = std::get<Vector>(resolve(code, vector_configuration(kInt8, kFp16, 0)).value());
  EXPECT_EQ(op.function, VectorFunction::copy);
  EXPECT_FLOAT_EQ(op.source_scale, 6);
  EXPECT_FLOAT_EQ(op.source_zero_point, 5);
  EXPECT_EQ(op.source.pixel_bytes, 16U);
  EXPECT_EQ(op.destination.pixel_bytes, 24U);  // nine FP16 channels: 18 bytes, padded
}

TEST(Resolve, TwoTensorsIq1BelongsToSTaddr) {
  const MachineCode code = instruction("vp_self", {{"IQEN", {1}},
                                                   {"QEN", {3}},
                                                   {"GPMD", {69}},
                                                   {"LUT", {18}},
                                                   {"SBSG1", {4}},
                                                   {"STaddr", {64}},
                                                   {"STaddr1", {4096}},
                                                   {"DTaddr", {128}}});
  const auto op = std::get<Vector>(resolve(code, vector_configuration(kInt8, kInt8, 7)).value());
  EXPECT_EQ(op.function, VectorFunction::arithmetic);
  EXPECT_TRUE(op.two_tensors);
  EXPECT_FLOAT_EQ(op.source_scale, 8);
  EXPECT_FLOAT_EQ(op.source_zero_point, 7);
  EXPECT_FLOAT_EQ(op.source1_scale, 6);
  EXPECT_FLOAT_EQ(op.source1_zero_point, 5);
  EXPECT_EQ(op.source1.selector, 4);
  EXPECT_EQ(op.source1.base, 4096);
}

TEST(Resolve, BatchIndexMovesEveryTensorByWholeMaps) {
  MachineCode code = instruction(
      "vp_self", {{"IQEN", {1}}, {"QEN", {3}}, {"GPMD", {69}}, {"LUT", {18}}, {"STaddr", {64}}, {"STaddr1", {4096}}, {"DTaddr", {128}}});
  ASSERT_TRUE(set_batch(code, 3).ok());
  const auto op = std::get<Vector>(resolve(code, vector_configuration(kInt8, kFp16, 7)).value());
  EXPECT_EQ(op.source.base, 64 + 3 * (4 * 6 * 16));
  EXPECT_EQ(op.source1.base, 4096 + 3 * (4 * 6 * 16));
  EXPECT_EQ(op.destination.base, 128 + 3 * (4 * 6 * 24));
}

TEST(Resolve, WithoutDequantisationNothingIsScaled) {
  const MachineCode code = instruction("vp_self", {{"QEN", {3}}, {"GPMD", {4}}, {"LUT", {16}}});
  const auto op = std::get<Vector>(resolve(code, vector_configuration(kFp16, kInt8, 0)).value());
  EXPECT_FALSE(op.dequantise);
  EXPECT_FLOAT_EQ(op.source_scale, 1);
  EXPECT_FLOAT_EQ(op.source_zero_point, 0);
}

TEST(Resolve, PoolsUndoTheShiftedStart) {
  const MachineCode code = instruction(
      "vp_pool",
      {{"IQEN", {1}}, {"QEN", {3}}, {"GPMD", {4}}, {"LUT", {17}}, {"IPH", {-1}}, {"IPW", {-1}}, {"STaddr", {1000}}, {"DTaddr", {128}}});
  const auto op = std::get<Vector>(resolve(code, vector_configuration(kInt8, kInt8, 0)).value());
  EXPECT_EQ(op.function, VectorFunction::maximum_pool);
  EXPECT_EQ(op.source.base, 1000 + 6 * 16 + 16);
  EXPECT_EQ(op.kernel_height, 3U);
  EXPECT_EQ(op.kernel_width, 2U);
  EXPECT_EQ(op.stride_height, 2U);
  EXPECT_EQ(op.stride_width, 3U);
  EXPECT_FLOAT_EQ(op.padding_value, -32768);
  const MachineCode average = instruction("vp_pool", {{"QEN", {3}}, {"GPMD", {4}}, {"LUT", {56}}});
  const auto pool = std::get<Vector>(resolve(average, vector_configuration(kInt8, kInt8, 0)).value());
  EXPECT_EQ(pool.function, VectorFunction::average_pool);
  EXPECT_FLOAT_EQ(pool.multiplier.value, 0.25F);
}

TEST(Resolve, FunctionsThatThereAreNotAreRefusedByName) {
  const Configuration configuration = vector_configuration(kInt8, kInt8, 7);
  const auto refused = [&](const char *name, double path, double function) {
    return resolve(instruction(name, {{"QEN", {3}}, {"GPMD", {path}}, {"LUT", {function}}}), configuration).status();
  };
  EXPECT_STREQ(refused("vp_self", 5, 16).what(), "GPMD");
  EXPECT_STREQ(refused("vp_self", 69, 24).what(), "LUT");
  EXPECT_STREQ(refused("vp_pool", 69, 17).what(), "GPMD");
  EXPECT_STREQ(refused("vp_pool", 4, 18).what(), "LUT");
  EXPECT_EQ(refused("vp_pool", 4, 18).code(), ErrorCode::unsupported);
  EXPECT_STREQ(
      resolve(instruction("vp_self", {{"QEN", {3}}, {"GPMD", {69}}, {"LUT", {18}}}), vector_configuration(kInt8, kInt8, 0)).status().what(),
      "T1F");
}

TEST(Resolve, ConfigurationAndControlMoveNothing) {
  EXPECT_TRUE(std::holds_alternative<Control>(resolve(begin(Opcode::ct_st), Configuration{}).value()));
  EXPECT_EQ(footprint(Control{}).count, 0U);
}

}  // namespace resolve_test
}  // namespace cox::isa::tile
