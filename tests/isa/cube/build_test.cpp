// SPDX-License-Identifier: MIT
// Builds slots from operations. Each member of an operation sets the table's field of the same name.
#include "coxswain/isa/cube/build.h"

#include <gtest/gtest.h>

#include <bit>

#include "tests/isa/cube/instruction.h"

namespace cox::isa::cube {
namespace {

constexpr std::int64_t bits(float value) { return std::bit_cast<std::int32_t>(value) & 0xFFFFFFFF; }

TEST(Build, Flags) {
  EXPECT_EQ(encode_set_flag(Pipe::MTE1, Pipe::M, 5), instruction(Opcode::SET_FLAG, {{"Pipe", 1}, {"Target", 2}, {"Event", 5}}));
  EXPECT_EQ(encode_wait_flag(Pipe::FIX, Pipe::M, 7), instruction(Opcode::WAIT_FLAG, {{"Pipe", 3}, {"Origin", 2}, {"Event", 7}}));
  EXPECT_EQ(encode(Barrier{.pipes = 9}), instruction(Opcode::BARRIER, {{"Pipes", 9}}));
  EXPECT_EQ(wait_word(Opcode::MAD, 0xABCDEF), 0xABCDEF0AU);
}

TEST(Build, MovesIntoTheUnit) {
  const DramToL1 load{.source = 0xABCD'1234'5678,
                      .rows = 17,
                      .row_bytes = 99,
                      .source_pitch = 0x87654321,
                      .format = Format::fractal,
                      .destination = 512,
                      .destination_pitch = 3};
  EXPECT_EQ(encode(load), instruction(Opcode::DRAM_TO_L1, {{"Source", 0x12345678},
                                                           {"SourceHigh", 0xABCD},
                                                           {"Rows", 17},
                                                           {"SourcePitch", 0x87654321},
                                                           {"RowBytes", 99},
                                                           {"Format", 1},
                                                           {"Destination", 512},
                                                           {"DestinationPitch", 3}}));
  L1ToL0 move{.right = false,
              .type = Type::int8,
              .transpose = true,
              .k_align = true,
              .source = 0x600,
              .source_pitch = 7,
              .destination = 0x800,
              .rows = 31,
              .columns = 65};
  const std::vector<Setting> settings = {{"Source", 0x600},      {"Type", 3},        {"Transpose", 1}, {"KDirectionAlign", 1},
                                         {"Destination", 0x800}, {"SourcePitch", 7}, {"Rows", 31},     {"Columns", 65}};
  EXPECT_EQ(encode(move), instruction(Opcode::L1_TO_L0A, settings));
  move.right = true;
  EXPECT_EQ(encode(move), instruction(Opcode::L1_TO_L0B, settings));
  EXPECT_EQ(encode(L1ToBt{.source = 128, .destination = 64, .bytes = 192}),
            instruction(Opcode::L1_TO_BT, {{"Source", 128}, {"Destination", 64}, {"Bytes", 192}}));
}

TEST(Build, Im2col) {
  const Im2col map{.height = 2,
                   .width = 3,
                   .channels = 4,
                   .type = Type::int4,
                   .pad_value = -5,
                   .pixel_pitch = 6,
                   .row_pitch = 7,
                   .kernel_height = 8,
                   .kernel_width = 9,
                   .stride_y = 10,
                   .stride_x = 11,
                   .dilation_y = 12,
                   .dilation_x = 13,
                   .pad_top = 14,
                   .pad_left = 15,
                   .out_width = 16};
  EXPECT_EQ(encode(map), instruction(Opcode::IM2COL_CFG, {{"Height", 2},
                                                          {"Width", 3},
                                                          {"Channels", 4},
                                                          {"Type", 4},
                                                          {"PadValue", -5},
                                                          {"PixelPitch", 6},
                                                          {"RowPitch", 7},
                                                          {"KernelHeight", 8},
                                                          {"KernelWidth", 9},
                                                          {"StrideY", 10},
                                                          {"StrideX", 11},
                                                          {"DilationY", 12},
                                                          {"DilationX", 13},
                                                          {"PadTop", 14},
                                                          {"PadLeft", 15},
                                                          {"OutWidth", 16}}));
  const Im2colToL0A move{
      .map = {}, .k_align = true, .source = 9, .destination = 512, .first_place = 70000, .rows = 2, .first_column = 90000, .columns = 3};
  EXPECT_EQ(encode(move), instruction(Opcode::IM2COL_TO_L0A, {{"KDirectionAlign", 1},
                                                              {"Source", 9},
                                                              {"Destination", 512},
                                                              {"FirstPlace", 70000},
                                                              {"Rows", 2},
                                                              {"FirstColumn", 90000},
                                                              {"Columns", 3}}));
}

TEST(Build, Mads) {
  Mad mad{.type = Type::float32, .left = 512, .right = 1024, .destination = 2048, .m = 4095, .k = 2, .n = 3, .k_align = true};
  const std::vector<Setting> settings = {{"Left", 512}, {"Right", 1024}, {"Destination", 2048},  {"M", 4095},
                                         {"K", 2},      {"N", 3},        {"KDirectionAlign", 1}, {"Type", 2}};
  EXPECT_EQ(encode(mad, {.wait = 1, .set = 2}), instruction(Opcode::MAD, with(settings, {{"CmatrixInitVal", 1}, {"Wait", 1}, {"Set", 2}})));
  mad.start = Start::accumulator;
  EXPECT_EQ(encode(mad), instruction(Opcode::MAD, settings));
  mad.start = Start::bias_table;
  mad.bias_address = 64;
  EXPECT_EQ(encode(mad), instruction(Opcode::MAD, with(settings, {{"CmatrixSource", 1}, {"BiasAddress", 64}})));
}

TEST(Build, MovesOutOfTheUnit) {
  const OutputConfiguration configuration{.scale_mode = ScaleMode::channel,
                                          .scale = 2.5F,
                                          .beta = -0.5F,
                                          .scale_address = 4,
                                          .bias = true,
                                          .bias_address = 8,
                                          .residual = true,
                                          .residual_pitch = 12,
                                          .activation = Activation::Clip,
                                          .activation_parameter = 6.0F,
                                          .zero_point = -128};
  EXPECT_EQ(encode(configuration), instruction(Opcode::OUT_CFG, {{"ScaleMode", 2},
                                                                 {"Scale", bits(2.5F)},
                                                                 {"Beta", bits(-0.5F)},
                                                                 {"ScaleAddress", 4},
                                                                 {"Bias", 1},
                                                                 {"BiasAddress", 8},
                                                                 {"Residual", 1},
                                                                 {"ResidualPitch", 12},
                                                                 {"Activation", 3},
                                                                 {"ActivationParameter", bits(6.0F)},
                                                                 {"ZeroPoint", -128}}));
  Output output{.configuration = {},
                .to_l1 = false,
                .format = Format::linear,
                .destination = 0xABCD'1234'5678,
                .destination_pitch = 0x87654321,
                .integer = true,
                .to = OutputType::int8,
                .source = 1024,
                .source_pitch = 256,
                .rows = 5,
                .columns = 6,
                .channel = 7,
                .residual_address = 8};
  const std::vector<Setting> settings = {{"Integer", 1}, {"To", 4},      {"Source", 1024}, {"SourcePitch", 256},
                                         {"Rows", 5},    {"Columns", 6}, {"Channel", 7},   {"ResidualAddress", 8}};
  EXPECT_EQ(encode(output),
            instruction(Opcode::L0C_TO_DRAM,
                        with(settings, {{"Destination", 0x12345678}, {"DestinationHigh", 0xABCD}, {"DestinationPitch", 0x87654321}})));
  output.to_l1 = true;
  output.format = Format::fractal;
  output.destination = 512;
  output.destination_pitch = 9;
  EXPECT_EQ(encode(output), instruction(Opcode::L0C_TO_L1, with(settings, {{"Destination", 512}, {"DestinationPitch", 9}, {"Format", 1}})));
}

TEST(Build, WordsThatAFieldHasToItself) {
  EXPECT_EQ((whole_word_of<Opcode::MAD, "Left">()), 4U);
  EXPECT_EQ((whole_word_of<Opcode::MAD, "Destination">()), 2U);
  EXPECT_EQ((whole_word_of<Opcode::DRAM_TO_L1, "Source">()), 2U);
  EXPECT_FALSE((is_alone_in_its_word<Opcode::MAD, "M">()));
  EXPECT_FALSE((is_alone_in_its_word<Opcode::L1_TO_L0A, "Source">()));
  EXPECT_EQ((word_of<Opcode::MAD, "K">()), 6U);
  EXPECT_EQ((shift_of<Opcode::MAD, "K">()), 12U);
}

}  // namespace
}  // namespace cox::isa::cube
