// SPDX-License-Identifier: MIT
// Computes steps of a batch together if the array's bytes are the elements that the kernels multiply, so that the sums stay in registers.
// Other weights are widened into working memory, one step of one group at a time.
#include <algorithm>
#include <array>
#include <cstring>

#include "sim/model/pim/arithmetic/fast.h"
#include "sim/model/pim/arithmetic/local_bytes.h"
#include "sim/model/pim/arithmetic/selection.h"
#include "sim/model/tile/arithmetic/scratch.h"

namespace cox::model::pim::fast {
namespace {

using arithmetic::scratch;
using arithmetic::ScratchUse;
using isa::pim::Compute;
using isa::pim::ComputeStep;

constexpr std::uint32_t kMostSteps = 16;  // that are computed together

constexpr std::uint32_t round_up(std::uint32_t number, std::uint32_t multiple) { return (number + multiple - 1) / multiple * multiple; }

Element element_of(const Compute &op) {
  const unsigned weight = op.bit_sparse ? 16 : op.weight_width;  // digits are -128 to 128
  const unsigned width = std::max<unsigned>(op.input_width, weight);
  return width <= 8 ? Element::bits8 : width <= 16 ? Element::bits16 : Element::bits32;
}

/// Finds bytes of local memories. Consecutive ranges mostly lie in the same memory.
class InputBytes {
 public:
  const std::byte *at(const CoreMemories &memories, std::uint32_t address, std::uint64_t bytes) {
    if (address - first_ + bytes > memory_.size()) {
      const isa::pim::Place place = isa::pim::place(memories.configuration, isa::pim::Reach::local, address, bytes);
      memory_ = memories.local[place.space];
      first_ = memories.configuration.memories[place.space].first;
    }
    return memory_.data() + (address - first_);
  }

 private:
  std::span<const std::byte> memory_;
  std::uint32_t first_ = 0;
};

class ComputePass {
 public:
  ComputePass(const Compute &op, CoreMemories &memories, const Kernels &kernels, Selection &selection)
      : op_(op),
        memories_(memories),
        array_(memories.configuration.array),
        kernels_(kernels),
        selection_(selection),
        element_(element_of(op)),
        at_once_(compartments_at_once(element_)),
        input_pitch_(round_up(op.inputs, at_once_)),
        staged_(!weights_are_elements()),
        row_bytes_(array_.rows == 1 ? 0 : difference(0, 1, 0)),
        compartment_bytes_(array_.compartments == 1 ? 0 : difference(0, 0, 1)),
        staged_pitch_(round_up(op.working_macros * op.columns, kColumnsAtOnce) + kColumnsAtOnce) {}

  [[nodiscard]] std::uint32_t steps_at_once() const { return staged_ ? 1 : kMostSteps; }

  /// Computes `count` steps, at most steps_at_once().
  void run(std::uint32_t first, std::uint32_t count) {
    count_ = count;
    for (std::uint32_t i = 0; i < count; ++i) {
      steps_[i] = isa::pim::step(op_, memories_.configuration, LocalBytes(memories_), first + i);
    }
    compartments_ = op_.inputs;
    if (op_.value_sparse) {
      selection_.read(op_, memories_, {steps_.data(), count}, array_.compartments);
      compartments_ = selection_.most();
    }
    if (op_.bit_sparse) decode_meta();
    for (std::uint32_t group = 0; group < op_.groups; ++group) {
      read_inputs(group);
      if (staged_) stage_weights(group);
      if (op_.value_sparse && element_ == Element::bits8 && op_.columns == kColumnsAtOnce) {
        multiply_macros(group);
      } else if (op_.value_sparse) {
        for (std::uint32_t member = 0; member < op_.working_macros; ++member) multiply_macro(group, member);
      } else {
        multiply_group(group);
      }
    }
  }

 private:
  /// True if the kernels can read the weights in the array.
  [[nodiscard]] bool weights_are_elements() const {
    const std::uint32_t compartments = op_.value_sparse ? array_.compartments : op_.inputs;
    return element_ == Element::bits8 && op_.weight_width == 8 && op_.columns % kColumnsAtOnce == 0 &&
           round_up(compartments, at_once_) <= array_.compartments;
  }
  /// Bytes from line 0 to the line of another macro, row or compartment.
  [[nodiscard]] std::ptrdiff_t difference(std::uint32_t macro, std::uint32_t row, std::uint32_t compartment) const {
    return static_cast<std::ptrdiff_t>(isa::pim::line_offset(array_, macro, row, compartment));
  }
  /// Number of macros from `member` of a group on whose lines of one row and compartment are consecutive, at most the working ones.
  [[nodiscard]] std::uint32_t consecutive_macros(std::uint32_t group, std::uint32_t member) const {
    const std::uint32_t rest = op_.working_macros - member;
    if (array_.order == isa::pim::ArrayOrder::between_groups) return rest;
    const std::uint32_t size = array_.group_sizes[0];
    return std::min(rest, size - (group * op_.group_macros + member) % size);
  }
  [[nodiscard]] const std::byte *line(std::uint32_t group, std::uint32_t member) const {
    return memories_.array.data() + difference(group * op_.group_macros + member, steps_[0].row, 0);
  }
  [[nodiscard]] std::uint32_t *registers(std::uint32_t group, std::uint32_t column) const {
    return memories_.output_registers.data() + std::size_t{group} * op_.columns * op_.group_macros + column;
  }

  void read_inputs(std::uint32_t group) {
    const std::size_t pitch = std::size_t{input_pitch_} * element_bytes(element_);
    const std::uint32_t offset = isa::pim::group_input(op_, memories_.configuration, LocalBytes(memories_), ComputeStep{}, group);
    inputs_ = scratch(ScratchUse::padded, static_cast<std::int64_t>(pitch * kMostSteps));
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::byte *from = input_bytes_.at(memories_, steps_[i].input + offset, op_.input_bytes());
      std::byte *to = inputs_ + i * pitch;
      std::memset(to + pitch - 4, 0, 4);  // the inputs behind the last one
      if (op_.input_width == 8 * element_bytes(element_)) {
        std::memcpy(to, from, op_.input_bytes());
      } else {
        kernels_.widen(from, op_.input_width, op_.inputs, element_, to);
      }
    }
  }

  /// Decodes the meta data of the only step: a digit for each column of the working macros in each compartment.
  void decode_meta() {
    const std::size_t count = std::size_t{compartments_} * op_.working_macros * op_.columns;
    digits_ = reinterpret_cast<std::int8_t *>(scratch(ScratchUse::parameters, static_cast<std::int64_t>(count)));
    kernels_.decode_meta(bytes_at(memories_, steps_[0].meta, op_.meta_bytes(array_)), count, digits_);
  }

  /// Widens the weights of the only step: [compartment][column].
  void stage_weights(std::uint32_t group) {
    const std::size_t pitch = staged_pitch_ * element_bytes(element_);
    const std::uint32_t padded = round_up(compartments_, at_once_);
    weights_ = scratch(ScratchUse::unpacked, static_cast<std::int64_t>(pitch * padded));
    std::memset(weights_ + compartments_ * pitch, 0, (padded - compartments_) * pitch);
    // Columns that do not fill their lines are widened macro by macro.
    const bool whole_lines = op_.columns * op_.weight_width == array_.line_bits();
    std::uint32_t macros = 0;
    for (std::uint32_t member = 0; member < op_.working_macros; member += macros) {
      macros = whole_lines ? consecutive_macros(group, member) : 1;
      const std::byte *from = line(group, member);
      std::byte *to = weights_ + std::size_t{member} * op_.columns * element_bytes(element_);
      for (std::uint32_t k = 0; k < compartments_; ++k, from += compartment_bytes_, to += pitch) {
        const std::size_t columns = std::size_t{macros} * op_.columns;
        if (op_.bit_sparse) {
          apply_cells(digits_ + (std::size_t{k} * op_.working_macros + member) * op_.columns, from, columns, to);
        } else {
          kernels_.widen(from, op_.weight_width, columns, element_, to);
        }
      }
    }
  }

  void apply_cells(const std::int8_t *digits, const std::byte *cells, std::size_t columns, std::byte *to) {
    if (element_ == Element::bits16) return kernels_.apply_cells(digits, cells, columns, reinterpret_cast<std::int16_t *>(to));
    std::byte *narrow = scratch(ScratchUse::values, static_cast<std::int64_t>(columns * 2));
    kernels_.apply_cells(digits, cells, columns, reinterpret_cast<std::int16_t *>(narrow));
    kernels_.widen(narrow, 16, columns, Element::bits32, to);
  }

  /// The product of `inputs` with the weights of some macros, from `member` of the group on.
  [[nodiscard]] Product product(std::uint32_t group, std::uint32_t member) const {
    Product product;
    if (staged_) {
      product.weights = weights_ + std::size_t{member} * op_.columns * element_bytes(element_);
      product.compartment_bytes = static_cast<std::ptrdiff_t>(staged_pitch_ * element_bytes(element_));
    } else {
      product.weights = line(group, member);
      product.compartment_bytes = compartment_bytes_;
      product.weights_step_bytes = row_bytes_;
    }
    product.steps = count_;
    return product;
  }

  using Multiply = void (*)(const Product &product);

  /// Multiplies `columns` columns, any number, and adds the sums to the output registers.
  void multiply(Product &product, std::uint32_t columns, std::uint32_t *registers) const {
    multiply(kernels_.multiply[static_cast<unsigned>(element_)], product, columns, registers);
  }
  static void multiply(Multiply function, Product &product, std::uint32_t columns, std::uint32_t *registers) {
    product.columns = round_up(columns, kColumnsAtOnce);
    if (product.columns == columns) {
      product.sums = registers;
      return function(product);
    }
    product.sums = reinterpret_cast<std::uint32_t *>(scratch(ScratchUse::sums, std::int64_t{product.columns} * 4));
    std::fill_n(product.sums, product.columns, 0U);
    function(product);
    for (std::uint32_t j = 0; j < columns; ++j) registers[j] += product.sums[j];
  }

  /// All working macros of the group have the same inputs.
  void multiply_group(std::uint32_t group) const {
    std::uint32_t macros = 0;
    for (std::uint32_t member = 0; member < op_.working_macros; member += macros) {
      macros = staged_ ? op_.working_macros : consecutive_macros(group, member);
      const std::uint32_t column = member * op_.columns;
      Product p = product(group, member);
      p.inputs = inputs_;
      p.inputs_step_bytes = std::ptrdiff_t{input_pitch_} * element_bytes(element_);
      p.compartments = input_pitch_;
      multiply(p, std::min(macros * op_.columns, op_.group_columns - column), registers(group, column));
    }
  }

  template <typename Number>
  void select(std::uint32_t member, std::uint32_t pitch, std::byte *selected) const {
    auto *to = reinterpret_cast<Number *>(selected);
    const auto *from = reinterpret_cast<const Number *>(inputs_);
    for (std::uint32_t i = 0; i < count_; ++i, to += pitch, from += input_pitch_) {
      std::uint32_t k = 0;
      for (const std::uint32_t number : selection_.of(member, i)) to[k++] = from[number];
      while (k < pitch) to[k++] = 0;
    }
  }

  /// All working macros of the group. Each has eight columns of bytes, and a mask of its own.
  void multiply_macros(std::uint32_t group) const {
    const std::uint32_t compartments = round_up(compartments_, at_once_);
    if (compartments == 0) return;
    const std::ptrdiff_t pitch = std::ptrdiff_t{op_.working_macros} * 4, step_bytes = compartments / at_once_ * pitch;
    std::byte *selected = scratch(ScratchUse::packed, step_bytes * count_);
    std::memset(selected, 0, static_cast<std::size_t>(step_bytes) * count_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::byte *from = inputs_ + std::size_t{i} * input_pitch_;
      for (std::uint32_t member = 0; member < op_.working_macros; ++member) {
        std::byte *to = selected + i * step_bytes + std::ptrdiff_t{member} * 4;
        std::uint32_t k = 0;
        for (const std::uint32_t number : selection_.of(member, i)) {
          to[k % 4] = from[number];
          if (++k % 4 == 0) to += pitch;
        }
      }
    }
    std::uint32_t macros = 0;
    for (std::uint32_t member = 0; member < op_.working_macros; member += macros) {
      macros = staged_ ? op_.working_macros : consecutive_macros(group, member);
      const std::uint32_t column = member * op_.columns;
      Product p = product(group, member);
      p.inputs = selected + std::ptrdiff_t{member} * 4;
      p.inputs_step_bytes = step_bytes;
      p.inputs_pitch = pitch;
      p.compartments = compartments;
      multiply(kernels_.multiply_macros, p, std::min(macros * op_.columns, op_.group_columns - column), registers(group, column));
    }
  }

  /// A macro with a mask of its own.
  void multiply_macro(std::uint32_t group, std::uint32_t member) const {
    const std::uint32_t column = member * op_.columns;
    Product p = product(group, member);
    p.compartments = round_up(selection_.most(member), at_once_);
    if (p.compartments == 0) return;
    p.inputs_step_bytes = std::ptrdiff_t{p.compartments} * element_bytes(element_);
    std::byte *selected = scratch(ScratchUse::packed, p.inputs_step_bytes * kMostSteps);
    switch (element_) {
      case Element::bits8: select<std::int8_t>(member, p.compartments, selected); break;
      case Element::bits16: select<std::int16_t>(member, p.compartments, selected); break;
      case Element::bits32: select<std::int32_t>(member, p.compartments, selected); break;
    }
    p.inputs = selected;
    multiply(p, std::min(op_.columns, op_.group_columns - column), registers(group, column));
  }

  const Compute &op_;
  CoreMemories &memories_;
  const isa::pim::Array &array_;
  const Kernels &kernels_;
  Selection &selection_;
  const Element element_;
  const std::uint32_t at_once_, input_pitch_;
  const bool staged_;
  const std::ptrdiff_t row_bytes_, compartment_bytes_;
  const std::size_t staged_pitch_;  // columns

  InputBytes input_bytes_;
  // The next ones belong to the steps that run() computes.
  std::array<ComputeStep, kMostSteps> steps_{};
  std::uint32_t count_ = 0;
  std::uint32_t compartments_ = 0;  // that meet inputs
  std::byte *inputs_ = nullptr, *weights_ = nullptr;
  std::int8_t *digits_ = nullptr;
};

}  // namespace

void compute(const Compute &op, CoreMemories &memories, const Kernels &kernels) {
  if (op.touches_nothing()) return;
  static thread_local Selection selection;  // keeps its memory
  ComputePass pass(op, memories, kernels, selection);
  for (std::uint32_t first = 0; first < op.count; first += pass.steps_at_once()) {
    pass.run(first, std::min(pass.steps_at_once(), op.count - first));
  }
  const std::uint32_t last_group = (op.groups - 1) * op.columns * op.group_macros;
  memories.registers_used = std::max(memories.registers_used, last_group + op.group_columns);
}

}  // namespace cox::model::pim::fast
