// SPDX-License-Identifier: MIT
// The operations that resolve() makes from the fields of instructions. Numbers are worked out by hand from docs/isa/tile.md.
#include "coxswain/isa/tile/core_tokens.h"
#include "coxswain/isa/tile/operation.h"
#include "tests/isa/tile/operation/instruction.h"

namespace cox::isa::tile {
namespace functions_test {

using test::configured;
using test::instruction;
using test::Values;

constexpr double kInt4 = 0, kInt8 = 1, kInt16 = 2, kFp16 = 3, kBf16 = 4, kFp32 = 6;

/// A convolution from a map of 6 x 5 x 7 (channels, rows, columns) to a map of 6 x 7 x 9.
struct ConvolutionCase {
  double source = kInt8, weights = kInt8, destination = kInt8;
  double unsigned_in = 0, unsigned_out = 0;
  double add = 0, sums = 0, activation = 0;
  Values upsample{0, 0};
};

Convolution convolution(const ConvolutionCase &what) {
  const Configuration configuration = configured({
      instruction("pe_cfg_fm", {{"IF", {1 - what.unsigned_in}},
                                {"OF", {1 - what.unsigned_out}},
                                {"SF", {what.source}},
                                {"WF", {what.weights}},
                                {"DF", {what.destination}},
                                {"PADV", {-1.5}},
                                {"STile", {6, 5, 7}},
                                {"DTile", {6, 7, 9}}}),
      instruction("pe_cfg_pm", {{"ACTMD", {what.activation}},
                                {"ACTPM", {0.25}},
                                {"QC", {1}},
                                {"QB", {3}},
                                {"QK", {0.5}},
                                {"ADDEN", {what.add}},
                                {"STRIDE", {2, 3}},
                                {"PSUM", {what.sums}}}),
      instruction("pe_cfg_tp",
                  {{"KERNEL", {3, 5}}, {"Tile", {2, 4, 3, 7, 9}}, {"GROUPS", {2}}, {"DILATION", {0, 4}}, {"UPSAMPLE", what.upsample}}),
      instruction("pe_cfg_lut", {{"LO", {-8}}, {"STEP", {4}}, {"TBSG", {9}}, {"Taddr", {5000}}, {"SEGN", {63}}, {"SEGE", {1}}}),
  });
  const Result<Operation> result = resolve(
      instruction(
          "pe_conv",
          {{"SPHI", {-2}}, {"SPWI", {-1}}, {"STaddr", {100000}}, {"SWaddr", {3}}, {"DTaddr", {20000}}, {"PTaddr", {30000}}, {"PBSG", {4}}}),
      configuration);
  EXPECT_TRUE(result.ok()) << result.status().what();
  return result.ok() ? std::get<Convolution>(result.value()) : Convolution{};
}

TEST(Functions, ConvolutionsShape) {
  const Convolution op = convolution({});
  EXPECT_EQ(op.groups, 2U);
  EXPECT_EQ(op.channels, 3U);
  EXPECT_EQ(op.dilation_height, 1U);  // the field holds 0, which stands for 1
  EXPECT_EQ(op.dilation_width, 4U);
  EXPECT_EQ(op.upsample_height, 1U);
  EXPECT_EQ(op.upsample_width, 1U);
  EXPECT_EQ(op.source.base, 100000 + 2 * 7 * 8 + 8);  // the map begins two rows of seven pixels and one pixel behind STaddr
  EXPECT_EQ(op.position_bytes, 8U);
  EXPECT_EQ(op.record_bytes, 15U * 8 + 32);
  EXPECT_EQ(op.weights, 192);
  EXPECT_FALSE(op.accumulate);
  EXPECT_FALSE(op.store_accumulators);
  EXPECT_FALSE(op.dequantise);
  EXPECT_EQ(op.table.segments, 0U);
  EXPECT_EQ(op.activation_parameter, 0.25F);
  EXPECT_EQ(op.padding_value, -1.5F);
  EXPECT_EQ(op.rounding, Float2Fixed::FLOOR);
  EXPECT_EQ(multiply_accumulates(op), 2 * 4 * 3 * 7 * 9 * 15);
}

TEST(Functions, ASpreadMapIsNotShifted) {
  const Convolution op = convolution({.upsample = {0, 2}});
  EXPECT_EQ(op.upsample_height, 1U);
  EXPECT_EQ(op.upsample_width, 2U);
  EXPECT_EQ(op.source.base, 100000);
  EXPECT_EQ(op.first_row, -2);
  EXPECT_EQ(op.first_column, -1);
}

TEST(Functions, FormatsOfConvolutions) {
  const Convolution small = convolution({.source = kInt8, .weights = kInt4, .destination = kInt4, .unsigned_in = 1, .unsigned_out = 1});
  EXPECT_EQ(small.source.format, (Format{DataFmt::INT8, false}));
  EXPECT_EQ(small.weight_format, (Format{DataFmt::INT4, true}));
  EXPECT_EQ(small.destination.format, (Format{DataFmt::INT4, false}));
  EXPECT_EQ(small.destination.element_bits, 4U);
  EXPECT_EQ(small.destination.pixel_bytes, 8U);
  EXPECT_EQ(small.position_bytes, 8U);  // three INT4 take two bytes, padded to eight
  EXPECT_FALSE(small.is_wide());
  EXPECT_FALSE(small.is_floating());
  const Convolution wide = convolution({.source = kInt4, .weights = kInt16});
  EXPECT_TRUE(wide.is_wide());
  const Convolution real = convolution({.source = kFp32, .weights = kFp32, .destination = kBf16, .unsigned_in = 1, .unsigned_out = 1});
  EXPECT_TRUE(real.is_floating());
  EXPECT_FALSE(real.is_wide());
  EXPECT_TRUE(real.source.format.is_signed);  // floating-point formats are always signed
  EXPECT_TRUE(real.destination.format.is_signed);
  EXPECT_EQ(real.position_bytes, 16U);
  EXPECT_EQ(real.source.pixel_bytes, 24U);
}

TEST(Functions, AccumulatorsOfEachKind) {
  struct Case {
    double source, weights;
    DataFmt format;
    unsigned bits;
    std::int64_t pixel;
  };
  // Maps of six channels.
  for (const Case &what : {Case{kInt8, kInt4, DataFmt::INT32, 32, 24}, Case{kInt16, kInt8, DataFmt::INT32, 64, 48},
                           Case{kFp16, kFp16, DataFmt::FP32, 32, 24}, Case{kFp32, kFp32, DataFmt::FP32, 32, 24}}) {
    const Convolution op =
        convolution({.source = what.source, .weights = what.weights, .unsigned_out = 1, .add = 1, .sums = 1, .activation = 5});
    EXPECT_TRUE(op.accumulate);
    EXPECT_TRUE(op.store_accumulators);
    EXPECT_EQ(op.table.segments, 0U);  // no table is applied
    EXPECT_EQ(op.partial.selector, 4);
    EXPECT_EQ(op.partial.base, 30000);
    EXPECT_EQ(op.destination.base, 20000);
    EXPECT_EQ(op.destination.selector, 0);
    for (const Map *map : {&op.partial, &op.destination}) {
      EXPECT_EQ(map->format, (Format{what.format, true}));
      EXPECT_EQ(map->element_bits, what.bits);
      EXPECT_EQ(map->pixel_bytes, what.pixel);
      EXPECT_EQ(map->row_bytes, 9 * what.pixel);
      EXPECT_EQ(map->image_bytes, 63 * what.pixel);
    }
  }
  EXPECT_EQ(convolution({.add = 1}).destination.element_bits, 8U);
}

TEST(Functions, TableOfAnActivation) {
  const Convolution op = convolution({.activation = 5});
  EXPECT_EQ(op.activation, ActMode::SILU);
  EXPECT_EQ(op.table.segments, 64U);
  EXPECT_EQ(op.table.selector, 9);
  EXPECT_EQ(op.table.base, 5000);
  EXPECT_EQ(op.table.low, -8.0F);
  EXPECT_EQ(op.table.per_unit, 4.0F);
  EXPECT_TRUE(op.table.extrapolate);
}

TEST(Functions, LoadsConvert) {
  const Configuration configuration =
      configured({instruction("lda_cfg", {{"SME", {1}}, {"DF", {kInt4}}, {"CVT", {5}}, {"STile", {5, 2, 3}}, {"DTile", {5, 2, 3}}})});
  const auto op = std::get<Move>(resolve(instruction("lda_mov", {{"Tile", {1, 5, 2, 3}}}), configuration).value());
  EXPECT_EQ(op.from.format.format, DataFmt::INT4);
  EXPECT_EQ(op.from.pixel_bytes, 3U);  // five INT4, dense
  EXPECT_EQ(op.to.format.format, DataFmt::BF16);
  EXPECT_EQ(op.to.pixel_bytes, 16U);
}

TEST(Functions, ExchangesNameTheOtherCore) {
  const Configuration configuration = configured({instruction("si_cfg", {{"DF", {kFp16}}, {"STile", {5, 2, 3}}, {"DTile", {7, 2, 3}}}),
                                                  instruction("so_cfg", {{"DF", {kInt8}}, {"STile", {9, 2, 3}}, {"DTile", {5, 2, 3}}})});
  MachineCode code = instruction("si_mov", {{"CORE", {3}},
                                            {"DBSG", {2}},
                                            {"STaddr", {640}},
                                            {"DTaddr", {128}},
                                            {"Tile", {1, 5, 2, 3}},
                                            {"Prev_Cores", {8}},
                                            {"Next_Cores", {12}}});
  const auto in = std::get<Move>(resolve(code, configuration).value());
  EXPECT_EQ(in.from.space, Space::remote_l2);
  EXPECT_EQ(in.from.selector, 3);
  EXPECT_EQ(in.from.base, 640);
  EXPECT_EQ(in.from.pixel_bytes, 16U);
  EXPECT_EQ(in.to.space, Space::l2);
  EXPECT_EQ(in.to.selector, 2);
  EXPECT_EQ(core_tokens(code).previous, 8);
  EXPECT_EQ(core_tokens(code).next, 12);
  code = instruction("so_mov", {{"CORE", {2}}, {"SBSG", {1}}, {"DTaddr", {128}}, {"Tile", {1, 5, 2, 3}}});
  const auto out = std::get<Move>(resolve(code, configuration).value());
  EXPECT_EQ(out.from.space, Space::l2);
  EXPECT_EQ(out.from.selector, 1);
  EXPECT_EQ(out.to.space, Space::remote_l2);
  EXPECT_EQ(out.to.selector, 2);
  EXPECT_EQ(out.to.base, 128);
  EXPECT_EQ(core_tokens(instruction("so_sync", {{"Prev_Cores", {5}}, {"Next_Cores", {10}}})).next, 10);
  EXPECT_EQ(core_tokens(instruction("lda_mov", {{"Tile", {15, 15, 15, 15}}, {"DBSG", {15}}})).previous, 0);
}

TEST(Functions, WeightRecordsThatAreMadeAnew) {
  const auto load = [](Values source, double first, double mask, double map, double rows) {
    const Configuration configuration = configured({instruction("lw_cfg", {{"DF", {kInt4}},
                                                                           {"MKC", {9}},
                                                                           {"MKEN", {mask}},
                                                                           {"SWsize", std::move(source)},
                                                                           {"DWsize", {10, rows, rows}},
                                                                           {"C0", {first}},
                                                                           {"MAP", {map}}})});
    return std::get<WeightMove>(
        resolve(instruction("lw_mov", {{"STaddr", {1000}}, {"Wsize", {3, 10, rows, rows}}}), configuration).value());
  };
  const WeightMove plain = load({10, 3, 3}, 0, 0, 0, 3);
  EXPECT_TRUE(plain.whole);
  EXPECT_EQ(plain.element_bits, 4U);
  EXPECT_EQ(plain.bytes, 3 * (9 * 8 + 32));  // 3 records of 9 positions (ten INT4, padded to 8 bytes) and 32 bytes of parameters
  EXPECT_EQ(plain.unmasked, UINT32_MAX);
  const WeightMove part = load({33, 3, 3}, 4, 0, 0, 3);
  EXPECT_FALSE(part.whole);
  EXPECT_EQ(part.first_channel, 4U);
  EXPECT_EQ(part.position_bytes, 8U);
  EXPECT_EQ(part.source_position_bytes, 24U);
  EXPECT_EQ(part.source_record_bytes, 9U * 24 + 32);
  EXPECT_EQ(part.bytes, 3 * (9 * 8 + 32));
  const WeightMove wider = load({11, 3, 3}, 0, 0, 0, 3);
  EXPECT_FALSE(wider.whole);
  const WeightMove masked = load({10, 3, 3}, 0, 1, 0, 3);
  EXPECT_FALSE(masked.whole);
  EXPECT_EQ(masked.unmasked, 9U);
  const WeightMove map = load({20, 1, 1}, 2, 0, 1, 1);
  EXPECT_FALSE(map.whole);
  EXPECT_TRUE(map.feature_map);
  EXPECT_EQ(map.source_record_bytes, 16U);  // a pixel of twenty INT4: 10 bytes, padded to 16
  EXPECT_EQ(map.bytes, 3 * (8 + 32));
}

TEST(Functions, TransformsStepsInBits) {
  struct Case {
    double order;
    Values destination;
    StridedMap from, to;
  };
  // The source map [C, H, W] is [10, 3, 5] in INT16. The tile has two of these images. Steps are in bits. Pixels and rows are padded to
  // multiples of 64: an NHWC pixel of 10 channels takes 192, and an NCHW row of 5 columns takes 128.
  const StridedMap nhwc{1, 512, 1, 15 * 192, 16, 16, 5 * 192, 192, 0};
  const StridedMap nchw{1, 512, 1, 30 * 128, 3 * 128, 0, 128, 16, 0};
  const StridedMap blocks{1, 512, 8, 2 * 15 * 128, 15 * 128, 16, 5 * 128, 128, 0};
  const Case cases[] = {
      {1, {10, 3, 5}, nhwc, nchw},
      {2, {10, 3, 5}, nchw, nhwc},
      {3, {10, 3, 5}, nhwc, blocks},
      {6, {10, 3, 5}, blocks, nchw},
      {12, {10, 3, 5}, nchw, {1, 512, 16, 15 * 256, 15 * 256, 16, 5 * 256, 256, 0}},
      // `to` has the destination's step in bits for each dimension of the source. In the destination [C, H, W] = [10, 5, 3], a pixel has 10
      // elements of 16 bits, padded to 192 bits. A row has 3 pixels.
      {9, {10, 5, 3}, nhwc, {1, 512, 1, 15 * 192, 16, 16, 192, 3 * 192, 0}},
      // In the destination [5, 3, 10], a pixel has 128 bits. Each row has one pixel for each of the source's 10 channels.
      {10, {5, 3, 10}, nhwc, {1, 512, 1, 30 * 128, 128, 16, 10 * 128, 16, 0}},
      // In the destination [3, 10, 5], a pixel has 64 bits. There is one row of 5 pixels for each of the source's 10 channels.
      {11, {3, 10, 5}, nhwc, {1, 512, 1, 50 * 64, 5 * 64, 16, 16, 64, 0}},
  };
  for (const Case &what : cases) {
    SCOPED_TRACE(what.order);
    const Configuration configuration =
        configured({instruction("dt_cfg", {{"DF", {kInt16}}, {"STile", {10, 3, 5}}, {"DTile", what.destination}})});
    const MachineCode code = instruction(
        "dt_cal", {{"Order", {what.order}}, {"SBSG", {1}}, {"DBSG", {1}}, {"STaddr", {512}}, {"DTaddr", {512}}, {"Tile", {2, 10, 3, 5}}});
    const Result<Operation> result = resolve(code, configuration);
    ASSERT_TRUE(result.ok()) << result.status().what();
    const auto &op = std::get<Transform>(result.value());
    EXPECT_EQ(op.element_bits, 16U);
    EXPECT_EQ(op.batch, 2U);
    for (const auto &[found, wanted] : {std::pair(op.from, what.from), std::pair(op.to, what.to)}) {
      EXPECT_EQ(found.selector, wanted.selector);
      EXPECT_EQ(found.base, wanted.base);
      EXPECT_EQ(found.block, wanted.block);
      EXPECT_EQ(found.image, wanted.image);
      EXPECT_EQ(found.block_step, wanted.block_step);
      if (wanted.block > 1) {
        EXPECT_EQ(found.channel, wanted.channel);
      }
      EXPECT_EQ(found.row, wanted.row);
      EXPECT_EQ(found.column, wanted.column);
    }
  }
  const Configuration configuration = configured({instruction("dt_cfg", {{"DF", {kInt16}}, {"STile", {10, 3, 5}}, {"DTile", {10, 3, 5}}})});
  const auto op = std::get<Transform>(resolve(instruction("dt_cal", {{"Order", {3}}, {"Tile", {2, 10, 3, 5}}}), configuration).value());
  // 2 images of 15 pixels of 192 bits, but the last pixel ends after its 10 channels of 16 bits.
  EXPECT_EQ(op.from.extent, 2 * 15 * 192 - 192 + 160);
  // The first image has 2 channel blocks of 15 pixels of 128 bits. The second image also has 2, but the last pixel of the second block ends
  // after 2 channels of 16 bits.
  EXPECT_EQ(op.to.extent, 2 * 15 * 128 + 15 * 128 + 14 * 128 + 2 * 16);
}

Vector vector(const char *name, double function, double path, std::initializer_list<std::pair<std::string_view, Values>> more = {},
              double sign = 1) {
  const Configuration configuration = configured({
      instruction("vp_cfg_gcs", {{"CMPS", {1}}, {"SG0M", {4}}, {"CMPVS", {1}}, {"CMPV", {5}}, {"SG0V", {2.5}}}),
      instruction("vp_cfg_gms",
                  {{"SEGE", {1}}, {"SEGN", {255}}, {"MG0S", {1}}, {"MG0VS", {1}}, {"MG0V", {7}}, {"SG1M", {2}}, {"SG1V", {0.5}}}),
      instruction("vp_cfg_sms", {{"SUMM", {1}}, {"SUMVS", {1}}, {"SUMV", {0}}, {"MULV", {-3}}}),
      instruction("vp_cfg_qp", {{"QCS", {3}}, {"QSMD", {1}}, {"QB", {4}}, {"QK", {8}}}),
      instruction("vp_cfg_iq", {{"IQCS", {2}}, {"IQB0", {5}}, {"IQK0", {6}}}),
      instruction("vp_cfg_fm",
                  {{"IF", {sign}}, {"OF", {sign}}, {"IDF", {kInt8}}, {"ODF", {kInt16}}, {"STile", {9, 4, 6}}, {"DTile", {9, 4, 6}}}),
      instruction("vp_cfg_tp", {{"Tile", {9, 4, 6}}, {"T0F", {7}}, {"T1F", {7}}, {"PADV_AREA", {-32768}}}),
      instruction("vp_cfg_lut", {{"LO", {1}}, {"STEP", {2}}, {"TBSG", {3}}, {"Taddr", {8}}}),
      instruction("vp_cfg_rs", {{"NUM", {1, 2}}, {"DEN", {3, 4}}, {"OFFSET", {-5, 6}}}),
  });
  MachineCode code = instruction(name, more);
  const Instruction &entry = *find_instruction(std::string_view(name));
  EXPECT_TRUE(set_integer(code, *find_field(entry, "LUT"), 0, static_cast<std::int64_t>(function)).ok());
  EXPECT_TRUE(set_integer(code, *find_field(entry, "GPMD"), 0, static_cast<std::int64_t>(path)).ok());
  const Result<Operation> result = resolve(code, configuration);
  EXPECT_TRUE(result.ok()) << result.status().what();
  return result.ok() ? std::get<Vector>(result.value()) : Vector{};
}

TEST(Functions, OfTheVectorProcessor) {
  struct Case {
    const char *name;
    double function, path;
    VectorFunction wanted;
  };
  const Case cases[] = {
      {"vp_self", 16, 4, VectorFunction::copy},         {"vp_self", 18, 5, VectorFunction::arithmetic},
      {"vp_self", 18, 69, VectorFunction::arithmetic},  {"vp_self", 19, 5, VectorFunction::compare},
      {"vp_self", 19, 69, VectorFunction::compare},     {"vp_self", 32, 4, VectorFunction::table},
      {"vp_self", 40, 4, VectorFunction::softmax},      {"vp_self", 41, 4, VectorFunction::layer_norm},
      {"vp_pool", 17, 4, VectorFunction::maximum_pool}, {"vp_pool", 56, 4, VectorFunction::average_pool},
      {"vp_pool", 48, 4, VectorFunction::nearest},      {"vp_pool", 49, 4, VectorFunction::bilinear},
  };
  for (const Case &what : cases) {
    const Vector op = vector(what.name, what.function, what.path);
    EXPECT_EQ(op.function, what.wanted) << what.function;
    EXPECT_EQ(op.two_tensors, what.path == 69);
    EXPECT_EQ(op.reduced, 0);
    EXPECT_EQ(op.result, -1);
  }
  for (const double function : {20, 21, 22, 23}) {
    const bool sums = function < 22;
    const Vector op =
        vector("vp_self", function, 4, {{sums ? "ACCD" : "CMPD", {7}}, {sums ? "CMPD" : "ACCD", {1}}, {"TREED", {1}}, {"SWRS", {8}}});
    EXPECT_EQ(static_cast<int>(op.function), static_cast<int>(VectorFunction::sum) + static_cast<int>(function) - 20);
    EXPECT_EQ(op.reduced, 7);
    EXPECT_TRUE(op.lanes);
    EXPECT_EQ(op.result, 7);
  }
}

TEST(Functions, ScalarsAreNumbersOrRegisters) {
  const Vector op = vector("vp_self", 18, 5);
  EXPECT_EQ(op.group, GroupMode::DIV);
  EXPECT_EQ(op.operand.index, -1);
  EXPECT_EQ(op.operand.value, 2.5F);
  EXPECT_TRUE(op.multiply_elements);
  EXPECT_EQ(op.multiplier.index, 7);
  EXPECT_EQ(op.group1, Group1Mode::SUB);
  EXPECT_EQ(op.operand1.index, -1);
  EXPECT_EQ(op.operand1.value, 0.5F);
  EXPECT_TRUE(op.affine);
  EXPECT_EQ(op.factor.index, -1);
  EXPECT_EQ(op.factor.value, -3.0F);
  EXPECT_EQ(op.summand.index, 0);
  EXPECT_EQ(vector("vp_self", 19, 5).operand.index, 5);
  EXPECT_EQ(vector("vp_self", 19, 5).compare, CompareMode::MAX);
  EXPECT_EQ(vector("vp_self", 41, 4).operand.index, 5);
}

TEST(Functions, BeforeAndBehind) {
  for (const double enabled : {0, 1, 2, 3}) {
    const Vector op = vector("vp_pool", 17, 4, {{"IQEN", {1}}, {"QEN", {enabled}}, {"SHMD", {15}}}, 0);
    EXPECT_EQ(op.apply_scale, enabled == 1 || enabled == 3);
    EXPECT_EQ(op.apply_zero_point, enabled >= 2);
    EXPECT_TRUE(op.subtract_zero_point);
    EXPECT_EQ(op.scale, 8.0F);
    EXPECT_EQ(op.zero_point, 4.0F);
    EXPECT_EQ(op.shift, 15);
    EXPECT_EQ(op.rounding, Float2Fixed::TRUNCATE);
    EXPECT_TRUE(op.dequantise);
    EXPECT_EQ(op.dequantisation_rounding, 2);
    EXPECT_EQ(op.source_scale, 6.0F);
    EXPECT_EQ(op.source_zero_point, 5.0F);
    EXPECT_EQ(op.source.format, (Format{DataFmt::INT8, false}));
    EXPECT_EQ(op.destination.format, (Format{DataFmt::INT16, false}));
  }
}

TEST(Functions, TablesAndResizes) {
  const Vector table = vector("vp_self", 32, 4);
  EXPECT_EQ(table.table.segments, 256U);
  EXPECT_EQ(table.table.selector, 3);
  EXPECT_EQ(table.table.base, 8);
  EXPECT_EQ(table.table.low, 1.0F);
  EXPECT_EQ(table.table.per_unit, 2.0F);
  EXPECT_TRUE(table.table.extrapolate);
  const Vector resize = vector("vp_pool", 49, 4, {{"IPH", {-2}}, {"IPW", {3}}, {"STaddr", {4096}}});
  EXPECT_EQ(resize.numerator, (std::array<std::uint32_t, 2>{1, 2}));
  EXPECT_EQ(resize.denominator, (std::array<std::uint32_t, 2>{3, 4}));
  EXPECT_EQ(resize.offset, (std::array<std::int32_t, 2>{-5, 6}));
  EXPECT_EQ(resize.first_row, -2);
  EXPECT_EQ(resize.first_column, 3);
  EXPECT_EQ(resize.source.base, 4096);  // a resize does not shift the address
  EXPECT_EQ(resize.padding_value, kNoAreaCorrection);
}

}  // namespace functions_test
}  // namespace cox::isa::tile
