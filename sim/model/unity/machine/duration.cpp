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

/// Multiplications of convolutions, products of matrices and recurrent layers.
struct Products {
  std::uint64_t steps = 0;   ///< one after another; 0 for operations without products
  std::uint64_t sums = 0;    ///< of a step
  std::uint64_t each = 0;    ///< products of a sum
  std::uint64_t cycles = 1;  ///< of a product
};
Products products(const Convolution &a, std::uint64_t planes) {
  const std::uint64_t each = std::uint64_t{a.kernel.height} * a.kernel.width * a.kernel.channels * planes;
  return {1, elements(a.result), each, bytes_of(a.source.unit) * bytes_of(a.kernel.unit)};
}
Products products(const Operation &operation) {
  if (const auto *a = std::get_if<Convolution>(&operation)) return products(*a, 1);
  if (const auto *a = std::get_if<VolumeConvolution>(&operation)) return products(a->planes, a->depth.kernel);
  if (const auto *a = std::get_if<Recurrent>(&operation)) {
    const std::uint64_t bytes = bytes_of(a->input.unit);
    return {a->steps, a->batch * a->gates() * a->hidden, std::uint64_t{a->inputs} + a->hidden, bytes * bytes};
  }
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
    case Opcode::RAND_NORMAL:
    case Opcode::CROSS_ENTROPY:
    case Opcode::LOG_LOSS:
    case Opcode::KLDIV_LOSS:
    case Opcode::SPARSE_CROSS_ENTROPY_LOSS:
    case Opcode::SOFT_MARGIN_LOSS:
    case Opcode::ADA_GRAD:
    case Opcode::ADA_DELTA:
    case Opcode::RMS_PROP:
    case Opcode::CENTERED_RMSPROP:
    case Opcode::ADAM: return true;
    default: return false;
  }
}

/// How often each element passes through the lanes to be sorted: a sort merges, and TOPK keeps a sorted list of its results.
std::uint64_t passes(std::uint64_t sorted) { return sorted <= 1 ? 1 : static_cast<std::uint64_t>(std::bit_width(sorted - 1)); }

/// How often each element of a Fourier transform passes through the lanes: a factor p of the length takes a sum of p terms.
std::uint64_t passes(const Fourier &a) {
  std::uint64_t sum = 0, rest = a.length;
  for (std::uint64_t p = 2; p * p <= rest; ++p) {
    for (; rest % p == 0; rest /= p) sum += p;
  }
  return std::max<std::uint64_t>(rest == 1 ? sum : sum + rest, 1);
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
  Elements operator()(const Search &a) const { return {a.source.elements * passes(a.values.elements)}; }
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
  Elements operator()(const Lookup &a) const { return {a.result.elements}; }
  Elements operator()(const PixelShuffle &a) const { return {elements(a.result)}; }
  Elements operator()(const GridSample &a) const { return {elements(a.result) * (a.nearest ? 1 : 4)}; }
  Elements operator()(const AffineGrid &a) const { return {a.result.elements}; }
  Elements operator()(const Loss &a) const { return {a.op == Opcode::NLL_LOSS ? a.rows : a.input.elements, is_function(a.op)}; }
  Elements operator()(const Score &a) const { return {a.scores.elements * (a.op == Opcode::AUC ? passes(a.scores.elements) : 1)}; }
  Elements operator()(const OptimizerStep &a) const { return {a.parameters.elements, is_function(a.op)}; }
  Elements operator()(const LabelSmooth &a) const { return {a.result.elements}; }
  /// Each step of a factorisation takes all of A, each step of a substitution all of the result.
  Elements operator()(const MatrixOperation &a) const {
    if (a.op == Opcode::NORM) return {a.a.elements};
    const bool substitutes = a.op != Opcode::LU && a.op != Opcode::CHOLESKY;
    return {(a.a.elements + (substitutes ? a.result.elements : 0)) * std::min(a.rows, a.columns)};
  }
  Elements operator()(const Fourier &a) const { return {a.result.elements / 2 * passes(a)}; }
  template <typename Other>
  Elements operator()(const Other & /*other*/) const {
    return {};
  }
};

}  // namespace

std::uint64_t macs(const Operation &operation) {
  const Products p = products(operation);
  return p.steps * p.sums * p.each;
}

Cycle compute_cycles(const Operation &operation, const Timing &timing) {
  if (const Products p = products(operation); p.steps != 0) return p.steps * divide_up(p.sums, timing.macs_per_cycle) * p.each * p.cycles;
  const Elements passing = std::visit(Counter{}, operation);
  return divide_up(passing.count, passing.function ? timing.function_lanes : timing.lanes);
}

}  // namespace cox::model::unity
