// SPDX-License-Identifier: MIT
#include "sim/model/unity/arithmetic/execute.h"

#include "sim/model/tile/arithmetic/default_floating_point.h"
#include "sim/model/unity/arithmetic/fast.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity {
namespace {

using namespace isa::unity;  // the operations

struct Reference {
  Memory &memory;

  Status operator()(const Exit & /*operation*/) const { return {}; }
  Status operator()(const Branch & /*operation*/) const { return {}; }
  Status operator()(const Gather &operation) const { return reference::gather(operation, memory); }
  Status operator()(const Scatter &operation) const { return reference::scatter(operation, memory); }
  Status operator()(const Elementwise &operation) const { return done(reference::elementwise, operation); }
  Status operator()(const Reduction &operation) const { return done(reference::reduction, operation); }
  Status operator()(const DataMove &operation) const { return done(reference::data_move, operation); }
  Status operator()(const Copy &operation) const { return done(reference::copy, operation); }
  Status operator()(const Pad &operation) const { return done(reference::pad, operation); }
  Status operator()(const Concatenate &operation) const { return done(reference::concatenate, operation); }
  Status operator()(const Split &operation) const { return done(reference::split, operation); }
  Status operator()(const Transpose &operation) const { return done(reference::transpose, operation); }
  Status operator()(const Tile &operation) const { return done(reference::tile, operation); }
  Status operator()(const Roll &operation) const { return done(reference::roll, operation); }
  Status operator()(const Reverse &operation) const { return done(reference::reverse, operation); }
  Status operator()(const Select &operation) const { return done(reference::select, operation); }
  Status operator()(const Search &operation) const { return done(reference::search, operation); }
  Status operator()(const Resize &operation) const { return done(reference::resize, operation); }
  Status operator()(const Convolution &operation) const { return done(reference::convolution, operation); }
  Status operator()(const Pool &operation) const { return done(reference::pool, operation); }
  Status operator()(const VolumeConvolution &operation) const { return done(reference::volume_convolution, operation); }
  Status operator()(const VolumePool &operation) const { return done(reference::volume_pool, operation); }
  Status operator()(const SectionPool &operation) const { return done(reference::section_pool, operation); }
  Status operator()(const QuantisedAdd &operation) const { return done(reference::quantised_add, operation); }
  Status operator()(const Activation &operation) const { return done(reference::activation, operation); }
  Status operator()(const Softmax &operation) const { return done(reference::softmax, operation); }
  Status operator()(const Norm &operation) const { return done(reference::norm, operation); }
  Status operator()(const MatrixOperation &operation) const { return reference::matrix_operation(operation, memory); }
  Status operator()(const Fourier &operation) const { return reference::fourier(operation, memory); }
  Status operator()(const Creation &operation) const { return reference::creation(operation, memory); }
  Status operator()(const Query &operation) const { return reference::query(operation, memory); }
  Status operator()(const Unstack &operation) const { return reference::unstack(operation, memory); }
  Status operator()(const Dropout &operation) const { return reference::dropout(operation, memory); }
  Status operator()(const Recurrent &operation) const { return reference::recurrent(operation, memory); }
  Status operator()(const Lookup &operation) const { return reference::lookup(operation, memory); }
  Status operator()(const PixelShuffle &operation) const { return reference::pixel_shuffle(operation, memory); }
  Status operator()(const GridSample &operation) const { return reference::grid_sample(operation, memory); }
  Status operator()(const AffineGrid &operation) const { return reference::affine_grid(operation, memory); }
  Status operator()(const Loss &operation) const { return reference::loss(operation, memory); }
  Status operator()(const Score &operation) const { return reference::score(operation, memory); }
  Status operator()(const OptimizerStep &operation) const { return reference::optimizer_step(operation, memory); }
  Status operator()(const LabelSmooth &operation) const { return reference::label_smooth(operation, memory); }

 private:
  template <typename Operation>
  Status done(void (*execute)(const Operation &, Memory &), const Operation &operation) const {
    execute(operation, memory);
    return {};
  }
};

/// Whether the fast path has executed the operation.
struct Fast {
  Memory &memory;

  bool operator()(const Elementwise &operation) const {
    return fast::real_elementwise(operation, memory, fast::best_kernels()) || fast::elementwise(operation, memory);
  }
  bool operator()(const Convolution &operation) const {
    const Kernels &kernels = fast::best_kernels();
    return fast::convolution(operation, memory, kernels) || fast::real_convolution(operation, memory, kernels);
  }
  bool operator()(const Activation &operation) const { return fast::activation(operation, memory, fast::best_kernels()); }
  bool operator()(const Reduction &operation) const { return fast::reduction(operation, memory, fast::best_kernels()); }
  bool operator()(const Softmax &operation) const { return fast::softmax(operation, memory, fast::best_kernels()); }
  bool operator()(const Norm &operation) const { return fast::norm(operation, memory, fast::best_kernels()); }
  bool operator()(const Transpose &operation) const { return fast::transpose(operation, memory); }
  bool operator()(const Pool &operation) const { return fast::pool(operation, memory); }
  bool operator()(const QuantisedAdd &operation) const { return fast::quantised_add(operation, memory, fast::best_kernels()); }
  template <typename Other>
  bool operator()(const Other & /*operation*/) const {
    return false;
  }
};

}  // namespace

Status execute(const Operation &operation, Memory &memory, Path path) {
  const arithmetic::DefaultFloatingPoint environment;
  if (path == Path::fast && std::visit(Fast{memory}, operation)) return {};
  return std::visit(Reference{memory}, operation);
}

}  // namespace cox::model::unity
