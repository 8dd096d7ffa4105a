// SPDX-License-Identifier: MIT
// A PIM instruction combined with the registers of its core and with the operands that it reads from memory: addresses, counts and widths
// in plain numbers. resolve() finds every error, so that an operation that it returns can be carried out. The device, the debugger, `cox
// check` and the kernels' tests use it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <variant>

#include "coxswain/base/result.h"
#include "coxswain/isa/pim/configuration.h"
#include "coxswain/isa/pim/place.h"
#include "coxswain/isa/pim/registers.h"
#include "coxswain/isa/pim/table.h"

namespace cox::isa::pim {

/// Bytes of one memory that an instruction reads or writes.
struct Access {
  const char *field = "";  ///< field, or special register, that names the address
  bool write = false;
  std::uint32_t first = 0;  ///< address in the unified address space
  std::uint64_t bytes = 0;  ///< at least 1
  Place place;
};

/// Reads local memories while an instruction is resolved: masks of the checks, and tables of offsets.
class LocalMemory {
 public:
  /// Copies bytes of a local memory from `place` on; the caller has checked that they lie in it.
  virtual void read(Place place, std::span<std::byte> bytes) const = 0;

 protected:
  ~LocalMemory() = default;
};

/// One compute of a batch, or the only one.
struct ComputeStep {
  std::uint32_t row = 0;
  std::uint32_t input = 0;           ///< address before a group's offset
  std::uint32_t mask = 0, meta = 0;  ///< addresses; unused without value_sparse and bit_sparse
};

/// pim-compute, alone or with its pim-batch. Step i of `count` and the input of group g come from step() and group_input(). A compute
/// without inputs or without groups touches no memory and adds nothing.
struct Compute {
  bool value_sparse = false, bit_sparse = false;
  std::uint8_t input_width = 8, weight_width = 8;
  std::uint32_t inputs = 0;          ///< L
  std::uint32_t columns = 0;         ///< C: columns of a macro
  std::uint32_t groups = 1;          ///< SR4; 1 without groups
  std::uint32_t group_macros = 1;    ///< G; all macros without groups
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

  [[nodiscard]] constexpr bool touches_nothing() const { return inputs == 0 || groups == 0; }
  /// Bytes of the inputs of a group, of the masks and of the meta data in one step.
  [[nodiscard]] constexpr std::uint64_t input_bytes() const { return vector_bytes(inputs, input_width); }
  [[nodiscard]] constexpr std::uint64_t mask_bytes() const { return value_sparse ? vector_bytes(inputs, working_macros) : 0; }
  [[nodiscard]] constexpr std::uint64_t meta_bytes(const Array &array) const {
    return bit_sparse ? vector_bytes(std::uint64_t{array.compartments} * working_macros, 3 * array.line_bits()) : 0;
  }
};

/// Step `number` of a compute that resolve() returned. Reads the tables.
[[nodiscard]] ComputeStep step(const Compute &compute, const Configuration &configuration, const LocalMemory &memory, std::uint32_t number);
/// The address of a group's inputs in a step.
[[nodiscard]] std::uint32_t group_input(const Compute &compute, const Configuration &configuration, const LocalMemory &memory,
                                        const ComputeStep &step, std::uint32_t group);

/// pim-output. All output registers are 0 after it, also if it stores nothing.
struct Output {
  std::uint8_t width = 32;
  bool outsum = false, outsum_move = false;
  std::uint32_t columns = 0, groups = 1, group_macros = 1, group_columns = 0;  ///< as in Compute; group_macros is all macros at SR4 = 1
  std::uint32_t sums = 0;                                                      ///< r1; 0 without outsum and outsum_move
  std::uint32_t mask = 0;                                                      ///< address, with outsum
  std::uint32_t stored = 0;                                                    ///< results of each group that are stored
  std::uint32_t output = 0;                                                    ///< address
  std::uint64_t group_bytes = 0;                                               ///< bytes of a group's results

  [[nodiscard]] constexpr std::uint64_t mask_bytes() const { return outsum && groups != 0 ? vector_bytes(sums, 1) : 0; }
  [[nodiscard]] constexpr std::uint64_t output_bytes() const { return groups * group_bytes; }
};

/// pim-transfer.
struct Transfer {
  std::uint8_t width = 32;
  std::uint32_t source = 0, mask = 0, destination = 0, results = 0;
  std::uint32_t valid = 0;  ///< bits of the mask that are set

  [[nodiscard]] constexpr std::uint64_t source_bytes() const { return vector_bytes(results, width); }
  [[nodiscard]] constexpr std::uint64_t mask_bytes() const { return vector_bytes(results, 1); }
  [[nodiscard]] constexpr std::uint64_t destination_bytes() const { return vector_bytes(valid, width); }
};

/// simd-compute.
struct Simd {
  SimdOpcode opcode = SimdOpcode::add;
  std::uint8_t inputs = 1;
  std::array<SimdKind, kMostSimdInputs> kinds{};
  std::array<std::uint32_t, kMostSimdInputs> input{};       ///< addresses
  std::array<std::uint8_t, kMostSimdInputs> input_width{};  ///< bits; 32 for a block
  std::uint32_t output = 0;
  std::uint8_t output_width = 8;
  std::uint32_t length = 0;

  /// Elements that the operation reads of an input.
  [[nodiscard]] constexpr std::uint32_t input_elements(unsigned number) const {
    if (length == 0 || kinds[number] == SimdKind::vector) return length;
    return kinds[number] == SimdKind::block ? block_numbers(opcode) : 1;
  }
  [[nodiscard]] constexpr std::uint64_t input_bytes(unsigned number) const {
    return vector_bytes(input_elements(number), input_width[number]);
  }
  [[nodiscard]] constexpr std::uint64_t output_bytes() const { return vector_bytes(length, output_width); }
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
/// send and receive. Source and destination are checked in both cores, which have the same memories.
struct Message {
  bool send = false, synchronous = true;
  std::uint32_t core = 0;  ///< the other core
  std::uint32_t source = 0, destination = 0, id = 0, bytes = 0;
};
/// A jump or branch, taken or not.
struct Jump {
  std::uint32_t target = 0;  ///< number of the next instruction; the length of the code ends the core's program
};
struct Wait {
  std::uint32_t core = 0, id = 0;
};
struct Barrier {
  std::uint32_t id = 0, cores = 0;
};

using Operation = std::variant<Compute, Output, Transfer, Simd, SetGeneral, SetSpecial, LoadStore, Trans, Message, Jump, Wait, Barrier>;

class AccessVisitor {
 public:
  virtual void visit(const Access &access) = 0;

 protected:
  ~AccessVisitor() = default;
};

/// Visits the bytes that an operation which resolve() returned touches in the memories of its own core and in DRAM: of a compute first the
/// tables of its batch and of its groups, then for each step mask, meta data and the inputs of each group; of others in the order of the
/// fields, reads first. A message's other end belongs to the other core. Ranges may be visited twice; empty ones are not visited.
void visit_accesses(const Operation &operation, const Configuration &configuration, const LocalMemory &memory, AccessVisitor &visitor);

/// visit_accesses() with a function that takes an Access.
template <typename Visit>
void for_each_access(const Operation &operation, const Configuration &configuration, const LocalMemory &memory, Visit visit) {
  class Visitor final : public AccessVisitor {
   public:
    explicit Visitor(Visit &visit) : visit_(visit) {}
    void visit(const Access &access) override { visit_(access); }

   private:
    Visit &visit_;
  };
  Visitor visitor(visit);
  visit_accesses(operation, configuration, memory, visitor);
}

/// What resolve() needs besides the instruction.
struct Surroundings {
  const Configuration &configuration;
  const Registers &registers;
  const LocalMemory &memory;
  std::uint32_t counter = 0;       ///< number of the instruction in the core's code
  std::uint32_t instructions = 0;  ///< length of the core's code
  unsigned core = 0, cores = 1;    ///< number of the core, and cores of the program
};

/// Resolves an instruction that check() accepts. `batch` is the pim-batch right before a pim-compute, or nullptr. `what` of an error is the
/// field or the special register that is wrong ("batch_rs1" to "batch_rs4" for those of a pim-batch), `value` what it holds and `limit` the
/// bound that it breaks; docs/isa/pim.md, Faults, has the order of the checks. Errors:
/// - field_out_of_range: a width, count, group size, row, column, core or shift out of its range; `index` is the element of a mask or
/// vector.
/// - address_outside_buffer: an access that lies in no local memory (of trans: in no memory). `value` is its first address, and `limit` the
///   first address behind the memory in which it begins; 0 if it begins in none.
/// - address_outside_window: the same for DRAM and its parts. Accesses are not held against windows: the caller does that.
/// - unsupported: "opcode" or "input_num" of a SIMD form that does not exist.
/// - own_core: a message to oneself. barrier_mismatch: a number of cores below 1 or above `cores`.
/// - branch_outside_program: `value` is the target and `limit` the length of the code.
/// - batch_without_compute: `code` is a pim-batch. A caller that finds a pim-compute behind it resolves that instead.
[[nodiscard]] Result<Operation> resolve(const MachineCode &code, const MachineCode *batch, const Surroundings &surroundings);

}  // namespace cox::isa::pim
