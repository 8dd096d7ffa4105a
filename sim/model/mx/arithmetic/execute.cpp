// SPDX-License-Identifier: MIT
#include "sim/model/mx/arithmetic/execute.h"

#include <variant>

#include "sim/model/mx/arithmetic/fast.h"
#include "sim/model/mx/arithmetic/reference.h"
#include "sim/model/tile/arithmetic/default_floating_point.h"

namespace cox::model::mx {
namespace {

struct Reference {
  const Operands &operands;

  void operator()(const isa::mx::Selection &) const {}
  void operator()(const isa::mx::ConvAct &operation) const { reference::convolve(operation, operands); }
  void operator()(const isa::mx::Elementwise &operation) const { reference::elementwise(operation, operands); }
  void operator()(const isa::mx::Pool &operation) const { reference::pool(operation, operands); }
  void operator()(const isa::mx::Move &operation) const { reference::move(operation, operands); }
};

struct Fast {
  const Operands &operands;
  const Kernels &kernels;

  void operator()(const isa::mx::Selection &) const {}
  void operator()(const isa::mx::ConvAct &operation) const { fast::convolve(operation, operands, kernels); }
  void operator()(const isa::mx::Elementwise &operation) const {
    kernels.elementwise(operation, operands.input1, operands.input2, operands.output1);
  }
  void operator()(const isa::mx::Pool &operation) const { fast::pool(operation, operands, kernels); }
  void operator()(const isa::mx::Move &operation) const { reference::move(operation, operands); }  // the reference uses memcpy already
};

}  // namespace

void fast::execute(const isa::mx::Operation &operation, const Operands &operands, const Kernels &kernels) {
  const arithmetic::DefaultFloatingPoint environment;
  std::visit(Fast{operands, kernels}, operation);
}

void execute(const isa::mx::Operation &operation, const Operands &operands, Path path) {
  if (path == Path::fast) return fast::execute(operation, operands, *fast::supported_kernels().back());
  const arithmetic::DefaultFloatingPoint environment;
  std::visit(Reference{operands}, operation);
}

}  // namespace cox::model::mx
