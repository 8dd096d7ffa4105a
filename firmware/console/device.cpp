// SPDX-License-Identifier: MIT
// Console output about the accelerator's clocks and engines. Names and numbers come from the table (device/engines.h).
#include "coxswain/device/engine_bits.h"
#include "coxswain/firmware/console/console.h"
#include "coxswain/firmware/console/text.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"

namespace cox::firmware::console {
namespace {

constexpr std::size_t kNameColumn = 14;

const char *on_or_off(std::uint32_t bit) { return bit != 0 ? "on" : "off"; }

/// Calls `visit(number, row)` for each engine that the device reports. `row` is the engine's row in the table, or nullptr if the table has
/// none.
template <typename Visit>
void for_each_engine(const hal::Geometry &geometry, const Visit &visit) {
  for (unsigned number = 0; number < registers::engine::kCount; ++number) {
    if ((geometry.engines >> number & 1) != 0) visit(number, registers::engine_with_ring(number));
  }
}

Text name_of(unsigned number, const registers::EngineRow *row) {
  Text text;
  if (row != nullptr) return text << row->name;
  return text << "engine " << number;
}

constexpr std::string_view kUnknown = "unknown to this firmware";

}  // namespace

void Console::print_clocks() const {
  const hal::Geometry &geometry = scheduler_.geometry();
  const std::uint32_t enabled = hal::mmio::read(COX_NPU->CLOCK_ENABLE);
  const std::string_view kind = registers::core_engine().key;
  for (unsigned core = 0; core < geometry.cores; ++core) {
    const hal::InterruptMask mask;
    const std::uint64_t cycles = hal::mmio::read_counter(COX_NPU->CORE_CLOCK[core].CYCLES_LO, COX_NPU->CORE_CLOCK[core].CYCLES_HI);
    const std::uint64_t now = hal::device_cycles();
    print((Text() << kind << " core " << core).pad_to(kNameColumn)
          << on_or_off(enabled & NPU_CLOCK_ENABLE_CORE_Msk & 1U << core) << ", had it for " << cycles << " of " << now << " cycles ("
          << Share{cycles, now} << ")");
  }
  for_each_engine(geometry, [enabled](unsigned number, const registers::EngineRow *row) {
    const std::uint32_t bit = registers::clock_enable::kEngine.put(1U << number);
    print(name_of(number, row).pad_to(kNameColumn) << (row != nullptr ? on_or_off(enabled & bit) : kUnknown));
  });
}

void Console::print_engines() const {
  for_each_engine(scheduler_.geometry(), [](unsigned number, const registers::EngineRow *row) {
    Text text = name_of(number, row);
    text.pad_to(kNameColumn);
    if (row == nullptr) return print(text << kUnknown);
    const auto &ring = COX_NPU->ENGINE[number];
    const std::uint32_t in_flight = hal::mmio::read(ring.TAIL) - hal::mmio::read(ring.HEAD);
    print(text << row->full_name << ", queue " << row->queue_number() << ", completion queue " << row->completion_queue() << ", in flight "
               << in_flight);
    for (unsigned i = 0; i < registers::kMostWarnings && row->warnings[i] != nullptr; ++i) {
      print(Text().pad_to(kNameColumn) << "warning " << i << ": " << row->warnings[i]);
    }
  });
}

}  // namespace cox::firmware::console
