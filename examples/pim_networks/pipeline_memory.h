// SPDX-License-Identifier: MIT
// What is where in a core's memories while a Pipeline runs (docs/kernels/pim.md, Memories).
#pragma once

#include <cstdint>
#include <string_view>

#include "coxswain/isa/pim/configuration.h"
#include "coxswain/kernels/pim/resident_convolution.h"

namespace cox::pim_networks {

class PipelineMemory {
 public:
  explicit PipelineMemory(const isa::pim::Configuration &configuration) : configuration_(configuration) {}

  // Buffer of the inputs of pim-compute: a layer's input, or that of the last stage; the small maps of the last stage; rows of the image.
  [[nodiscard]] std::uint32_t inputs() const { return find("meta_buffer"); }
  [[nodiscard]] std::uint32_t small_map() const { return inputs() + 128 * kKiB; }
  [[nodiscard]] std::uint32_t image_rows(unsigned slot) const { return inputs() + (216 + slot * 16) * kKiB; }  ///< of a unit of the stem

  // Results. Rows of a layer, then maps of the last stage. The stem's columns are there before the layer's rows.
  [[nodiscard]] std::uint32_t outputs() const { return find("output"); }
  [[nodiscard]] std::uint32_t even_columns() const { return outputs(); }
  [[nodiscard]] std::uint32_t odd_columns() const { return outputs() + 40 * kKiB; }
  [[nodiscard]] std::uint32_t last_outputs() const { return outputs() + kLargestMap; }

  /// Maps that are added, or the projection's results. In the last stage: the sums.
  [[nodiscard]] std::uint32_t shortcuts() const { return find("data"); }

  [[nodiscard]] std::uint32_t constants() const { return find("input_buffer"); }

  [[nodiscard]] std::uint32_t pad() const { return find("input"); }  ///< zero points: kPadBytes
  [[nodiscard]] std::uint32_t pooled() const { return pad() + 8 * kKiB; }
  [[nodiscard]] std::uint32_t row() const { return pad() + 24 * kKiB; }
  [[nodiscard]] std::uint32_t classes() const { return pad() + 28 * kKiB; }
  [[nodiscard]] std::uint32_t average() const { return pad() + 30 * kKiB; }
  [[nodiscard]] std::uint32_t last_input() const { return pad() + 32 * kKiB; }  ///< while the core has another layer

  [[nodiscard]] kernels::pim::ResidentMemories for_rows() const {
    return {.results = {find("output_buffer"), find("mask_buffer")}, .sums = {pad() + 168 * kKiB, shortcuts() + 216 * kKiB}};
  }

  /// Maxima of the stem, behind the results of its convolution.
  [[nodiscard]] std::uint32_t maxima(unsigned number) const {
    return for_rows().results[number] + kernels::pim::ResidentMemories::kResultsBytes;
  }

  static constexpr std::uint32_t kPadBytes = 4096;

 private:
  static constexpr std::uint32_t kKiB = 1024;
  static constexpr std::uint32_t kLargestMap = 58 * 58 * 64;

  [[nodiscard]] std::uint32_t find(std::string_view name) const { return configuration_.memories[configuration_.find_memory(name)].first; }
  const isa::pim::Configuration &configuration_;
};

}  // namespace cox::pim_networks
