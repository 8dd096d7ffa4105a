// SPDX-License-Identifier: MIT
#include "examples/pim_networks/pipeline.h"

#include <algorithm>

namespace cox::pim_networks {

using kernels::pim::ProgramBuilder;
using kernels::pim::ResidentCode;
using kernels::pim::ResidentConvolution;
using kernels::pim::ResidentMap;
using kernels::pim::ResidentMemories;
using kernels::pim::ResidentPlace;

namespace {

constexpr const Network &kNetwork = kResnet18;
// Numbers of layers.
constexpr unsigned kPool = 1, kStageTwo = 6, kStageThree = 11, kStageFour = 16, kAverage = 21, kClasses = 22;
constexpr unsigned kLastBlock = kAverage - 1;
constexpr std::uint32_t kBands = 14;  ///< of the stem
constexpr std::uint32_t kBandRows = 4, kFirstBandCore = 2;
constexpr std::uint32_t kFilters = 32;  ///< of a core in the last stage
constexpr std::uint32_t kKiB = 1024;

const Layer &layer_of(unsigned number) { return kNetwork.layers[number]; }

constexpr std::uint32_t block_of(unsigned layer) {
  if (layer >= kStageFour) return kFilters;
  if (layer == kStageThree + 1) return 256;
  return layer >= kStageTwo ? 128 : 64;
}

/// Memories of a core (docs/kernels/pim.md, Memories), and what is where in them.
class Memory {
 public:
  explicit Memory(const isa::pim::Configuration &configuration) : configuration_(configuration) {}

  [[nodiscard]] std::uint32_t inputs() const { return find("meta_buffer"); }
  [[nodiscard]] std::uint32_t image_band() const { return inputs() + 216 * kKiB; }
  [[nodiscard]] std::uint32_t small_map() const { return inputs() + 128 * kKiB; }  ///< input of the last stage's convolutions
  [[nodiscard]] std::uint32_t outputs() const { return find("output"); }
  [[nodiscard]] std::uint32_t shortcuts() const { return find("data"); }
  [[nodiscard]] std::uint32_t constants() const { return find("input_buffer"); }
  [[nodiscard]] std::uint32_t pad() const { return find("input"); }  ///< zero points: kPadBytes
  [[nodiscard]] std::uint32_t pooled() const { return pad() + 8 * kKiB; }
  [[nodiscard]] std::uint32_t row() const { return pad() + 24 * kKiB; }
  [[nodiscard]] std::uint32_t classes() const { return pad() + 28 * kKiB; }
  [[nodiscard]] std::uint32_t average() const { return pad() + 30 * kKiB; }
  [[nodiscard]] std::uint32_t stage_input() const { return pad() + 32 * kKiB; }  ///< of the last stage, while the core has another layer
  [[nodiscard]] std::uint32_t even_columns() const { return pad() + 100 * kKiB; }
  [[nodiscard]] std::uint32_t odd_columns() const { return pad() + 132 * kKiB; }
  [[nodiscard]] ResidentMemories for_rows() const {
    return {.results = {find("output_buffer"), find("mask_buffer")}, .sums = {pad() + 168 * kKiB, shortcuts() + 216 * kKiB}};
  }
  static constexpr std::uint32_t kPadBytes = 4096;

 private:
  [[nodiscard]] std::uint32_t find(std::string_view name) const { return configuration_.memories[configuration_.find_memory(name)].first; }
  const isa::pim::Configuration &configuration_;
};

struct Rows {
  std::int32_t first = 0, end = 0;
  [[nodiscard]] bool has(std::int32_t row) const { return row >= first && row < end; }
};

/// Rows of its input that a unit needs.
Rows input_rows(const Unit &unit) {
  const Layer &layer = layer_of(unit.layer);
  const auto side = static_cast<std::int32_t>(kNetwork.side_of(layer.input));
  const std::int32_t first = unit.first_row * layer.stride - layer.padding;
  const std::int32_t end = (unit.end_row - 1) * layer.stride - layer.padding + layer.kernel;
  return {std::max<std::int32_t>(first, 0), std::min(end, side)};
}

/// The code of one core.
class CoreCode {
 public:
  CoreCode(ProgramBuilder &builder, std::span<const Unit> units, const Pipeline::Addresses &addresses, unsigned core)
      : builder_(builder),
        units_(units),
        addresses_(addresses),
        core_(core),
        memory_(builder.configuration()),
        code_(builder, memory_.for_rows()) {}

  void emit() {
    builder_.begin_core(core_);
    fill_pad();
    prepare_inputs();
    for (const Unit &unit : units_) {
      if (is_own(unit) && unit.layer == kPool) stem(unit);
    }
    stream_rows();
    last_stage();
  }

 private:
  [[nodiscard]] bool is_own(const Unit &unit) const { return unit.core == core_; }
  [[nodiscard]] static bool is_streamed(const Unit &unit) { return unit.layer > kPool && unit.layer < kStageFour; }
  [[nodiscard]] static std::uint32_t id_of(unsigned layer, unsigned block, unsigned row) { return (layer * 16 + block) * 64 + row; }

  // Which rows of other layers' maps a core needs, and where they go.
  enum class Use : std::uint8_t { input, shortcut };
  /// Visits each unit of a core that uses rows of a streamed layer's block.
  [[nodiscard]] bool uses(const Unit &user, Use use, const Unit &maker, std::int32_t row) const {
    const Layer &layer = layer_of(user.layer);
    if (use == Use::input) return layer.input == maker.layer && input_rows(user).has(row);
    return layer.shortcut == maker.layer && user.block == maker.block && row >= user.first_row && row < user.end_row;
  }
  [[nodiscard]] bool core_uses(unsigned core, Use use, const Unit &maker, std::int32_t row) const {
    return std::ranges::any_of(units_,
                               [&](const Unit &user) { return user.core == core && user.layer != kPool && uses(user, use, maker, row); });
  }
  [[nodiscard]] std::uint32_t place_of(Use use, const Unit &maker, std::int32_t row) const {
    const std::uint32_t offset = Pipeline::map_of(maker.layer).row(maker.block, row);
    if (use == Use::shortcut) return memory_.shortcuts() + offset;
    return (maker.layer == kStageFour - 1 ? memory_.stage_input() : memory_.inputs()) + offset;
  }
  /// The address of a row of results in the core that made it.
  [[nodiscard]] std::uint32_t result_of(const Unit &maker, std::int32_t row) const {
    const ResidentMap map = Pipeline::map_of(maker.layer);
    if (maker.layer == kPool) return memory_.pooled() + static_cast<std::uint32_t>(row - maker.first_row) * map.row_bytes();
    return memory_.outputs() + map.row(maker.block, row);
  }

  void fill_pad() {
    constexpr std::uint32_t kFirst = 128, kWord = 0x80808080;
    for (std::uint32_t i = 0; i < kFirst; i += 4) builder_.store_word(memory_.pad() + i, kWord);
    // A SRAM memory serves one access at a time, so the copies need not wait for each other.
    for (std::uint32_t bytes = kFirst; bytes < Memory::kPadBytes; bytes *= 2) builder_.copy(memory_.pad(), bytes, memory_.pad() + bytes);
  }
  void fill(std::uint32_t address, std::uint32_t bytes) {
    for (std::uint32_t filled = 0; filled < bytes; filled += Memory::kPadBytes)
      builder_.copy(memory_.pad(), std::min(bytes - filled, Memory::kPadBytes), address + filled);
  }
  void fill_border_rows(const ResidentMap &map, std::uint32_t address) {
    for (std::uint32_t block = 0; block < map.channels / map.block; ++block) {
      builder_.copy(memory_.pad(), map.row_bytes(), address + map.row(block, -1));
      builder_.copy(memory_.pad(), map.row_bytes(), address + map.row(block, static_cast<std::int32_t>(map.height)));
    }
  }

  void prepare_inputs() {
    bool has_layer = false;
    for (const Unit &unit : units_) {
      if (!is_own(unit) || !is_streamed(unit) || has_layer) continue;
      fill_border_rows(unit.convolution.input, memory_.inputs());
      has_layer = true;
    }
    fill_border_rows(Pipeline::map_of(kStageFour - 1), memory_.stage_input());
    for (const Unit &maker : units_) {
      if (is_own(maker) || maker.layer >= kStageFour) continue;
      for (std::int32_t row = maker.first_row; row < maker.end_row; ++row) {
        for (const Use use : {Use::input, Use::shortcut}) {
          if (core_uses(core_, use, maker, row)) message(false, maker.core, use, maker, row);
        }
      }
    }
  }
  void message(bool send, unsigned other, Use use, const Unit &maker, std::int32_t row) {
    const std::uint32_t source = result_of(maker, row), destination = place_of(use, maker, row);
    const std::uint32_t id = id_of(maker.layer, maker.block, static_cast<unsigned>(row)), bytes = Pipeline::map_of(maker.layer).row_bytes();
    if (send) return builder_.send(false, source, other, destination, id, bytes);
    builder_.receive(false, other, source, destination, id, bytes);
  }

  // The stem: a convolution whose even and odd columns are maps of their own, and the maximum of both.

  void stem(const Unit &unit) {
    const ResidentMap image = Pipeline::image_map(), map = Pipeline::map_of(kPool);
    const std::int32_t first = std::max(2 * unit.first_row - 1, 0), end = 2 * unit.end_row;  // rows of the convolution
    const std::uint32_t band = (static_cast<std::uint32_t>(end - 1 - first) * 2 + 7) * image.row_bytes();
    builder_.copy(addresses_.image + image.row(0, 2 * first - 3), band, memory_.image_band());
    code_.begin(unit.convolution, memory_.constants() + unit.constants);
    const std::uint32_t columns = map.width, block = map.block;
    const std::uint32_t even_pitch = columns * block, odd_pitch = (columns + 1) * block;
    for (std::int32_t row = first; row < end; ++row) {
      const auto number = static_cast<std::uint32_t>(row - first);
      const std::uint32_t input = memory_.image_band() + number * 2 * image.row_bytes();
      const std::uint32_t odd = memory_.odd_columns() + number * odd_pitch;
      code_.row(input, memory_.even_columns() + number * even_pitch, columns);
      code_.row(input + 2 * image.block, odd + block, columns);
      builder_.copy(memory_.pad(), block, odd);
    }
    for (std::int32_t row = unit.first_row; row < unit.end_row; ++row) pool_row(unit, row, first);
  }
  void pool_row(const Unit &unit, std::int32_t row, std::int32_t first) {
    const ResidentMap map = Pipeline::map_of(kPool);
    const std::uint32_t even = map.width * map.block, odd = even + map.block;
    const auto number = static_cast<std::uint32_t>(2 * row - first);  // of the middle row
    const std::uint32_t evens = vertical_maximum(memory_.even_columns(), even, number, row != 0, 0);
    const std::uint32_t odds = vertical_maximum(memory_.odd_columns(), odd, number, row != 0, 1);
    const ResidentMemories memories = memory_.for_rows();
    code_.maximum(evens, odds, even, memory_.row());
    code_.maximum(memory_.row(), odds + map.block, even, memories.results[0]);
    const std::uint32_t result = result_of(unit, row);
    builder_.copy(memories.results[0], even, result + map.block);
    finish_row(unit, row);
  }
  std::uint32_t vertical_maximum(std::uint32_t rows, std::uint32_t pitch, std::uint32_t middle, bool has_above, std::uint32_t odd) {
    const ResidentMemories memories = memory_.for_rows();
    const std::uint32_t place = odd * ResidentMemories::kRegionBytes;
    code_.maximum(rows + middle * pitch, rows + (middle + 1) * pitch, pitch, memories.results[0] + place);
    if (!has_above) return memories.results[0] + place;
    code_.maximum(memories.results[0] + place, rows + (middle - 1) * pitch, pitch, memories.results[1] + place);
    return memories.results[1] + place;
  }

  /// Writes the border of a row, and sends the row to the cores that need it.
  void finish_row(const Unit &unit, std::int32_t row) {
    const ResidentMap map = Pipeline::map_of(unit.layer);
    const std::uint32_t place = result_of(unit, row);
    builder_.copy(memory_.pad(), map.block, place);
    builder_.copy(memory_.pad(), map.block, place + map.row_bytes() - map.block);
    for (unsigned i = 0; i < Pipeline::kCores; ++i) {
      const unsigned other = (core_ + i) % Pipeline::kCores;
      for (const Use use : {Use::input, Use::shortcut}) {
        if (!core_uses(other, use, unit, row)) continue;
        if (other == core_) {
          builder_.copy(place, map.row_bytes(), place_of(use, unit, row));
        } else {
          message(true, other, use, unit, row);
        }
      }
    }
  }
  void wait_for_receivers(const Unit &unit) {
    for (std::int32_t row = unit.first_row; row < unit.end_row; ++row) {
      for (unsigned other = 0; other < Pipeline::kCores; ++other) {
        if (other == core_) continue;
        if (core_uses(other, Use::input, unit, row) || core_uses(other, Use::shortcut, unit, row))
          builder_.wait(other, id_of(unit.layer, unit.block, static_cast<unsigned>(row)));
      }
    }
  }
  /// Waits for a row that others make.
  void wait_for_row(unsigned layer, std::int32_t row, bool one_block, unsigned block) {
    for (const Unit &maker : units_) {
      if (maker.layer != layer || is_own(maker) || row < maker.first_row || row >= maker.end_row || (one_block && maker.block != block))
        continue;
      builder_.wait(maker.core, id_of(layer, maker.block, static_cast<unsigned>(row)));
    }
  }

  // The layers of the first three stages, row by row.

  void stream_rows() {
    std::int32_t arrived = 0, rows = 0;
    bool is_first = true;
    for (const Unit &unit : units_) {
      if (!is_own(unit) || !is_streamed(unit)) continue;
      if (is_first) arrived = input_rows(unit).first;
      is_first = false;
      rows = std::max<std::int32_t>(rows, unit.end_row);
    }
    const Unit *begun = nullptr;
    for (std::int32_t row = 0; row < rows; ++row) {
      for (const Unit &unit : units_) {
        if (!is_own(unit) || !is_streamed(unit) || row < unit.first_row || row >= unit.end_row) continue;
        const Layer &layer = layer_of(unit.layer);
        const std::int32_t needed = std::min(row * layer.stride - layer.padding + layer.kernel, input_rows(unit).end);
        for (; arrived < needed; ++arrived) wait_for_row(static_cast<unsigned>(layer.input), arrived, false, 0);
        if (layer.has_shortcut()) wait_for_row(static_cast<unsigned>(layer.shortcut), row, true, unit.block);
        if (begun != &unit) code_.begin(unit.convolution, memory_.constants() + unit.constants);
        begun = &unit;
        convolve_row(unit, row, memory_.inputs(), memory_.outputs(), memory_.shortcuts());
        finish_row(unit, row);
      }
    }
    for (const Unit &unit : units_) {
      if (is_own(unit) && (is_streamed(unit) || unit.layer == kPool)) wait_for_receivers(unit);
    }
  }
  /// Computes a row, without its border, into the map at `output`.
  void convolve_row(const Unit &unit, std::int32_t row, std::uint32_t input, std::uint32_t output, std::uint32_t shortcut) {
    const Layer &layer = layer_of(unit.layer);
    const ResidentMap map = Pipeline::map_of(unit.layer);
    const std::uint32_t from = input + unit.convolution.input.offset(0, row * layer.stride - layer.padding, -layer.padding);
    const std::uint32_t place = map.offset(unit.block, row, 0);
    if (!layer.has_shortcut()) return code_.row(from, output + place, map.width);
    code_.row(from, memory_.row(), map.width);
    const std::uint32_t block =
        memory_.constants() + unit.constants + resident_constants(unit.convolution, builder_.configuration().array).add;
    code_.add(memory_.row(), shortcut + place, block, map.width * map.block, output + place);
  }

  // The last stage: all cores have some filters of each layer, and send each other their results.

  void last_stage() {
    const ResidentMap input = Pipeline::map_of(kStageFour - 1), map = Pipeline::map_of(kStageFour);
    for (std::int32_t row = 0; row < static_cast<std::int32_t>(input.height); ++row) wait_for_row(kStageFour - 1, row, false, 0);
    builder_.copy(memory_.stage_input(), input.bytes(), memory_.inputs());
    fill(memory_.small_map(), map.bytes());
    // Sums with shortcuts are made in the memory of shortcuts, the results of the first convolutions in that of outputs.
    for (unsigned layer = kStageFour; layer <= kLastBlock; ++layer) {
      const Unit &unit = own(layer);
      const bool is_result = layer == kStageFour || layer_of(layer).has_shortcut();
      const std::uint32_t results = is_result ? memory_.shortcuts() : memory_.outputs();
      code_.begin(unit.convolution, memory_.constants() + unit.constants);
      for (std::int32_t row = 0; row < static_cast<std::int32_t>(map.height); ++row) {
        convolve_row(unit, row, layer <= kStageFour + 1 ? memory_.inputs() : memory_.small_map(), results, memory_.shortcuts());
        builder_.copy(memory_.pad(), map.block, results + map.row(unit.block, row));
        builder_.copy(memory_.pad(), map.block, results + map.row(unit.block, row) + map.row_bytes() - map.block);
      }
      if (layer == kStageFour || layer == kLastBlock) continue;  // used only where they are made
      exchange(layer, results + map.row(unit.block, 0), memory_.small_map(), map.row(unit.block, 0), map.block_bytes(),
               map.height * map.row_bytes());
    }
    const Unit &last = own(kLastBlock);
    code_.average(memory_.shortcuts() + map.offset(last.block, 0, 0), map.height, map.row_bytes(), map.width, map.block, map.block,
                  memory_.average());
    exchange(kAverage, memory_.average(), memory_.small_map(), core_ * map.block, map.block, map.block);
    std::uint32_t done = 0;
    for (const Unit &unit : units_) {
      if (!is_own(unit) || unit.layer != kClasses) continue;
      code_.begin(unit.convolution, memory_.constants() + unit.constants);
      code_.row(memory_.small_map(), memory_.classes() + done, 1);
      done += unit.convolution.filters;
    }
    builder_.copy(memory_.classes(), Pipeline::kBlockClasses, addresses_.classes + core_ * Pipeline::kBlockClasses);
  }
  [[nodiscard]] const Unit &own(unsigned layer) const {
    return *std::ranges::find_if(units_, [&](const Unit &unit) { return is_own(unit) && unit.layer == layer; });
  }
  /// Sends `bytes` at `source` to all cores. Core c's go to map + offset + (c - own) * step.
  void exchange(unsigned layer, std::uint32_t source, std::uint32_t map, std::uint32_t offset, std::uint32_t step, std::uint32_t bytes) {
    const std::uint32_t id = id_of(layer, 0, 0);
    const bool is_moving = layer != kAverage;  // the source is in a map, too
    const auto others = [&](auto visit) {
      for (unsigned i = 1; i < Pipeline::kCores; ++i) visit((core_ + i) % Pipeline::kCores);
    };
    const auto moved = [&](std::uint32_t address, unsigned core) { return address + core * step - core_ * step; };
    others([&](unsigned other) { builder_.send(false, source, other, map + offset, id, bytes); });
    others([&](unsigned other) {
      builder_.receive(false, other, is_moving ? moved(source, other) : source, moved(map + offset, other), id, bytes);
    });
    builder_.copy(source, bytes, map + offset);
    others([&](unsigned other) { builder_.wait(other, id); });
  }

  ProgramBuilder &builder_;
  std::span<const Unit> units_;
  const Pipeline::Addresses &addresses_;
  unsigned core_;
  Memory memory_;
  ResidentCode code_;
};

}  // namespace

ResidentMap Pipeline::map_of(unsigned number) {
  const Layer &layer = layer_of(number);
  const bool is_pixel = layer.side == 1;
  return {layer.side, layer.side, number == kClasses ? kCores * kBlockClasses : layer.channels, block_of(number), is_pixel ? 0U : 1U};
}

ResidentMap Pipeline::image_map() {
  return {kNetwork.image_side, kNetwork.image_side, kNetwork.image_channels, kNetwork.image_channels, 3};
}

void Pipeline::add(unsigned number, unsigned core, unsigned block, unsigned first_row, unsigned end_row, const ResidentPlace &place) {
  const Layer &layer = layer_of(number == kPool ? 0 : number);
  Unit &unit = units_[count_++];
  unit.layer = static_cast<std::uint8_t>(number);
  unit.core = static_cast<std::uint8_t>(core);
  unit.block = static_cast<std::uint16_t>(block);
  unit.first_row = static_cast<std::uint16_t>(first_row);
  unit.end_row = static_cast<std::uint16_t>(end_row);
  ResidentConvolution &convolution = unit.convolution;
  convolution.input = layer.input == kImage ? image_map() : map_of(static_cast<unsigned>(layer.input));
  convolution.kernel = layer.kernel;
  convolution.stride = layer.stride;
  convolution.padding = layer.padding;
  convolution.column_step = number == kPool ? 2 : 1;
  convolution.filters = block_of(number);
  convolution.place = place;
  unit.constants = constants_[core];
  constants_[core] += resident_constants(convolution, array_).bytes;
}

// Rows 0 to 8 of each array have the last stage, in four parts: groups 0 to 15 and 16 to 31 of 64 columns, each with two layers of 32
// filters. Rows 9 to 15 have the stem in groups 0 to 7 and the core's layer behind it.
Pipeline::Pipeline(const isa::pim::Array &array) : array_(array) {
  for (unsigned band = 0; band < kBands; ++band)
    add(kPool, kFirstBandCore + band, 0, band * kBandRows, (band + 1) * kBandRows, {.group_macros = 8, .first_row = 9, .pixels = 8});
  constexpr ResidentPlace kOne = {
      .group_macros = 8, .first_group = 8, .first_row = 9, .channel_parts = 1, .kernel_row_parts = true, .pixels = 8};
  for (unsigned i = 0; i < 4; ++i) add(2 + i, i, 0, 0, 56, kOne);
  constexpr ResidentPlace kTwo = {
      .group_macros = 16, .first_group = 4, .first_row = 9, .channel_parts = 2, .kernel_row_parts = true, .pixels = 2};
  ResidentPlace first = kTwo;
  first.channel_parts = 1;
  first.pixels = 4;
  add(kStageTwo, 15, 0, 0, 28, {.group_macros = 16, .first_group = 4, .first_row = 9, .channel_parts = 2, .pixels = 4});
  add(kStageTwo + 1, 4, 0, 0, 28, first);
  for (unsigned i = 0; i < 3; ++i) add(kStageTwo + 2 + i, 5 + i, 0, 0, 28, kTwo);
  for (unsigned block = 0; block < 2; ++block)
    add(kStageThree, 8, block, 0, 14, {.group_macros = 16, .first_group = 8 + 4 * block, .first_row = 15, .channel_parts = 4});
  add(kStageThree + 1, 8, 0, 0, 14, {.group_macros = 32, .first_group = 2, .first_row = 9, .channel_parts = 2, .kernel_row_parts = true});
  for (unsigned i = 0; i < 6; ++i)
    add(kStageThree + 2 + i / 2, 9 + i, i % 2, 0, 14,
        {.group_macros = 16, .first_group = 4, .first_row = 9, .channel_parts = 4, .kernel_row_parts = true});
  for (unsigned core = 0; core < kCores; ++core) {
    add(kStageFour, core, core, 0, 7, {.first_group = 8, .first_row = 15, .channel_parts = 8});
    add(kStageFour + 1, core, core, 0, 7, {.first_group = 16, .first_column = kFilters, .channel_parts = 8});
    add(kStageFour + 2, core, core, 0, 7, {.channel_parts = 16});
    add(kStageFour + 3, core, core, 0, 7, {.first_column = kFilters, .channel_parts = 16});
    add(kStageFour + 4, core, core, 0, 7, {.first_group = 16, .channel_parts = 16});
    for (unsigned half = 0; half < 2; ++half)
      add(kClasses, core, 2 * core + half, 0, 1, {.first_group = 24, .first_column = kFilters, .first_row = 2 * half, .channel_parts = 8});
  }
}

Status Pipeline::append_load(ProgramBuilder &builder, const Addresses &addresses) const {
  if (Status status = builder.begin_kernel(); !status.ok()) return status;
  const Memory memory(builder.configuration());
  const auto bytes = static_cast<std::uint32_t>(array_.bytes());
  for (unsigned core = 0; core < kCores; ++core) {
    builder.begin_core(core);
    if (constants_[core] > kConstantsBytes)
      builder.fail(Status(ErrorCode::no_room, "constants", static_cast<std::int32_t>(core), constants_[core], kConstantsBytes));
    builder.copy(addresses.arrays + core * bytes, bytes, array_.first);
    builder.copy(addresses.constants + core * kConstantsBytes, kConstantsBytes, memory.constants());
  }
  return builder.end_kernel();
}

Status Pipeline::append_inference(ProgramBuilder &builder, const Addresses &addresses) const {
  if (Status status = builder.begin_kernel(); !status.ok()) return status;
  for (unsigned core = 0; core < kCores; ++core) CoreCode(builder, units(), addresses, core).emit();
  return builder.end_kernel();
}

}  // namespace cox::pim_networks
