// SPDX-License-Identifier: MIT
#include "coxswain/hal/unity/keys.h"

#include "coxswain/isa/unity/location.h"

namespace cox::hal::unity {

Status set_keys(isa::unity::Key key, std::uint16_t count) {
  detail::choose(key);
  mmio::write(COX_NPU->UNITY_KEY_COUNT, registers::unity_key_count::kCount.put(count));
  if (registers::unity_key_count::kCount.get(mmio::read(COX_NPU->UNITY_KEY_COUNT)) == count) return {};
  return {ErrorCode::not_ready, "key", key.table, key.entry};
}

Status configure(unsigned context, const ContextSettings &settings) {
  if (settings.page % isa::unity::kPageBytes != 0)
    return {ErrorCode::invalid_argument, "page", -1, signed_of(settings.page), isa::unity::kPageBytes};
  constexpr unsigned kAll = (1U << isa::unity::kKeyTables) - 1;
  if (settings.key_tables > kAll) return {ErrorCode::invalid_argument, "key_tables", -1, settings.key_tables, kAll};
  auto &registers = COX_NPU->UNITY_CONTEXT[context];
  mmio::write(registers.PAGE_LO, static_cast<std::uint32_t>(settings.page));
  mmio::write(registers.PAGE_HI, static_cast<std::uint32_t>(settings.page >> 32));
  mmio::write(registers.KEYS, registers::unity_context::keys::kTables.put(settings.key_tables));
  return {};
}

std::uint32_t read_waiting_mask() { return registers::unity_waiting::kUnit.get(mmio::read(COX_NPU->UNITY_WAITING)); }

unsigned read_waiting(std::span<const std::byte> container, WaitingUnits units) {
  namespace fields = registers::unity_unit::waits_for;
  static_assert(isa::unity::kMostUnits <= registers::kMostWaitingUnits);
  const std::uint32_t mask = read_waiting_mask();
  unsigned count = 0;
  for (unsigned unit = 0; unit < isa::unity::kMostUnits; ++unit) {
    if ((mask >> unit & 1) == 0) continue;
    const std::uint32_t position = registers::unity_unit::position::kPosition.get(mmio::read(COX_NPU->UNITY_UNIT[unit].POSITION));
    const std::uint32_t word = mmio::read(COX_NPU->UNITY_UNIT[unit].WAITS_FOR);
    const std::uint32_t offset = isa::unity::Position::unpack(position).byte();
    const isa::unity::InstructionPlace place = isa::unity::find_instruction(container, offset);
    units[count++] = {.offset = offset,
                      .instruction = place.found ? static_cast<std::int32_t>(place.instruction) : -1,
                      .held = static_cast<std::uint16_t>(fields::kHeld.get(word)),
                      .wanted = static_cast<std::uint8_t>(fields::kWanted.get(word)),
                      .table = static_cast<std::uint8_t>(fields::kTable.get(word)),
                      .entry = static_cast<std::uint8_t>(fields::kEntry.get(word)),
                      .unit = static_cast<std::uint8_t>(unit),
                      .reserved = {}};
  }
  return count;
}

}  // namespace cox::hal::unity
