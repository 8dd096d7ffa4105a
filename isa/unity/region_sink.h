// SPDX-License-Identifier: MIT
// How a family of operations says which bytes it touches: void list_regions(const Family &, RegionSink &), in the file of its resolve().
// Private to isa/unity.
#pragma once

#include "coxswain/isa/unity/region.h"

namespace cox::isa::unity::detail {

[[nodiscard]] constexpr Region region_of(const char *field, bool write, const Run &run) {
  return {field, write, static_cast<std::uint8_t>(bits_of(run.unit)), run.address, {1, 1, 1}, {}, run.elements * nibbles_of(run.unit)};
}

/// Takes an operation's regions: first those that it reads, then those that it writes. Runs without elements are absent operands.
class RegionSink {
 public:
  explicit RegionSink(RegionVisitor &visitor) : visitor_(visitor) {}

  void read(const char *field, const Run &run) { visitor_.visit(region_of(field, false, run)); }
  /// Also for a run that the operation reads before it writes it, such as a state that it updates.
  void write(const char *field, const Run &run) { visitor_.visit(region_of(field, true, run)); }
  void add(const Region &region) { visitor_.visit(region); }

 private:
  RegionVisitor &visitor_;
};

void list_regions(const MatrixOperation &operation, RegionSink &sink);
void list_regions(const Fourier &operation, RegionSink &sink);
void list_regions(const Creation &operation, RegionSink &sink);
void list_regions(const Query &operation, RegionSink &sink);
void list_regions(const Unstack &operation, RegionSink &sink);
/// The results of UNSTACK, whose addresses are in memory. Lists none behind a part of the list that the memory does not hold.
void list_results(const Unstack &operation, const OperandMemory &memory, RegionSink &sink);
void list_regions(const Dropout &operation, RegionSink &sink);
void list_regions(const Recurrent &operation, RegionSink &sink);
void list_regions(const Lookup &operation, RegionSink &sink);
void list_regions(const PixelShuffle &operation, RegionSink &sink);
void list_regions(const GridSample &operation, RegionSink &sink);
void list_regions(const AffineGrid &operation, RegionSink &sink);
void list_regions(const Loss &operation, RegionSink &sink);
void list_regions(const Score &operation, RegionSink &sink);
void list_regions(const OptimizerStep &operation, RegionSink &sink);
void list_regions(const LabelSmooth &operation, RegionSink &sink);

}  // namespace cox::isa::unity::detail
