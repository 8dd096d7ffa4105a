// SPDX-License-Identifier: MIT
#include <array>

#include "coxswain/hal/board.h"
#include "examples/threads/context.h"
#include "examples/threads/kernel.h"

namespace cox::examples::threads {
namespace {

constexpr std::size_t kStacks = 8, kStackBytes = 256 << 10;
alignas(16) std::array<std::array<std::byte, kStackBytes>, kStacks> stacks;

}  // namespace

void begin(Context & /*own*/) {}

void make_context(Context &context, std::size_t index, void (*function)()) {
  getcontext(&context.registers);
  context.registers.uc_stack.ss_sp = stacks[index].data();
  context.registers.uc_stack.ss_size = kStackBytes;
  ::makecontext(&context.registers, function, 0);
}

void switch_context(Context &from, Context &to) { swapcontext(&from.registers, &to.registers); }

void sleep(bool (*is_idle)()) {
  const std::uint32_t before = ulPortRaiseBASEPRI();
  if (is_idle()) board::wait_for_interrupt();
  vPortSetBASEPRI(before);
}

}  // namespace cox::examples::threads

// The native board has one mask for all interrupts, and the port uses the board's own cox_os_lock().
std::uint32_t ulPortRaiseBASEPRI() { return cox_os_lock(); }
void vPortSetBASEPRI(std::uint32_t before) { cox_os_unlock(before); }
