// SPDX-License-Identifier: MIT
#include "coxswain/hal/device.h"

#include <gtest/gtest.h>

#include <string>

#include "coxswain/hal/cube/geometry.h"
#include "coxswain/hal/mx/geometry.h"
#include "coxswain/hal/stream_engine.h"
#include "coxswain/hal/tile/core.h"
#include "tests/hal/strict_bus.h"
#include "tests/hal/test_geometry.h"

namespace cox::hal {
namespace {

namespace r = registers;

struct Identity {
  std::uint32_t id = r::id::kResetValue;
  std::uint32_t version = r::version::kResetValue;
  std::uint32_t capabilities = r::capabilities::kResetValue;
  std::uint32_t geometry0 = r::geometry0::kResetValue;
  std::uint32_t geometry1 = r::geometry1::kResetValue;
  std::uint32_t geometry2 = r::geometry2::kResetValue;
  std::uint32_t clock = r::clock::kResetValue;
  std::uint32_t geometry3 = r::geometry3::kResetValue;
  std::uint32_t geometry4 = r::geometry4::kResetValue;
  std::uint32_t geometry5 = r::geometry5::kResetValue;
  std::uint32_t geometry6 = r::geometry6::kResetValue;
  std::uint32_t pim_cores = r::pim_cores::kResetValue;
  std::uint32_t unity_units = r::unity_units::kResetValue;
};

Result<Geometry> identify_as(const Identity &identity) {
  StrictBus bus;
  bus.expect_read(0x00, identity.id);
  if (identity.id == r::id::kResetValue) {
    bus.expect_read(0x04, identity.version);
    if (r::version::kMajor.get(identity.version) == 1) {
      bus.expect_read(0x08, identity.capabilities);
      if ((identity.capabilities & 1) != 0) {
        bus.expect_read(0x0C, identity.geometry0);
        bus.expect_read(0x10, identity.geometry1);
        bus.expect_read(0x14, identity.geometry2);
        bus.expect_read(0x18, identity.clock);
        const bool sane = identity.geometry0 == r::geometry0::kResetValue && identity.geometry1 == r::geometry1::kResetValue &&
                          identity.geometry2 == r::geometry2::kResetValue && identity.clock != 0;
        if (sane && (identity.capabilities & 2) != 0) bus.expect_read(0x48, identity.geometry3);
        if (sane && (identity.capabilities & 4) != 0 && identity.geometry3 == r::geometry3::kResetValue) {
          bus.expect_read(0x4C, identity.geometry4);
          bus.expect_read(0x50, identity.geometry5);
          bus.expect_read(0x54, identity.geometry6);
        }
        const bool known = identity.geometry3 == r::geometry3::kResetValue && identity.geometry4 == r::geometry4::kResetValue &&
                           identity.geometry5 == r::geometry5::kResetValue && identity.geometry6 == r::geometry6::kResetValue;
        if (sane && (identity.capabilities & 8) != 0 && known) bus.expect_read(0xA000, identity.pim_cores);
        const bool has_cores = identity.pim_cores == r::pim_cores::kResetValue;
        if (sane && (identity.capabilities & 16) != 0 && known && has_cores) bus.expect_read(0xB000, identity.unity_units);
      }
    }
  }
  return identify();
}

void expect_refused(const Identity &identity, const char *what, std::int64_t value) {
  const Result<Geometry> geometry = identify_as(identity);
  EXPECT_EQ(geometry.status().code(), ErrorCode::unknown_device);
  EXPECT_STREQ(geometry.status().what(), what);
  EXPECT_EQ(geometry.status().value(), value);
}

TEST(Identify, ReadsTheDefaultGeometry) {
  const Result<Geometry> geometry = identify_as({});
  ASSERT_TRUE(geometry.ok()) << geometry.status().what();
  EXPECT_EQ(geometry.value().cores, 1U);
  EXPECT_EQ(geometry.value().contexts, 16U);
  EXPECT_EQ(geometry.value().l2_bytes, 8U << 20);
  EXPECT_EQ(geometry.value().l2_block_bytes, 1024U);
  EXPECT_EQ(geometry.value().cut_regions, 16U);
  EXPECT_EQ(geometry.value().wl0_units, 20480U);
  EXPECT_EQ(geometry.value().macs_per_cycle, 4096U);
  EXPECT_EQ(geometry.value().queue_size_log2_max, 12U);
  EXPECT_EQ(geometry.value().clock_mhz, 1000U);
  EXPECT_EQ(geometry.value().engines, 15U);
  EXPECT_TRUE(geometry.value().has(r::Engine::mx));
  EXPECT_TRUE(geometry.value().has(r::Engine::cube));
  EXPECT_TRUE(geometry.value().has(r::Engine::pim));
  EXPECT_TRUE(geometry.value().has(r::Engine::unity));
}

TEST(Identify, ADeviceWithoutTheMatrixUnitIsNotAskedForItsGeometry) {
  const Result<Geometry> geometry = identify_as({.capabilities = 0x1B});
  ASSERT_TRUE(geometry.ok()) << geometry.status().what();
  EXPECT_TRUE(geometry.value().has(r::Engine::mx));
  EXPECT_FALSE(geometry.value().has(r::Engine::cube));
}

TEST(Identify, ADeviceWithoutTheMxEngineIsNotAskedForItsGeometry) {
  const Result<Geometry> geometry = identify_as({.capabilities = 0x1D});
  ASSERT_TRUE(geometry.ok()) << geometry.status().what();
  EXPECT_FALSE(geometry.value().has(r::Engine::mx));
  EXPECT_TRUE(geometry.value().has(r::Engine::cube));
}

TEST(Identify, ADeviceWithoutPimCoresIsNotAskedForTheirNumber) {
  const Result<Geometry> geometry = identify_as({.capabilities = 0x17});
  ASSERT_TRUE(geometry.ok()) << geometry.status().what();
  EXPECT_TRUE(geometry.value().has(r::Engine::cube));
  EXPECT_FALSE(geometry.value().has(r::Engine::pim));
}

TEST(Identify, AnEngineReadsItsOwnGeometry) {
  StrictBus bus;
  bus.expect_read(0x48, r::geometry3::kResetValue);
  const Result<mx::Geometry> mx = mx::read_geometry();
  ASSERT_TRUE(mx.ok());
  EXPECT_EQ(mx.value().macs_per_cycle, 1024U);
  EXPECT_EQ(mx.value().buffer_bytes, 512U << 10);
  bus.expect_read(0x4C, r::geometry4::kResetValue);
  bus.expect_read(0x50, r::geometry5::kResetValue);
  bus.expect_read(0x54, r::geometry6::kResetValue);
  const Result<cube::Geometry> cube = cube::read_geometry();
  ASSERT_TRUE(cube.ok());
  EXPECT_EQ(cube.value().l1_bytes, 1U << 20);
  EXPECT_EQ(cube.value().l0a_bytes, 64U << 10);
  EXPECT_EQ(cube.value().l0b_bytes, 64U << 10);
  EXPECT_EQ(cube.value().l0c_bytes, 256U << 10);
  EXPECT_EQ(cube.value().bias_table_bytes, 1024U);
  EXPECT_EQ(cube.value().macs_per_cycle, 4096U);
}

/// The device reports engine 5, which is not in the table of engines. identify() accepts the device. Calls for engine 5 are refused.
TEST(Identify, AnEngineThatTheTableDoesNotHaveIsRefusedByNumber) {
  const Result<Geometry> geometry = identify_as({.capabilities = 0x47});
  ASSERT_TRUE(geometry.ok());
  EXPECT_EQ(geometry.value().engines, 0x23U);
  const auto unknown = static_cast<r::Engine>(5);
  EXPECT_FALSE(geometry.value().has(unknown));
  StrictBus bus;
  StreamEngine engine;
  for (const Status &status : {check_engine(geometry.value(), unknown), set_engine_clock(geometry.value(), unknown, true),
                               reset_engine(geometry.value(), unknown), engine.init(geometry.value(), unknown, {}, 2)}) {
    EXPECT_EQ(status.code(), ErrorCode::unsupported);
    EXPECT_STREQ(status.what(), "engine");
    EXPECT_EQ(status.value(), 5);
    EXPECT_EQ(status.limit(), 8);
  }
  EXPECT_STREQ(check_engine(two_cores(), r::Engine::cube).what(), "matrix unit") << "in the table, not in the device";
  EXPECT_TRUE(check_engine(two_cores(), r::Engine::tile).ok());
}

TEST(Identify, TakesANewerMinorVersionAndMoreEngines) { EXPECT_TRUE(identify_as({.version = 0x00010007, .capabilities = 0x3F}).ok()); }

TEST(Identify, RefusesWhatItDoesNotKnow) {
  expect_refused({.id = 0xFFFFFFFF}, "ID", 0xFFFFFFFF);
  expect_refused({.version = 0x00020000}, "VERSION.MAJOR", 2);
  expect_refused({.capabilities = 0x1E}, "CAPABILITIES.TILE", 0);
  expect_refused({.geometry0 = 0x01008100}, "GEOMETRY0.TILE_CORES", 0);
  expect_refused({.geometry0 = 0x01008105}, "GEOMETRY0.TILE_CORES", 5);
  expect_refused({.geometry0 = 0x01008001}, "GEOMETRY0.CONTEXTS", 0);
  expect_refused({.geometry0 = 0x01008111}, "GEOMETRY0.CONTEXTS", 17);
  expect_refused({.geometry0 = 0x01000101}, "GEOMETRY0.L2_MIB", 0);
  expect_refused({.geometry0 = 0x01009101}, "GEOMETRY0.L2_MIB", 9);
  expect_refused({.geometry0 = 0x00F08101}, "GEOMETRY0.CUT_REGIONS", 15);
  expect_refused({.geometry1 = 0x04000000}, "GEOMETRY1.WL0_UNITS", 0);
  expect_refused({.geometry1 = 0x08004800}, "GEOMETRY1.L2_BLOCK_BYTES", 2048);
  expect_refused({.geometry2 = 0x00001000}, "GEOMETRY2.QUEUE_SIZE_LOG2_MAX", 0);
  expect_refused({.clock = 0}, "CLOCK.MHZ", 0);
  expect_refused({.geometry3 = 0x02000000}, "GEOMETRY3.MX_MACS_PER_CYCLE", 0);
  expect_refused({.geometry4 = 0x01000200}, "GEOMETRY4.CUBE_L1_KIB", 512);
  expect_refused({.geometry4 = 0x00800400}, "GEOMETRY4.CUBE_L0C_KIB", 128);
  expect_refused({.geometry5 = 0x00400080}, "GEOMETRY5.CUBE_L0A_KIB", 128);
  expect_refused({.geometry5 = 0x00200040}, "GEOMETRY5.CUBE_L0B_KIB", 32);
  expect_refused({.geometry6 = 0x04000000}, "GEOMETRY6.CUBE_MACS_PER_CYCLE", 0);
  expect_refused({.geometry6 = 0x08001000}, "GEOMETRY6.CUBE_BIAS_TABLE_BYTES", 2048);
  expect_refused({.pim_cores = 0}, "PIM_CORES.COUNT", 0);
  expect_refused({.pim_cores = 65}, "PIM_CORES.COUNT", 65);
  expect_refused({.unity_units = 0}, "UNITY_UNITS.COUNT", 0);
  expect_refused({.unity_units = 9}, "UNITY_UNITS.COUNT", 9);
}

TEST(Device, EnableIsOneWrite) {
  StrictBus bus;
  bus.expect_write(0x1C, 1);
  bus.expect_write(0x1C, 0);
  set_enabled(true);
  set_enabled(false);
}

TEST(Device, InterruptsAreEnabledInOneWrite) {
  StrictBus bus;
  bus.expect_write(0x28, 0x103);
  bus.expect_write(0x28, 0x001);
  EXPECT_TRUE(enable_interrupts(two_cores(), 3, true).ok());
  EXPECT_TRUE(enable_interrupts(two_cores(), 1, false).ok());
  const Status status = enable_interrupts(two_cores(), 4, true);
  EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(status.value(), 4);
  EXPECT_EQ(status.limit(), 3);
}

TEST(Device, InterruptStatus) {
  StrictBus bus;
  bus.expect_read(0x24, 0x052);
  bus.expect_read(0x24, 0x101);
  bus.expect_read(0x24, 0x1020);
  InterruptStatus status = interrupt_status();
  EXPECT_EQ(status.completion_cores, 2U);
  EXPECT_EQ(status.completion_engines, 5U);
  EXPECT_FALSE(status.fault);
  status = interrupt_status();
  EXPECT_EQ(status.completion_cores, 1U);
  EXPECT_EQ(status.completion_engines, 0U);
  EXPECT_TRUE(status.fault);
  status = interrupt_status();
  EXPECT_EQ(status.completion_engines, 0x82U);
  EXPECT_FALSE(status.fault);
}

TEST(Device, AnEmptyFaultRecordIsOneRead) {
  StrictBus bus;
  bus.expect_read(0x2C, 0xFFFFFFFE);
  EXPECT_FALSE(read_fault().has_value());
}

TEST(Device, FaultRecordIsReadInOrderAndCleared) {
  StrictBus bus;
  bus.expect_read(0x2C, 0x0F0D0501);  // context 15; queue 13, which is VP of core 1; code 5
  bus.expect_read(0x30, 0xFFFFFFFF);
  bus.expect_read(0x34, 0x60001234);
  bus.expect_read(0x38, 0x89ABCDEF);
  bus.expect_read(0x3C, 0x01234567);
  bus.expect_write(0x24, 0x100);
  const std::optional<Fault> fault = read_fault();
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->code, FaultCode::window);
  EXPECT_EQ(fault->queue_number, 13U);
  EXPECT_EQ(tile::place_of(fault->queue_number).core, 1U);
  EXPECT_EQ(tile::place_of(fault->queue_number).queue, isa::tile::Class::VP);
  EXPECT_EQ(fault->context, 15U);
  EXPECT_EQ(fault->tag, 0xFFFFFFFFU);
  EXPECT_EQ(fault->detail, 0x60001234U);
  EXPECT_EQ(fault->time, 0x0123456789ABCDEFU);
  clear_fault();
}

TEST(Device, AFaultOfAnEngineHasItsQueueNumber) {
  StrictBus bus;
  bus.expect_read(0x2C, 0x02240D01);  // context 2; queue 36, which is that of the first engine; code 13
  for (std::uint32_t offset = 0x30; offset <= 0x3C; offset += 4) bus.expect_read(offset, 0);
  const std::optional<Fault> fault = read_fault();
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->queue_number, 36U);
  EXPECT_EQ(fault->code, FaultCode::base_not_written);
}

TEST(Device, CycleCounterLowHalfFirst) {
  StrictBus bus;
  bus.expect_read(0x40, 0xFFFFFFFF);
  bus.expect_read(0x44, 0x5);
  EXPECT_EQ(device_cycles(), 0x5FFFFFFFFU);
}

TEST(Device, ClocksOfEngines) {
  StrictBus bus;
  Geometry geometry = two_cores();
  geometry.engines |= 1U << 1;
  bus.expect_read(0x58, 0xA2);
  bus.expect_write(0x58, 0x82);
  EXPECT_TRUE(set_engine_clock(geometry, registers::Engine::cube, false).ok());
  bus.expect_read(0x58, 0x82);
  bus.expect_write(0x58, 0xA2);
  EXPECT_TRUE(set_engine_clock(geometry, registers::Engine::cube, true).ok());
  EXPECT_EQ(set_engine_clock(geometry, registers::Engine::mx, true).code(), ErrorCode::unsupported);
  bus.expect_read(0x5C, 12);
  EXPECT_EQ(corrected_errors(), 12U);
}

TEST(DeviceDeathTest, AccessWithoutABusEndsWithAMessage) {
  native::set_bus(nullptr);
  EXPECT_DEATH(set_enabled(true), "register 0x5000001c before a bus was set");
}

}  // namespace
}  // namespace cox::hal
