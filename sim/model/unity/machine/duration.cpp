// SPDX-License-Identifier: MIT
#include "sim/model/unity/machine/duration.h"

#include <algorithm>
#include <bit>

namespace cox::model::unity {
namespace {

using namespace isa::unity;

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t elements(const FeatureMap &map) { return std::uint64_t{map.height} * map.width * map.channels; }
std::uint64_t bytes_of(Unit unit) { return std::max(1U, bits_of(unit) / 8); }
/// Products of one result element.
std::uint64_t products(const Convolution &a) { return std::uint64_t{a.kernel.height} * a.kernel.width * a.kernel.channels; }

/// Multiplications of a convolution, or of none.
struct Products {
  const Convolution *operation = nullptr;
  std::uint64_t each = 0;  ///< of one result element
};
Products products(const Operation &operation) {
  if (const auto *a = std::get_if<Convolution>(&operation)) return {a, products(*a)};
  if (const auto *a = std::get_if<VolumeConvolution>(&operation)) return {&a->planes, products(a->planes) * a->depth.kernel};
  return {};
}

/// Elements in all sections of a direction; neighbours can share one.
std::uint64_t positions(std::uint64_t extent, std::uint64_t sections) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < sections; ++i) sum += divide_up((i + 1) * extent, sections) - i * extent / sections;
  return sum;
}

/// Whether an element takes a division, a root, an exponential or a power.
bool is_function(Opcode op) {
  switch (op) {
    case Opcode::DIV:
    case Opcode::MOD:
    case Opcode::POW:
    case Opcode::SQRT:
    case Opcode::RSQRT:
    case Opcode::COS_SIM:
    case Opcode::RECIPROCAL:
    case Opcode::REDUCE_VAR:
    case Opcode::ELU:
    case Opcode::SELU:
    case Opcode::SIGMOID:
    case Opcode::AI_TANH:
    case Opcode::SOFTPLUS:
    case Opcode::SOFT_SIGN:
    case Opcode::GELU:
    case Opcode::SWISH:
    case Opcode::ERF:
    case Opcode::TANH_SHRINK:
    case Opcode::RAND_NORMAL: return true;
    default: return false;
  }
}

/// How often each element passes through the lanes: a sort merges, and TOPK keeps a sorted list of its results.
std::uint64_t passes(const Search &a) {
  const std::uint64_t sorted = a.values.elements;
  return sorted <= 1 ? 1 : static_cast<std::uint64_t>(std::bit_width(sorted - 1));
}

/// Elements that pass through the lanes, and whether each is a function.
struct Elements {
  std::uint64_t count = 0;
  bool function = false;
};

struct Counter {
  Elements operator()(const Elementwise &a) const { return {std::max(a.source[0].elements, a.result.elements), is_function(a.op)}; }
  Elements operator()(const Reduction &a) const { return {a.source.elements, is_function(a.op)}; }
  Elements operator()(const DataMove &a) const { return {a.destination.elements()}; }
  Elements operator()(const Copy &a) const { return {a.result.elements}; }
  Elements operator()(const Pad &a) const { return {a.result.elements}; }
  Elements operator()(const Concatenate &a) const { return {a.result.elements}; }
  Elements operator()(const Split &a) const { return {a.source.elements}; }
  Elements operator()(const Transpose &a) const { return {a.result.elements}; }
  Elements operator()(const Gather &a) const { return {a.result.elements}; }
  Elements operator()(const Scatter &a) const { return {a.update.elements}; }
  Elements operator()(const Tile &a) const { return {a.result.elements}; }
  Elements operator()(const Roll &a) const { return {a.result.elements}; }
  Elements operator()(const Reverse &a) const { return {a.result.elements}; }
  Elements operator()(const Select &a) const { return {a.result.elements}; }
  Elements operator()(const Search &a) const { return {a.source.elements * passes(a)}; }
  Elements operator()(const Resize &a) const { return {elements(a.result)}; }
  Elements operator()(const QuantisedAdd &a) const { return {a.result.elements}; }
  Elements operator()(const Activation &a) const { return {a.result.elements, is_function(a.op)}; }
  Elements operator()(const Softmax &a) const { return {a.result.elements, true}; }
  Elements operator()(const Norm &a) const { return {a.result.elements, true}; }
  Elements operator()(const Creation &a) const {
    const std::uint64_t words = a.op == Opcode::RAND_BINOMIAL ? std::max<std::uint64_t>(a.p0, 1) : 1;
    return {std::max(a.data.elements * words, a.source.elements), is_function(a.op)};
  }
  Elements operator()(const Query &a) const { return {a.range.bytes == 0 ? 0 : a.tensor.stored_elements()}; }
  Elements operator()(const Unstack &a) const { return {a.source.elements}; }
  Elements operator()(const Dropout &a) const { return {a.result.elements}; }
  Elements operator()(const Pool &a) const { return {elements(a.result) * std::uint64_t{a.kernel_height} * a.kernel_width}; }
  Elements operator()(const VolumePool &a) const { return {(*this)(a.planes).count * a.depth.kernel}; }
  Elements operator()(const SectionPool &a) const {
    return {positions(a.depth.source, a.depth.result) * positions(a.source.height, a.depth.lines(a.result)) *
            positions(a.source.width, a.result.width) * a.source.channels};
  }
  template <typename Other>
  Elements operator()(const Other & /*other*/) const {
    return {};
  }
};

}  // namespace

std::uint64_t macs(const Operation &operation) {
  const auto [convolution, each] = products(operation);
  return convolution == nullptr ? 0 : elements(convolution->result) * each;
}

Cycle compute_cycles(const Operation &operation, const Timing &timing) {
  if (const auto [a, each] = products(operation); a != nullptr)
    return divide_up(elements(a->result), timing.macs_per_cycle) * each * bytes_of(a->source.unit) * bytes_of(a->kernel.unit);
  const Elements passing = std::visit(Counter{}, operation);
  return divide_up(passing.count, passing.function ? timing.function_lanes : timing.lanes);
}

}  // namespace cox::model::unity
