// SPDX-License-Identifier: MIT
// The files that are generated from npu.svd must agree: the C header, the C++ constants and the table of registers.
#include "coxswain/device/npu_registers.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>

#include "coxswain/device/engine_bits.h"
#include "coxswain/hal/soc.h"
#include "coxswain/hal/tile/submission_queue.h"

namespace cox::registers {
namespace {

static_assert(offsetof(NPU_Type, ENGINE_RESET) == engine_reset::kOffset);
static_assert(offsetof(NPU_Type, CYCLE_HI) == cycle_hi::kOffset);
static_assert(offsetof(NPU_Type, CQ) == cq::kBase && sizeof(NPU_CQ_Type) == cq::kStride);
static_assert(offsetof(NPU_CQ_Type, COALESCE) == cq::coalesce::kOffset);
static_assert(offsetof(NPU_Type, CORE) == core::kBase && sizeof(NPU_CORE_Type) == core::kStride);
static_assert(sizeof(NPU_CORE_SQ_Type) == core::sq::kStride && offsetof(NPU_CORE_SQ_Type, BYTES_HI) == core::sq::bytes_hi::kOffset);
static_assert(offsetof(NPU_Type, ENGINE) == engine::kBase && sizeof(NPU_ENGINE_Type) == engine::kStride);
static_assert(offsetof(NPU_Type, MX) == mx::kBase && sizeof(NPU_MX_Type) == mx::kStride && sizeof(NPU_MX_BASE_Type) == mx::base::kStride);
static_assert(offsetof(NPU_Type, PIM_CORE) == pim_core::kBase && sizeof(NPU_PIM_CORE_Type) == pim_core::kStride);
static_assert(offsetof(NPU_Type, CONTEXT) == context::kBase && sizeof(NPU_CONTEXT_Type) == context::kStride);
static_assert(offsetof(NPU_CONTEXT_Type, WINDOW) == context::window::kBase && sizeof(NPU_CONTEXT_WINDOW_Type) == context::window::kStride);

// The contract of docs/design.md: addresses of the blocks and numbers of the interrupts.
static_assert(cq::base_lo::offset(3) == 0x0100 + 0x20 * 3);
static_assert(core::sq::tail::offset(2, 8) == 0x1000 + 0x400 * 2 + 0x40 * 8 + 0x0C);
static_assert(cq::head::offset(4) == 0x0100 + 0x20 * 4 + 0x0C && engine::tail::offset(0) == 0x2000 + 0x0C);
// Engine 7 is the last one. The bits of engines 4 to 7 are above the bit FAULT, so all bits of older devices keep their positions.
static_assert(cq::head::offset(11) == 0x026C && engine::tail::offset(7) == 0x21CC);
static_assert(engine_completions::put(0x0F) == 0xF0 && engine_completions::put(0x80) == 0x1000 && engine_completions::get(0x1EF0) == 0xFF);
static_assert(int_status::kFault.mask() == 0x100 && engine_reset::kEngine.put(0x80) == 0x800 && clock_enable::kEngine.put(0x80) == 0x800);
static_assert(capabilities_of(0x80) == 0x101);
static_assert(mx::base::hi::offset(15, 31) == 0x8000 + 0x100 * 15 + 8 * 31 + 4);
static_assert(context::window::size::offset(15, 3) == 0x4000 + 0x80 * 15 + 0x20 + 0x10 * 3 + 8);
static_assert(pim_core::count::hi::offset(63, 31) == 0x10000 + 0x400 * 63 + 0x200 + 8 * 31 + 4);
static_assert(kNpuCompletionInterrupt == 8 && kNpuFaultInterrupt == 9);
static_assert(COX_NPU_BASE == 0x50000000);

// The HAL's enumerations have the generated values.
static_assert(static_cast<unsigned>(hal::FaultCode::invalid_context) == NPU_FAULT_STATUS_CODE_invalid_context);
static_assert(static_cast<unsigned>(hal::FaultCode::aborted) == NPU_FAULT_STATUS_CODE_aborted);
static_assert(core::sq::kCount == isa::tile::kClasses);

static_assert(fault_status::kCode.mask() == NPU_FAULT_STATUS_CODE_Msk && fault_status::kCode.shift == NPU_FAULT_STATUS_CODE_Pos);
static_assert(int_enable::kFault.mask() == NPU_INT_ENABLE_FAULT_Msk);
static_assert(geometry0::kContexts.get(geometry0::kResetValue) == 16);
static_assert(geometry1::kWl0Units.get(geometry1::kResetValue) == 20480);
static_assert(geometry2::kQueueSizeLog2Max.get(geometry2::kResetValue) == 12);
static_assert(core::sq::control::kSizeLog2.put(0x1F) == 0xF0, "what does not fit is dropped");
static_assert(cycle_lo::kCycle.mask() == 0xFFFFFFFF);

TEST(Registers, LocateFindsEveryRepetitionAndNothingElse) {
  std::set<std::uint32_t> all;
  for (const Register &definition : kRegisters) {
    for (std::uint32_t outer = 0; outer < definition.dimensions[0].count; ++outer) {
      for (std::uint32_t inner = 0; inner < definition.dimensions[1].count; ++inner) {
        const std::uint32_t offset = definition.offset + outer * definition.dimensions[0].stride + inner * definition.dimensions[1].stride;
        EXPECT_TRUE(all.insert(offset).second) << definition.text;
        const Location location = locate(offset);
        ASSERT_EQ(location.definition, &definition) << offset;
        EXPECT_EQ(location.index[0], outer);
        EXPECT_EQ(location.index[1], inner);
      }
    }
  }
  EXPECT_EQ(all.size(), 24U + 4 * 2 + 12 * 6 + (4 * 9 + 8) * 14 + 16 * (6 + 4 * 4) + 16 * 32 * 2 + 13 + 64 * (7 + 8 + 64 + 32 * 2) + 5 +
                            8 * 12 + 16 * 3);
  for (std::uint32_t offset = 0; offset < 0xA000; ++offset)
    EXPECT_EQ(locate(offset).definition != nullptr, all.count(offset) != 0) << offset;
  EXPECT_EQ(locate(kBlockBytes - 4).definition, nullptr);
}

TEST(Registers, AccessAndWritableBitsAgree) {
  for (const Register &definition : kRegisters) {
    EXPECT_EQ(definition.access == Access::read_only, definition.writable == 0) << definition.text;
  }
  EXPECT_EQ(locate(engine_reset::kOffset).definition->access, Access::write_only);
  EXPECT_EQ(locate(int_status::kOffset).definition->writable, int_status::kFault.mask());
  EXPECT_EQ(locate(context::control::offset(1)).definition->writable, 7U);
}

TEST(Registers, FaultCodesHaveNames) {
  EXPECT_STREQ(kFaultCodeNames[static_cast<unsigned>(FaultCode::none)], "none");
  EXPECT_STREQ(kFaultCodeNames[static_cast<unsigned>(FaultCode::bus_error)], "bus_error");
  EXPECT_STREQ(kFaultCodeNames[static_cast<unsigned>(FaultCode::overlap)], "overlap");
  EXPECT_STREQ(kFaultCodeNames[kFaultCodes - 1], "time_limit");
}

}  // namespace
}  // namespace cox::registers
