// SPDX-License-Identifier: MIT
#include "tests/sim/unity/programs/interpreter.h"

#include <cstring>
#include <limits>

#include "coxswain/isa/unity/operation.h"
#include "coxswain/isa/unity/storage.h"
#include "sim/model/unity/arithmetic/execute.h"

namespace cox::test::unity_programs {

using namespace isa::unity;

namespace {

constexpr std::uint32_t kToEnd = std::numeric_limits<std::uint32_t>::max();

/// Operands lie in the memory itself.
class Operands final : public model::unity::Memory {
 public:
  explicit Operands(ProgramMemory &memory) : memory_(memory) {}
  [[nodiscard]] const std::byte *read(std::uint64_t address, std::uint64_t bytes) override { return memory_.at(address, bytes); }
  [[nodiscard]] std::byte *write(std::uint64_t address, std::uint64_t bytes) override { return memory_.at(address, bytes); }

 private:
  ProgramMemory &memory_;
};

}  // namespace

Interpreter::Interpreter(const Program &program) : program_(program), memory_(program.pool.memory) {
  for (const InitialKey &key : program.keys) keys_[key.table][key.entry] = key.count;
}

Status Interpreter::run() {
  const Container container = Container::open(program_.bytes).value();
  for (const Stretch &stretch : program_.schedule) {
    left_ = false;
    const ProgramEntry entry = container.program(stretch.program);
    if (const Status status = run_program(program_.container + entry.offset, stretch.first, stretch.end); !status) return status;
  }
  return {};
}

Status Interpreter::run_program(std::uint64_t start, std::uint32_t first, std::uint32_t end) {
  const ProgramTables tables(memory_);
  for (std::uint32_t number = first; number < end && !left_; ++number) {
    const Result<Stored> stored = fetch(start, number, tables);
    if (!stored) return stored.status();
    if (stored.value().domain == Domain::end) return {};
    if (const Status status = run_instruction(stored.value().code); !status) return status;
  }
  return {};
}

Status Interpreter::run_instruction(const MachineCode &code) {
  if (const Status status = check(code); !status) return status;
  const Sync sync = read_sync(code[1]);
  if (sync.fetches) {
    std::uint16_t &held = keys_[sync.fetch.table][sync.fetch.entry];
    if (held < sync.keys) return {ErrorCode::deadlock, "order", -1, held, sync.keys};
    held = static_cast<std::uint16_t>(held - sync.keys);
  }
  const ProgramTables tables(memory_);
  const Result<Operation> operation = resolve(code, {tables, kPage, program_.relative ? program_.container : 0});
  if (!operation) return operation.status();
  if (std::holds_alternative<Exit>(operation.value())) {
    left_ = true;
    return {};
  }
  if (const Branch *branch = std::get_if<Branch>(&operation.value())) {
    if (const Status status = branch->op == Opcode::WHILE_LOOP ? run_loop(*branch) : run_branch(*branch); !status || left_) return status;
  } else {
    Operands operands(memory_);
    if (const Status status = execute(operation.value(), operands, model::unity::Path::reference); !status) return status;
  }
  if (sync.deposits) ++keys_[sync.deposit.table][sync.deposit.entry];
  ++instructions_;
  return {};
}

std::uint64_t Interpreter::load(std::uint64_t address, unsigned bits) {
  std::uint64_t value = 0;
  std::memcpy(&value, memory_.at(address, (bits + 7) / 8), (bits + 7) / 8);
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

bool Interpreter::is_true(const Branch &branch, std::uint64_t address) {
  const unsigned bits = bits_of(branch.unit);
  const std::uint64_t value = load(address, bits);
  return is_float(branch.unit) ? (value << (65 - bits)) != 0 : value != 0;
}

Status Interpreter::run_branch(const Branch &branch) {
  const unsigned bits = address_bits(branch.space);
  const std::uint64_t base = branch.space == AddressSpace::bits16 ? kPage : 0;
  const auto entry = [&](std::uint64_t number) { return load(branch.list + number * bits / 8, bits); };
  const auto program = [&](std::uint64_t number) { return entry(number) == 0 ? 0 : base + entry(number); };
  if (branch.op == Opcode::COND) return call(is_true(branch, branch.predicate.address) ? branch.first : branch.second);
  if (branch.op == Opcode::CASE) {
    for (std::uint32_t i = 0; i < branch.entries; ++i) {
      if (is_true(branch, base + entry(2 * std::uint64_t{i}))) return call(program(2 * std::uint64_t{i} + 1));
    }
    return call(branch.first);
  }
  const std::uint64_t value = load(branch.predicate.address, bits_of(branch.unit));
  const bool is_negative = is_signed(branch.unit) && (value >> (bits_of(branch.unit) - 1)) != 0;
  return call(!is_negative && value < branch.entries ? program(value) : branch.first);
}

Status Interpreter::run_loop(const Branch &branch) {
  for (std::uint64_t bodies = 0;; ++bodies) {
    if (const Status status = call(branch.first); !status || left_) return status;
    if (!is_true(branch, branch.predicate.address)) return {};
    if (branch.limit != 0 && bodies == branch.limit) return {ErrorCode::field_out_of_range, "LIMIT"};
    if (const Status status = call(branch.second); !status || left_) return status;
  }
}

Status Interpreter::call(std::uint64_t program) {
  if (program == 0) return {};
  return run_program(program_.relative ? program_.container + program : program, 0, kToEnd);
}

}  // namespace cox::test::unity_programs
