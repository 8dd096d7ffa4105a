// SPDX-License-Identifier: MIT
// Bytes of a core's L2 that other cores fetch with SI. Before the fetch, the owner's SO announces the bytes. After the fetch, the owner's
// SO learns that they have been fetched (docs/lowering.md, Several cores).
#pragma once

#include <vector>

#include "tools/lower/program/emitter.h"

namespace cox::lower {

/// Bytes [begin, end) of the owner's L2.
struct Link {
  unsigned owner = 0;
  std::int64_t number = 0, begin = 0, end = 0;
};

class Links {
 public:
  explicit Links(Emitter &emitter) : emitter_(emitter) {}

  /// Emits a so_sync on the owner. It announces that earlier instructions have written the bytes.
  [[nodiscard]] Link announce(const Origin &origin, unsigned owner, std::int64_t begin, std::int64_t end);

  /// Announces only those bytes in [begin, end) that pe_conv instructions with the touch computed(`work`) have written. Other instructions
  /// may write other bytes of the range.
  [[nodiscard]] Link announce_computed(const Origin &origin, unsigned owner, std::int64_t begin, std::int64_t end, std::int64_t work);
  /// Returns a new number for work that is computed and announced piece by piece.
  [[nodiscard]] std::int64_t begin_work() { return next_++; }
  [[nodiscard]] static Touch computed(std::int64_t work, unsigned core) {
    return {Resource::link, true, work, work + 1, static_cast<std::uint8_t>(core)};
  }

  /// Returns what another core's si_mov, which fetches the bytes, touches besides its operands.
  [[nodiscard]] static std::vector<Touch> heard(const Link &link);

  /// Emits a so_sync on the owner. The so_sync waits until all earlier instructions with the touches of heard() have fetched the bytes.
  /// Later writes to the bytes wait for the so_sync. place_releases() moves it to its final position.
  void release(const Origin &origin, const Link &link);

  /// Moves each release to just before the first instruction that writes its bytes, and removes releases whose bytes no instruction writes.
  static void place_releases(Program &program);

  /// Like release(), but the instruction is emitted when release_deferred() is called.
  void defer(const Link &link) { deferred_.push_back(link); }
  void release_deferred(const Origin &origin);

 private:
  void synchronise(const Origin &origin, const Link &link, const Touch &behind);

  Emitter &emitter_;
  std::int64_t next_ = 0;
  std::vector<Link> deferred_;
};

}  // namespace cox::lower
