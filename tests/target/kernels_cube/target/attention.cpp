// SPDX-License-Identifier: MIT
// Computes attention. The control core computes the softmax with its vector instructions. Compares the result with plain loops that do the
// same operations one after the other.
#include "coxswain/kernels/cube/attention.h"

#include <array>
#include <bit>
#include <cmath>

#include "coxswain/kernels/cube/softmax_rows.h"
#include "elements.h"
#include "selftest.h"

namespace selftest {
namespace {

namespace cube = cox::kernels::cube;

constexpr std::uint32_t kQueries = 150, kKeys = 70, kDepth = 24, kWidth = 20;
constexpr unsigned kSegments = 2;

float chain(std::span<const std::byte> left, std::size_t first, std::span<const std::byte> right, std::size_t from, std::size_t stride,
            std::uint32_t count) {
  float sum = 0;
  for (std::uint32_t k = 0; k < count; ++k)
    sum = std::fma(read_float(left.data(), first + k, Type::half), read_float(right.data(), from + k * stride, Type::half), sum);
  return sum;
}

}  // namespace

void test_attention() {
  release_memory();
  const std::span<std::byte> queries = take(kQueries * kDepth * 2), keys = take(kKeys * kDepth * 2), values = take(kKeys * kWidth * 2);
  const std::span<float> output = take_array<float>(kQueries * kWidth);
  for (const std::span<std::byte> memory : {queries, keys, values}) {
    fill(memory, Type::half);
    give(memory);
  }
  give(std::as_bytes(output));

  cube::AttentionArguments call;
  call.type = Type::half;
  call.to = OutputType::float32;
  call.queries = {.address = address_of(queries), .rows = kQueries, .columns = kDepth};
  call.keys = {.address = address_of(keys), .rows = kDepth, .columns = kKeys, .order = cube::Order::column_major};
  call.values = {.address = address_of(values), .rows = kKeys, .columns = kWidth};
  call.output = {.address = address_of(output), .rows = kQueries, .columns = kWidth};
  call.causal = true;
  call.scale = 0.5F;
  call.scratch = take(static_cast<std::size_t>(cube::attention_scratch_bytes(call).value()));
  cube::Stream output_stream;
  const std::span<std::byte> memory = take(kSegments * cube::Stream::kMostReserved * cox::isa::cube::kSlotBytes);
  bool same = good(output_stream.init(memory, engine.windows(), kSegments)) &&
              good(cube::attention(engine, {stream, output_stream}, call, kLimit)) && good(engine.attach(stream));
  fetch(std::as_writable_bytes(output));

  alignas(4) std::array<float, kKeys> row{};
  for (std::uint32_t query = 0; same && query < kQueries; ++query) {
    for (std::uint32_t key = 0; key < kKeys; ++key) row[key] = chain(queries, query * kDepth, keys, key * kDepth, 1, kDepth) * call.scale;
    const std::span<std::byte> weights = std::as_writable_bytes(std::span(row));
    cube::softmax_rows_plain({.first = weights.data(), .pitch = sizeof(row), .rows = 1, .columns = kKeys, .visible = query + 1},
                             Type::half);
    for (std::uint32_t column = 0; column < kWidth; ++column) {
      const float sum = chain(weights, 0, values, column, kWidth, kKeys);
      same = same && std::bit_cast<std::uint32_t>(sum) == std::bit_cast<std::uint32_t>(output[query * kWidth + column]);
    }
  }
  verdict("attention", same);
}

}  // namespace selftest
