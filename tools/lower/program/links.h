// SPDX-License-Identifier: MIT
// Bytes of a core's L2 that other cores fetch with SI. Before the fetch, the owner's SO announces the bytes. After the fetch, the owner's
// SO learns that they have been fetched (docs/lowering.md, Several cores).
#pragma once

#include <vector>

#include "tools/lower/program/emitter.h"

namespace cox::lower {

/// Bytes [begin, end) in the L2 of core `owner`, which other cores fetch. `number` identifies the link in a Touch of Resource::link.
struct Link {
  unsigned owner = 0;
  std::int64_t number = 0, begin = 0, end = 0;
};

class Links {
 public:
  explicit Links(Emitter &emitter) : emitter_(emitter) {}

  /// Emits a so_sync on the owner. It tells the other cores that earlier instructions have written the bytes.
  [[nodiscard]] Link announce(const Origin &origin, unsigned owner, std::int64_t begin, std::int64_t end);

  /// Like announce(), but the so_sync waits only for the pe_conv instructions whose `touches` contain computed(`work`).
  [[nodiscard]] Link announce_computed(const Origin &origin, unsigned owner, std::int64_t begin, std::int64_t end, std::int64_t work);
  /// Returns a new number for a group of pe_conv instructions whose results are announced piece by piece.
  [[nodiscard]] std::int64_t begin_work() { return next_++; }
  [[nodiscard]] static Touch computed(std::int64_t work, unsigned core) {
    return {Resource::link, true, work, work + 1, static_cast<std::uint8_t>(core)};
  }

  /// Returns the `touches` of an si_mov that fetches the bytes of `link` to another core. With them, the si_mov waits for the so_sync of
  /// announce().
  [[nodiscard]] static std::vector<Touch> heard(const Link &link);

  /// Emits a so_sync on the link's owner. The so_sync waits until the other cores have fetched the link's bytes. Later writes to
  /// the bytes wait for this so_sync. place_releases() moves it to its final position.
  void release(const Origin &origin, const Link &link);

  /// Moves each so_sync of release() to the place just before the first instruction that overwrites the link's bytes. Removes the so_sync
  /// if no instruction overwrites them.
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
