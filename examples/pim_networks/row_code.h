// SPDX-License-Identifier: MIT
// The code of one core of a Pipeline up to the last stage: rows of the stem, and rows of the core's layer. Rows that differ only in their
// number are one loop.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/kernels/pim/program_builder.h"
#include "coxswain/kernels/pim/resident_convolution.h"
#include "examples/pim_networks/pipeline.h"
#include "examples/pim_networks/pipeline_memory.h"
#include "examples/pim_networks/routes.h"

namespace cox::pim_networks {

class RowCode {
 public:
  RowCode(kernels::pim::ProgramBuilder &builder, const Pipeline &pipeline, const Routes &routes, const Pipeline::Addresses &addresses,
          unsigned core)
      : builder_(builder),
        pipeline_(pipeline),
        routes_(routes),
        addresses_(addresses),
        core_(core),
        memory_(builder.configuration()),
        code_(builder, memory_.for_rows()) {}

  void emit();

 private:
  using Register = kernels::pim::Register;
  using Value = kernels::pim::Value;

  static constexpr unsigned kMostUnits = 3;  ///< of a core: a layer and two blocks of a projection
  static constexpr unsigned kMostStemUnits = 2;

  /// One thing that a core does for a row. `row` counts from the row, or, for inputs, from its first row of input.
  struct Step {
    enum class Kind : std::uint8_t { wait_input, wait_shortcut, compute, keep, send } kind = Kind::compute;
    std::uint8_t unit = 0;  ///< number in the core's units
    Use use = Use::input;
    std::uint8_t core = 0;  ///< the other core
    std::uint8_t layer = 0, block = 0;
    std::int8_t row = 0;
    bool has_row_above = false;  ///< the maximum pool of the row has three rows
    friend bool operator==(const Step &, const Step &) = default;
  };
  struct Steps {
    std::array<Step, 160> steps{};
    unsigned count = 0;
    friend bool operator==(const Steps &a, const Steps &b) { return std::ranges::equal(a.all(), b.all()); }
    [[nodiscard]] std::span<const Step> all() const { return std::span(steps).first(count); }
  };
  /// Units of the core whose rows are computed in turn.
  struct Group {
    std::array<const Unit *, kMostUnits> units{};
    unsigned count = 0;
    void add(const Unit &unit) { units[count++] = &unit; }
    [[nodiscard]] const Unit &last() const { return *units[count - 1]; }
    [[nodiscard]] bool is_stem() const { return last().layer == kPool; }
  };
  /// Registers that go from row to row.
  struct Places {
    Register row, input_row;
    std::array<Register, kMostUnits> in{}, out{};
    Register even, odd;  ///< of the stem
  };

  void fetch_image(const Unit &unit);
  [[nodiscard]] const Unit *stem_of(std::int32_t first_row) const;
  void fill_pad();
  void fill_border_rows(const kernels::pim::ResidentMap &map, std::uint32_t address);
  void post_receives();
  void emit_rows(const Group &group);
  [[nodiscard]] Steps steps_of(const Group &group, std::int32_t row);
  void add_waits(Steps &steps, const Group &group, std::int32_t row);
  void add_sends(Steps &steps, const Unit &unit, std::uint8_t number, std::int32_t row);
  void add(Steps &steps, const Step &step);
  void emit_row(const Group &group, const Steps &steps, const Places &places);
  void emit_step(const Group &group, const Step &step, const Places &places);
  void compute(const Unit &unit, Register in, Register out);
  void convolve_stem_row(const Places &places);
  void pool(const Places &places, bool has_row_above);
  [[nodiscard]] std::uint32_t vertical_maximum(Register next, std::uint32_t pitch, bool has_row_above, std::uint32_t odd);
  void wait_for_projections();
  void wait_for_last_input();

  kernels::pim::ProgramBuilder &builder_;
  const Pipeline &pipeline_;
  const Routes &routes_;
  const Pipeline::Addresses &addresses_;
  unsigned core_;
  PipelineMemory memory_;
  kernels::pim::ResidentCode code_;
};

}  // namespace cox::pim_networks
