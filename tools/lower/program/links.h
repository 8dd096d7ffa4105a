// SPDX-License-Identifier: MIT
// Bytes of a core's L2 that other cores fetch with SI: before it SO says that they are there, and behind it SO hears that they have been
// fetched (docs/lowering.md, Several cores).
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

  /// so_sync on the owner: what has been emitted has written the bytes.
  [[nodiscard]] Link announce(const Origin &origin, unsigned owner, std::int64_t begin, std::int64_t end);

  /// Of bytes among those of [begin, end) alone, which pe_conv with `computed(work)` have written: between them others write theirs.
  [[nodiscard]] Link announce_computed(const Origin &origin, unsigned owner, std::int64_t begin, std::int64_t end, std::int64_t work);
  /// A number for what is computed and announced piece by piece.
  [[nodiscard]] std::int64_t begin_work() { return next_++; }
  [[nodiscard]] static Touch computed(std::int64_t work, unsigned core) {
    return {Resource::link, true, work, work + 1, static_cast<std::uint8_t>(core)};
  }

  /// What si_mov of another core touches beside its operands.
  [[nodiscard]] static std::vector<Touch> heard(const Link &link);

  /// so_sync on the owner: all that has been emitted and has heard has fetched them; what writes there comes after it. It gets its place
  /// by place_releases().
  void release(const Origin &origin, const Link &link);

  /// Releases go right before what writes those bytes first, and away where nothing does: so nobody hears what nobody waits for.
  static void place_releases(Program &program);

  /// The same when release_deferred() is called.
  void defer(const Link &link) { deferred_.push_back(link); }
  void release_deferred(const Origin &origin);

 private:
  void synchronise(const Origin &origin, const Link &link, const Touch &behind);

  Emitter &emitter_;
  std::int64_t next_ = 0;
  std::vector<Link> deferred_;
};

}  // namespace cox::lower
