// SPDX-License-Identifier: MIT
// Reads models on the control core. The host has put them into DRAM: their number, then for each its offset and size, in words of 32 bits.
// For each model this image prints a line, which the host's program prints too, and the instructions that the core has executed. The last
// model is then given to the reader with one damaged byte after another.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>

#include "coxswain/hal/board.h"
#include "tests/target/selftest/selftest.h"
#include "tests/tflite/digest.h"

namespace {

using selftest::good;
namespace tf = cox::tflite;

std::array<tf::TensorUse, 256> uses;
std::array<tf::ArenaRecord, 512> records;

std::span<std::byte> dram(std::size_t offset, std::size_t bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a bus address
  return {reinterpret_cast<std::byte *>(cox::board::dram_base() + offset), bytes};
}

std::uint32_t word(std::size_t index) { return reinterpret_cast<const std::uint32_t *>(dram(0, 4 * (index + 1)).data())[index]; }

bool read_model(std::span<const std::byte> file) {
  const std::uint64_t start = cox::board::executed_instructions();
  const cox::Result<tf::Model> model = tf::open(file, uses);
  const std::uint64_t opened = cox::board::executed_instructions();
  if (!good(model.status())) return false;
  const cox::Result<tf::ArenaPlan> plan = tf::plan_arena(model.value(), cox::tests::tflite_digest::AnyKernels(), {}, records);
  const std::uint64_t planned = cox::board::executed_instructions();
  if (!good(plan.status())) return false;
  cox::tests::tflite_digest::Digest digest;
  cox::tests::tflite_digest::add_arena(digest, model.value(), plan.value());
  cox::tests::tflite_digest::add_operators(digest, model.value());
  const std::uint64_t resolved = cox::board::executed_instructions();
  std::printf("model: %u tensors, %u operators, arena %lu, digest %08lx\n", static_cast<unsigned>(model.value().tensors()),
              static_cast<unsigned>(model.value().operators()), static_cast<unsigned long>(plan.value().bytes()),
              static_cast<unsigned long>(digest.value()));
  std::printf("  instructions: open %lu, plan %lu, resolve %lu\n", static_cast<unsigned long>(opened - start),
              static_cast<unsigned long>(planned - opened), static_cast<unsigned long>(resolved - planned));
  return true;
}

/// Returns false if nothing of the damage was noticed. A read outside of memory ends the image with a fault.
bool survives_damage(std::span<std::byte> file) {
  unsigned refused = 0;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const std::byte was = file[i];
    file[i] = static_cast<std::byte>(selftest::random_bits() >> 24);
    const cox::Result<tf::Model> model = tf::open(file, uses);
    refused += model ? 0 : 1;
    if (model) {
      cox::tests::tflite_digest::Digest digest;
      cox::tests::tflite_digest::add_operators(digest, model.value());
    }
    file[i] = was;
  }
  std::printf("%u of %u damaged files are refused\n", refused, static_cast<unsigned>(file.size()));
  return refused > file.size() / 20;
}

}  // namespace

int main() {
  const std::uint32_t models = word(0);
  bool all = models > 0;
  for (std::uint32_t i = 0; i < models; ++i) all = read_model(dram(word(1 + 2 * i), word(2 + 2 * i))) && all;
  selftest::verdict("models", all);
  selftest::verdict("damage", survives_damage(dram(word(2 * models - 1), word(2 * models))));
  return selftest::failed ? 1 : 0;
}
