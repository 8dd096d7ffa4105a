// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/stream.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace cox::kernels::mx {
namespace {

using isa::mx::Activation;
using isa::mx::ConvAct;
using isa::mx::Elementwise;
using isa::mx::ElementwiseFunction;
using isa::mx::Move;
using isa::mx::Pool;
using isa::mx::Window;

constexpr std::uint64_t kDram = 0x6000'0000;
constexpr std::uint64_t k16MiB = 1U << 24;
constexpr std::uint64_t kMiB = 1U << 20;
const Window kAll[] = {{.base = kDram, .bytes = 0x8000'0000, .read = true, .write = true}};

/// A stream with its own memory.
struct Owned {
  explicit Owned(std::size_t bytes = 4096, std::span<const Window> windows = kAll) : memory(bytes / 8) {
    EXPECT_TRUE(stream.init(std::as_writable_bytes(std::span(memory)), windows).ok());
  }
  [[nodiscard]] std::vector<std::uint64_t> words() const {
    std::vector<std::uint64_t> result(stream.code().size() / 8);
    std::memcpy(result.data(), stream.code().data(), stream.code().size());
    return result;
  }
  [[nodiscard]] std::vector<std::uint64_t> bases() const { return {stream.bases().begin(), stream.bases().end()}; }

  std::vector<std::uint64_t> memory;
  Stream stream;
};

ConvAct small_convolution() {
  ConvAct op;
  op.input = {kDram + 0x100, 2, 5, 7};
  op.weights = kDram + 0x10000;
  op.output1 = {kDram + 0x20000, 3, 3, 4};
  op.kernel = 3;
  op.stride = 2;
  op.padding = 1;
  op.activation = Activation::SiLU;
  return op;
}

Elementwise sum(std::uint64_t input1, std::uint64_t input2, std::uint64_t output, std::uint32_t blocks = 1) {
  return {.function = ElementwiseFunction::add, .input1 = input1, .input2 = input2, .output = output, .blocks = blocks};
}

std::uint64_t bits(std::uint64_t value, unsigned bit) { return value << bit; }

/// The expected words are worked out by hand from the specification's tables: value and position of each field.
TEST(Stream, ConvolutionBehindItsBases) {
  Owned owned;
  ASSERT_TRUE(owned.stream.append(small_convolution()).ok());
  EXPECT_EQ(owned.bases(), std::vector<std::uint64_t>({kDram}));
  EXPECT_EQ(owned.stream.instructions(), 2U);
  const std::vector<std::uint64_t> expected = {
      0,  // CONFBADDR, register 0 for all operands
      9 | bits(1, 6) | bits(2, 13) | bits(1, 20) | bits(1, 21) | bits(1, 22) | bits(1, 23) | bits(4, 32) | bits(6, 42),
      bits(0x100, 8) | bits(0x10000, 32),
      bits(0x20000, 8),
  };
  EXPECT_EQ(owned.words(), expected);
}

TEST(Stream, SplitConvolution) {
  Owned owned;
  ConvAct op = small_convolution();
  op.output1 = {kDram + k16MiB + 0x40, 2, 5, 7};
  op.output2 = {kDram + 2 * k16MiB + 0x80, 2, 5, 7};
  op.weights = kDram + 3 * k16MiB;
  op.kernel = 1;
  op.stride = 1;
  op.padding = 0;
  op.activation = Activation::ReLU;
  ASSERT_TRUE(owned.stream.append(op).ok());
  // Base registers are taken in the order of CONFBADDR's fields.
  EXPECT_EQ(owned.bases(), std::vector<std::uint64_t>({kDram, kDram + k16MiB, kDram + 2 * k16MiB, kDram + 3 * k16MiB}));
  const std::vector<std::uint64_t> expected = {
      bits(0, 6) | bits(1, 16) | bits(2, 21) | bits(3, 26),
      9 | bits(1, 6) | bits(3, 13) | bits(2, 23) | bits(1, 25) | bits(4, 32) | bits(6, 42),
      bits(0x100, 8),
      bits(0x40, 8) | bits(0x80, 32),
  };
  EXPECT_EQ(owned.words(), expected);
}

TEST(Stream, ElementwiseInstructions) {
  Owned owned;
  const std::uint64_t a = kDram + 0x1000, b = kDram + 0x20'0000, out = kDram + 0x40'0000;
  ASSERT_TRUE(owned.stream.append(sum(a, b, out, 0x1234)).ok());
  Elementwise op = sum(a, b, out, 1U << 18);
  op.function = ElementwiseFunction::multiply;
  op.output = kDram + 0x80'0000;
  op.input2 = kDram + k16MiB;
  ASSERT_TRUE(owned.stream.append(op).ok());
  op = {.function = ElementwiseFunction::scale, .input1 = a, .output = out, .blocks = 3, .immediate = 0xBF80};
  ASSERT_TRUE(owned.stream.append(op).ok());
  op.function = ElementwiseFunction::sigmoid;
  op.blocks = 0x3FFFF;
  op.output = a;
  ASSERT_TRUE(owned.stream.append(op).ok());
  op.function = ElementwiseFunction::softmax;
  ASSERT_TRUE(owned.stream.append(op).ok());
  const std::vector<std::uint64_t> expected = {
      0,
      0x0B | bits(0x1000, 8) | bits(0x20'0000, 32) | bits(0x04, 56),
      bits(0x40'0000, 8) | bits(0x234, 32),
      bits(1, 11),  // input 2 now has another base
      0x1B | bits(0x1000, 8),
      bits(0x80'0000, 8),
      0x1A | bits(0xBF80, 6) | bits(3, 22) | bits(0x1000, 32),
      bits(0x40'0000, 8),
      0x2A | bits(0x3FF, 22) | bits(0x1000, 32) | bits(0xFF, 56),
      bits(0x1000, 8),
      0x3A | bits(0x3FF, 22) | bits(0x1000, 32) | bits(0xFF, 56),
      bits(0x1000, 8),
  };
  EXPECT_EQ(owned.words(), expected);
}

TEST(Stream, PoolAndMove) {
  Owned owned;
  const Pool pool{
      .input = {kDram + 0x200, 4, 10, 20}, .output = {kDram + 0x8000, 4, 5, 10}, .kernel = 5, .stride = 2, .padding = 2, .average = true};
  ASSERT_TRUE(owned.stream.append(pool).ok());
  const Move move{.from = kDram + 0x12, .to = kDram + 0x8000, .run = 5, .count = 6, .repeat = 2, .from_stride = 7, .to_stride = 11};
  ASSERT_TRUE(owned.stream.append(move).ok());
  const std::vector<std::uint64_t> expected = {
      0,
      0x0C | bits(3, 6) | bits(2, 20) | bits(1, 23) | bits(5, 26) | bits(2, 30) | bits(9, 32) | bits(19, 42),
      bits(0x200, 8),
      bits(0x8000, 8),
      0x0D | bits(0x12, 8) | bits(0x8000, 32) | bits(1, 56),
      bits(7, 0) | bits(11, 32),
      bits(4, 0) | bits(5, 32),
  };
  EXPECT_EQ(owned.words(), expected);
}

TEST(Stream, BasesAreChosenAnewOnlyWhereTheyMust) {
  Owned owned;
  const auto append = [&](std::uint64_t a, std::uint64_t b, std::uint64_t out) {
    const std::uint32_t before = owned.stream.instructions();
    EXPECT_TRUE(owned.stream.append(sum(a, b, out)).ok());
    return owned.stream.instructions() - before;
  };
  const std::uint64_t second = kDram + k16MiB;
  EXPECT_EQ(append(kDram, kDram + 18, kDram + 36), 2U);
  EXPECT_EQ(append(kDram + 100, kDram + k16MiB - 18, kDram + 36), 1U) << "the last block of the region";
  EXPECT_EQ(append(kDram, second, kDram + 36), 2U);
  // A MOVE has no second input, so the base that is selected for the second input stays.
  const Move move{.from = kDram, .to = kDram + 36, .run = 1};
  ASSERT_TRUE(owned.stream.append(move).ok());
  EXPECT_EQ(append(kDram, second + 2, kDram + 36), 1U);
  EXPECT_EQ(append(kDram, kDram, kDram + 36), 2U) << "back";
  EXPECT_EQ(owned.bases(), std::vector<std::uint64_t>({kDram, second}));
  owned.stream.clear();
  EXPECT_TRUE(owned.bases().empty());
  EXPECT_EQ(owned.stream.instructions(), 0U);
  EXPECT_EQ(append(second, second, second + 18), 2U) << "no base is selected at the start of a stream";
  EXPECT_EQ(owned.bases(), std::vector<std::uint64_t>({second}));
}

/// A tensor may begin in one region of 16 MiB and end in the next.
TEST(Stream, TensorsCrossRegions) {
  Owned owned;
  ASSERT_TRUE(owned.stream.append(sum(kDram + k16MiB - 2, kDram + 2 * k16MiB - 2, kDram + 3 * k16MiB - 2, 1U << 18)).ok());
  EXPECT_EQ(owned.bases().size(), 3U);
  EXPECT_EQ(owned.words()[1], 0x0B | bits(0xFFFFFE, 8) | bits(0xFFFFFE, 32));
}

TEST(Stream, ThirtyTwoRegionsAndNoMore) {
  Owned owned;
  for (std::uint64_t i = 0; i < 32; ++i) ASSERT_TRUE(owned.stream.append(sum(kDram, kDram + 18, kDram + i * k16MiB + 36)).ok()) << i;
  EXPECT_EQ(owned.bases().size(), 32U);
  const std::vector<std::uint64_t> before = owned.words();
  const Status status = owned.stream.append(sum(kDram, kDram + 18, kDram + 32 * k16MiB));
  EXPECT_EQ(status.code(), ErrorCode::no_room);
  EXPECT_STREQ(status.what(), "base registers");
  EXPECT_EQ(owned.words(), before);
  EXPECT_EQ(owned.bases().size(), 32U);
  EXPECT_TRUE(owned.stream.append(sum(kDram + 18, kDram + 18, kDram + 31 * k16MiB)).ok())
      << "base registers that are already chosen can still be used";
}

TEST(Stream, MemoryIsUsedToTheLastByte) {
  Owned owned(8 + 24 + 16 + 8);
  ASSERT_TRUE(owned.stream.append(small_convolution()).ok());
  ASSERT_TRUE(owned.stream.append(sum(kDram, kDram + 18, kDram + 36)).ok());
  Status status = owned.stream.append(sum(kDram, kDram + 18, kDram + 36));
  EXPECT_EQ(status.code(), ErrorCode::no_room);
  EXPECT_STREQ(status.what(), "stream");
  EXPECT_EQ(status.value(), 64);
  EXPECT_EQ(status.limit(), 56);
  EXPECT_EQ(owned.stream.code().size(), 48U);
  owned.stream.clear();
  EXPECT_TRUE(owned.stream.append(small_convolution()).ok());
}

/// A refused instruction adds no CONFBADDR and takes no base register.
TEST(Stream, ARefusedInstructionLeavesTheStreamAsItWas) {
  Owned owned(8 + 16 + 16);
  ASSERT_TRUE(owned.stream.append(sum(kDram, kDram + 18, kDram + 36)).ok());
  const std::vector<std::uint64_t> before = owned.words();
  EXPECT_EQ(owned.stream.append(sum(kDram, kDram + 18, kDram + k16MiB)).code(), ErrorCode::no_room) << "CONFBADDR would not fit besides";
  EXPECT_EQ(owned.stream.append(sum(kDram, kDram + 18, kDram + k16MiB + 1)).code(), ErrorCode::misaligned_address);
  EXPECT_EQ(owned.words(), before);
  EXPECT_EQ(owned.bases(), std::vector<std::uint64_t>({kDram}));
  ASSERT_TRUE(owned.stream.append(sum(kDram, kDram + 18, kDram + 36)).ok());
  EXPECT_EQ(owned.stream.code().size(), 40U);
}

TEST(Stream, MarksAreRolledBackTo) {
  Owned owned;
  ASSERT_TRUE(owned.stream.append(sum(kDram, kDram + 18, kDram + 36)).ok());
  const std::vector<std::uint64_t> before = owned.words();
  const Stream::Mark mark = owned.stream.mark();
  ASSERT_TRUE(owned.stream.append(sum(kDram + k16MiB, kDram + 18, kDram + 36)).ok());
  owned.stream.roll_back(mark);
  EXPECT_EQ(owned.words(), before);
  EXPECT_EQ(owned.bases().size(), 1U);
  EXPECT_EQ(owned.stream.instructions(), 2U);
  ASSERT_TRUE(owned.stream.append(sum(kDram, kDram + 18, kDram + 36)).ok());
  EXPECT_EQ(owned.stream.instructions(), 3U) << "the stream chooses the former bases again";
}

struct Flushes {
  std::vector<std::size_t> instructions;
  Status status;
  static Status flush(void *owner, Stream &stream) {
    auto &flushes = *static_cast<Flushes *>(owner);
    flushes.instructions.push_back(stream.instructions());
    return flushes.status;
  }
};

TEST(Stream, AFullStreamIsFlushed) {
  Owned owned(8 + 3 * 16);
  Flushes flushes;
  owned.stream.set_flush(Flushes::flush, &flushes);
  const Stream::Mark mark = owned.stream.mark();
  for (int i = 0; i < 7; ++i) ASSERT_TRUE(owned.stream.append(sum(kDram, kDram + 18, kDram + 36)).ok());
  EXPECT_EQ(flushes.instructions, std::vector<std::size_t>({4, 4}));
  EXPECT_EQ(owned.stream.instructions(), 2U) << "the new stream must choose its bases again";
  owned.stream.roll_back(mark);
  EXPECT_EQ(owned.stream.instructions(), 0U) << "a roll-back cannot remove instructions that have run";
  flushes.status = Status(ErrorCode::device_fault, "InOffset");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(owned.stream.append(sum(kDram, kDram + 18, kDram + 36)).ok());
  EXPECT_EQ(owned.stream.append(sum(kDram, kDram + 18, kDram + 36)).code(), ErrorCode::device_fault);
  EXPECT_EQ(owned.stream.instructions(), 4U);
  owned.stream.set_flush(nullptr, nullptr);
  EXPECT_EQ(owned.stream.append(sum(kDram, kDram + 18, kDram + 36)).code(), ErrorCode::no_room);
}

TEST(Stream, RegionsThatDoNotFitAreFlushedToo) {
  Owned owned(1 << 16);
  Flushes flushes;
  owned.stream.set_flush(Flushes::flush, &flushes);
  for (std::uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(owned.stream.append(sum(kDram, kDram + 18, kDram + i * k16MiB + 36)).ok()) << i;
  // A stream has 32 base registers, so it reaches 32 regions of 16 MiB. Each sum writes to a region of its own, and takes two
  // instructions: a CONFBADDR and the sum. The first sum's region also has the inputs, so the first stream holds 32 sums. In a later stream
  // the inputs take one more register, so it holds 31 sums.
  EXPECT_EQ(flushes.instructions, std::vector<std::size_t>({64, 62, 62}));
}

/// The instruction is refused for its address, not for lack of room, so a flush would not help.
TEST(Stream, WhatIsRefusedIsNotFlushed) {
  Owned owned;
  Flushes flushes;
  owned.stream.set_flush(Flushes::flush, &flushes);
  ASSERT_TRUE(owned.stream.append(small_convolution()).ok());
  EXPECT_EQ(owned.stream.append(sum(kDram, kDram + 18, 36)).code(), ErrorCode::address_outside_window);
  EXPECT_TRUE(flushes.instructions.empty());
}

/// If all base registers are in use, an instruction with an invalid address gets the error of the address, not no_room. The stream is not
/// flushed.
TEST(Stream, WhatIsRefusedIsNotFlushedForBaseRegisters) {
  Owned owned(1 << 16);
  for (std::uint64_t i = 0; i < isa::mx::kBaseRegisters; ++i) {
    ASSERT_TRUE(owned.stream.append(sum(kDram, kDram + 18, kDram + i * k16MiB + 36)).ok()) << i;
  }
  constexpr std::uint64_t kOutside = kDram - k16MiB;
  EXPECT_EQ(owned.stream.append(sum(kDram, kDram + 18, kOutside)).code(), ErrorCode::address_outside_window);
  EXPECT_EQ(owned.stream.append(sum(kDram, kOutside + 1, kDram)).code(), ErrorCode::misaligned_address);
  EXPECT_EQ(owned.stream.append(sum(kDram, kDram + 18, kDram + 40 * k16MiB)).code(), ErrorCode::no_room);
  Flushes flushes;
  owned.stream.set_flush(Flushes::flush, &flushes);
  EXPECT_EQ(owned.stream.append(sum(kDram, kDram + 18, kOutside)).code(), ErrorCode::address_outside_window);
  EXPECT_TRUE(flushes.instructions.empty());
  EXPECT_TRUE(owned.stream.append(sum(kDram, kDram + 18, kDram + 40 * k16MiB)).ok());
  EXPECT_EQ(flushes.instructions.size(), 1U);
}

template <typename Operation>
void expect_refused(const Operation &op, ErrorCode code, const char *what, std::int64_t value, std::int64_t limit) {
  Owned owned;
  const Status status = owned.stream.append(op);
  EXPECT_EQ(status.code(), code) << what << ": " << error_name(status.code());
  EXPECT_STREQ(status.what(), what);
  EXPECT_EQ(status.value(), value) << what;
  EXPECT_EQ(status.limit(), limit) << what;
  EXPECT_EQ(owned.stream.instructions(), 0U);
  EXPECT_TRUE(owned.stream.bases().empty());
}

template <typename Change>
void expect_convolution_refused(Change change, ErrorCode code, const char *what, std::int64_t value, std::int64_t limit) {
  ConvAct op = small_convolution();
  change(op);
  expect_refused(op, code, what, value, limit);
}

TEST(Stream, AConvolutionOutOfRangeIsRefused) {
  constexpr ErrorCode kRange = ErrorCode::field_out_of_range, kShape = ErrorCode::shape_mismatch;
  expect_convolution_refused([](ConvAct &op) { op.input.blocks = 65; }, kRange, "InChannels", 64, 63);
  expect_convolution_refused([](ConvAct &op) { op.input.blocks = 0; }, kRange, "InChannels", -1, 0);
  expect_convolution_refused([](ConvAct &op) { op.output1.blocks = 65; }, kRange, "OutChannels", 64, 63);
  expect_convolution_refused([](ConvAct &op) { op.output1.blocks = 0; }, kRange, "OutChannels", -1, 0);
  expect_convolution_refused([](ConvAct &op) { op.input.height = 1025; }, kRange, "InHeight", 1024, 1023);
  expect_convolution_refused([](ConvAct &op) { op.input.width = 0; }, kRange, "InWidth", -1, 0);
  expect_convolution_refused([](ConvAct &op) { op.kernel = 2; }, kRange, "Kernel", 2, 1);
  expect_convolution_refused([](ConvAct &op) { op.kernel = 5; }, kRange, "Kernel", 2, 1);
  expect_convolution_refused([](ConvAct &op) { op.stride = 3; }, kRange, "Stride", 2, 1);
  expect_convolution_refused([](ConvAct &op) { op.stride = 0; }, kRange, "Stride", -1, 0);
  expect_convolution_refused([](ConvAct &op) { op.padding = 2; }, kRange, "Padding", 2, 1);
  expect_convolution_refused([](ConvAct &op) { op.activation = static_cast<Activation>(3); }, kRange, "Activation", 3, 2);
  expect_convolution_refused([](ConvAct &op) { op.output1.height = 4; }, kShape, "InHeight", 4, 3);
  expect_convolution_refused([](ConvAct &op) { op.output1.width = 3; }, kShape, "InWidth", 3, 4);
  expect_convolution_refused([](ConvAct &op) { op.output2 = {kDram + 0x40000, 2, 3, 4}; }, kShape, "OutChannels", 2, 3);
  expect_convolution_refused([](ConvAct &op) { op.input.address += 1; }, ErrorCode::misaligned_address, "InOffset", kDram + 0x101, 2);
  expect_convolution_refused([](ConvAct &op) { op.weights += 2; }, ErrorCode::misaligned_address, "WeightOffset", kDram + 0x10002, 4);
  expect_convolution_refused([](ConvAct &op) { op.output1.address = op.input.address; }, ErrorCode::tensor_overlap, "OutOffset1",
                             kDram + 0x100, kDram + 0x100);
  expect_convolution_refused([](ConvAct &op) { op.input.address = 0x100; }, ErrorCode::address_outside_window, "InOffset", 0x100, 0);
  ConvAct tiny = small_convolution();
  tiny.input = {kDram + 0x100, 1, 2, 7};
  tiny.output1 = {kDram + 0x20000, 1, 0, 5};
  tiny.stride = 1;
  tiny.padding = 0;
  expect_refused(tiny, kShape, "InHeight", 2, 3);
}

TEST(Stream, OtherInstructionsOutOfRangeAreRefused) {
  constexpr ErrorCode kRange = ErrorCode::field_out_of_range, kShape = ErrorCode::shape_mismatch;
  expect_refused(sum(kDram, kDram + 18, kDram + 36, 0), kRange, "Length2", 0, 255);
  expect_refused(sum(kDram, kDram + 18, kDram + 36, (1U << 18) + 1), kRange, "Length2", (1 << 18) + 1, 255);
  expect_refused(sum(kDram, kDram + 18, kDram + 20), ErrorCode::tensor_overlap, "OutOffset", kDram + 20, kDram + 18);
  const Pool pool{.input = {kDram, 4, 10, 20}, .output = {kDram + 0x8000, 4, 5, 10}, .kernel = 2, .stride = 2};
  Pool bad = pool;
  bad.kernel = 16;
  expect_refused(bad, kRange, "Kernel", 16, 15);
  bad.kernel = 0;
  expect_refused(bad, kRange, "Kernel", 0, 1);
  bad = pool;
  bad.stride = 0;
  expect_refused(bad, kRange, "Stride", 0, 1);
  bad = pool;
  bad.padding = 8;
  expect_refused(bad, kRange, "Padding", 8, 7);
  bad = pool;
  bad.padding = 2;
  bad.output = {kDram + 0x8000, 4, 7, 12};
  expect_refused(bad, kShape, "Padding", 2, 1);
  bad = pool;
  bad.output.blocks = 3;
  expect_refused(bad, kShape, "Channels", 3, 4);
  bad = pool;
  bad.input.blocks = bad.output.blocks = 65;
  expect_refused(bad, kRange, "Channels", 64, 63);
  const Move move{.from = kDram, .to = kDram + 0x8000, .run = 5, .count = 6, .repeat = 2, .from_stride = 7, .to_stride = 11};
  Move wrong = move;
  wrong.run = (1U << 18) + 1;
  expect_refused(wrong, kRange, "Run", 1 << 18, (1 << 18) - 1);
  wrong = move;
  wrong.count = 0;
  expect_refused(wrong, kRange, "Count", -1, 0);
  wrong = move;
  wrong.repeat = 257;
  expect_refused(wrong, kRange, "Repeat", 256, 255);
  wrong = move;
  wrong.from_stride = 1U << 24;
  expect_refused(wrong, kRange, "InStride", 1 << 24, (1 << 24) - 1);
  wrong = move;
  wrong.to_stride = 9;
  expect_refused(wrong, kShape, "OutStride", 9, 10);
}

TEST(Stream, WindowsMustHoldAndPermit) {
  const Window windows[] = {{.base = kDram, .bytes = kMiB, .read = true, .write = false},
                            {.base = kDram + kMiB, .bytes = 36, .read = false, .write = true}};
  Owned owned(4096, windows);
  EXPECT_TRUE(owned.stream.append(sum(kDram, kDram + kMiB - 18, kDram + kMiB + 18)).ok());
  Status status = owned.stream.append(sum(kDram, kDram + kMiB - 16, kDram + kMiB + 18));
  EXPECT_EQ(status.code(), ErrorCode::address_outside_window);
  EXPECT_STREQ(status.what(), "InOffset2");
  status = owned.stream.append(sum(kDram, kDram + 18, kDram + kMiB + 20));
  EXPECT_STREQ(status.what(), "OutOffset");
  status = owned.stream.append(sum(kDram, kDram + 18, kDram + 36));
  EXPECT_STREQ(status.what(), "OutOffset") << "not to be written";
  status = owned.stream.append(sum(kDram + kMiB, kDram + 18, kDram + kMiB + 18));
  EXPECT_STREQ(status.what(), "InOffset1") << "not to be read";
}

/// The stream's quick acceptance test compares 32 bits of an address. It must not ignore the other bits.
TEST(Stream, AddressesOver4GiB) {
  constexpr std::uint64_t k4GiB = std::uint64_t{1} << 32;
  const auto is_outside = [](const Status &status) { return status.code() == ErrorCode::address_outside_window; };
  Owned low;
  EXPECT_TRUE(is_outside(low.stream.append(sum(kDram + k4GiB, kDram + kMiB, kDram + 2 * kMiB))));
  EXPECT_TRUE(is_outside(low.stream.append(sum(kDram, kDram + k4GiB, kDram + 2 * kMiB))));
  EXPECT_TRUE(is_outside(low.stream.append(sum(kDram, kDram + kMiB, kDram + k4GiB))));
  EXPECT_TRUE(low.stream.code().empty());

  const Window high_window[] = {{.base = k4GiB, .bytes = k16MiB, .read = true, .write = true}};
  Owned high(4096, high_window);
  ASSERT_TRUE(high.stream.append(sum(k4GiB, k4GiB + kMiB, k4GiB + 2 * kMiB)).ok());
  EXPECT_EQ(high.bases(), std::vector<std::uint64_t>({k4GiB}));
  EXPECT_TRUE(is_outside(high.stream.append(sum(0, kMiB, 2 * kMiB))));
}

/// The stream's quick acceptance test agrees with the device's checks. Small tensors have random addresses in and near windows that touch,
/// overlap, have different permissions, and end at or cross 4 GiB.
TEST(Stream, TakesWhatTheDeviceTakes) {
  const Window windows[] = {{.base = 0xFFFF'FF00, .bytes = 0x80, .read = true, .write = false},
                            {.base = 0xFFFF'FF40, .bytes = 0x60, .read = true, .write = true},
                            {.base = 0xFFFF'FFA0, .bytes = 0x60, .read = true, .write = true},
                            {.base = 0xFFFF'FFF0, .bytes = 0x40, .read = false, .write = true}};
  std::mt19937 random(7);
  const auto number = [&](std::uint64_t least, std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
  };
  unsigned taken = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::size_t first = number(0, 3);
    const std::span<const Window> seen = std::span(windows).subspan(first, number(1, 4 - first));
    const auto address = [&] { return 0xFFFF'FEFA + 2 * number(0, 0x98) + (number(0, 15) == 0 ? 1 : 0); };
    Elementwise op = sum(address(), address(), address(), static_cast<std::uint32_t>(number(1, 4)));
    if (number(0, 3) == 0) op.output = op.input1;
    const isa::mx::Footprint all = isa::mx::footprint(op);
    const bool aligned = (op.input1 | op.input2 | op.output) % 2 == 0;
    const bool good = aligned && isa::mx::check_apart(all, true).ok() && isa::mx::check_windows(all, seen).ok();
    Owned owned(64, seen);
    ASSERT_EQ(owned.stream.append(op).ok(), good) << std::hex << op.input1 << ' ' << op.input2 << ' ' << op.output << ' ' << op.blocks;
    taken += good ? 1 : 0;
  }
  EXPECT_GT(taken, 1000U);
}

TEST(Stream, MemoryAndWindowsThatDoNotDo) {
  std::vector<std::uint64_t> memory(8);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(memory));
  Stream stream;
  EXPECT_EQ(stream.append(small_convolution()).code(), ErrorCode::not_ready) << "before init";
  EXPECT_EQ(stream.append(sum(kDram, kDram + 18, kDram + 36)).code(), ErrorCode::not_ready) << "before init";
  EXPECT_STREQ(stream.init(bytes.subspan(4), kAll).what(), "stream address");
  EXPECT_STREQ(stream.init(bytes.first(31), kAll).what(), "stream size");
  EXPECT_STREQ(stream.init({}, kAll).what(), "stream size");
  const std::vector<Window> many(5, kAll[0]);
  EXPECT_STREQ(stream.init(bytes, many).what(), "windows");
  EXPECT_TRUE(stream.init(bytes.first(32), kAll).ok());
  EXPECT_EQ(stream.windows().size(), 1U);
  EXPECT_TRUE(stream.init(bytes, {}).ok());
  EXPECT_EQ(stream.append(small_convolution()).code(), ErrorCode::address_outside_window) << "the stream must not use its former windows";
}

}  // namespace
}  // namespace cox::kernels::mx
