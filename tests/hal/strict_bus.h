// SPDX-License-Identifier: MIT
// A register bus with a script: the exact sequence of accesses and memory barriers. Any other access or barrier fails the test.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>

#include "coxswain/device/npu_registers.h"
#include "coxswain/hal/native_bus.h"
#include "coxswain/hal/soc.h"

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

  void expect_read(std::uint32_t offset, std::uint32_t value) { expected_.push_back({Kind::read, offset, value}); }
  /// Expects a write. If it hands memory to the device (a doorbell, or HEAD of a completion queue), a barrier must come directly before it.
  void expect_write(std::uint32_t offset, std::uint32_t value) {
    if (hands_memory_over(offset)) expect_barrier();
    expected_.push_back({Kind::write, offset, value});
  }
  void expect_barrier() { expected_.push_back({Kind::barrier, 0, 0}); }
  [[nodiscard]] bool done() const { return expected_.empty(); }

  std::uint32_t read(std::uintptr_t address) override { return take({Kind::read, static_cast<std::uint32_t>(address - COX_NPU_BASE), 0}); }
  void write(std::uintptr_t address, std::uint32_t value) override {
    take({Kind::write, static_cast<std::uint32_t>(address - COX_NPU_BASE), value});
  }
  void barrier() override { take({Kind::barrier, 0, 0}); }

 private:
  enum class Kind : std::uint8_t { read, write, barrier };

  struct Access {
    Kind kind;
    std::uint32_t offset;
    std::uint32_t value;

    [[nodiscard]] std::string text() const {
      if (kind == Kind::barrier) return "barrier";
      const registers::Location at = registers::locate(offset);
      char line[96];
      std::snprintf(line, sizeof(line), "%s 0x%05x (%s) value 0x%08x", kind == Kind::write ? "write" : "read", offset,
                    at.definition == nullptr ? "no register" : at.definition->text, value);
      return line;
    }
  };

  static bool hands_memory_over(std::uint32_t offset) {
    const registers::Location at = registers::locate(offset);
    if (at.definition == nullptr) return false;
    const registers::Name name = at.definition->name;
    return name == registers::Name::core_sq_tail || name == registers::Name::engine_tail || name == registers::Name::cq_head;
  }

  /// Takes the next access of the script, which must be `access`. A read returns the value in the script.
  std::uint32_t take(const Access &access) {
    const bool fits = !expected_.empty() && expected_.front().kind == access.kind && expected_.front().offset == access.offset &&
                      (access.kind != Kind::write || expected_.front().value == access.value);
    if (!fits) {
      ADD_FAILURE() << "came: " << access.text() << "\nexpected: " << (expected_.empty() ? "nothing" : expected_.front().text());
      return 0;
    }
    const std::uint32_t value = expected_.front().value;
    expected_.pop_front();
    return value;
  }

  std::deque<Access> expected_;
};

}  // namespace cox::hal
