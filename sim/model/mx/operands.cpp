// SPDX-License-Identifier: MIT
#include "sim/model/mx/operands.h"

#include <array>
#include <variant>

namespace cox::model::mx {
namespace {

/// The bytes of one access of the operation, in memory of this process.
struct Operand {
  isa::mx::Access access;
  std::byte *data = nullptr;
  std::vector<std::byte> copy;  ///< all bytes from the first to the last, if the operand is not mapped

  [[nodiscard]] std::uint64_t bytes() const { return access.end() - access.start; }

  /// Returns false if memory refuses the access.
  [[nodiscard]] bool bring(const Host &host) {
    data = static_cast<std::byte *>(host.map(access.start, bytes()));
    if (data != nullptr) return true;
    // Check that both ends exist before this process allocates as much memory as the operand claims.
    std::byte probe{};
    if (!host.read(access.start, &probe, 1) || !host.read(access.end() - 1, &probe, 1)) return false;
    copy.resize(bytes());
    data = copy.data();
    return access.write || for_each_run([&](std::uint64_t at) { return host.read(access.start + at, data + at, access.run); });
  }

  [[nodiscard]] bool give_back(const Host &host) const {
    if (copy.empty() || !access.write) return true;
    return for_each_run([&](std::uint64_t at) { return host.write(access.start + at, data + at, access.run); });
  }

 private:
  template <typename Transfer>
  [[nodiscard]] bool for_each_run(Transfer transfer) const {
    for (std::uint32_t i = 0; i < access.count; ++i) {
      if (!transfer(i * access.stride)) return false;
    }
    return true;
  }
};

/// Assigns the accesses to operands. isa::mx::footprint() has inputs first, then weights, then outputs.
Operands operands_of(const isa::mx::Operation &operation, std::array<Operand, 4> &all, unsigned count) {
  Operands operands;
  const bool weights = std::holds_alternative<isa::mx::ConvAct>(operation);
  for (unsigned i = 0; i < count; ++i) {
    std::byte *data = all[i].data;
    if (all[i].access.write) {
      (operands.output1 == nullptr ? operands.output1 : operands.output2) = data;
    } else if (i == 0) {
      operands.input1 = data;
    } else {
      (weights ? operands.weights : operands.input2) = data;
    }
  }
  return operands;
}

}  // namespace

const char *execute_in_memory(const isa::mx::Operation &operation, Path path, const Host &host) {
  const isa::mx::Footprint footprint = isa::mx::footprint(operation);
  std::array<Operand, 4> all;
  for (unsigned i = 0; i < footprint.count; ++i) {
    all[i].access = footprint.accesses[i];
    if (!all[i].bring(host)) return footprint.accesses[i].field;
  }
  execute(operation, operands_of(operation, all, footprint.count), path);
  for (unsigned i = 0; i < footprint.count; ++i) {
    if (!all[i].give_back(host)) return footprint.accesses[i].field;
  }
  return nullptr;
}

}  // namespace cox::model::mx
