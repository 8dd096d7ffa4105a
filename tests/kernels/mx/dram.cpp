// SPDX-License-Identifier: MIT
#include "tests/kernels/mx/dram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "sim/model/mx/arithmetic/execute.h"

namespace cox::tests {
namespace {

using isa::mx::kBlockElements;

std::byte *memory_at(std::uint64_t address) {
  return reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(address));  // NOLINT(performance-no-int-to-ptr)
}

struct OperandsOf {
  model::mx::Operands operator()(const isa::mx::Selection &) const { return {}; }
  model::mx::Operands operator()(const isa::mx::ConvAct &op) const {
    return {.input1 = memory_at(op.input.address),
            .weights = memory_at(op.weights),
            .output1 = memory_at(op.output1.address),
            .output2 = op.output2.blocks == 0 ? nullptr : memory_at(op.output2.address)};
  }
  model::mx::Operands operator()(const isa::mx::Elementwise &op) const {
    return {.input1 = memory_at(op.input1), .input2 = op.input2 == 0 ? nullptr : memory_at(op.input2), .output1 = memory_at(op.output)};
  }
  model::mx::Operands operator()(const isa::mx::Pool &op) const {
    return {.input1 = memory_at(op.input.address), .output1 = memory_at(op.output.address)};
  }
  model::mx::Operands operator()(const isa::mx::Move &op) const { return {.input1 = memory_at(op.from), .output1 = memory_at(op.to)}; }
};

}  // namespace

Dram::Dram(std::size_t bytes, std::size_t stream_bytes) : size_(bytes), memory_(bytes / 8 + 1), stream_memory_(stream_bytes / 8) {
  const isa::mx::Window windows[] = {{.base = base(), .bytes = bytes, .read = true, .write = true}};
  EXPECT_TRUE(stream_.init(std::as_writable_bytes(std::span(stream_memory_)), windows).ok());
}

std::uint64_t Dram::base() const { return reinterpret_cast<std::uintptr_t>(memory_.data()); }

std::uint64_t Dram::take(std::uint64_t bytes) {
  constexpr std::uint64_t kGap = 4;
  const std::uint64_t first = (used_ + kGap + 3) / 4 * 4;
  used_ = first + bytes;
  if (used_ > size_) {
    ADD_FAILURE() << "the test's memory is too small";
    std::abort();
  }
  return base() + first;
}

Tensor Dram::tensor(std::uint32_t channels, std::uint32_t height, std::uint32_t width) {
  Tensor result{0, channels, height, width};
  result.address = take(result.bytes());
  return result;
}

Scratch Dram::scratch(std::uint64_t bytes) { return {take(bytes), bytes}; }

std::span<Block> Dram::blocks(const Tensor &tensor) const {
  return {reinterpret_cast<Block *>(memory_at(tensor.address)), static_cast<std::size_t>(tensor.count())};
}

unsigned Dram::run() {
  const std::vector<isa::mx::Operation> operations = operations_of(stream_);
  for (const isa::mx::Operation &operation : operations)
    model::mx::execute(operation, std::visit(OperandsOf(), operation), model::mx::Path::fast);
  stream_.clear();
  return static_cast<unsigned>(operations.size());
}

std::vector<isa::mx::Operation> operations_of(const Stream &stream) {
  isa::mx::BaseRegisters bases;
  std::copy(stream.bases().begin(), stream.bases().end(), bases.address.begin());
  bases.written = static_cast<std::uint32_t>((std::uint64_t{1} << stream.bases().size()) - 1);
  isa::mx::Selection selection;
  std::vector<isa::mx::Operation> operations;
  for (std::span<const std::byte> rest = stream.code(); !rest.empty();) {
    const Result<isa::mx::Fetched> fetched = isa::mx::fetch(rest);
    Status status = fetched.ok() ? isa::mx::check(fetched.value().code) : fetched.status();
    Result<isa::mx::Operation> operation = status;
    if (status.ok()) {
      rest = rest.subspan(fetched.value().instruction->bytes);
      operation = isa::mx::resolve(fetched.value().code, bases, selection);
      status = operation.status();
    }
    if (status.ok()) status = isa::mx::check_windows(isa::mx::footprint(operation.value()), stream.windows());
    if (!status.ok()) {
      ADD_FAILURE() << "after " << operations.size() << " instructions: " << error_name(status.code()) << ", " << status.what();
      break;
    }
    if (const auto *selected = std::get_if<isa::mx::Selection>(&operation.value()); selected != nullptr) {
      selection = *selected;
    } else {
      operations.push_back(operation.value());
    }
  }
  return operations;
}

void fill(std::span<Block> blocks, std::mt19937 &random, bool nan) {
  std::normal_distribution<float> normal;
  std::uniform_int_distribution<int> kind(0, 31);
  std::uniform_int_distribution<int> power(-8, 8);
  // A longer tensor repeats its first kPeriod blocks. kPeriod is odd, so parts at a distance of 2^n blocks hold different data.
  constexpr std::size_t kPeriod = 5003;
  for (Block &block : blocks.first(std::min(blocks.size(), kPeriod))) {
    std::array<float, kBlockElements> values{};
    const int chosen = kind(random);
    const int exponent = chosen == 1 ? -125 : power(random);
    for (float &value : values) value = std::ldexp(normal(random), exponent);
    if (chosen == 0) values.fill(0.0F);
    if (chosen == 2) std::fill(values.begin() + 1, values.end(), 0.0F);
    if (chosen == 3 && nan) values[5] = std::numeric_limits<float>::quiet_NaN();
    block = isa::mx::quantise(values);
  }
  for (std::size_t i = kPeriod; i < blocks.size(); ++i) blocks[i] = blocks[i - kPeriod];
}

std::array<float, kBlockElements> values_of(const Block &block) {
  std::array<float, kBlockElements> values{};
  isa::mx::dequantise(block, values);
  return values;
}

double format_bound(std::span<const double, kBlockElements> numbers, unsigned element) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::fabs(number));
  const double pair = std::max(std::fabs(numbers[element / 2 * 2]), std::fabs(numbers[element / 2 * 2 + 1]));
  if (largest < std::numeric_limits<float>::min()) return largest;
  const int exponent = std::ilogb(largest);
  const int shared = pair == 0 ? exponent - 1 : std::max(exponent - 1, std::ilogb(pair));
  return std::ldexp(1.0, shared - 6);
}

void expect_within_format(const Block &actual, std::span<const double, kBlockElements> numbers, double slack, const char *what) {
  bool finite = true;
  for (const double number : numbers) finite = finite && std::fabs(number) <= std::numeric_limits<float>::max();
  const auto values = values_of(actual);
  for (unsigned i = 0; i < kBlockElements; ++i) {
    if (!finite) {
      ASSERT_TRUE(std::isnan(values[i])) << what;
      continue;
    }
    const double error = std::fabs(values[i] - numbers[i]);
    // isa::numbers::clamped_exponential() never returns less than exp(-87) = 1.64e-38, even if the true value is nearly 0. kSmallest,
    // 2.35e-38, allows for this error.
    constexpr double kSmallest = 2 * double{std::numeric_limits<float>::min()};
    ASSERT_LE(error, format_bound(numbers, i) + slack * std::fabs(numbers[i]) + kSmallest) << what << ", " << i;
  }
}

}  // namespace cox::tests
