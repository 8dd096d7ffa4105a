// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/execute.h"

#include <variant>

#include "sim/model/tile/arithmetic/default_floating_point.h"
#include "sim/model/tile/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/reference.h"

namespace cox::model::arithmetic {
namespace {

struct Reference {
  const Memories &memories;

  void operator()(const isa::tile::Control &) const {}
  void operator()(const isa::tile::Move &operation) const { reference::move(operation, memories); }
  void operator()(const isa::tile::Transform &operation) const { reference::transform(operation, memories); }
  void operator()(const isa::tile::WeightMove &operation) const { reference::move_weights(operation, memories); }
  void operator()(const isa::tile::Convolution &operation) const { reference::convolve(operation, memories); }
  void operator()(const isa::tile::Vector &operation) const { reference::vector(operation, memories); }
};

struct Fast {
  const Memories &memories;
  const Kernels &kernels;

  void operator()(const isa::tile::Control &) const {}
  void operator()(const isa::tile::Move &operation) const { fast::move(operation, memories); }
  void operator()(const isa::tile::Transform &operation) const { fast::transform(operation, memories); }
  void operator()(const isa::tile::WeightMove &operation) const { fast::move_weights(operation, memories); }
  void operator()(const isa::tile::Convolution &operation) const { fast::convolve(operation, memories, kernels); }
  void operator()(const isa::tile::Vector &operation) const { fast::vector(operation, memories, *fast::supported_vector_kernels().back()); }
};

}  // namespace

void execute(const isa::tile::Operation &operation, const Memories &memories, Path path) {
  const DefaultFloatingPoint environment;
  if (path == Path::reference) return std::visit(Reference{memories}, operation);
  std::visit(Fast{memories, *fast::supported_kernels().back()}, operation);
}

}  // namespace cox::model::arithmetic
