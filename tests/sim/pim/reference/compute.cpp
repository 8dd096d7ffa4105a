// SPDX-License-Identifier: MIT
#include <vector>

#include "tests/sim/pim/reference/instructions.h"
#include "tests/sim/pim/reference/memory.h"

namespace cox::model::pim::oracle {
namespace {

/// The addresses first + i·step, or first + table[i].
std::vector<std::uint32_t> addresses(const View &view, std::uint32_t first, bool table, std::uint32_t step, std::uint64_t elements) {
  std::vector<std::uint32_t> result;
  Bytes offsets;
  if (table) offsets = read(local(view, step, 4 * elements));
  for (std::uint64_t i = 0; i < elements; ++i) {
    const std::int64_t offset = table ? number(offsets, 32 * i, 32) : static_cast<std::int64_t>(step * i);
    result.push_back(static_cast<std::uint32_t>(first + offset));
  }
  return result;
}

/// One compute on one group of macros.
struct Group {
  const View &view;
  const Decoded &instruction;
  unsigned input_width, weight_width;
  std::uint64_t row, first_macro, columns, working, macros;  ///< columns of a macro, columns that work, macros that work

  /// Bits of one line of a macro.
  [[nodiscard]] Bytes line(std::uint64_t macro, std::uint64_t compartment) const {
    Bytes bytes;
    const unsigned length = view.configuration.array.elements * view.configuration.array.bits / 8;
    const std::uint64_t first = line_byte(view.configuration, first_macro + macro, row, compartment);
    for (unsigned i = 0; i < length; ++i) bytes.push_back(view.core.array.at(first + i));
    return bytes;
  }

  [[nodiscard]] std::int64_t weight(const Bytes &line, const Bytes &meta, std::uint64_t macro, std::uint64_t compartment,
                                    std::uint64_t column) const {
    if (!instruction.bit_sparse) return number(line, column * weight_width, weight_width);
    const std::uint64_t place = ((compartment * macros + macro) * columns + column) * 3;
    const int p = (bit(meta, place + 1) ? 2 : 0) + (bit(meta, place + 2) ? 1 : 0);
    std::int64_t value = bit(line, column) ? 2 : 1;
    for (int i = 0; i < p; ++i) value *= 4;
    return bit(meta, place) ? -value : value;
  }

  /// Adds to the registers of the group's columns. `selected` has for each macro the inputs that meet its compartments, in order.
  void add(const Bytes &inputs, const std::vector<std::vector<std::uint64_t>> &selected, const Bytes &meta,
           std::uint64_t first_register) const {
    for (std::uint64_t macro = 0; macro < macros; ++macro) {
      for (std::uint64_t compartment = 0; compartment < selected[macro].size(); ++compartment) {
        const std::int64_t input = number(inputs, selected[macro][compartment] * input_width, input_width);
        const Bytes weights = line(macro, compartment);
        for (std::uint64_t column = 0; column < columns && macro * columns + column < working; ++column) {
          const std::int64_t product = input * weight(weights, meta, macro, compartment, column);
          view.core.outputs.at(first_register + macro * columns + column) += static_cast<std::uint32_t>(product);
        }
      }
    }
  }
};

}  // namespace

void pim_compute(const View &view, const Decoded &instruction, const Decoded *batch) {
  const auto &general = view.core.general;
  const isa::pim::Array &array = view.configuration.array;
  const unsigned input_width = width(view.special(0)), weight_width = width(view.special(2));
  if (instruction.bit_sparse) require(weight_width == 1);
  const std::uint64_t line_bits = std::uint64_t{array.elements} * array.bits, columns = line_bits / weight_width;
  const std::uint64_t group_macros = instruction.group ? view.special(3) : array.macros;
  if (instruction.group) require(array.has_group_size(view.special(3)));
  const std::uint64_t groups = instruction.group ? view.special(4) : 1;
  require(groups * group_macros <= array.macros);
  const std::uint64_t working = view.special(5);
  require(working >= 1 && working <= columns * group_macros);
  const std::uint64_t macros = (working + columns - 1) / columns;
  const std::uint64_t length = count(general[instruction.rs2]);
  if (!instruction.value_sparse) require(length <= array.compartments);
  const std::uint64_t computes = batch == nullptr ? 1 : count(general[batch->rs1]);
  require(computes >= 1);
  const std::uint64_t row = general[instruction.rs3];
  require(row + computes <= array.rows);
  if (length == 0 || groups == 0) return;

  // Everything is read, and thereby checked, before the first register changes.
  const auto advance = [&](std::uint32_t first, bool table, unsigned step) {
    return batch == nullptr ? std::vector<std::uint32_t>{first} : addresses(view, first, table, general[step], computes);
  };
  const std::vector<std::uint32_t> inputs =
      advance(general[instruction.rs1], batch != nullptr && batch->input_mode, batch == nullptr ? 0 : batch->rs2);
  std::vector<std::uint32_t> metas, masks;
  if (instruction.bit_sparse) metas = advance(view.special(8), batch != nullptr && batch->meta_mode, batch == nullptr ? 0 : batch->rs3);
  if (instruction.value_sparse) masks = advance(view.special(7), batch != nullptr && batch->mask_mode, batch == nullptr ? 0 : batch->rs4);

  struct Read {
    std::vector<Bytes> inputs;  // of each group
    Bytes meta;
    std::vector<std::vector<std::uint64_t>> selected;  // of each macro
  };
  std::vector<Read> reads(computes);
  for (std::uint64_t i = 0; i < computes; ++i) {
    Read &step = reads[i];
    std::vector<std::uint32_t> starts{inputs[i]};
    if (instruction.group) starts = addresses(view, inputs[i], instruction.group_input_mode, view.special(6), groups);
    for (const std::uint32_t start : starts) step.inputs.push_back(read(local(view, start, bytes_of(length, input_width))));
    if (instruction.bit_sparse) step.meta = read(local(view, metas[i], bytes_of(array.compartments * macros * line_bits, 3)));
    step.selected.resize(macros);
    Bytes mask;
    if (instruction.value_sparse) mask = read(local(view, masks[i], bytes_of(macros * length, 1)));
    for (std::uint64_t macro = 0; macro < macros; ++macro) {
      for (std::uint64_t k = 0; k < length; ++k) {
        if (!instruction.value_sparse || bit(mask, macro * length + k)) step.selected[macro].push_back(k);
      }
    }
  }
  for (const Read &step : reads) {
    for (const auto &selected : step.selected) require(selected.size() <= array.compartments);
  }

  for (std::uint64_t i = 0; i < computes; ++i) {
    for (std::uint64_t g = 0; g < groups; ++g) {
      const Group group{view, instruction, input_width, weight_width, row + i, g * group_macros, columns, working, macros};
      group.add(reads[i].inputs[g], reads[i].selected, reads[i].meta, g * columns * group_macros);
    }
  }
}

}  // namespace cox::model::pim::oracle
