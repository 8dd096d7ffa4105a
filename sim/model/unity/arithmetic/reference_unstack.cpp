// SPDX-License-Identifier: MIT
// UNSTACK, whose results stand in a list.
#include "sim/model/unity/arithmetic/mover.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {

Status unstack(const isa::unity::Unstack &operation, Memory &memory) {
  const isa::unity::Run run = operation.list_run();
  const std::byte *const list = read(memory, run);
  const auto address = [&](std::uint64_t i) { return operation.page + load_bits(list, run.unit, i); };
  isa::unity::ListChecksum checksum;
  for (std::uint64_t i = 0; i < operation.extent; ++i) checksum.add(address(i));
  if (checksum.value() != operation.checksum) {
    return {ErrorCode::field_out_of_range, "LIST", -1, static_cast<std::int64_t>(operation.list), 0};
  }
  const std::byte *const source = read(memory, operation.source);
  const Unit unit = operation.source.unit;
  for (std::uint64_t e = 0; e < operation.extent; ++e) {
    const isa::unity::Run result = operation.result(address(e));
    std::byte *const bytes = write(memory, result);
    for (std::uint64_t o = 0; o < operation.outer; ++o) {
      for (std::uint64_t i = 0; i < operation.inner; ++i) {
        const std::uint64_t from = (o * operation.extent + e) * operation.inner + i;
        store_bits(bytes, unit, o * operation.inner + i, load_bits(source, unit, from));
      }
    }
    clear_spare(bytes, unit, result.elements);
  }
  return {};
}

}  // namespace cox::model::unity::reference
