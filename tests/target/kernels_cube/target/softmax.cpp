// SPDX-License-Identifier: MIT
// Softmax by the core's vector unit must give the same bits as softmax_rows_plain(), which does not use this unit.
#include "coxswain/kernels/cube/softmax_rows.h"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "coxswain/hal/board.h"
#include "selftest.h"

namespace selftest {
namespace {

namespace cube = cox::kernels::cube;
using cox::isa::cube::Type;

constexpr std::uint32_t kRows = 8, kMostColumns = 67;

/// Returns a random number. `kind` selects a small number, a larger one, a subnormal, or random bits, which may be a NaN or an infinity.
float score(std::uint32_t kind) {
  const std::uint32_t bits = random_bits();
  if (kind == 0) return random_value() * 8;
  if (kind == 1) return random_value() * 100;
  if (kind == 2) return std::bit_cast<float>(bits & 0x807FFFFF);  // subnormals
  return std::bit_cast<float>(bits);
}

bool same_bits(std::uint32_t columns, std::uint32_t kind, Type type) {
  release_memory();
  const std::size_t pitch = columns + 1;
  const std::span<float> vector = take_array<float>(kRows * pitch), plain = take_array<float>(kRows * pitch);
  for (float &value : vector) value = score(kind);
  std::copy(vector.begin(), vector.end(), plain.begin());
  cube::ScoreRows rows{.pitch = pitch * sizeof(float), .rows = kRows, .columns = columns, .visible = columns};
  if (random_bits() % 2 != 0) {
    rows.visible = random_bits() % (columns + 8) - std::int64_t{8};
    rows.visible_step = 1;
  }
  rows.first = std::as_writable_bytes(vector).data();
  cube::softmax_rows(rows, type);
  rows.first = std::as_writable_bytes(plain).data();
  cube::softmax_rows_plain(rows, type);
  for (std::uint32_t row = 0; row < kRows; ++row) {
    const auto *const a = reinterpret_cast<const std::uint16_t *>(vector.data() + row * pitch);
    const auto *const b = reinterpret_cast<const std::uint16_t *>(plain.data() + row * pitch);
    if (!std::equal(a, a + columns, b)) return false;
  }
  return true;
}

}  // namespace

void test_softmax() {
  bool same = true;
  for (const Type type : {Type::bfloat16, Type::half}) {
    for (std::uint32_t kind = 0; kind < 4; ++kind) {
      for (std::uint32_t columns = 1; columns <= kMostColumns; ++columns) same = same && same_bits(columns, kind, type);
    }
  }
  verdict("softmax", same);

  release_memory();
  constexpr std::uint32_t kColumns = 1024;
  const std::span<float> scores = take_array<float>(kRows * kColumns);
  for (float &value : scores) value = random_value() * 8;
  const cube::ScoreRows rows{.first = std::as_writable_bytes(scores).data(),
                             .pitch = kColumns * sizeof(float),
                             .rows = kRows,
                             .columns = kColumns,
                             .visible = kColumns};
  const std::uint64_t before = cox::board::executed_instructions();
  cube::softmax_rows(rows, Type::bfloat16);
  const auto count = static_cast<unsigned>(cox::board::executed_instructions() - before);
  constexpr unsigned kElements = kRows * kColumns;
  std::printf("cube.softmax.instructions_per_element %u.%02u\n", count / kElements, count % kElements * 100 / kElements);
}

}  // namespace selftest
