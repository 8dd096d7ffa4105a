// SPDX-License-Identifier: MIT
// The system calls that Newlib needs. File descriptors 0 to 2 are the console. All others are files of the host, which semihosting
// accesses.
#include <fcntl.h>
#include <reent.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "boards/cortex-m55/heap.h"
#include "boards/cortex-m55/layout.h"
#include "boards/cortex-m55/semihosting.h"
#include "coxswain/hal/board.h"

/// Newlib's function that creates stdin, stdout and stderr on the heap. Weak: absent in an image that does not use them.
extern "C" __attribute__((weak)) void __sinit(struct _reent *);

namespace cox::board {
namespace {

using semihosting::Operation;

bool heap_open = true;

/// An open file of the host. `position` is kept here, because Newlib asks for it and semihosting does not report it.
struct HostFile {
  bool open = false;
  std::uint32_t handle = 0;
  std::uint32_t position = 0;
};

constexpr int kFirstFile = 3;
std::array<HostFile, 8> files;

HostFile *file_of(int descriptor) {
  if (descriptor < kFirstFile || descriptor >= kFirstFile + static_cast<int>(files.size())) return nullptr;
  HostFile &file = files[static_cast<std::size_t>(descriptor - kFirstFile)];
  return file.open ? &file : nullptr;
}

bool is_console(int descriptor) { return descriptor >= 0 && descriptor < kFirstFile; }

int fail(int error) {
  errno = error;
  return -1;
}

/// Returns semihosting's number of an fopen() mode: r 0, r+ 2, w 4, w+ 6, a 8, a+ 10, plus 1 for binary.
std::uint32_t mode_of(int flags) {
  const bool update = (flags & O_ACCMODE) == O_RDWR;
  const std::uint32_t base = (flags & O_APPEND) != 0 ? 8U : (flags & O_TRUNC) != 0 ? 4U : 0U;
  return base + (update ? 2U : 0U) + 1U;
}

}  // namespace

void heap::close() {
  // Create stdin, stdout and stderr now, while Newlib can still allocate. Otherwise the first printf() would create them, and it does not
  // check whether the allocation failed. Newlib allocates a stream's buffer when the stream is first used. If the heap is closed by then,
  // the stream gets no buffer, but printf() works without one.
  if (__sinit != nullptr) __sinit(_REENT);
  heap_open = false;
}

extern "C" {

void *_sbrk(ptrdiff_t increment) {
  static std::byte *end = linker_heap_start;
  const bool fits = increment >= 0 ? heap_open && increment <= linker_heap_end - end : -increment <= end - linker_heap_start;
  if (!fits) {
    errno = ENOMEM;
    return reinterpret_cast<void *>(-1);
  }
  std::byte *start = end;
  end += increment;
  return start;
}

int _write(int descriptor, const char *data, int size) {
  if (size < 0) return fail(EINVAL);
  if (is_console(descriptor)) {
    console_write({data, static_cast<std::size_t>(size)});
    return size;
  }
  HostFile *file = file_of(descriptor);
  if (file == nullptr) return fail(EBADF);
  const std::array<std::uint32_t, 3> block = {file->handle, reinterpret_cast<std::uintptr_t>(data), static_cast<std::uint32_t>(size)};
  const int written = size - semihosting::call(Operation::write, block.data());
  if (written <= 0 && size != 0) return fail(EIO);
  file->position += static_cast<std::uint32_t>(written);
  return written;
}

/// The console never blocks: the result is 0 if nothing was typed.
int _read(int descriptor, char *data, int size) {
  if (size < 0) return fail(EINVAL);
  if (is_console(descriptor)) {
    int count = 0;
    for (int character = 0; count < size && (character = console_read_char()) >= 0; ++count) data[count] = static_cast<char>(character);
    return count;
  }
  HostFile *file = file_of(descriptor);
  if (file == nullptr) return fail(EBADF);
  const std::array<std::uint32_t, 3> block = {file->handle, reinterpret_cast<std::uintptr_t>(data), static_cast<std::uint32_t>(size)};
  const int missing = semihosting::call(Operation::read, block.data());
  if (missing < 0 || missing > size) return fail(EIO);
  file->position += static_cast<std::uint32_t>(size - missing);
  return size - missing;
}

int _open(const char *path, int flags, int) {
  if (!semihosting::available()) return fail(ENOSYS);
  for (std::size_t index = 0; index < files.size(); ++index) {
    HostFile &file = files[index];
    if (file.open) continue;
    const std::array<std::uint32_t, 3> block = {reinterpret_cast<std::uintptr_t>(path), mode_of(flags),
                                                static_cast<std::uint32_t>(std::strlen(path))};
    const std::int32_t handle = semihosting::call(Operation::open, block.data());
    if (handle < 0) return fail(ENOENT);
    file = {true, static_cast<std::uint32_t>(handle), 0};
    return kFirstFile + static_cast<int>(index);
  }
  return fail(EMFILE);
}

int _close(int descriptor) {
  HostFile *file = file_of(descriptor);
  if (file == nullptr) return is_console(descriptor) ? 0 : fail(EBADF);
  file->open = false;
  return semihosting::call(Operation::close, &file->handle) == 0 ? 0 : fail(EIO);
}

off_t _lseek(int descriptor, off_t offset, int whence) {
  HostFile *file = file_of(descriptor);
  if (file == nullptr) return fail(is_console(descriptor) ? ESPIPE : EBADF);
  off_t base = 0;
  if (whence == SEEK_CUR) base = static_cast<off_t>(file->position);
  if (whence == SEEK_END) base = semihosting::call(Operation::file_length, &file->handle);
  if (base < 0 || base + offset < 0) return fail(EINVAL);
  const std::array<std::uint32_t, 2> block = {file->handle, static_cast<std::uint32_t>(base + offset)};
  if (semihosting::call(Operation::seek, block.data()) != 0) return fail(EIO);
  file->position = block[1];
  return base + offset;
}

int _fstat(int descriptor, struct stat *status) {
  if (!is_console(descriptor) && file_of(descriptor) == nullptr) return fail(EBADF);
  *status = {};
  status->st_mode = is_console(descriptor) ? S_IFCHR : S_IFREG;
  return 0;
}

int _isatty(int descriptor) {
  if (is_console(descriptor)) return 1;
  errno = ENOTTY;
  return 0;
}

int _getpid() { return 1; }

/// There is only one process, and every signal that it sends to itself ends it. abort() sends such a signal.
int _kill(int, int signal) { board::exit(128 + signal); }

[[noreturn]] void _exit(int status) { board::exit(status); }

}  // extern "C"

}  // namespace cox::board
