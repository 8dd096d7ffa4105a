// SPDX-License-Identifier: MIT
// A register bus that knows the exact sequence of accesses to come, with offsets and values; any other access fails the test.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>

#include "device/npu.h"
#include "device/npu_registers.h"
#include "hal/native_bus.h"

namespace cox::hal {

class StrictBus final : public native::Bus {
 public:
  StrictBus() { native::set_bus(this); }
  ~StrictBus() {
    native::set_bus(nullptr);
    EXPECT_TRUE(expected_.empty()) << "never came: " << (expected_.empty() ? "" : expected_.front().text());
  }
  StrictBus(const StrictBus &) = delete;
  StrictBus &operator=(const StrictBus &) = delete;

  void expect_read(std::uint32_t offset, std::uint32_t value) { expected_.push_back({false, offset, value}); }
  void expect_write(std::uint32_t offset, std::uint32_t value) { expected_.push_back({true, offset, value}); }
  [[nodiscard]] bool done() const { return expected_.empty(); }

  std::uint32_t read(std::uintptr_t address) override {
    const Access access{false, static_cast<std::uint32_t>(address - NPU_BASE), 0};
    if (expected_.empty() || expected_.front().write || expected_.front().offset != access.offset) {
      ADD_FAILURE() << "came: " << access.text() << "\nexpected: " << (expected_.empty() ? "nothing" : expected_.front().text());
      return 0;
    }
    const std::uint32_t value = expected_.front().value;
    expected_.pop_front();
    return value;
  }

  void write(std::uintptr_t address, std::uint32_t value) override {
    const Access access{true, static_cast<std::uint32_t>(address - NPU_BASE), value};
    if (expected_.empty() || !expected_.front().write || expected_.front().offset != access.offset || expected_.front().value != value) {
      ADD_FAILURE() << "came: " << access.text() << "\nexpected: " << (expected_.empty() ? "nothing" : expected_.front().text());
      return;
    }
    expected_.pop_front();
  }

 private:
  struct Access {
    bool write;
    std::uint32_t offset;
    std::uint32_t value;

    [[nodiscard]] std::string text() const {
      const registers::Location at = registers::locate(offset);
      char line[96];
      std::snprintf(line, sizeof(line), "%s 0x%05x (%s) value 0x%08x", write ? "write" : "read", offset,
                    at.definition == nullptr ? "no register" : at.definition->text, value);
      return line;
    }
  };

  std::deque<Access> expected_;
};

}  // namespace cox::hal
