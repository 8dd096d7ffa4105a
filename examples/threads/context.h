// SPDX-License-Identifier: MIT
// Contexts of the kernel's tasks: context_arm.cpp on the Cortex-M55, context_native.cpp in a host process.
#pragma once

#include <cstddef>

#if !defined(__arm__)
#include <ucontext.h>
#endif

namespace cox::examples::threads {

#if defined(__arm__)
struct Context {
  void *stack = nullptr;  ///< stack pointer of a context that does not run
};
#else
struct Context {
  ucontext_t registers{};
};
#endif

/// Called once, before the first switch. `own` is the context that calls. A preempted task continues there.
void begin(Context &own);
/// Makes a context that begins in `function`, on the stack with number `index`.
void make_context(Context &context, std::size_t index, void (*function)());
/// Continues in `to`. Returns when another context continues in `from`. No interrupts are masked.
void switch_context(Context &from, Context &to);
/// Sleeps until the next interrupt, unless `is_idle` returns false with interrupts masked.
void sleep(bool (*is_idle)());

}  // namespace cox::examples::threads
