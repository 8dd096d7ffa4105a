// SPDX-License-Identifier: MIT
#include "sim/model/cube/arithmetic/execute.h"

#include <variant>

#include "sim/model/cube/arithmetic/fast.h"
#include "sim/model/cube/arithmetic/reference.h"
#include "sim/model/tile/arithmetic/default_floating_point.h"

namespace cox::model::cube {
namespace {

using isa::cube::Memory;

struct Reference {
  Buffers &buffers;
  std::byte *dram;

  void operator()(const isa::cube::Nothing &) const {}
  void operator()(const isa::cube::Barrier &) const {}
  void operator()(const isa::cube::Im2col &) const {}
  void operator()(const isa::cube::OutputConfiguration &) const {}
  void operator()(const isa::cube::DramToL1 &operation) const { reference::load(operation, buffers, dram); }
  void operator()(const isa::cube::L1ToL0 &operation) const { reference::move(operation, buffers); }
  void operator()(const isa::cube::L1ToBt &operation) const { reference::move(operation, buffers); }
  void operator()(const isa::cube::Im2colToL0A &operation) const { reference::im2col(operation, buffers); }
  void operator()(const isa::cube::Mad &operation) const { reference::multiply(operation, buffers); }
  void operator()(const isa::cube::Output &operation) const { reference::output(operation, buffers, dram); }
};

/// The fast path. Only Mad and Output compute, so only they set the floating-point environment.
struct Fast {
  Buffers &buffers;
  std::byte *dram;
  const Kernels &kernels;

  void operator()(const isa::cube::Nothing &) const {}
  void operator()(const isa::cube::Barrier &) const {}
  void operator()(const isa::cube::Im2col &) const {}
  void operator()(const isa::cube::OutputConfiguration &) const {}
  void operator()(const isa::cube::DramToL1 &operation) const { fast::load(operation, buffers, dram); }
  void operator()(const isa::cube::L1ToL0 &operation) const { fast::move(operation, buffers); }
  void operator()(const isa::cube::L1ToBt &operation) const { fast::move(operation, buffers); }
  void operator()(const isa::cube::Im2colToL0A &operation) const { fast::im2col(operation, buffers); }
  void operator()(const isa::cube::Mad &operation) const {
    const arithmetic::DefaultFloatingPoint environment;
    fast::multiply(operation, buffers, kernels);
  }
  void operator()(const isa::cube::Output &operation) const {
    const arithmetic::DefaultFloatingPoint environment;
    fast::output(operation, buffers, dram, kernels);
  }
};

}  // namespace

std::byte *Buffers::of(Memory memory) {
  switch (memory) {
    case Memory::l1: return l1.data();
    case Memory::l0a: return l0a.data();
    case Memory::l0b: return l0b.data();
    case Memory::l0c: return l0c.data();
    case Memory::bias_table: return bias_table.data();
    case Memory::dram: return nullptr;
  }
  return nullptr;
}

void fast::execute(const isa::cube::Operation &operation, Buffers &buffers, std::byte *dram, const Kernels &kernels) {
  std::visit(Fast{buffers, dram, kernels}, operation);
}

void execute(const isa::cube::Operation &operation, Buffers &buffers, std::byte *dram, Path path) {
  if (path == Path::fast) return fast::execute(operation, buffers, dram, *fast::supported_kernels().back());
  const arithmetic::DefaultFloatingPoint environment;
  std::visit(Reference{buffers, dram}, operation);
}

}  // namespace cox::model::cube
