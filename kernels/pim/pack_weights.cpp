// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/pack_weights.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "coxswain/kernels/pim/bit_sparse.h"

namespace cox::kernels::pim {

using isa::pim::Array;
using isa::pim::ArrayOrder;

namespace {

/// Looks weights up. Beyond the layer they are 0.
class Lookup {
 public:
  Lookup(const LayerShape &shape, const Weights &weights) : shape_(shape), weights_(weights) {}

  /// The weight of output `output` of the layer, as seen from block `block` of the layer.
  [[nodiscard]] std::int8_t at(std::uint32_t output, std::uint32_t run, std::uint32_t input) const {
    if (output >= shape_.sums() || input >= shape_.run_inputs) return 0;
    if (weights_.depthwise) {
      return output % shape_.run_inputs == input ? weights_.values[std::size_t{output} * shape_.runs + run] : std::int8_t{0};
    }
    return weights_.values[place(output, run, input)];
  }
  [[nodiscard]] std::size_t place(std::uint32_t output, std::uint32_t run, std::uint32_t input) const {
    return std::size_t{output} * weights_.output_stride + (std::size_t{run} * shape_.run_inputs + input) * weights_.input_stride;
  }
  /// True if the span has every weight.
  [[nodiscard]] bool is_complete() const {
    if (weights_.depthwise)
      return weights_.values.size() >= std::size_t{shape_.sums()} * shape_.runs && shape_.outputs == shape_.run_inputs;
    return place(shape_.sums() - 1, shape_.runs - 1, shape_.run_inputs - 1) < weights_.values.size();
  }

 private:
  const LayerShape &shape_;
  const Weights &weights_;
};

/// A pass in memory.
class PassImage {
 public:
  PassImage(const Mapping &mapping, const Array &array, std::span<std::byte> bytes) : array_(array), rows_(mapping.rows()), bytes_(bytes) {
    tables_ = bytes.data() + mapping.array_bytes(array);
    masks_ = tables_ + mapping.table_bytes();
    meta_ = masks_ + mapping.mask_bytes(array);
  }

  std::byte *line(std::uint32_t macro, std::uint32_t row, std::uint32_t compartment) {
    const std::uint32_t size = array_.group_sizes[0];
    const std::uint64_t k = std::uint64_t{row} * array_.compartments + compartment;
    const std::uint64_t place = array_.order == ArrayOrder::between_groups
                                    ? k * array_.macros + macro
                                    : (macro / size * std::uint64_t{rows_} * array_.compartments + k) * size + macro % size;
    return bytes_.data() + place * array_.line_bytes();
  }
  [[nodiscard]] std::byte *tables() const { return tables_; }
  [[nodiscard]] std::byte *masks() const { return masks_; }
  [[nodiscard]] std::byte *meta() const { return meta_; }

 private:
  const Array &array_;
  std::uint32_t rows_;
  std::span<std::byte> bytes_;
  std::byte *tables_, *masks_, *meta_;
};

void set_bit(std::byte *bytes, std::uint64_t bit) { bytes[bit / 8] |= std::byte{1} << static_cast<int>(bit % 8); }

/// A number that is written for each output of a pass.
template <typename Number>
void write_table(std::byte *table, std::span<const Number> numbers, const Mapping &mapping, std::uint32_t pass) {
  const std::uint32_t first = pass * mapping.pass_outputs;
  for (std::uint32_t i = 0; i < mapping.pass_outputs; ++i) {
    const Number number = first + i < numbers.size() ? numbers[first + i] : Number{0};
    std::memcpy(table + i * sizeof(Number), &number, sizeof(Number));
  }
}

/// For each weight, as an unsigned byte: the columns of its projection.
using ColumnTable = std::array<std::array<isa::numbers::SignedPair, 2>, 256>;
constexpr ColumnTable make_columns(std::uint32_t threshold, std::uint32_t columns) {
  ColumnTable table{};
  for (std::int32_t weight = -128; weight <= 127; ++weight) {
    const std::int32_t projected = isa::numbers::nearest_weight(weight, threshold);
    for (std::uint32_t i = 0; i < columns; ++i) table[static_cast<std::uint8_t>(weight)][i] = column_of(projected, columns, i);
  }
  return table;
}
/// Columns of filters of threshold 1, of such filters with two columns, and of filters of threshold 2.
constexpr ColumnTable kOneOfOne = make_columns(1, 1), kTwoOfOne = make_columns(1, 2), kTwoOfTwo = make_columns(2, 2);

class Packer {
 public:
  Packer(const LayerShape &shape, const Mapping &mapping, const Array &array, const Weights &weights)
      : shape_(shape), mapping_(mapping), array_(array), lookup_(shape, weights) {}

  void pack_dense(std::uint32_t pass, PassImage &image) const {
    const std::uint32_t macro_columns = mapping_.macro_columns(array_);
    for (std::uint32_t split = 0; split < mapping_.splits(); ++split) {
      for (std::uint32_t block = 0; block < mapping_.blocks; ++block) {
        for (std::uint32_t row = 0; row < mapping_.rows(); ++row) {
          const std::uint32_t run = split / mapping_.splits_x * mapping_.rows_y + row / mapping_.rows_x;
          const std::uint32_t window = split % mapping_.splits_x * mapping_.rows_x + row % mapping_.rows_x;
          for (std::uint32_t k = 0; k < array_.compartments; ++k) {
            for (std::uint32_t macro = 0; macro * macro_columns < mapping_.block_outputs; ++macro) {
              std::array<std::byte, kMostLineBytes> line{};
              for (std::uint32_t c = 0; c < macro_columns && macro * macro_columns + c < mapping_.block_outputs; ++c) {
                const std::uint32_t output = pass * mapping_.pass_outputs + block * mapping_.block_outputs + macro * macro_columns + c;
                put(line.data(), c, lookup_.at(output, run, window * mapping_.window_inputs + k));
              }
              for (std::uint32_t pixel = 0; pixel < mapping_.tile(); ++pixel) {
                const std::uint32_t group = (split * mapping_.tile() + pixel) * mapping_.blocks + block;
                std::memcpy(image.line(group * mapping_.group_macros + macro, row, k), line.data(), array_.line_bytes());
              }
            }
          }
        }
      }
    }
  }

  /// True if output `output` and the others of its macro have a weight other than 0.
  [[nodiscard]] bool is_kept(std::uint32_t first, std::uint32_t count, std::uint32_t run, std::uint32_t input) const {
    for (std::uint32_t c = 0; c < count; ++c) {
      if (lookup_.at(first + c, run, input) != 0) return true;
    }
    return false;
  }

  /// Packs a value-sparse pass, or only checks it if `image` is nullptr.
  Status pack_values(std::uint32_t pass, PassImage *image) const {
    const std::uint32_t macro_columns = mapping_.macro_columns(array_), working = mapping_.working_macros(array_);
    for (std::uint32_t row = 0; row < mapping_.rows(); ++row) {
      const std::uint32_t run = row / mapping_.rows_x;
      for (std::uint32_t macro = 0; macro < working; ++macro) {
        const std::uint32_t slot = macro / mapping_.slot_macros, part = macro % mapping_.slot_macros;
        if (part * macro_columns >= mapping_.block_outputs) continue;
        const std::uint32_t first = pass * mapping_.pass_outputs + part * macro_columns;
        const std::uint32_t count = std::min(macro_columns, mapping_.block_outputs - part * macro_columns);
        const std::uint32_t start = (row % mapping_.rows_x * mapping_.slots + slot) * mapping_.window_inputs;
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < mapping_.window_inputs; ++i) {
          if (!is_kept(first, count, run, start + i)) continue;
          if (kept == array_.compartments)
            return Status(ErrorCode::invalid_argument, "window_inputs", static_cast<std::int32_t>(first), mapping_.window_inputs, kept);
          if (image != nullptr) {
            set_bit(image->masks() + std::size_t{row} * mapping_.row_mask_bytes(array_),
                    std::uint64_t{macro} * mapping_.compute_inputs() + std::uint64_t{slot} * mapping_.window_inputs + i);
            for (std::uint32_t group = 0; group < mapping_.groups(); ++group) {
              std::byte *const line = image->line(group * mapping_.group_macros + macro, row, kept);
              for (std::uint32_t c = 0; c < count; ++c) put(line, c, lookup_.at(first + c, run, start + i));
            }
          }
          ++kept;
        }
      }
    }
    return {};
  }

  /// Returns an error if a weight has too many bits.
  [[nodiscard]] Status check_weights() const {
    const std::int32_t most = (1 << (mapping_.weight_bits - 1)) - 1;
    if (shape_.form == WeightForm::bit_sparse || mapping_.weight_bits == 8) return {};
    for (std::uint32_t output = 0; output < shape_.sums(); ++output) {
      for (std::uint32_t run = 0; run < shape_.runs; ++run) {
        for (std::uint32_t input = 0; input < shape_.run_inputs; ++input) {
          const std::int32_t weight = lookup_.at(output, run, input);
          if (weight < -most - 1 || weight > most)
            return Status(ErrorCode::field_out_of_range, "weights", static_cast<std::int32_t>(output), weight,
                          weight < 0 ? -most - 1 : most);
        }
      }
    }
    return {};
  }

  void pack_bits(std::uint32_t pass, PassImage &image) const {
    const std::uint32_t macro_columns = array_.line_bits(), working = mapping_.working_macros(array_);
    for (std::uint32_t row = 0; row < mapping_.rows(); ++row) {
      const std::uint32_t run = row / mapping_.rows_x;
      std::byte *const mask = image.masks() + std::size_t{row} * mapping_.row_mask_bytes(array_);
      std::byte *const meta = image.meta() + std::size_t{row} * mapping_.row_meta_bytes(array_);
      for (std::uint32_t macro = 0; macro < working; ++macro) {
        const std::uint32_t slot = macro / mapping_.slot_macros, part = macro % mapping_.slot_macros;
        for (std::uint32_t k = 0; k < mapping_.window_inputs; ++k) {
          const std::uint32_t input = (row % mapping_.rows_x * mapping_.slots + slot) * mapping_.window_inputs + k;
          if (input >= shape_.run_inputs) continue;
          set_bit(mask, std::uint64_t{macro} * mapping_.compute_inputs() + std::uint64_t{slot} * mapping_.window_inputs + k);
          std::array<std::byte, kMostLineBytes> line{};
          for (std::uint32_t column = 0; column < macro_columns; ++column) {
            const FilterColumn place = filter_of(pass, part * macro_columns + column);
            if (place.filter >= shape_.outputs) continue;
            const isa::numbers::SignedPair pair = pair_of(place, lookup_.at(place.filter, run, input));
            if (pair.cell) line[column / 8] |= std::byte{1} << static_cast<int>(column % 8);
            const std::uint64_t bit = ((std::uint64_t{k} * working + macro) * macro_columns + column) * 3;
            for (unsigned i = 0; i < 3; ++i) {
              if ((pair.meta() >> i & 1) != 0) set_bit(meta, bit + i);
            }
          }
          for (std::uint32_t group = 0; group < mapping_.groups(); ++group)
            std::memcpy(image.line(group * mapping_.group_macros + macro, row, k), line.data(), array_.line_bytes());
        }
      }
    }
  }

  [[nodiscard]] const Lookup &lookup() const { return lookup_; }

 private:
  static constexpr std::size_t kMostLineBytes = 16;
  static constexpr std::uint32_t kNoFilter = ~std::uint32_t{0};

  /// Writes a weight to a column of a line of zeros.
  void put(std::byte *line, std::uint32_t column, std::int8_t weight) const {
    const std::uint32_t bit = column * mapping_.weight_bits, ones = (1U << mapping_.weight_bits) - 1;
    line[bit / 8] |= static_cast<std::byte>((static_cast<std::uint8_t>(weight) & ones) << bit % 8);
  }

  /// Column `column` of `columns` columns of a filter.
  struct FilterColumn {
    std::uint32_t filter = kNoFilter, columns = 1, column = 0;
  };
  /// Returns what column `column` of a slot holds.
  [[nodiscard]] FilterColumn filter_of(std::uint32_t pass, std::uint32_t column) const {
    const std::uint32_t first = pass * mapping_.pass_outputs, outputs = mapping_.block_outputs;
    if (column < outputs * mapping_.threshold) {
      FilterColumn found{first + column / mapping_.threshold, mapping_.threshold, column % mapping_.threshold};
      if (mapping_.seconds.has(found.filter)) found.columns = 2;
      return found;
    }
    FilterColumn found{kNoFilter, 2, 1};
    mapping_.seconds.for_each(first, first + outputs, [&](std::uint32_t filter, std::uint32_t count, std::uint32_t before) {
      if (column - outputs - before < count) found.filter = first + filter + column - outputs - before;
    });
    return found;
  }
  /// Returns what the column holds of a weight. A filter may have more columns than its threshold.
  [[nodiscard]] isa::numbers::SignedPair pair_of(const FilterColumn &place, std::int8_t weight) const {
    const bool two = (shape_.thresholds.empty() ? mapping_.threshold : shape_.thresholds[place.filter]) == 2;
    const ColumnTable &table = two ? kTwoOfTwo : place.columns == 2 ? kTwoOfOne : kOneOfOne;
    return table[static_cast<std::uint8_t>(weight)][place.column];
  }

  const LayerShape &shape_;
  const Mapping &mapping_;
  const Array &array_;
  Lookup lookup_;
};

template <typename Number>
Status check_table(std::span<const Number> numbers, std::uint32_t outputs, const char *name) {
  if (numbers.empty() || numbers.size() == outputs) return {};
  return Status(ErrorCode::shape_mismatch, name, -1, signed_of(numbers.size()), outputs);
}

bool overlaps(std::span<const std::byte> a, std::span<const std::byte> b) {
  const auto first = [](std::span<const std::byte> bytes) { return reinterpret_cast<std::uintptr_t>(bytes.data()); };
  return first(a) < first(b) + b.size() && first(b) < first(a) + a.size();
}

}  // namespace

Status pack_weights(const LayerShape &shape, const Mapping &mapping, const isa::pim::Configuration &configuration, const Weights &weights,
                    const Requantisation &requantisation, std::span<std::byte> packed) {
  const Array &array = configuration.array;
  const Packer packer(shape, mapping, array, weights);
  if (!packer.lookup().is_complete()) return Status(ErrorCode::shape_mismatch, "weights", -1, signed_of(weights.values.size()));
  if (const Status status = check_thresholds(shape); !status.ok()) return status;
  if (const Status status = packer.check_weights(); !status.ok()) return status;
  const std::uint32_t outputs = shape.sums();
  if (const Status status = check_table(requantisation.biases, outputs, "biases"); !status) return status;
  if (const Status status = check_table(requantisation.multipliers, outputs, "multipliers"); !status) return status;
  if (const Status status = check_table(requantisation.shifts, outputs, "shifts"); !status) return status;
  for (std::size_t i = 0; i < requantisation.shifts.size(); ++i) {
    constexpr std::int32_t kMostShift = 31;
    const std::int32_t shift = requantisation.shifts[i];
    if (shift < -kMostShift || shift > kMostShift)
      return Status(ErrorCode::field_out_of_range, "shifts", static_cast<std::int32_t>(i), shift, kMostShift);
  }
  if (packed.size() != mapping.bytes(array))
    return Status(ErrorCode::shape_mismatch, "packed", -1, signed_of(packed.size()), signed_of(mapping.bytes(array)));
  if (overlaps(packed, std::as_bytes(weights.values)) || overlaps(packed, std::as_bytes(requantisation.biases)) ||
      overlaps(packed, std::as_bytes(requantisation.multipliers)) || overlaps(packed, std::as_bytes(requantisation.shifts)))
    return Status(ErrorCode::tensor_overlap, "packed");
  for (std::uint32_t pass = 0; pass < mapping.passes && mapping.form == WeightForm::value_sparse; ++pass) {
    if (const Status status = packer.pack_values(pass, nullptr); !status) return status;
  }

  std::fill(packed.begin(), packed.end(), std::byte{0});
  for (std::uint32_t pass = 0; pass < mapping.passes; ++pass) {
    const auto pass_bytes = static_cast<std::size_t>(mapping.pass_bytes(array));
    PassImage image(mapping, array, packed.subspan(pass * pass_bytes, pass_bytes));
    switch (mapping.form) {
      case WeightForm::dense: packer.pack_dense(pass, image); break;
      case WeightForm::value_sparse: static_cast<void>(packer.pack_values(pass, &image)); break;
      case WeightForm::bit_sparse: packer.pack_bits(pass, image); break;
    }
    std::byte *const tables = image.tables();
    write_table(tables, requantisation.biases, mapping, pass);
    write_table(tables + std::size_t{mapping.pass_outputs} * 4, requantisation.multipliers, mapping, pass);
    write_table(tables + std::size_t{mapping.pass_outputs} * 8, requantisation.shifts, mapping, pass);
  }
  return {};
}

Status prune_weights(const LayerShape &shape, const Mapping &mapping, const isa::pim::Configuration &configuration,
                     std::span<std::int8_t> values, const Weights &weights) {
  const Array &array = configuration.array;
  Weights own = weights;
  own.values = values;
  const Lookup lookup(shape, own);
  if (!lookup.is_complete() || own.depthwise) return Status(ErrorCode::shape_mismatch, "weights", -1, signed_of(values.size()));
  const std::uint32_t macro_columns = mapping.macro_columns(array);
  for (std::uint32_t output = 0; output < shape.outputs;) {
    // A macro has neighbouring outputs of one pass.
    const std::uint32_t in_pass = output % mapping.pass_outputs;
    const std::uint32_t count = std::min({macro_columns - in_pass % macro_columns, mapping.pass_outputs - in_pass, shape.outputs - output});
    const auto weight_of = [&](std::uint32_t run, std::uint32_t input) {
      std::int32_t sum = 0;
      for (std::uint32_t c = 0; c < count; ++c) {
        const std::int32_t value = lookup.at(output + c, run, input);
        sum += value * value;
      }
      return sum;
    };
    for (std::uint32_t run = 0; run < shape.runs; ++run) {
      for (std::uint32_t start = 0; start < shape.run_inputs; start += mapping.window_inputs) {
        const std::uint32_t end = std::min(start + mapping.window_inputs, shape.run_inputs);
        std::uint32_t left = 0;
        for (std::uint32_t input = start; input < end; ++input) left += weight_of(run, input) != 0 ? 1 : 0;
        for (; left > array.compartments; --left) {
          std::uint32_t least = end;
          std::int32_t least_weight = 0;
          for (std::uint32_t input = start; input < end; ++input) {
            const std::int32_t weight = weight_of(run, input);
            if (weight == 0 || (least != end && weight >= least_weight)) continue;
            least = input;
            least_weight = weight;
          }
          for (std::uint32_t c = 0; c < count; ++c) values[lookup.place(output + c, run, least)] = 0;
        }
      }
    }
    output += count;
  }
  return {};
}

}  // namespace cox::kernels::pim
