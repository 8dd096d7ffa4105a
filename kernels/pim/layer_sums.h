// SPDX-License-Identifier: MIT
// The SIMD unit's part of a layer: it adds partial sums and biases of a tile and requantises them (docs/kernels/pim.md, The code of a
// layer). Internal to conv2d().
#pragma once

#include <cstdint>

#include "coxswain/kernels/pim/conv2d.h"
#include "coxswain/kernels/pim/mapping.h"
#include "coxswain/kernels/pim/memories.h"

namespace cox::kernels::pim {

inline constexpr std::uint32_t kSumBytes = 4;

/// How the SIMD unit works on a tile. pim-output has stored `units` units of `partials` partial sums each: a unit for each pixel of sparse
/// weights, one for all pixels of dense ones. The sums lie one after another in the end, pixel after pixel.
struct SumsPlan {
  std::uint32_t units = 1, partials = 1;
  std::uint32_t length = 0;                   ///< results of a unit
  std::uint32_t second_columns = 0;           ///< sums behind them, which are added to some of them
  std::uint32_t stride = 0, unit_stride = 0;  ///< results from a partial sum to the next one, and from a unit to the next one
  std::uint32_t width = 1;                    ///< partial sums that the first additions add at once
  bool joins_biases = false;                  ///< one instruction adds the biases of all units
  bool joins_factors = false;                 ///< one instruction requantises a row of a tile
  bool fits = false;                          ///< the memories have room for the vectors below
  std::uint64_t cycles = 0;                   ///< of the SIMD unit for a tile

  // Offsets in the first memory of sums. Both memories begin with the sums, and have the additions' vectors at `work`.
  std::uint32_t work = 0, biases = 0, multipliers = 0, zero_point = 0, shifts = 0;

  [[nodiscard]] constexpr std::uint32_t elements() const { return units * length; }
  /// True if the sums of all units lie one after another before biases are added.
  [[nodiscard]] constexpr bool is_dense() const { return partials > 1 || unit_stride == length || units == 1; }
};

[[nodiscard]] SumsPlan plan_sums(const Mapping &mapping, const isa::pim::Array &array, const Memories &memories);

/// Appends `times` copies of the bytes at `source` to `destination`.
void replicate(ProgramBuilder &builder, std::uint32_t source, std::uint32_t bytes, std::uint32_t destination, std::uint32_t times);

/// Emits the instructions of a plan.
class LayerSums {
 public:
  LayerSums(ProgramBuilder &builder, const Conv2dArguments &arguments, const Mapping &mapping, const Memories &memories);

  [[nodiscard]] bool fits() const { return plan_.fits; }
  /// Copies the biases and factors of a packed pass from `tables` to local memories.
  void load(std::uint32_t tables);

  /// The pass, and distances of results in bytes.
  struct Results {
    std::uint32_t pass = 0, row_pitch = 0, pixel_pitch = 0;
  };
  /// Turns the results of a tile, which pim-output has stored at `buffer`, into the layer's results at `place`.
  void finish(Value buffer, Value place, const Results &results);

 private:
  [[nodiscard]] Value memory(bool second, std::uint32_t offset = 0) const {
    return (second ? memories_.sums_too.first : memories_.sums.first) + offset;
  }
  [[nodiscard]] bool clips() const;
  /// Adds the partial sums of a unit. Returns the address of the sums.
  Value add_partials(Value partials, std::uint32_t place);
  /// Adds the sums of second columns to those of the same filters.
  void add_seconds(Value sums, std::uint32_t pass);
  Value clip(Value sums, std::uint32_t length, std::uint32_t place);
  void requantise(Value sums, std::uint32_t length, Value place);
  void add(Value left, Value right, std::uint32_t length, Value sum);

  ProgramBuilder &builder_;
  const Conv2dArguments &arguments_;
  const Mapping &mapping_;
  const Memories &memories_;
  SumsPlan plan_;
};

}  // namespace cox::kernels::pim
