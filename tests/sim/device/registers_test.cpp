// SPDX-License-Identifier: MIT
// The register file: which registers exist, what reads return, and every access that is a bus fault.
#include "coxswain/device/engine_bits.h"
#include "tests/sim/device/machine.h"

namespace cox::test {
namespace {

/// Returns true if the device has this engine. Engines that only tests use are not in the device.
bool has_engine(std::uint32_t number) { return (r::product_engines() >> number & 1) != 0; }

bool is_of_a_missing_engine(const r::Register &definition, std::uint32_t index) {
  const bool completions = definition.name >= r::Name::cq_base_lo && definition.name <= r::Name::cq_coalesce;
  const bool engine = definition.name >= r::Name::engine_base_lo && definition.name <= r::Name::engine_bytes_hi;
  if (engine) return !has_engine(index);
  return completions && index >= r::kFirstEngineCompletionQueue && !has_engine(index - r::kFirstEngineCompletionQueue);
}

TEST(Registers, EveryRegisterOfTheTableHasItsResetValueAndAccess) {
  Machine machine(R"({"geometry": {"tile_cores": 4}})");
  for (const r::Register &definition : r::kRegisters) {
    for (std::uint32_t i = 0; i < definition.dimensions[0].count; ++i) {
      for (std::uint32_t j = 0; j < definition.dimensions[1].count; ++j) {
        const std::uint32_t offset = definition.offset + i * definition.dimensions[0].stride + j * definition.dimensions[1].stride;
        std::uint32_t value = 0;
        const bool readable = cox_model_read(machine.model, 0, offset, 4, &value) == 0;
        if (is_of_a_missing_engine(definition, i)) {
          EXPECT_FALSE(readable) << definition.text << i;
          EXPECT_FALSE(machine.try_write(offset, 0)) << definition.text << i;
          EXPECT_NE(machine.log.back().find("has no such engine"), std::string::npos);
          continue;
        }
        EXPECT_EQ(readable, definition.access != r::Access::write_only) << definition.text;
        const std::uint32_t expected = definition.name == r::Name::geometry0 ? definition.reset + 3 : definition.reset;
        EXPECT_EQ(value, readable ? expected : 0) << definition.text;
        if (definition.access == r::Access::read_only) {
          EXPECT_FALSE(machine.try_write(offset, 0)) << definition.text;
          EXPECT_NE(machine.log.back().find("read-only"), std::string::npos);
        }
      }
    }
  }
}

TEST(Registers, OffsetsBetweenRegistersAreBusFaults) {
  Machine machine(R"({"geometry": {"tile_cores": 4}})");
  unsigned found = 0;
  for (std::uint32_t offset = 0; offset < 0x21000; offset += 4) {
    const bool exists = r::locate(offset).definition != nullptr;
    found += exists ? 1 : 0;
    std::uint32_t value;
    if (!exists) {
      EXPECT_NE(cox_model_read(machine.model, 0, offset, 4, &value), 0) << std::hex << offset;
      EXPECT_FALSE(machine.try_write(offset, 0)) << std::hex << offset;
    }
  }
  unsigned expected = 0;
  for (const r::Register &definition : r::kRegisters) expected += definition.dimensions[0].count * definition.dimensions[1].count;
  EXPECT_EQ(found, expected) << "two registers share an offset, or locate() misses one";
  EXPECT_FALSE(machine.try_write(0xFFFFC, 0));
  EXPECT_NE(machine.log.back().find("offset 0xffffc: there is no register"), std::string::npos);
}

TEST(Registers, OtherSizesAndMisalignedOffsetsAreBusFaults) {
  Machine machine;
  std::uint32_t value;
  for (const std::uint32_t size : {1u, 2u, 8u}) {
    EXPECT_NE(cox_model_read(machine.model, 0, 0, size, &value), 0);
    EXPECT_FALSE(machine.try_write(r::control::kOffset, 1, size));
  }
  EXPECT_NE(cox_model_read(machine.model, 0, 2, 4, &value), 0);
  EXPECT_EQ(machine.read(r::control::kOffset), 0u);
  EXPECT_NE(machine.log.back().find("32 bits wide"), std::string::npos);
}

TEST(Registers, CoresAndContextsThatDoNotExistAreBusFaults) {
  Machine machine(R"({"geometry": {"contexts": 4}})");
  EXPECT_FALSE(machine.try_write(r::cq::base_lo::offset(1), 0));
  EXPECT_FALSE(machine.try_write(r::core::sq::base_lo::offset(1, 0), 0));
  EXPECT_FALSE(machine.try_write(r::context::control::offset(4), 0));
  EXPECT_FALSE(machine.try_write(r::mx::base::lo::offset(4, 0), 0));
  EXPECT_NE(machine.log.back().find("1 cores and 4 contexts"), std::string::npos);
  machine.write(r::context::control::offset(3), 1);
  EXPECT_EQ(r::geometry0::kContexts.get(machine.read(r::geometry0::kOffset)), 4u);
}

TEST(Registers, AWriteOnlyRegisterCannotBeRead) {
  Machine machine;
  std::uint32_t value;
  EXPECT_NE(cox_model_read(machine.model, 0, r::engine_reset::kOffset, 4, &value), 0);
  EXPECT_NE(machine.log.back().find("ENGINE_RESET: the register is write-only"), std::string::npos);
}

TEST(Registers, ValuesComeBack) {
  Machine machine;
  machine.write(r::context::window::base_lo::offset(5, 2), 0x89ABCDEF);
  machine.write(r::context::window::base_hi::offset(5, 2), 0x12345678);
  machine.write(r::context::window::size::offset(5, 2), 77);
  machine.write(r::context::window::access::offset(5, 2), 0xFFFFFFFE);  // bits that do not exist are ignored
  machine.write(r::context::l2_first::offset(5), 3);
  machine.write(r::context::l2_last::offset(5), 9);
  machine.write(r::cq::coalesce::offset(0), 0x12345678);
  machine.write(r::int_enable::kOffset, 0xFFFFFFFF);
  machine.write(r::mx::base::lo::offset(15, 31), 0x76543210);
  machine.write(r::mx::base::hi::offset(15, 31), 0xFEDCBA98);
  EXPECT_EQ(machine.read(r::mx::base::lo::offset(15, 31)), 0x76543210u);
  EXPECT_EQ(machine.read(r::mx::base::hi::offset(15, 31)), 0xFEDCBA98u);
  EXPECT_EQ(machine.read(r::mx::base::lo::offset(15, 30)), 0u);
  EXPECT_EQ(machine.read(r::context::window::base_lo::offset(5, 2)), 0x89ABCDEFu);
  EXPECT_EQ(machine.read(r::context::window::base_hi::offset(5, 2)), 0x12345678u);
  EXPECT_EQ(machine.read(r::context::window::base_lo::offset(5, 1)), 0u);
  EXPECT_EQ(machine.read(r::context::window::size::offset(5, 2)), 77u);
  EXPECT_EQ(machine.read(r::context::window::access::offset(5, 2)), 2u);
  EXPECT_EQ(machine.read(r::context::l2_first::offset(5)), 3u);
  EXPECT_EQ(machine.read(r::context::l2_last::offset(5)), 9u);
  EXPECT_EQ(machine.read(r::cq::coalesce::offset(0)), 0x12345678u);
  EXPECT_EQ(machine.read(r::int_enable::kOffset), 0x1FFFu);
}

TEST(Registers, TheCycleCounterLatchesItsHighHalf) {
  Machine machine;
  machine.now = 0x1'FFFF'FFFF;
  EXPECT_EQ(machine.read(r::cycle_lo::kOffset), 0xFFFFFFFFu);
  machine.now += 1;
  EXPECT_EQ(machine.read(r::cycle_hi::kOffset), 1u);
  EXPECT_EQ(machine.read(r::cycle_lo::kOffset), 0u);
  EXPECT_EQ(machine.read(r::cycle_hi::kOffset), 2u);
}

/// Provokes each refused write to a queue register and expects its log line.
TEST(Registers, QueuesRefuseWhatContradictsTheirState) {
  Machine machine;
  machine.bring_up();
  const auto refused = [&](std::uint32_t offset, std::uint32_t value, const char *reason) {
    EXPECT_FALSE(machine.try_write(offset, value)) << reason;
    ASSERT_FALSE(machine.log.empty()) << reason;
    EXPECT_NE(machine.log.back().find(reason), std::string::npos) << machine.log.back();
  };
  constexpr std::uint32_t kTail = r::core::sq::tail::offset(0, 3);
  constexpr std::uint32_t kControl = r::core::sq::control::offset(0, 3);
  refused(r::core::sq::base_lo::offset(0, 3), 0, "CORE[0].SQ[3].BASE_LO: the queue is enabled");
  refused(r::core::sq::base_hi::offset(0, 3), 0, "the queue is enabled");
  refused(kControl, 1 | 5 << 4, "the size is fixed");
  refused(kTail, 17, "more than the size ahead of HEAD");
  refused(kTail, 0xFFFFFFFF, "more than the size ahead of HEAD");
  machine.write(kTail, 3);
  refused(kTail, 2, "behind the one written before");
  refused(kControl, 4 << 4, "the queue holds instructions");
  EXPECT_EQ(machine.read(kTail), 3u);
  refused(r::cq::base_lo::offset(0), 0, "the queue is enabled");
  refused(r::cq::base_hi::offset(0), 0, "the queue is enabled");
  refused(r::cq::control::offset(0), 1 | 5 << 4, "the size is fixed");
  refused(r::cq::head::offset(0), 1, "past TAIL");

  machine.write(r::engine_reset::kOffset, 1);
  machine.write(kTail, 1);
  machine.write(r::cq::head::offset(0), 1);
  EXPECT_EQ(machine.read(kTail), 0U) << "of a queue that is not enabled: ignored";
  EXPECT_EQ(machine.read(r::cq::head::offset(0)), 0U);
  refused(kControl, 1, "SIZE_LOG2 is out of range");
  refused(kControl, 1 | 13 << 4, "SIZE_LOG2 is out of range");
  machine.write(r::core::sq::base_lo::offset(0, 3), 16);
  refused(kControl, 1 | 4 << 4, "not aligned to 32 bytes");
  refused(r::cq::control::offset(0), 1, "SIZE_LOG2 is out of range");
  machine.write(r::cq::base_lo::offset(0), 8);
  refused(r::cq::control::offset(0), 1 | 4 << 4, "not aligned to 16 bytes");
}

TEST(Registers, ACompletionQueueWithEntriesCannotBeDisabled) {
  Machine machine;
  machine.bring_up();
  machine.submit({with_completion(make(Opcode::ct_st))});
  machine.run();
  EXPECT_FALSE(machine.try_write(r::cq::control::offset(0), 0));
  EXPECT_NE(machine.log.back().find("the queue holds entries"), std::string::npos);
}

TEST(Registers, PowerOnResetPutsEverythingBack) {
  Machine machine;
  machine.bring_up();
  std::uint64_t bytes = 0;
  auto *l2 = static_cast<std::byte *>(cox_model_l2(machine.model, 0, &bytes));
  EXPECT_EQ(bytes, 8u << 20);
  l2[5] = std::byte{1};
  machine.submit({with_completion(make(Opcode::ct_st))});
  machine.run();
  EXPECT_EQ(machine.level[0], 1);
  cox_model_reset(machine.model, machine.now);
  EXPECT_EQ(machine.level[0], 0);
  EXPECT_EQ(l2[5], std::byte{0});
  for (const r::Register &definition : r::kRegisters) {
    if (definition.access == r::Access::write_only || definition.name == r::Name::cycle_lo) continue;
    EXPECT_EQ(machine.read(definition.offset), definition.reset) << definition.text;
  }
  EXPECT_EQ(cox_model_next_event(machine.model), COX_MODEL_NEVER);
  EXPECT_EQ(cox_model_l2(machine.model, 1, nullptr), nullptr);
  EXPECT_EQ(cox_model_cores(machine.model), 1u);
}

}  // namespace
}  // namespace cox::test
