// SPDX-License-Identifier: MIT
#include "tests/tflite/hostile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "coxswain/tflite/runner.h"
#include "tests/tflite/reference/evaluation.h"
#include "tests/tflite/reference_kernels.h"

namespace cox::tests::tflite_hostile {

namespace {

namespace tf = cox::tflite;
using tflite_reference::Recording;

constexpr std::size_t kMostArena = 1 << 14;       ///< bytes of an arena that is run
constexpr std::uint64_t kMostProducts = 1 << 16;  ///< of an operator that is run
constexpr std::size_t kMostRun = 64;              ///< operators of a model that is run
constexpr std::byte kGuard{0xC3};

void require(bool condition, const char *what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

/// Memory with guards around it.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) : bytes_(bytes), memory_((bytes + 15) / 16 + 2) { std::fill(all().begin(), all().end(), kGuard); }
  std::span<std::byte> span() { return all().subspan(16, bytes_); }
  void check() {
    const std::span<std::byte> whole = all();
    for (std::size_t i = 0; i < whole.size(); ++i)
      require((i >= 16 && i < 16 + bytes_) || whole[i] == kGuard, "a byte outside of the memory was written");
  }

 private:
  struct alignas(16) Line {
    std::byte bytes[16];
  };
  std::span<std::byte> all() { return std::as_writable_bytes(std::span(memory_)); }
  std::size_t bytes_;
  std::vector<Line> memory_;
};

/// Reads everything that the model shows.
std::uint64_t read_all(const tf::Model &model) {
  std::uint64_t sum = model.description().size();
  for (std::size_t i = 0; i < model.tensors(); ++i) {
    const tf::TensorView tensor = model.tensor(i);
    for (const char letter : tensor.name) sum += static_cast<unsigned char>(letter);
    for (const std::byte byte : tensor.data) sum += std::to_integer<std::uint64_t>(byte);
    for (std::uint32_t j = 0; j < tensor.quantisation.count; ++j) {
      require(tensor.quantisation.scale(j) > 0, "a scale is not positive");
      sum += static_cast<std::uint64_t>(tensor.quantisation.zero_point(j));
    }
    require(tensor.bytes == tensor.data.size() || tensor.data.empty(), "a constant has another size");
  }
  for (std::size_t i = 0; i < model.operators(); ++i) {
    const tf::OperatorView op = model.op(i);
    sum += std::strlen(tf::operator_name(op.code)) + op.custom_name.size();
    for (const std::int32_t tensor : op.inputs) require(tensor < static_cast<std::int32_t>(model.tensors()), "an input is outside");
    for (const std::int32_t tensor : op.outputs)
      require(tensor >= 0 && tensor < static_cast<std::int32_t>(model.tensors()), "an output is outside");
  }
  return sum;
}

/// Returns true if the model is small enough to run.
bool is_small(const tf::Model &model, const tf::RunnerBase &runner) {
  if (runner.arena_bytes() > kMostArena || model.operators() > kMostRun) return false;
  std::uint64_t products = 0;
  for (std::size_t i = 0; i < model.operators(); ++i) {
    const Result<tf::Operation> operation = tf::resolve(model, i);
    if (!operation) return false;
    products += tf::multiply_accumulates(operation.value());
    // Windows may be much larger than their maps.
    if (const auto *const pool = std::get_if<tf::Pool>(&operation.value())) {
      products += static_cast<std::uint64_t>(pool->kernel_height) * static_cast<std::uint64_t>(pool->kernel_width) *
                  static_cast<std::uint64_t>(pool->output_height) * static_cast<std::uint64_t>(pool->output_width) *
                  static_cast<std::uint64_t>(pool->batch) * static_cast<std::uint64_t>(pool->channels);
    }
    for (const std::int32_t tensor : model.op(i).inputs) {
      if (tensor != tf::kAbsent) products += model.tensor(static_cast<std::size_t>(tensor)).bytes / 16;
    }
  }
  return products <= kMostProducts;
}

void run(const tf::Model &model, tf::Runner<Recording> &runner) {
  Guarded arena(runner.arena_bytes()), constants(runner.constant_bytes());
  Recording recording;
  const Status encoded = runner.encode(arena.span(), constants.span(), recording);
  require(encoded.ok(), "a supported model was not encoded");
  runner.reset_variables();
  tflite_reference::Evaluation evaluation(model);
  for (std::size_t i = 0; i < model.tensors(); ++i) {
    const bool input = model.use(i).is_input, variable = model.tensor(i).variable;
    if (!input && !variable) continue;
    std::vector<std::uint8_t> bytes(model.tensor(i).bytes);
    // Floats of these bytes are neither infinite nor NaN.
    for (std::size_t j = 0; j < bytes.size(); ++j) bytes[j] = static_cast<std::uint8_t>((j * 7 + i) % 61);
    if (!runner.plan().contains(static_cast<std::int32_t>(i))) continue;
    evaluation.set(static_cast<std::int32_t>(i), bytes);
    std::memcpy(arena.span().data() + runner.plan().offset(static_cast<std::int32_t>(i)), bytes.data(), bytes.size());
  }
  recording.run();
  arena.check();
  constants.check();
  require(evaluation.run().ok(), "a model that ran in an arena does not run by itself");
  for (std::size_t i = 0; i < model.outputs().size(); ++i) {
    const std::vector<std::uint8_t> &expected = evaluation.bytes(model.outputs()[i]);
    const std::span<std::byte> output = runner.output(i);
    if (output.empty()) continue;  // a constant
    require(output.size() == expected.size() && std::memcmp(output.data(), expected.data(), expected.size()) == 0, "an output differs");
  }
}

}  // namespace

Verdict examine(std::span<const std::uint8_t> file) {
  const std::vector<std::uint8_t> before(file.begin(), file.end());
  const std::span<const std::byte> bytes = std::as_bytes(file);
  const Result<std::size_t> needed = tf::runner_workspace_bytes(bytes);
  if (!needed) {
    require(needed.status().what()[0] != '\0', "an error without a name");
    return Verdict::refused;
  }
  Guarded workspace(needed.value());
  tf::Runner<Recording> runner(tflite_reference::reference_kernels());
  const Status opened = runner.open(bytes, workspace.span());
  workspace.check();
  require(std::equal(before.begin(), before.end(), file.begin()), "the file was written");
  if (!opened) return Verdict::refused;
  const tf::Model &model = runner.model();
  if (read_all(model) == UINT64_MAX) return Verdict::refused;
  require(runner.plan().bytes() >= runner.plan().live_bytes(), "the arena is too small");
  const Status supported = runner.first_unsupported();
  if (!supported) {
    require(supported.index() >= 0 && supported.what()[0] != '\0', "an operator was refused without a name");
    return Verdict::rejected;
  }
  if (!is_small(model, runner)) return Verdict::planned;
  run(model, runner);
  return Verdict::ran;
}

}  // namespace cox::tests::tflite_hostile
