// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/conv2d.h"

#include <algorithm>

#include "coxswain/base/memory_range.h"
#include "coxswain/kernels/pim/arguments.h"
#include "coxswain/kernels/pim/layer_code.h"
#include "coxswain/kernels/pim/memories.h"

namespace cox::kernels::pim {

namespace {

constexpr std::uint32_t kMostSide = 1U << 20;
/// Channels of a block of a depthwise layer: as many as a macro has compartments by default.
constexpr std::uint32_t kBlockChannels = 32;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;

Status check_sizes(const Conv2dArguments &a) {
  const NamedNumber numbers[] = {{"height", a.height},
                                 {"width", a.width},
                                 {"channels", a.channels},
                                 {"kernel_height", a.kernel_height},
                                 {"kernel_width", a.kernel_width},
                                 {"stride_y", a.stride_y},
                                 {"stride_x", a.stride_x},
                                 {"dilation_y", a.dilation_y},
                                 {"dilation_x", a.dilation_x},
                                 {"groups", a.groups},
                                 {"output_channels", a.output_channels},
                                 {"cores", a.cores}};
  if (const Status status = check_numbers(numbers, kMostSide); !status) return status;
  const NamedNumber pads[] = {{"pad_top", a.pad_top}, {"pad_left", a.pad_left}, {"pad_bottom", a.pad_bottom}, {"pad_right", a.pad_right}};
  for (const NamedNumber &number : pads) {
    if (number.value > kMostSide) return invalid_argument(number.name, number.value, kMostSide);
  }
  if (a.channels % a.groups != 0 || a.output_channels % a.groups != 0) return invalid_argument("groups", a.groups, a.channels);
  const auto check_int8 = [](std::int32_t value, const char *name) {
    return value < -128 || value > 127 ? invalid_argument(name, value, value < 0 ? -128 : 127) : Status();
  };
  if (const Status status = check_int8(a.pad_value, "pad_value"); !status) return status;
  if (const Status status = check_int8(a.zero_point, "zero_point"); !status) return status;
  if (a.output_type > ResultType::int32) return invalid_argument("output_type", static_cast<std::int64_t>(a.output_type), 1);
  if (a.split > Split::outputs) return invalid_argument("split", static_cast<std::int64_t>(a.split), 1);
  if (a.form > WeightForm::bit_sparse) return invalid_argument("form", static_cast<std::int64_t>(a.form), 2);
  const std::uint32_t height = conv2d_output_side(a.height, a.pad_top, a.pad_bottom, a.kernel_height, a.dilation_y, a.stride_y);
  if (a.output_height != height || height == 0) return Status(ErrorCode::shape_mismatch, "output_height", -1, a.output_height, height);
  const std::uint32_t width = conv2d_output_side(a.width, a.pad_left, a.pad_right, a.kernel_width, a.dilation_x, a.stride_x);
  if (a.output_width != width || width == 0) return Status(ErrorCode::shape_mismatch, "output_width", -1, a.output_width, width);
  const std::uint64_t input = std::uint64_t{a.height} * a.width * a.channels, output = std::uint64_t{height} * width * a.output_channels;
  if (std::uint64_t{a.height} * a.width > kMostBytes || input > kMostBytes)
    return invalid_argument("channels", signed_of(input), kMostBytes);
  if (std::uint64_t{height} * width > kMostBytes || output > kMostBytes / 4)
    return invalid_argument("output_channels", signed_of(output), kMostBytes / 4);
  return {};
}

/// Cores that split rows. More cores than rows split columns.
constexpr bool splits_rows(const Conv2dArguments &a) { return a.output_height >= a.cores || a.output_height >= a.output_width; }

Region region_of(const Conv2dArguments &a, std::uint32_t core) {
  Region region{.y = 0, .x = 0, .height = a.output_height, .width = a.output_width};
  if (a.split == Split::outputs || a.cores == 1) return region;
  if (splits_rows(a)) {
    region.y = first_of_part(a.output_height, core, a.cores);
    region.height = first_of_part(a.output_height, core + 1, a.cores) - region.y;
  } else {
    region.x = first_of_part(a.output_width, core, a.cores);
    region.width = first_of_part(a.output_width, core + 1, a.cores) - region.x;
  }
  return region;
}

Status check_local(const Conv2dArguments &a, const Mapping &mapping, const Memories &memories, const LayerCode &code,
                   const ProgramBuilder &builder, std::uint64_t input_bytes, std::uint64_t output_bytes) {
  const auto lies_in = [](std::uint32_t address, const LocalRange &range) { return address - range.first < range.bytes; };
  const auto is_used = [&](std::uint32_t address) {
    return lies_in(address, memories.results[0]) || lies_in(address, memories.results[1]) || lies_in(address, memories.sums) ||
           lies_in(address, memories.sums_too) || lies_in(address, memories.inputs);
  };
  if (is_used(a.output)) return invalid_argument("output", a.output, 0);
  if (is_used(a.input) && !code.is_in_place()) return invalid_argument("input", a.input, 0);
  if (lies_in(a.input, memories.inputs) && std::uint64_t{a.input} + input_bytes + mapping.reach() > code.tables())
    return Status(ErrorCode::no_room, "input", -1, signed_of(input_bytes + mapping.reach()), signed_of(code.tables() - a.input));
  const bool needs_staging = builder.is_dram(a.output);
  if (needs_staging && (lies_in(a.input, memories.staging[0]) || lies_in(a.input, memories.staging[1])))
    return invalid_argument("input", a.input, 0);
  const MemoryRange input{a.input, input_bytes}, output{a.output, output_bytes};
  if (input.overlaps(output)) return Status(ErrorCode::tensor_overlap, "output", -1, a.output, a.input);
  return {};
}

bool fits_layer(const Mapping &mapping, const LayerShape &shape, const isa::pim::Configuration &configuration) {
  const std::uint32_t windows = (shape.run_inputs + mapping.window_inputs - 1) / std::max<std::uint32_t>(mapping.window_inputs, 1);
  return mapping.form == shape.form && mapping.weight_bits == shape.column_bits() && mapping.has_bias == shape.has_bias &&
         mapping.outputs == shape.sums() && mapping.rows_y * mapping.splits_y == shape.runs &&
         mapping.rows_x * mapping.splits_x * mapping.slots >= windows &&
         mapping.block_inputs == (shape.blocks > 1 ? shape.block_inputs : 0) && mapping.tile_width <= shape.width &&
         mapping.tile_height <= shape.height && mapping.passes * mapping.pass_outputs >= mapping.outputs && mapping.group_macros != 0 &&
         mapping.seconds.is_valid(mapping.outputs) && configuration.array.has_group_size(mapping.group_macros) &&
         mapping.groups() <= configuration.array.macros / mapping.group_macros;
}

Status check(const ProgramBuilder &builder, const Conv2dArguments &a, const LayerShape &shape, const Mapping &mapping) {
  const isa::pim::Configuration &configuration = builder.configuration();
  if (!fits_layer(mapping, shape, configuration)) return Status(ErrorCode::shape_mismatch, "mapping");
  if (const Status status = check_cores(builder, a.first_core, a.cores); !status) return status;
  if (a.split == Split::outputs && mapping.passes < a.cores) return invalid_argument("cores", a.cores, mapping.passes);
  if (a.tables_resident && mapping.passes != (a.split == Split::outputs ? a.cores : 1))
    return invalid_argument("tables_resident", mapping.passes, a.split == Split::outputs ? a.cores : 1);
  const std::uint32_t core_passes = a.split == Split::outputs ? (mapping.passes + a.cores - 1) / a.cores : mapping.passes;
  const std::uint64_t rows = std::uint64_t{mapping.rows()} * (a.resident ? core_passes : 1);
  if (a.first_row + rows > configuration.array.rows)
    return invalid_argument("first_row", a.first_row, configuration.array.rows - signed_of(rows));
  return builder.check_bytes(a.weights, mapping.bytes(configuration.array), false, "weights");
}

}  // namespace

Result<LayerShape> conv2d_layer(const Conv2dArguments &a) {
  if (const Status status = check_sizes(a); !status) return status;
  LayerShape shape;
  const bool is_joined = a.groups == 1 && a.dilation_x == 1;
  shape.runs = is_joined ? a.kernel_height : a.kernel_height * a.kernel_width;
  shape.runs_in_row = is_joined ? 1 : a.kernel_width;
  shape.run_inputs = (is_joined ? a.kernel_width : 1) * (a.channels / a.groups);
  shape.outputs = a.output_channels / a.groups;
  shape.blocks = a.groups;
  shape.block_inputs = a.groups > 1 ? a.channels / a.groups : 0;
  if (is_depthwise(a)) {
    shape.run_inputs = shape.outputs = shape.block_inputs = std::min(a.channels, kBlockChannels);
    shape.blocks = (a.channels + kBlockChannels - 1) / kBlockChannels;
    shape.all_outputs = a.channels;
  }
  shape.width = a.output_width;
  shape.height = a.output_height;
  if (a.split == Split::pixels && a.cores > 1) {
    // The tile of the smallest part serves all.
    std::uint32_t &side = splits_rows(a) ? shape.height : shape.width;
    side = std::max<std::uint32_t>(1, side / a.cores);
  }
  if (a.split == Split::outputs) shape.least_passes = a.cores;
  shape.input_bytes = std::uint64_t{a.height} * a.width * a.channels;
  shape.input = a.input;
  shape.padded = is_padded(a);
  shape.form = a.form;
  shape.weight_bits = a.weight_bits;
  shape.threshold = a.form == WeightForm::bit_sparse ? a.threshold : 1;
  shape.thresholds = a.thresholds;
  shape.window_inputs = a.window_inputs;
  shape.has_bias = a.has_bias;
  shape.resident = a.resident;
  if (!shape.has_weight_bits()) return invalid_argument("weight_bits", a.weight_bits, 8);
  return shape;
}

Status conv2d(ProgramBuilder &builder, const Conv2dArguments &a, const Mapping &mapping) {
  const Result<LayerShape> shape = conv2d_layer(a);
  if (!shape) return shape.status();
  if (const Status status = builder.begin_kernel(); !status) return status;
  const Result<Memories> memories = find_memories(builder.configuration());
  Status status = memories.status();
  if (status.ok()) status = check(builder, a, shape.value(), mapping);
  const std::uint64_t input_bytes = std::uint64_t{a.height} * a.width * a.channels;
  const std::uint64_t output_bytes =
      std::uint64_t{a.output_height} * a.output_width * a.output_channels * (a.output_type == ResultType::int8 ? 1 : 4);
  if (status.ok()) status = builder.check_bytes(a.input, input_bytes, false, "input");
  if (status.ok()) status = builder.check_bytes(a.output, output_bytes, true, "output");
  LayerCode code(builder, a, mapping, memories.value());
  if (status.ok()) status = check_local(a, mapping, memories.value(), code, builder, input_bytes, output_bytes);
  if (status.ok()) status = code.check();
  if (!status.ok()) builder.fail(status);
  for (std::uint32_t core = 0; core < a.cores && !builder.has_failed(); ++core) {
    builder.begin_core(a.first_core + core);
    const Region region = region_of(a, core);
    const bool by_outputs = a.split == Split::outputs;
    const std::uint32_t first = by_outputs ? first_of_part(mapping.passes, core, a.cores) : 0;
    const std::uint32_t end = by_outputs ? first_of_part(mapping.passes, core + 1, a.cores) : mapping.passes;
    if (region.height != 0 && region.width != 0) code.emit(region, first, end);
    builder.end_barrier(a.first_core, a.cores);
  }
  return builder.end_kernel();
}

Status load_weights(ProgramBuilder &builder, const Conv2dArguments &arguments, const Mapping &mapping) {
  Conv2dArguments a = arguments;
  a.resident = true;
  const Result<LayerShape> shape = conv2d_layer(a);
  if (!shape) return shape.status();
  if (const Status status = builder.begin_kernel(); !status) return status;
  const Result<Memories> memories = find_memories(builder.configuration());
  Status status = memories.status();
  if (status.ok()) status = check(builder, a, shape.value(), mapping);
  if (!status.ok()) builder.fail(status);
  LayerCode code(builder, a, mapping, memories.value());
  for (std::uint32_t core = 0; core < a.cores && !builder.has_failed(); ++core) {
    builder.begin_core(a.first_core + core);
    const bool by_outputs = a.split == Split::outputs;
    const std::uint32_t first = by_outputs ? first_of_part(mapping.passes, core, a.cores) : 0;
    const std::uint32_t end = by_outputs ? first_of_part(mapping.passes, core + 1, a.cores) : mapping.passes;
    code.load_arrays(first, end);
  }
  return builder.end_kernel();
}

}  // namespace cox::kernels::pim
