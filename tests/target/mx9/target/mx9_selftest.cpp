// SPDX-License-Identifier: MIT
// Tests the conversion to and from MX9 on the control core: it gives the same bits as isa/numbers/mx9_block.h, for special cases and in
// every floating-point mode. Also measures how many instructions the conversion takes for each element.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>

#include "coxswain/hal/board.h"
#include "coxswain/isa/numbers/bfloat16.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/mx/mx9_pack.h"
#include "coxswain/kernels/mx/mx9_pack_u8.h"
#include "coxswain/kernels/mx/mx9_unpack.h"
#include "tests/target/selftest/selftest.h"

namespace {

namespace mx = cox::kernels::mx;
namespace board = cox::board;
using cox::isa::mx::Block;
using cox::isa::mx::kBlockElements;
using selftest::failed;
using selftest::random_bits;
using selftest::verdict;

constexpr std::size_t kElements = 64 * 1024;
constexpr std::size_t kBlocks = kElements / kBlockElements;
constexpr std::uint32_t kSign = 0x80000000;
constexpr std::uint32_t kFraction = 0x7FFFFF;

std::array<float, kElements> values;
std::array<float, kElements> unpacked;
std::array<std::uint16_t, kElements> halves;
std::array<std::uint8_t, kElements> bytes;
mx::ByteConversion conversion;
std::array<Block, kBlocks> blocks;
std::array<Block, kBlocks> expected;

void set(std::size_t element, std::uint32_t bits) { values[element] = std::bit_cast<float>(bits); }
std::span<const float, kBlockElements> block_values(std::size_t block) {
  return std::span<const float, kBlockElements>(values.data() + block * kBlockElements, kBlockElements);
}

void quantise_expected() {
  for (std::size_t i = 0; i < kBlocks; ++i) expected[i] = cox::isa::mx::quantise(block_values(i));
}

bool packs() {
  quantise_expected();
  return mx::mx9_pack(values, blocks).ok() && blocks == expected;
}

/// Tests random FP32 bits, which include subnormals, infinities and NaNs.
void test_random_bits() {
  bool same = true;
  for (int round = 0; round < 4; ++round) {
    for (std::size_t i = 0; i < kElements; ++i) set(i, random_bits());
    same = same && packs();
  }
  verdict("pack of random bits", same);
}

/// Tests each pair of exponents of the block's largest element and another element, with mantissas near a rounding limit.
void test_exponents() {
  constexpr std::array<std::uint32_t, 8> mantissas = {0, kFraction, 0x7F0000, 0x7EFFFF, 0x010000, 0x018000, 0x008000, 0x7F8000};
  bool same = true;
  std::size_t block = 0;
  for (std::uint32_t largest = 0; largest < 256; ++largest) {
    for (std::uint32_t other = 0; other < 256; ++other) {
      for (std::size_t i = 0; i < kBlockElements; ++i) {
        const std::uint32_t mantissa = i < mantissas.size() ? mantissas[i] + (other % 3 == 2 ? 1 : 0) : random_bits();
        set(block * kBlockElements + i, (random_bits() & kSign) | other << 23 | (mantissa & kFraction));
      }
      set(block * kBlockElements + 2 * (other % 8), (random_bits() & kSign) | largest << 23 | (random_bits() & kFraction));
      if (++block == kBlocks) {
        same = same && packs();
        block = 0;
      }
    }
  }
  verdict("pack of every two exponents", same && block == 0);
}

/// Tests every BF16 value as the largest element of a block whose other elements are smaller. Converts the block from BF16 and from FP32.
void test_bfloat16() {
  bool same = true;
  std::size_t block = 0;
  for (std::uint32_t largest = 0; largest < 0x10000; ++largest) {
    for (std::size_t i = 0; i < kBlockElements; ++i) {
      const std::uint32_t less = std::min(random_bits() & 0x1FF, largest & 0x7FFF);
      const std::uint32_t bits = i == largest % kBlockElements ? largest : largest - less;
      halves[block * kBlockElements + i] = static_cast<std::uint16_t>(bits);
      set(block * kBlockElements + i, bits << 16);
    }
    if (++block == kBlocks) {
      same = same && packs() && mx::mx9_pack_bf16(halves, blocks).ok() && blocks == expected;
      block = 0;
    }
  }
  verdict("pack of every BF16 as the largest", same && block == 0);
}

bool unpacks() {
  std::array<float, kBlockElements> scalar{};
  if (!mx::mx9_unpack(blocks, unpacked).ok() || !mx::mx9_unpack_bf16(blocks, halves).ok()) return false;
  for (std::size_t i = 0; i < kBlocks; ++i) {
    cox::isa::mx::dequantise(blocks[i], scalar);
    if (std::memcmp(scalar.data(), &unpacked[i * kBlockElements], sizeof(scalar)) != 0) return false;
    for (std::size_t j = 0; j < kBlockElements; ++j) {
      if (halves[i * kBlockElements + j] != cox::isa::numbers::bfloat16_from_float(scalar[j])) return false;
    }
  }
  return true;
}

/// Tests every exponent with every value of an element and both values of the shift bit D of a pair, and then random bytes.
void test_unpack() {
  bool same = true;
  for (const std::uint8_t pair_shift : {std::uint8_t{0x5A}, std::uint8_t{0xA5}}) {
    for (std::size_t i = 0; i < kBlocks; ++i) {
      blocks[i].exponent = static_cast<std::uint8_t>(i / 16);
      blocks[i].pair_shift = pair_shift;
      for (std::size_t j = 0; j < kBlockElements; ++j) blocks[i].elements[j] = static_cast<std::uint8_t>(i % 16 * 16 + j);
    }
    same = same && unpacks();
  }
  for (Block &block : blocks) {
    block.exponent = static_cast<std::uint8_t>(random_bits());
    block.pair_shift = static_cast<std::uint8_t>(random_bits());
    for (std::uint8_t &element : block.elements) element = static_cast<std::uint8_t>(random_bits());
  }
  verdict("unpack", same && unpacks());
}

/// Tests rounding modes, flush to zero, default NaN: all modes in which an application may run.
void test_modes() {
  for (std::size_t i = 0; i < kElements; ++i) set(i, (random_bits() & (kSign | kFraction)) | (random_bits() % 24 + 1) << 23);
  const unsigned before = __builtin_arm_get_fpscr();
  bool same = true;
  constexpr unsigned position = 22;  // position of RMode in FPSCR; FZ and DN follow
  constexpr unsigned modes = 16;
  for (unsigned mode = 0; mode < modes; ++mode) {
    __builtin_arm_set_fpscr((before & ~((modes - 1) << position)) | mode << position);
    same = packs() && unpacks() && same;
  }
  __builtin_arm_set_fpscr(before);
  verdict("floating-point modes", same);
}

/// Tests several numbers of channels, so that the last block is full, partial, or the only one.
void test_planes() {
  constexpr std::size_t pixels = 37;
  bool same = true;
  for (std::size_t i = 0; i < kElements; ++i) set(i, (random_bits() & (kSign | kFraction)) | (random_bits() % 256) << 23);
  for (std::size_t channels = 1; channels <= 40; ++channels) {
    const std::size_t channel_blocks = (channels + kBlockElements - 1) / kBlockElements;
    const auto packed = std::span(blocks).first(channel_blocks * pixels);
    same = same && mx::mx9_pack_planes(std::span(values).first(channels * pixels), channels, pixels, packed).ok();
    unpacked.fill(-7);
    same = same && mx::mx9_unpack_planes(packed, channels, pixels, std::span(unpacked).first(channels * pixels)).ok();
    same = same && unpacked[channels * pixels] == -7;
    for (std::size_t i = 0; same && i < packed.size(); ++i) {
      std::array<float, kBlockElements> elements{};
      const std::size_t first = i / pixels * kBlockElements;
      for (std::size_t c = first; c < std::min<std::size_t>(channels, first + kBlockElements); ++c)
        elements[c - first] = values[c * pixels + i % pixels];
      same = same && packed[i] == cox::isa::mx::quantise(elements);
      cox::isa::mx::dequantise(packed[i], elements);
      for (std::size_t c = first; c < std::min<std::size_t>(channels, first + kBlockElements); ++c) {
        same = same && std::bit_cast<std::uint32_t>(elements[c - first]) == std::bit_cast<std::uint32_t>(unpacked[c * pixels + i % pixels]);
      }
    }
  }
  verdict("planes", same);
}

void test_space_to_depth() {
  constexpr std::size_t height = 6;
  constexpr std::size_t width = 10;
  bool same = true;
  for (std::size_t channels = 1; channels <= 4; ++channels) {
    const auto packed = std::span(blocks).first(height / 2 * width / 2);
    const auto image = std::span(values).first(channels * height * width);
    same = same && mx::mx9_pack_space_to_depth(image, channels, height, width, packed).ok();
    for (std::size_t i = 0; i < packed.size(); ++i) {
      std::array<float, kBlockElements> elements{};
      for (std::size_t c = 0; c < channels; ++c) {
        for (std::size_t position = 0; position < 4; ++position) {
          const std::size_t row = 2 * (i / (width / 2)) + position / 2;
          const std::size_t column = 2 * (i % (width / 2)) + position % 2;
          elements[position * channels + c] = image[(c * height + row) * width + column];
        }
      }
      same = same && packed[i] == cox::isa::mx::quantise(elements);
    }
  }
  verdict("space to depth", same);
}

/// Scales and offsets of bytes: pictures of 0 to 1, signed bytes, a network's mean and deviation, falling numbers, one number for all
/// bytes, numbers on both sides of FP32's least normal number, and large ones.
constexpr std::array<std::array<float, 2>, 8> kScales = {
    {{1.0F / 255.0F, 0}, {1, -128}, {0.0171247F, -2.1179F}, {-0.03F, 3}, {0, 5}, {0x1p-130F, 0}, {0x1p-126F, -0x1p-120F}, {1e30F, -1e32F}}};

/// Makes the tables, and the numbers of all bytes.
bool converts(const std::array<float, 2> &scale) {
  for (std::size_t i = 0; i < kElements; ++i) {
    const float product = static_cast<float>(bytes[i]) * scale[0];
    values[i] = product + scale[1];
  }
  return conversion.init(scale[0], scale[1]).ok();
}

/// Tests every two bytes, with the first scale, or a quarter of them, with the others. The two are at random places of a block, beside
/// zeros or random bytes or one repeated byte.
void test_bytes() {
  bool same = true;
  for (const std::array<float, 2> &scale : kScales) {
    for (unsigned one = 0; one < 256; one += &scale == &kScales.front() ? 16 : 64) {
      for (std::size_t block = 0; block < kBlocks; ++block) {
        const auto block_bytes = std::span(bytes).subspan(block * kBlockElements, kBlockElements);
        const std::uint32_t places = random_bits();
        const auto first = static_cast<std::uint8_t>(one + block / 256);
        for (std::uint8_t &byte : block_bytes) {
          byte = static_cast<std::uint8_t>(places % 3 == 0 ? random_bits() : places % 3 == 1 ? first : 0);
        }
        block_bytes[places >> 8 & 15] = first;
        block_bytes[places >> 16 & 15] = static_cast<std::uint8_t>(block);
      }
      same = same && converts(scale);
      quantise_expected();
      same = same && mx::mx9_pack_u8(bytes, conversion, blocks).ok() && blocks == expected;
    }
  }
  verdict("pack of every two bytes", same);
}

/// Tests that the last blocks are right and that nothing is written behind them, also at odd addresses.
void test_numbers_of_blocks() {
  bool same = converts(kScales[0]);
  quantise_expected();
  for (std::size_t count = 0; count <= 9; ++count) {
    std::array<std::byte, 11 * sizeof(Block)> memory;
    memory.fill(std::byte{0xA5});
    const std::span<Block> odd(reinterpret_cast<Block *>(memory.data() + 1), count);
    same = same && mx::mx9_pack_u8(std::span(bytes).first(count * kBlockElements), conversion, odd).ok();
    same = same && std::memcmp(odd.data(), expected.data(), odd.size_bytes()) == 0 && memory[0] == std::byte{0xA5};
    for (std::size_t i = 1 + odd.size_bytes(); i < memory.size(); ++i) same = same && memory[i] == std::byte{0xA5};
  }
  verdict("numbers of blocks of bytes", same);
}

void test_bytes_space_to_depth() {
  constexpr std::size_t height = 4;
  constexpr std::size_t width = 18;  // an odd number of blocks in each row
  bool same = true;
  for (const std::array<float, 2> &scale : kScales) {
    for (std::uint8_t &byte : bytes) byte = static_cast<std::uint8_t>(random_bits());
    same = same && converts(scale);
    for (std::size_t channels = 1; channels <= 4; ++channels) {
      // The picture has the channels of a pixel side by side, the image has a plane for each channel.
      const auto image = std::span(unpacked).first(channels * height * width);
      for (std::size_t i = 0; i < image.size(); ++i) image[i % channels * height * width + i / channels] = values[i];
      const auto packed = std::span(blocks).first(height / 2 * width / 2);
      const auto wanted = std::span(expected).first(packed.size());
      same = same && mx::mx9_pack_space_to_depth(image, channels, height, width, wanted).ok();
      same = same && mx::mx9_pack_u8_space_to_depth(std::span(bytes).first(image.size()), channels, height, width, conversion, packed).ok();
      same = same && std::equal(packed.begin(), packed.end(), wanted.begin());
    }
  }
  verdict("space to depth of bytes", same);
}

/// Prints the instructions per element in hundredths, because this printf has no floating point.
template <typename Work>
void measure(const char *name, std::size_t elements, Work work) {
  const std::uint64_t before = board::executed_instructions();
  const bool done = work();
  const std::uint64_t instructions = board::executed_instructions() - before;
  const auto hundredths = static_cast<unsigned long>((instructions * 100 + elements / 2) / elements);
  std::printf("mx.%s.instructions_per_element %lu.%02lu\n", name, hundredths / 100, hundredths % 100);
  if (!done) verdict(name, false);
}

/// Returns a span of `array`. The compiler cannot know that the span refers to `array`.
template <typename T, std::size_t N>
std::span<T> all(std::array<T, N> &array) {
  T *data = array.data();
  asm volatile("" : "+r"(data));
  return {data, N};
}

void measure_all(const char *kind) {
  std::array<char, 48> text{};
  const auto named = [&](const char *name) {
    std::snprintf(text.data(), text.size(), "%s%s", name, kind);
    return text.data();
  };
  constexpr std::size_t side = 64;
  measure(named("pack"), kElements, [] { return mx::mx9_pack(all(values), all(blocks)).ok(); });
  measure(named("pack_planes"), kElements, [] { return mx::mx9_pack_planes(all(values), side, kElements / side, all(blocks)).ok(); });
  measure(named("unpack"), kElements, [] { return mx::mx9_unpack(all(blocks), all(unpacked)).ok(); });
  measure(named("unpack_planes"), kElements, [] { return mx::mx9_unpack_planes(all(blocks), side, kElements / side, all(unpacked)).ok(); });
  measure(named("pack_bf16"), kElements, [] { return mx::mx9_pack_bf16(all(halves), all(blocks)).ok(); });
  measure(named("unpack_bf16"), kElements, [] { return mx::mx9_unpack_bf16(all(blocks), all(halves)).ok(); });
  // Each block takes 2 x 2 pixels of the image's 3 channels.
  constexpr std::size_t image_side = 128;
  constexpr std::size_t image = 3 * image_side * image_side;
  measure(named("pack_space_to_depth"), image, [] {
    return mx::mx9_pack_space_to_depth(all(values).first(image), 3, image_side, image_side, all(blocks).first(image_side * image_side / 4))
        .ok();
  });
}

void measure_bytes() {
  measure("pack_u8", kElements, [] { return mx::mx9_pack_u8(all(bytes), conversion, all(blocks)).ok(); });
  constexpr std::size_t side = 128;
  constexpr std::size_t picture = 3 * side * side;
  measure("pack_u8_space_to_depth", picture, [] {
    return mx::mx9_pack_u8_space_to_depth(all(bytes).first(picture), 3, side, side, conversion, all(blocks).first(side * side / 4)).ok();
  });
}

void measure_scalar() {
  measure("pack.scalar", kElements, [] {
    for (std::size_t i = 0; i < kBlocks; ++i) all(blocks)[i] = cox::isa::mx::quantise(block_values(i));
    return true;
  });
  measure("unpack.scalar", kElements, [] {
    for (std::size_t i = 0; i < kBlocks; ++i) {
      cox::isa::mx::dequantise(blocks[i], std::span<float, kBlockElements>(unpacked.data() + i * kBlockElements, kBlockElements));
    }
    return true;
  });
}

}  // namespace

int main() {
  test_random_bits();
  test_exponents();
  test_bfloat16();
  test_unpack();
  test_modes();
  test_planes();
  test_space_to_depth();
  test_bytes();
  test_numbers_of_blocks();
  test_bytes_space_to_depth();
  measure_bytes();
  // The numbers are like activations: they have similar exponents and both signs.
  for (std::size_t i = 0; i < kElements; ++i) {
    set(i, (random_bits() & (kSign | kFraction)) | (120 + random_bits() % 9) << 23);
    halves[i] = cox::isa::numbers::bfloat16_from_float(values[i]);
  }
  measure_all("");
  measure_scalar();
  // Half of the blocks are zero now. Blocks of zeros take the scalar path.
  for (std::size_t i = 0; i < kElements; i += 2 * kBlockElements) {
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(i), kBlockElements, 0.0F);
    std::fill_n(halves.begin() + static_cast<std::ptrdiff_t>(i), kBlockElements, std::uint16_t{0});
  }
  measure_all(".half_zero");
  return failed ? 1 : 0;
}
