// SPDX-License-Identifier: MIT
// Packs a matrix and multiplies it with vectors, all on the control core; compares every sum with a plain loop. Then it runs a
// program with an unknown instruction, and the product again.
#include <array>
#include <cstdio>
#include <cstring>
#include <span>

#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"
#include "coxswain/kernels/pim/engine.h"
#include "coxswain/kernels/pim/gemm.h"
#include "coxswain/kernels/pim/pack_weights.h"
#include "tests/target/selftest/selftest.h"

namespace {

using selftest::good;
using selftest::verdict;
namespace pim = cox::kernels::pim;

constexpr std::uint32_t kRows = 200, kColumns = 300;
constexpr std::size_t kVectorAt = 0, kMatrixAt = 4096, kResultAt = kMatrixAt + kRows * kColumns, kPackedAt = 1 << 20, kCodeAt = 6 << 20;
constexpr std::size_t kCodeBytes = 1 << 20;

cox::hal::Accelerator accelerator;
pim::Engine engine;
pim::ProgramBuilder builder;

std::span<std::byte> dram(std::size_t offset, std::size_t bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a bus address
  return {reinterpret_cast<std::byte *>(cox::board::dram_base() + offset), bytes};
}

std::int32_t at(std::size_t offset) { return static_cast<std::int8_t>(dram(offset, 1)[0]); }

/// Writes the program of a product. Packs the matrix for it.
bool write_product(unsigned cores) {
  builder.clear();
  const auto address = [](std::size_t offset) { return builder.address_of(cox::board::dram_base() + offset).value(); };
  pim::GemvArguments product;
  product.vector = address(kVectorAt);
  product.n = kRows;
  product.k = kColumns;
  product.output = address(kResultAt);
  product.output_type = pim::ResultType::int32;
  product.has_bias = false;
  product.weights = address(kPackedAt);
  product.cores = cores;
  const auto shape = pim::gemm_layer(pim::product_of(product));
  if (!shape) return good(shape.status());
  const auto mapping = pim::choose_mapping(shape.value(), builder.configuration());
  if (!mapping) return good(mapping.status());
  const std::span<std::byte> packed = dram(kPackedAt, static_cast<std::size_t>(mapping.value().bytes(builder.configuration().array)));
  pim::Weights weights;
  weights.values = {reinterpret_cast<const std::int8_t *>(dram(kMatrixAt, 1).data()), kRows * kColumns};
  weights.output_stride = kColumns;
  if (!good(pim::pack_weights(shape.value(), mapping.value(), builder.configuration(), weights, {}, packed))) return false;
  cox::hal::clean_cache(packed.data(), packed.size());
  return good(pim::gemv(builder, product, mapping.value()));
}

bool run_product() {
  const std::span<std::byte> result = dram(kResultAt, kRows * sizeof(std::int32_t));
  std::memset(result.data(), 0, result.size());
  cox::hal::clean_cache(result.data(), result.size());
  if (!good(engine.run(builder))) return false;
  cox::hal::invalidate_cache(result.data(), result.size());
  for (std::uint32_t row = 0; row < kRows; ++row) {
    std::int32_t expected = 0, found = 0;
    for (std::uint32_t column = 0; column < kColumns; ++column)
      expected += at(kMatrixAt + row * kColumns + column) * at(kVectorAt + column);
    std::memcpy(&found, &result[row * sizeof found], sizeof found);
    if (found != expected) {
      std::printf("row %lu: %ld instead of %ld\n", static_cast<unsigned long>(row), static_cast<long>(found), static_cast<long>(expected));
      return false;
    }
  }
  return true;
}

/// Runs a copy of the program whose first instruction has an unknown opcode.
bool faults() {
  const std::span<const std::byte> code = builder.code();
  std::array<std::byte, 4> kept{};
  const std::span<std::byte> whole = dram(kCodeAt, code.size());
  const std::size_t first = code.size() - kept.size() * 8;  // one of the last instructions
  std::memcpy(kept.data(), &whole[first], kept.size());
  std::memset(&whole[first], 0xFF, kept.size());
  const cox::Status status = engine.run(builder);
  std::memcpy(&whole[first], kept.data(), kept.size());
  return status.code() == cox::ErrorCode::device_fault;
}

bool begin() {
  const cox::isa::Window windows[] = {{.base = cox::board::dram_base(), .bytes = cox::board::dram_size(), .read = true, .write = true}};
  pim::Engine::Configuration configuration;
  configuration.windows = windows;
  for (std::byte &byte : dram(kVectorAt, kMatrixAt + kRows * kColumns)) byte = static_cast<std::byte>(selftest::random_bits() >> 24);
  cox::hal::clean_cache(dram(kVectorAt, 1).data(), kMatrixAt + kRows * kColumns);
  return good(accelerator.open()) && good(engine.init(accelerator, configuration)) &&
         good(builder.init(dram(kCodeAt, kCodeBytes), windows, cox::isa::pim::default_configuration(), 4));
}

}  // namespace

int main() {
  if (!begin()) return 1;
  verdict("gemv", write_product(1) && run_product());
  verdict("gemv on four cores", write_product(4) && run_product());
  verdict("fault", faults());
  verdict("after a fault", run_product());
  const std::uint64_t before = cox::board::executed_instructions();
  const bool ran = good(engine.run(builder));
  const std::uint64_t after = cox::board::executed_instructions();
  verdict("once more", ran);
  std::printf("pim.run.control_instructions %lu\n", static_cast<unsigned long>(after - before));
  return selftest::failed ? 1 : 0;
}
