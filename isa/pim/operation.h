// SPDX-License-Identifier: MIT
// A PIM instruction combined with the registers of its core and with the operands that it reads from memory: addresses, counts and widths
// in plain numbers. resolve() finds every error, so that an operation that it returns can be carried out. The device, the debugger, `cox
// check` and the kernels' tests use it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <variant>

#include "base/result.h"
#include "isa/pim/configuration.h"
#include "isa/pim/registers.h"
#include "isa/pim/table.h"

namespace cox::isa::pim {

/// Where an access lies. Spaces 0 to kMostMemories - 1 are the local memories of Configuration::memories.
inline constexpr std::uint8_t kArraySpace = 64;
inline constexpr std::uint8_t kDramSpace = 65;  ///< of window 0; kDramSpace + w for window w

/// Bytes of one memory that an instruction reads or writes.
struct Access {
  const char *field = "";  ///< field, or special register, that names the address
  std::uint8_t space = 0;
  bool write = false;
  std::uint32_t first = 0;  ///< address in the unified address space
  std::uint64_t bytes = 0;  ///< 0: touches nothing

  /// First byte inside of the memory: what is left of the address without the memory's first.
  std::uint64_t offset = 0;
};

/// Reads local memories while an instruction is resolved: masks of the checks, and tables of offsets.
class LocalMemory {
 public:
  /// Copies bytes of a local memory; the caller has checked that they lie in it.
  virtual void read(std::uint8_t space, std::uint64_t offset, std::span<std::byte> bytes) const = 0;

 protected:
  ~LocalMemory() = default;
};

/// One compute of a batch, or the only one.
struct ComputeStep {
  std::uint32_t row = 0;
  std::uint32_t input = 0;  ///< address before a group's offset
  std::uint32_t mask = 0, meta = 0;
};

/// pim-compute, alone or with its pim-batch. Step i of `count` and the input of group g come from step() and group_input().
struct Compute {
  bool value_sparse = false, bit_sparse = false;
  std::uint8_t input_width = 8, weight_width = 8;
  std::uint32_t inputs = 0;          ///< L
  std::uint32_t columns = 0;         ///< C: columns of a macro
  std::uint32_t groups = 1;          ///< SR4
  std::uint32_t group_macros = 1;    ///< G
  std::uint32_t group_columns = 0;   ///< N: columns of each group that work
  std::uint32_t working_macros = 0;  ///< M of each group
  std::uint32_t count = 1;           ///< computes: 1 without pim-batch
  bool batched = false;
  ComputeStep first;
  // How a step's addresses differ from the first's, and a group's input address from the step's. With a table, `value` is its address.
  struct Advance {
    bool table = false;
    std::uint32_t value = 0;
  };
  Advance input_advance, mask_advance, meta_advance, group_advance;
};

/// pim-output.
struct Output {
  std::uint8_t width = 32;
  bool outsum = false, outsum_move = false;
  std::uint32_t columns = 0, groups = 1, group_macros = 1, group_columns = 0;  ///< as in Compute
  std::uint32_t sums = 0;                                                      ///< r1
  std::uint32_t mask = 0;                                                      ///< address, with outsum
  std::uint32_t stored = 0;                                                    ///< results of each group that are stored
  std::uint32_t output = 0;                                                    ///< address
  std::uint64_t group_bytes = 0;                                               ///< bytes of a group's results
};

/// pim-transfer.
struct Transfer {
  std::uint8_t width = 32;
  std::uint32_t source = 0, mask = 0, destination = 0, results = 0;
  std::uint32_t valid = 0;  ///< bits of the mask that are set
};

/// simd-compute.
struct Simd {
  SimdOpcode opcode = SimdOpcode::add;
  std::uint8_t inputs = 1;
  std::array<SimdKind, kMostSimdInputs> kinds{};
  std::array<std::uint32_t, kMostSimdInputs> input{};  ///< addresses
  std::array<std::uint8_t, kMostSimdInputs> input_width{};
  std::uint32_t output = 0;
  std::uint8_t output_width = 8;
  std::uint32_t length = 0;
};

/// Writes a general register: all scalar instructions but loads, and special-to-general.
struct SetGeneral {
  std::uint8_t number = 0;
  std::uint32_t value = 0;
};
struct SetSpecial {
  Special name{};
  std::uint32_t value = 0;
};
/// load and store, local and global.
struct LoadStore {
  bool store = false, global = false;
  std::uint8_t number = 0;  ///< general register
  std::uint32_t address = 0;
};
struct Trans {
  std::uint32_t source = 0, destination = 0, bytes = 0;
};
struct Message {
  bool send = false, synchronous = true;
  std::uint32_t core = 0;  ///< the other core
  std::uint32_t source = 0, destination = 0, id = 0, bytes = 0;
};
struct Jump {
  std::uint32_t target = 0;  ///< number of the next instruction
};
struct Wait {
  std::uint32_t core = 0, id = 0;
};
struct Barrier {
  std::uint32_t id = 0, cores = 0;
};

using Operation = std::variant<Compute, Output, Transfer, Simd, SetGeneral, SetSpecial, LoadStore, Trans, Message, Jump, Wait, Barrier>;

/// The bytes that an operation touches, in the order of the fields. A compute with many groups or steps touches many ranges, so accesses
/// are visited.
template <typename Visit>
void for_each_access(const Operation &operation, const Configuration &configuration, const LocalMemory &memory, Visit visit);

/// What resolve() needs besides the instruction.
struct Surroundings {
  const Configuration &configuration;
  const Registers &registers;
  const LocalMemory &memory;
  std::uint32_t counter = 0;       ///< number of the instruction in the core's code
  std::uint32_t instructions = 0;  ///< length of the core's code
  unsigned core = 0, cores = 1;    ///< number of the core, and cores of the program
};

/// Resolves an instruction that check() accepts. `batch` is the pim-batch right before a pim-compute, or nullptr. A pim-batch itself is
/// resolved together with its pim-compute. Errors: those of docs/isa/pim.md, Faults; `what` is the field or special register that is wrong,
/// `value` what it holds and `limit` the bound that it breaks. Accesses to DRAM are not held against windows: the caller does that.
[[nodiscard]] Result<Operation> resolve(const MachineCode &code, const MachineCode *batch, const Surroundings &surroundings);

}  // namespace cox::isa::pim
