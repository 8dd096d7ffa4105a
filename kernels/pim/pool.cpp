// SPDX-License-Identifier: MIT
// A row of results: rows of the map are combined into one, as whole vectors, then its shifted copies. Every `stride_x`-th pixel of the sum
// is a result.
#include "coxswain/kernels/pim/pool.h"

#include "coxswain/kernels/pim/conv2d.h"
#include "coxswain/kernels/pim/elementwise_code.h"

namespace cox::kernels::pim {

using isa::pim::SimdOpcode;
using isa::pim::Special;

namespace {

constexpr std::uint32_t kMostSide = 1U << 16, kMostKernel = 1U << 16;
constexpr std::int32_t kLeastInt8 = -128;

Status check_shape(const PoolArguments &a) {
  const NamedNumber numbers[] = {{"height", a.height},
                                 {"width", a.width},
                                 {"channels", a.channels},
                                 {"kernel_height", a.kernel_height},
                                 {"kernel_width", a.kernel_width},
                                 {"stride_y", a.stride_y},
                                 {"stride_x", a.stride_x}};
  if (const Status status = check_numbers(numbers, kMostSide); !status) return status;
  if (a.mode > PoolMode::average) return invalid_argument("mode", static_cast<std::int64_t>(a.mode), 1);
  const NamedNumber pads[] = {{"pad_top", a.pad_top}, {"pad_bottom", a.pad_bottom}, {"pad_left", a.pad_left}, {"pad_right", a.pad_right}};
  for (const NamedNumber &number : pads) {
    const std::uint32_t kernel = &number < &pads[2] ? a.kernel_height : a.kernel_width;
    if (number.value >= kernel || (number.value != 0 && a.mode == PoolMode::average))
      return invalid_argument(number.name, number.value, a.mode == PoolMode::average ? 0 : kernel - 1);
  }
  if (std::uint64_t{a.kernel_height} * a.kernel_width > kMostKernel)
    return invalid_argument("kernel_height", signed_of(std::uint64_t{a.kernel_height} * a.kernel_width), kMostKernel);
  const std::uint32_t height = conv2d_output_side(a.height, a.pad_top, a.pad_bottom, a.kernel_height, 1, a.stride_y);
  if (height == 0 || a.output_height != height) return Status(ErrorCode::shape_mismatch, "output_height", -1, a.output_height, height);
  const std::uint32_t width = conv2d_output_side(a.width, a.pad_left, a.pad_right, a.kernel_width, 1, a.stride_x);
  if (width == 0 || a.output_width != width) return Status(ErrorCode::shape_mismatch, "output_width", -1, a.output_width, width);
  return {};
}

class PoolCode {
 public:
  PoolCode(ProgramBuilder &builder, const PoolArguments &arguments, const Memories &memories)
      : builder_(builder), arguments_(arguments), memories_(memories), is_average_(arguments.mode == PoolMode::average) {
    pitch_ = (arguments.width + arguments.pad_left + arguments.pad_right) * arguments.channels;
    used_ = ((arguments.output_width - 1) * arguments.stride_x + arguments.kernel_width) * arguments.channels;
    element_bytes_ = is_average_ ? 4 : 1;
    row_bytes_ = arguments.output_width * arguments.channels;
  }

  /// The kernel's rows, sums in two memories, and a row of results must fit.
  [[nodiscard]] Status check() const {
    const std::uint64_t rows = std::uint64_t{arguments_.kernel_height} * pitch_, sums = std::uint64_t{used_} * element_bytes_;
    const std::uint64_t results = std::min({memories_.results[0].bytes, memories_.results[1].bytes, memories_.sums_too.bytes});
    if (rows + 4 > memories_.inputs.bytes) return Status(ErrorCode::no_room, "width", -1, signed_of(rows), memories_.inputs.bytes);
    if (sums > results) return Status(ErrorCode::no_room, "width", -1, signed_of(sums), signed_of(results));
    return {};
  }

  void emit(std::uint32_t first_row, std::uint32_t rows) {
    if (rows == 0) return;
    builder_.set(Special::simd_output_bit_width, element_bytes_ * 8);
    builder_.store_word(memories_.sums.first, arguments_.kernel_height * arguments_.kernel_width);
    const bool is_padded = arguments_.pad_left != 0 || arguments_.pad_right != 0 || arguments_.pad_top != 0 || arguments_.pad_bottom != 0;
    if (is_padded) fill_with_least();
    // Rows at the edges meet padding; those between are alike.
    std::uint32_t row = first_row;
    const std::uint32_t end = first_row + rows;
    while (row < end && !is_inner(row)) emit_row(row++);
    std::uint32_t inner = 0;
    while (row + inner < end && is_inner(row + inner)) ++inner;
    if (inner != 0) {
      const std::uint32_t source_row = (row * arguments_.stride_y - arguments_.pad_top) * arguments_.width * arguments_.channels;
      const Register from = builder_.variable(arguments_.input + source_row), to = builder_.variable(arguments_.output + row * row_bytes_);
      builder_.repeat(inner, [&] {
        combine(from, arguments_.kernel_height, to);
        builder_.add(from, arguments_.stride_y * arguments_.width * arguments_.channels);
        builder_.add(to, row_bytes_);
      });
      builder_.release(from);
      builder_.release(to);
    }
    for (row += inner; row < end; ++row) emit_row(row);
  }

 private:
  [[nodiscard]] bool is_inner(std::uint32_t row) const {
    const std::uint32_t first = row * arguments_.stride_y;
    return first >= arguments_.pad_top && first - arguments_.pad_top + arguments_.kernel_height <= arguments_.height;
  }

  void emit_row(std::uint32_t row) {
    const std::int64_t first = std::int64_t{row} * arguments_.stride_y - arguments_.pad_top;
    const std::int64_t begin = std::max<std::int64_t>(first, 0);
    const std::int64_t end = std::min<std::int64_t>(first + arguments_.kernel_height, arguments_.height);
    combine(arguments_.input + static_cast<std::uint32_t>(begin) * arguments_.width * arguments_.channels,
            static_cast<std::uint32_t>(end - begin), arguments_.output + row * row_bytes_);
  }

  void fill_with_least() {
    constexpr std::uint32_t kLeast = 0x80808080;
    const std::uint32_t bytes = arguments_.kernel_height * pitch_, first = memories_.inputs.first;
    builder_.store_word(first, kLeast);
    for (std::uint32_t filled = 4; filled < bytes; filled *= 2) builder_.copy(first, std::min(filled, bytes - filled), first + filled);
  }

  void operate(Value left, std::uint32_t left_width, Value right, std::uint32_t right_width, std::uint32_t length, Value result) {
    const Value inputs[] = {left, right};
    builder_.set(Special::simd_input1_bit_width, left_width);
    builder_.set(Special::simd_input2_bit_width, right_width);
    builder_.simd(is_average_ ? SimdOpcode::add : SimdOpcode::maximum, inputs, length, result);
  }

  /// Combines `rows` rows of the map from `source` on, and stores a row of results.
  void combine(Value source, std::uint32_t rows, Value destination) {
    const PoolArguments &a = arguments_;
    const std::uint32_t width = element_bytes_ * 8, base = memories_.inputs.first, bytes = a.width * a.channels;
    if (bytes == pitch_) {
      builder_.copy(source, rows * bytes, base);
    } else {
      const Register from = builder_.variable(source), to = builder_.variable(base + a.pad_left * a.channels);
      builder_.repeat(rows, [&] {
        builder_.copy(from, bytes, to);
        builder_.add(from, bytes);
        builder_.add(to, pitch_);
      });
      builder_.release(from);
      builder_.release(to);
    }
    builder_.set(Special::simd_output_bit_width, width);
    // The two sums are in two memories, in turn.
    bool is_second = false;
    const auto next = [&] {
      is_second = !is_second;
      return memories_.results[is_second ? 1 : 0].first;
    };
    std::uint32_t sum = base, sum_width = 8;
    for (std::uint32_t row = 1; row < rows; ++row) {
      const std::uint32_t result = next();
      operate(sum, sum_width, base + row * pitch_, 8, used_, result);
      sum = result;
      sum_width = width;
    }
    if (a.kernel_width > 1) {
      // A running combination of shifted vectors: its first operand is the sum so far, its second the rows' sum.
      const std::uint32_t length = used_ - (a.kernel_width - 1) * a.channels, rows_sum = sum, rows_width = sum_width;
      std::uint32_t place = memories_.sums_too.first;
      for (std::uint32_t x = 1; x < a.kernel_width; ++x) {
        operate(sum, sum_width, rows_sum + x * a.channels * (rows_width / 8), rows_width, length, place);
        sum = place;
        sum_width = width;
        // Not the memory that has the sum of the rows.
        const std::uint32_t other = memories_.results[rows_sum == memories_.results[0].first ? 1 : 0].first;
        place = place == other ? memories_.sums_too.first : other;
      }
    }
    finish(sum, sum_width, destination);
  }

  /// Divides, picks every `stride_x`-th pixel and stores the row.
  void finish(std::uint32_t sum, std::uint32_t sum_width, Value destination) {
    const PoolArguments &a = arguments_;
    const bool is_stored = builder_.is_dram(a.output);
    const Value row = is_stored ? Value(memories_.staging[0].first) : destination;
    const Register from = builder_.variable(sum), to = builder_.variable(row);
    const std::uint32_t pixels = a.stride_x == 1 ? 1 : a.output_width, length = a.stride_x == 1 ? row_bytes_ : a.channels;
    if (is_average_) {
      builder_.set(Special::simd_input1_bit_width, sum_width);
      builder_.set(Special::simd_input2_bit_width, 32);
      builder_.set(Special::simd_output_bit_width, 8);
    }
    builder_.repeat(pixels, [&] {
      if (is_average_) {
        const Value inputs[] = {from, memories_.sums.first};
        builder_.simd(SimdOpcode::average, inputs, length, to);
      } else {
        builder_.copy(from, length, to);
      }
      builder_.add(from, a.stride_x * a.channels * (sum_width / 8));
      builder_.add(to, a.channels);
    });
    builder_.release(from);
    builder_.release(to);
    if (is_stored) builder_.copy(memories_.staging[0].first, row_bytes_, destination);
  }

  ProgramBuilder &builder_;
  const PoolArguments &arguments_;
  const Memories &memories_;
  bool is_average_;
  std::uint32_t pitch_ = 0;  ///< bytes of a row with its padding
  std::uint32_t used_ = 0;   ///< bytes of a row that results depend on
  std::uint32_t element_bytes_ = 1, row_bytes_ = 0;
};

}  // namespace

Status pool(ProgramBuilder &builder, const PoolArguments &a) {
  if (const Status status = check_shape(a); !status) return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  const Result<Memories> memories = find_memories(builder.configuration());
  Status status = memories.status();
  const Operand input{"input", a.input, std::uint64_t{a.height} * a.width * a.channels};
  const Operand output{"output", a.output, std::uint64_t{a.output_height} * a.output_width * a.channels};
  PoolCode code(builder, a, memories.value());
  if (status.ok()) status = check_cores(builder, a.first_core, a.cores);
  if (status.ok()) status = check_operand(builder, memories.value(), input, false);
  if (status.ok()) status = check_operand(builder, memories.value(), output, true);
  const MemoryRange read{a.input, input.bytes}, written{a.output, output.bytes};
  if (status.ok() && read.overlaps(written)) status = Status(ErrorCode::tensor_overlap, "output", -1, a.output, a.input);
  if (status.ok() && builder.is_dram(a.output) && lies_in(a.input, memories.value().staging[0]))
    status = invalid_argument("input", a.input, 0);
  if (status.ok()) status = code.check();
  if (!status.ok()) builder.fail(status);
  for (std::uint32_t core = 0; core < a.cores && !builder.has_failed(); ++core) {
    builder.begin_core(a.first_core + core);
    const std::uint32_t first = first_of_part(a.output_height, core, a.cores);
    code.emit(first, first_of_part(a.output_height, core + 1, a.cores) - first);
    builder.end_barrier(a.first_core, a.cores);
  }
  return builder.end_kernel();
}

}  // namespace cox::kernels::pim
