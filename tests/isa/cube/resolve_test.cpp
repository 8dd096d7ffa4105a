// SPDX-License-Identifier: MIT
// resolve() turns instructions into plain numbers and refuses fields that contradict each other. bounds_test.cpp tests the bounds of
// buffers.
#include <gtest/gtest.h>

#include "tests/isa/cube/operation.h"

namespace cox::isa::cube {
namespace resolve_test {

constexpr ErrorCode kShape = ErrorCode::shape_mismatch, kMisaligned = ErrorCode::misaligned_address;

TEST(Resolve, Flags) {
  for (const Pipe pipe : kAllPipes) {
    const int own = static_cast<int>(pipe), other = own ^ 1;
    EXPECT_TRUE(resolved(instruction(Opcode::SET_FLAG, {{"Pipe", own}, {"Target", other}})).ok());
    EXPECT_TRUE(resolved(instruction(Opcode::WAIT_FLAG, {{"Pipe", own}, {"Origin", other}})).ok());
    expect_refused(instruction(Opcode::SET_FLAG, {{"Pipe", own}, {"Target", own}}), kShape, "Target", own, own);
    expect_refused(instruction(Opcode::WAIT_FLAG, {{"Pipe", own}, {"Origin", own}}), kShape, "Origin", own, own);
  }
}

TEST(Resolve, Barrier) { EXPECT_EQ(operation_of_kind<Barrier>(instruction(Opcode::BARRIER, {{"Pipes", 10}})).pipes, 10U); }

const std::vector<Setting> kLoad = {{"Source", 0x60001235},   {"SourceHigh", 0xABC}, {"Rows", 33},
                                    {"SourcePitch", 4096},    {"RowBytes", 100},     {"Destination", 0x7},
                                    {"DestinationPitch", 100}};

TEST(Resolve, DramToL1) {
  const DramToL1 op = operation_of_kind<DramToL1>(instruction(Opcode::DRAM_TO_L1, kLoad));
  EXPECT_EQ(op.source, 0x0ABC'6000'1235U);
  EXPECT_EQ(op.rows, 33U);
  EXPECT_EQ(op.row_bytes, 100U);
  EXPECT_EQ(op.source_pitch, 4096U);
  EXPECT_EQ(op.format, Format::linear);
  EXPECT_EQ(op.destination, 7U);
  EXPECT_EQ(op.destination_pitch, 100U);
  EXPECT_EQ(operation_of_kind<DramToL1>(instruction(Opcode::DRAM_TO_L1, with(kLoad, {{"Format", 1}, {"Destination", 512}}))).format,
            Format::fractal);
}

TEST(Resolve, DramToL1Refused) {
  const std::vector<Setting> fractal = with(kLoad, {{"Format", 1}, {"Destination", 512}, {"DestinationPitch", 3}});
  EXPECT_TRUE(resolved(instruction(Opcode::DRAM_TO_L1, fractal)).ok());  // 33 rows take 3 fractals
  expect_refused(instruction(Opcode::DRAM_TO_L1, with(fractal, {{"DestinationPitch", 2}})), kShape, "DestinationPitch", 2, 3);
  expect_refused(instruction(Opcode::DRAM_TO_L1, with(fractal, {{"Destination", 768}})), kMisaligned, "Destination", 768, 512);
  expect_refused(instruction(Opcode::DRAM_TO_L1, with(kLoad, {{"DestinationPitch", 99}})), kShape, "DestinationPitch", 99, 100);
  // With one row the pitch does not matter.
  EXPECT_TRUE(resolved(instruction(Opcode::DRAM_TO_L1, with(kLoad, {{"DestinationPitch", 0}, {"Rows", 1}}))).ok());
}

const std::vector<Setting> kMove = {{"Source", 0x400},      {"Type", 2},        {"Transpose", 1}, {"KDirectionAlign", 1},
                                    {"Destination", 0x600}, {"SourcePitch", 7}, {"Rows", 18},     {"Columns", 50}};

TEST(Resolve, L1ToL0A) {
  const L1ToL0 op = operation_of_kind<L1ToL0>(instruction(Opcode::L1_TO_L0A, kMove));
  EXPECT_FALSE(op.right);
  EXPECT_EQ(op.type, Type::float32);
  EXPECT_TRUE(op.transpose);
  EXPECT_TRUE(op.k_align);
  EXPECT_EQ(op.source, 0x400U);
  EXPECT_EQ(op.source_pitch, 7U);
  EXPECT_EQ(op.destination, 0x600U);
  EXPECT_EQ(op.rows, 18U);
  EXPECT_EQ(op.columns, 50U);
  EXPECT_EQ(op.k_count(), 8U);      // k = 50 is rounded up to 64, a multiple of 16: 8 fractals of 8 FP32 elements
  EXPECT_EQ(op.other_count(), 2U);  // 18 rows take 2 fractals
  EXPECT_EQ(op.bytes(), 8192U);
}

TEST(Resolve, L1ToL0B) {
  const L1ToL0 op = operation_of_kind<L1ToL0>(instruction(Opcode::L1_TO_L0B, kMove));
  EXPECT_TRUE(op.right);
  EXPECT_EQ(op.rows, 18U);
  EXPECT_EQ(op.columns, 50U);
  EXPECT_EQ(op.k_count(), 4U);      // k = 18 is rounded up to 32, a multiple of 16: 4 fractals of 8 FP32 elements
  EXPECT_EQ(op.other_count(), 4U);  // 50 columns take 4 fractals
  EXPECT_EQ(op.bytes(), 8192U);
  const L1ToL0 plain = operation_of_kind<L1ToL0>(instruction(Opcode::L1_TO_L0B, {{"SourcePitch", 1}, {"Rows", 1}, {"Columns", 1}}));
  EXPECT_FALSE(plain.transpose || plain.k_align);
  EXPECT_EQ(plain.type, Type::bfloat16);
  EXPECT_EQ(plain.bytes(), 512U);
}

TEST(Resolve, L1ToL0Refused) {
  for (const Opcode opcode : {Opcode::L1_TO_L0A, Opcode::L1_TO_L0B}) {
    expect_refused(instruction(opcode, with(kMove, {{"Source", 0x500}})), kMisaligned, "Source", 0x500, 512);
    expect_refused(instruction(opcode, with(kMove, {{"Destination", 0x1FF}})), kMisaligned, "Destination", 0x1FF, 512);
    for (const int type : {0, 1, 3, 4}) expect_refused(instruction(opcode, with(kMove, {{"Type", type}})), kShape, "KDirectionAlign", 1, 0);
  }
  // With INT4, k must be even; m and n need not be.
  const std::vector<Setting> int4 = with(kMove, {{"Type", 4}, {"KDirectionAlign", 0}, {"Rows", 17}, {"Columns", 50}});
  EXPECT_TRUE(resolved(instruction(Opcode::L1_TO_L0A, int4)).ok());
  expect_refused(instruction(Opcode::L1_TO_L0B, int4), kShape, "Rows", 17, 2);
  expect_refused(instruction(Opcode::L1_TO_L0A, with(int4, {{"Columns", 51}})), kShape, "Columns", 51, 2);
  EXPECT_TRUE(resolved(instruction(Opcode::L1_TO_L0B, with(int4, {{"Rows", 18}, {"Columns", 51}}))).ok());
}

const std::vector<Setting> kMap = {{"Height", 10},     {"Width", 11},      {"Channels", 12},  {"Type", 3},
                                   {"PadValue", -7},   {"PixelPitch", 13}, {"RowPitch", 150}, {"KernelHeight", 3},
                                   {"KernelWidth", 5}, {"StrideY", 1},     {"StrideX", 2},    {"DilationY", 4},
                                   {"DilationX", 6},   {"PadTop", 8},      {"PadLeft", 9},    {"OutWidth", 14}};

TEST(Resolve, Im2colCfg) {
  const Im2col map = operation_of_kind<Im2col>(instruction(Opcode::IM2COL_CFG, kMap));
  EXPECT_EQ(map.height, 10U);
  EXPECT_EQ(map.width, 11U);
  EXPECT_EQ(map.channels, 12U);
  EXPECT_EQ(map.type, Type::int8);
  EXPECT_EQ(map.pad_value, -7);
  EXPECT_EQ(map.pixel_pitch, 13U);
  EXPECT_EQ(map.row_pitch, 150U);
  EXPECT_EQ(map.kernel_height, 3U);
  EXPECT_EQ(map.kernel_width, 5U);
  EXPECT_EQ(map.stride_y, 1U);
  EXPECT_EQ(map.stride_x, 2U);
  EXPECT_EQ(map.dilation_y, 4U);
  EXPECT_EQ(map.dilation_x, 6U);
  EXPECT_EQ(map.pad_top, 8U);
  EXPECT_EQ(map.pad_left, 9U);
  EXPECT_EQ(map.out_width, 14U);
  EXPECT_EQ(map.depth(), 180U);
}

TEST(Resolve, Im2colCfgRefused) {
  for (const int type : {0, 1, 2, 4}) {
    expect_refused(instruction(Opcode::IM2COL_CFG, with(kMap, {{"Type", type}})), kShape, "PadValue", -7, 0);
  }
  expect_refused(instruction(Opcode::IM2COL_CFG, with(kMap, {{"Type", 4}, {"PadValue", 0}, {"Channels", 13}})), kShape, "Channels", 13, 2);
  EXPECT_TRUE(resolved(instruction(Opcode::IM2COL_CFG, with(kMap, {{"Type", 4}, {"PadValue", 0}}))).ok());
}

const std::vector<Setting> kGather = {{"Source", 77}, {"Destination", 0xA00}, {"FirstPlace", 1000},
                                      {"Rows", 40},   {"Columns", 70},        {"FirstColumn", 64}};

TEST(Resolve, Im2colToL0A) {
  const Im2colToL0A op = operation_of_kind<Im2colToL0A>(instruction(Opcode::IM2COL_TO_L0A, kGather), configured(Opcode::IM2COL_CFG, kMap));
  EXPECT_EQ(op.map.height, 10U);
  EXPECT_EQ(op.map.pad_value, -7);
  EXPECT_EQ(op.source, 77U);
  EXPECT_EQ(op.destination, 0xA00U);
  EXPECT_EQ(op.first_place, 1000U);
  EXPECT_EQ(op.rows, 40U);
  EXPECT_EQ(op.columns, 70U);
  EXPECT_EQ(op.first_column, 64U);
  EXPECT_FALSE(op.k_align);
  EXPECT_EQ(op.k_count(), 3U);   // 70 INT8 take 3 fractals of 32
  EXPECT_EQ(op.bytes(), 4608U);  // 3 * 3 fractals of 512 bytes
}

TEST(Resolve, Im2colToL0ARefused) {
  const MachineCode gather = instruction(Opcode::IM2COL_TO_L0A, kGather);
  expect_error(resolve(gather, {}).status(), ErrorCode::missing_configuration, "IM2COL_CFG");
  const Configuration int8 = configured(Opcode::IM2COL_CFG, kMap);
  const Configuration int4 = configured(Opcode::IM2COL_CFG, with(kMap, {{"Type", 4}, {"PadValue", 0}}));
  const Configuration fp32 = configured(Opcode::IM2COL_CFG, with(kMap, {{"Type", 2}, {"PadValue", 0}}));
  const auto refused = [](const std::vector<Setting> &more, const Configuration &configuration, ErrorCode code, const char *what,
                          std::int64_t value, std::int64_t limit) {
    expect_refused(instruction(Opcode::IM2COL_TO_L0A, with(kGather, more)), code, what, value, limit, configuration);
  };
  refused({{"Destination", 0x100}}, int8, kMisaligned, "Destination", 0x100, 512);
  refused({{"KDirectionAlign", 1}}, int8, kShape, "KDirectionAlign", 1, 0);
  refused({{"Columns", 71}}, int4, kShape, "Columns", 71, 2);
  // FirstColumn must be a multiple of a fractal's width: 32 for INT8, 64 for INT4, 8 for FP32, 16 for BF16.
  refused({{"FirstColumn", 48}}, int8, kShape, "FirstColumn", 48, 32);
  refused({{"FirstColumn", 96}}, int4, kShape, "FirstColumn", 96, 64);
  refused({{"FirstColumn", 12}}, fp32, kShape, "FirstColumn", 12, 8);
  refused({{"FirstColumn", 8}}, plain(), kShape, "FirstColumn", 8, 16);
  EXPECT_EQ(
      operation_of_kind<Im2colToL0A>(instruction(Opcode::IM2COL_TO_L0A, with(kGather, {{"KDirectionAlign", 1}, {"FirstColumn", 8}})), fp32)
          .k_count(),
      10U);  // k = 70 is rounded up to 80, a multiple of 16: 10 fractals of 8 FP32 elements
}

TEST(Resolve, L1ToBt) {
  const std::vector<Setting> settings = {{"Source", 0x1C0}, {"Destination", 0x340}, {"Bytes", 192}};
  const L1ToBt op = operation_of_kind<L1ToBt>(instruction(Opcode::L1_TO_BT, settings));
  EXPECT_EQ(op.source, 0x1C0U);
  EXPECT_EQ(op.destination, 0x340U);
  EXPECT_EQ(op.bytes, 192U);
  expect_refused(instruction(Opcode::L1_TO_BT, with(settings, {{"Source", 0x1A0}})), kMisaligned, "Source", 0x1A0, 64);
  expect_refused(instruction(Opcode::L1_TO_BT, with(settings, {{"Destination", 4}})), kMisaligned, "Destination", 4, 64);
  expect_refused(instruction(Opcode::L1_TO_BT, with(settings, {{"Bytes", 100}})), kMisaligned, "Bytes", 100, 64);
}

const std::vector<Setting> kMad = {
    {"Destination", 0x800}, {"BiasAddress", 0x40}, {"Left", 0x200}, {"Right", 0x400}, {"M", 33}, {"K", 50}, {"N", 17}, {"Type", 1}};

TEST(Resolve, Mad) {
  const Mad op = operation_of_kind<Mad>(instruction(Opcode::MAD, kMad));
  EXPECT_EQ(op.type, Type::half);
  EXPECT_EQ(op.left, 0x200U);
  EXPECT_EQ(op.right, 0x400U);
  EXPECT_EQ(op.destination, 0x800U);
  EXPECT_EQ(op.m, 33U);
  EXPECT_EQ(op.k, 50U);
  EXPECT_EQ(op.n, 17U);
  EXPECT_EQ(op.start, Start::accumulator);
  EXPECT_FALSE(op.empty());
  EXPECT_EQ(op.fractal_products(), 24U);  // 3 * 4 * 2 fractals of m, k and n
}

TEST(Resolve, MadStart) {
  const auto start = [](int source, int zero) {
    return operation_of_kind<Mad>(instruction(Opcode::MAD, with(kMad, {{"CmatrixSource", source}, {"CmatrixInitVal", zero}}))).start;
  };
  EXPECT_EQ(start(0, 0), Start::accumulator);
  EXPECT_EQ(start(1, 0), Start::bias_table);
  EXPECT_EQ(start(0, 1), Start::zero);
  EXPECT_EQ(start(1, 1), Start::zero);  // CmatrixSource does not matter if CmatrixInitVal is set
}

TEST(Resolve, MadKDirectionAlign) {
  const auto count = [](int type) {
    const Mad op = operation_of_kind<Mad>(instruction(Opcode::MAD, with(kMad, {{"Type", type}, {"KDirectionAlign", 1}})));
    EXPECT_EQ(op.k_align, op.type == Type::float32);
    return op.k_count();
  };
  EXPECT_EQ(count(2), 8U);  // FP32: k = 50 is rounded up to 64, a multiple of 16. Other types ignore KDirectionAlign.
  EXPECT_EQ(count(0), 4U);
  EXPECT_EQ(count(1), 4U);
  EXPECT_EQ(count(3), 2U);
  EXPECT_EQ(count(4), 1U);
}

TEST(Resolve, MadRefused) {
  expect_refused(instruction(Opcode::MAD, with(kMad, {{"Destination", 0x200}})), kMisaligned, "Destination", 0x200, 1024);
  expect_refused(instruction(Opcode::MAD, with(kMad, {{"Left", 0x120}})), kMisaligned, "Left", 0x120, 512);
  expect_refused(instruction(Opcode::MAD, with(kMad, {{"Right", 0x1FF}})), kMisaligned, "Right", 0x1FF, 512);
  for (const int k : {1, 51}) expect_refused(instruction(Opcode::MAD, with(kMad, {{"Type", 4}, {"K", k}})), kShape, "K", k, 2);
  EXPECT_TRUE(resolved(instruction(Opcode::MAD, with(kMad, {{"Type", 3}, {"K", 51}}))).ok());
}

TEST(Resolve, MadBiasAddressWhereItIsUsed) {
  const std::vector<Setting> odd = with(kMad, {{"BiasAddress", 0x44}});
  expect_refused(instruction(Opcode::MAD, with(odd, {{"CmatrixSource", 1}})), kMisaligned, "BiasAddress", 0x44, 64);
  EXPECT_TRUE(resolved(instruction(Opcode::MAD, odd)).ok());
  EXPECT_TRUE(resolved(instruction(Opcode::MAD, with(odd, {{"CmatrixSource", 1}, {"CmatrixInitVal", 1}}))).ok());
}

TEST(Resolve, MadBiasWraps) {
  const auto wraps = [](std::int64_t address, int n, int source = 1) {
    return operation_of_kind<Mad>(
               instruction(Opcode::MAD, {{"M", 1}, {"K", 1}, {"N", n}, {"BiasAddress", address}, {"CmatrixSource", source}}))
        .bias_wraps();
  };
  EXPECT_FALSE(wraps(0, 256));
  EXPECT_TRUE(wraps(0, 257));
  EXPECT_FALSE(wraps(960, 16));
  EXPECT_TRUE(wraps(960, 17));
  EXPECT_TRUE(wraps(1024, 1));
  EXPECT_TRUE(wraps(0xFFFFFFC0, 1));
  EXPECT_FALSE(wraps(960, 17, 0));
  EXPECT_FALSE(wraps(960, 0));  // an empty MAD reads nothing
}

TEST(Resolve, MadThatIsEmpty) {
  for (const char *side : {"M", "K", "N"}) {
    // Each operand begins at the last fractal of its buffer. That is accepted, because an empty MAD touches nothing.
    const Mad op = operation_of_kind<Mad>(
        instruction(Opcode::MAD, with(kMad, {{"Left", 0xFE00}, {"Right", 0xFE00}, {"Destination", 0x3FC00}, {side, 0}})));
    EXPECT_TRUE(op.empty());
    EXPECT_EQ(op.fractal_products(), 0U);
  }
  EXPECT_FALSE(operation_of_kind<Mad>(instruction(Opcode::MAD, {{"M", 1}, {"K", 1}, {"N", 1}})).empty());
}

TEST(Resolve, AnEmptyMadTouchesNothingWhateverItsFieldsSay) {
  for (const char *side : {"M", "K", "N"}) {
    SCOPED_TRACE(side);
    const Result<Operation> operation = resolve(empty_mad_with_every_bit(side), {});
    ASSERT_TRUE(operation.ok()) << operation.status().what();
    EXPECT_TRUE(std::get<Mad>(operation.value()).empty());
    EXPECT_EQ(footprint(operation.value()).count, 0U);
    // These values are in the range of their fields, but resolve() would refuse them in a MAD that is not empty.
    EXPECT_TRUE(resolved(instruction(Opcode::MAD, with(kMad, {{"Left", 0x120}, {side, 0}}))).ok());
    EXPECT_TRUE(resolved(instruction(Opcode::MAD, with(kMad, {{"Type", 4}, {"K", 51}, {"Destination", 0x200}, {side, 0}}))).ok());
  }
}

const std::vector<Setting> kScaling = {
    {"Scale", 0x40000000}, {"Beta", 0xBF000000},    {"ScaleAddress", 0xA0004}, {"ScaleMode", 2},  {"BiasAddress", 0xB000C},
    {"Bias", 1},           {"ResidualPitch", 2049}, {"Residual", 1},           {"Activation", 2}, {"ActivationParameter", 0x3E000000},
    {"ZeroPoint", -128}};

TEST(Resolve, OutCfg) {
  const OutputConfiguration set = operation_of_kind<OutputConfiguration>(instruction(Opcode::OUT_CFG, kScaling));
  EXPECT_EQ(set.scale_mode, ScaleMode::channel);
  EXPECT_EQ(set.scale, 2.0F);
  EXPECT_EQ(set.beta, -0.5F);
  EXPECT_EQ(set.scale_address, 0xA0004U);
  EXPECT_TRUE(set.bias);
  EXPECT_EQ(set.bias_address, 0xB000CU);
  EXPECT_TRUE(set.residual);
  EXPECT_EQ(set.residual_pitch, 2049U);
  EXPECT_EQ(set.activation, Activation::LeakyReLU);
  EXPECT_EQ(set.activation_parameter, 0.125F);
  EXPECT_EQ(set.zero_point, -128);
}

TEST(Resolve, OutCfgAddressesWhereTheyAreUsed) {
  const std::vector<Setting> odd = with(kScaling, {{"ScaleAddress", 0xA0002}});
  expect_refused(instruction(Opcode::OUT_CFG, odd), kMisaligned, "ScaleAddress", 0xA0002, 4);
  for (const int mode : {0, 1}) EXPECT_TRUE(resolved(instruction(Opcode::OUT_CFG, with(odd, {{"ScaleMode", mode}}))).ok());
  const std::vector<Setting> odd_bias = with(kScaling, {{"BiasAddress", 0xB0001}});
  expect_refused(instruction(Opcode::OUT_CFG, odd_bias), kMisaligned, "BiasAddress", 0xB0001, 4);
  EXPECT_TRUE(resolved(instruction(Opcode::OUT_CFG, with(odd_bias, {{"Bias", 0}}))).ok());
}

const std::vector<Setting> kStore = {
    {"Destination", 0x4321}, {"Channel", 48},           {"DestinationPitch", 100}, {"Source", 0x800}, {"To", 2}, {"Rows", 33},
    {"Columns", 50},         {"ResidualAddress", 0x55}, {"SourcePitch", 3}};

TEST(Resolve, L0CToDram) {
  const Output op = operation_of_kind<Output>(instruction(Opcode::L0C_TO_DRAM, with(kStore, {{"DestinationHigh", 0xFFFE}})));
  EXPECT_FALSE(op.to_l1);
  EXPECT_EQ(op.format, Format::linear);
  EXPECT_EQ(op.destination, 0xFFFE'0000'4321U);
  EXPECT_EQ(op.destination_pitch, 100U);
  EXPECT_FALSE(op.integer);
  EXPECT_EQ(op.to, OutputType::bfloat16);
  EXPECT_EQ(op.source, 0x800U);
  EXPECT_EQ(op.source_pitch, 3U);
  EXPECT_EQ(op.rows, 33U);
  EXPECT_EQ(op.columns, 50U);
  EXPECT_EQ(op.channel, 48U);
  EXPECT_EQ(op.residual_address, 0x55U);
  EXPECT_EQ(op.configuration.scale_mode, ScaleMode::none);
}

TEST(Resolve, L0CToL1) {
  const Configuration configuration = configured(Opcode::OUT_CFG, {{"Activation", 1}, {"ZeroPoint", 5}});
  const Output op = operation_of_kind<Output>(
      instruction(Opcode::L0C_TO_L1, with(kStore, {{"Format", 1}, {"Destination", 0x4400}, {"Integer", 1}, {"To", 4}})), configuration);
  EXPECT_TRUE(op.to_l1);
  EXPECT_EQ(op.format, Format::fractal);
  EXPECT_EQ(op.destination, 0x4400U);
  EXPECT_TRUE(op.integer);
  EXPECT_EQ(op.to, OutputType::int8);
  EXPECT_EQ(op.rows, 33U);
  EXPECT_EQ(op.columns, 50U);
  EXPECT_EQ(op.configuration.activation, Activation::ReLU);
  EXPECT_EQ(op.configuration.zero_point, 5);
}

TEST(Resolve, OutputRefused) {
  for (const Opcode opcode : {Opcode::L0C_TO_DRAM, Opcode::L0C_TO_L1}) {
    expect_error(resolve(instruction(opcode, kStore), {}).status(), ErrorCode::missing_configuration, "OUT_CFG");
    expect_refused(instruction(opcode, with(kStore, {{"Source", 0x200}})), kMisaligned, "Source", 0x200, 1024);
    // A row of 50 BF16 has 100 bytes.
    expect_refused(instruction(opcode, with(kStore, {{"DestinationPitch", 99}})), kShape, "DestinationPitch", 99, 100);
    EXPECT_TRUE(resolved(instruction(opcode, with(kStore, {{"DestinationPitch", 0}, {"Rows", 1}}))).ok());
  }
  const std::vector<Setting> fractal = with(kStore, {{"Format", 1}, {"Destination", 0x4400}, {"DestinationPitch", 3}});
  EXPECT_TRUE(resolved(instruction(Opcode::L0C_TO_L1, fractal)).ok());
  expect_refused(instruction(Opcode::L0C_TO_L1, with(fractal, {{"DestinationPitch", 2}})), kShape, "DestinationPitch", 2, 3);
  expect_refused(instruction(Opcode::L0C_TO_L1, with(fractal, {{"Destination", 0x4500}})), kMisaligned, "Destination", 0x4500, 512);
}

TEST(Resolve, OutputToInt32) {
  for (const Opcode opcode : {Opcode::L0C_TO_DRAM, Opcode::L0C_TO_L1}) {
    const std::vector<Setting> to_int32 = with(kStore, {{"To", 3}, {"DestinationPitch", 200}});
    expect_refused(instruction(opcode, to_int32), kShape, "To", 3, 0);  // the accumulators are FP32
    const MachineCode code = instruction(opcode, with(to_int32, {{"Integer", 1}}));
    EXPECT_TRUE(resolved(code).ok());
    EXPECT_TRUE(resolved(code, configured(Opcode::OUT_CFG, {{"Activation", 1}, {"Bias", 1}})).ok());
    for (const Setting &setting : {Setting{"ScaleMode", 1}, {"ScaleMode", 2}, {"Residual", 1}, {"Activation", 2}, {"Activation", 3}}) {
      expect_refused(code, kShape, "To", 3, 0, configured(Opcode::OUT_CFG, {setting}));
      // With another output type (To = 0), the instruction accepts the same setting.
      EXPECT_TRUE(resolved(instruction(opcode, with(kStore, {{"Integer", 1}, {"To", 0}, {"DestinationPitch", 200}})),
                           configured(Opcode::OUT_CFG, {setting, {"ScaleAddress", 0x80000}, {"ResidualPitch", 200}}))
                      .ok())
          << setting.field;
    }
  }
}

TEST(Resolve, UnknownInstruction) {
  expect_error(resolve({14, 0, 0, 0, 0, 0, 0, 0}, plain()).status(), ErrorCode::unknown_instruction, "opcode", 14);
}

TEST(Resolve, ConfigurationKeepsWhatWasSetLast) {
  Configuration configuration;
  configuration.apply(resolved(instruction(Opcode::IM2COL_CFG, kMap)).value());
  configuration.apply(resolved(instruction(Opcode::OUT_CFG, kScaling)).value());
  configuration.apply(resolved(instruction(Opcode::MAD, kMad)).value());
  ASSERT_TRUE(configuration.im2col && configuration.output);
  EXPECT_EQ(configuration.im2col->height, 10U);
  EXPECT_EQ(configuration.output->zero_point, -128);
  configuration.apply(resolved(instruction(Opcode::OUT_CFG, {{"ZeroPoint", 1}})).value());
  EXPECT_EQ(configuration.output->zero_point, 1);
  EXPECT_FALSE(configuration.output->bias);
}

}  // namespace resolve_test
}  // namespace cox::isa::cube
