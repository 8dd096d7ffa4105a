// SPDX-License-Identifier: MIT
// What ThreadSanitizer must know of volatile accesses (docs/testing.md, ThreadSanitizer). The firmware reads and writes words that it
// shares with a host as volatile objects, beside barriers of the control core. Natively the host is another thread: for it, a read is an
// acquire and a write a release.
#include <sanitizer/tsan_interface.h>

namespace {

/// The address of this thread's previous read. The compiler calls before the access, so another thread may write in between. Acquiring
/// again at the next volatile access makes good for that.
thread_local void *last_read = nullptr;

void acquire(void *address) {
  if (last_read != nullptr) __tsan_acquire(last_read);
  __tsan_acquire(address);
  last_read = address;
}

void release(void *address) {
  if (last_read != nullptr) __tsan_acquire(last_read);
  __tsan_release(address);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the compiler's names
extern "C" {
#define COX_VOLATILE_ACCESS(BYTES)                                                \
  void __tsan_volatile_read##BYTES(void *address) { acquire(address); }           \
  void __tsan_volatile_write##BYTES(void *address) { release(address); }          \
  void __tsan_unaligned_volatile_read##BYTES(void *address) { acquire(address); } \
  void __tsan_unaligned_volatile_write##BYTES(void *address) { release(address); }
COX_VOLATILE_ACCESS(1)
COX_VOLATILE_ACCESS(2)
COX_VOLATILE_ACCESS(4)
COX_VOLATILE_ACCESS(8)
COX_VOLATILE_ACCESS(16)
#undef COX_VOLATILE_ACCESS
}
// NOLINTEND(bugprone-reserved-identifier)
