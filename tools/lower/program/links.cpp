// SPDX-License-Identifier: MIT
#include "tools/lower/program/links.h"

#include <algorithm>

namespace cox::lower {
namespace {

Touch bytes_of(const Link &link) { return {Resource::l2, false, link.begin, link.end, static_cast<std::uint8_t>(link.owner)}; }

}  // namespace

Link Links::announce(const Origin &origin, unsigned owner, std::int64_t begin, std::int64_t end) {
  const Link link{owner, next_++, begin, end};
  synchronise(origin, link, bytes_of(link));
  return link;
}

Link Links::announce_computed(const Origin &origin, unsigned owner, std::int64_t begin, std::int64_t end, std::int64_t work) {
  const Link link{owner, next_++, begin, end};
  Touch behind = computed(work, owner);
  behind.write = false;
  synchronise(origin, link, behind);
  return link;
}

std::vector<Touch> Links::heard(const Link &link) {
  return {{Resource::link, false, link.number, link.number + 1, static_cast<std::uint8_t>(link.owner)}};
}

void Links::release(const Origin &origin, const Link &link) {
  synchronise(origin, link, bytes_of(link));
  emitter_.program().back().deferred = true;
}

void Links::place_releases(Program &program) {
  Program placed;
  placed.reserve(program.size());
  std::vector<Instruction> pending;
  for (Instruction &instruction : program) {
    if (instruction.deferred) {
      pending.push_back(std::move(instruction));
      continue;
    }
    const auto overwritten = [&instruction](const Instruction &release) {
      return std::any_of(instruction.touches.begin(), instruction.touches.end(), [&release](const Touch &touch) {
        return touch.resource == Resource::l2 && touch.conflicts(release.touches.front()) && touch.write;
      });
    };
    const auto kept =
        std::stable_partition(pending.begin(), pending.end(), [&](const Instruction &release) { return !overwritten(release); });
    placed.insert(placed.end(), kept, pending.end());
    pending.erase(kept, pending.end());
    placed.push_back(std::move(instruction));
  }
  program = std::move(placed);
}

void Links::release_deferred(const Origin &origin) {
  for (const Link &link : deferred_) release(origin, link);
  deferred_.clear();
}

/// Emits a so_sync on the link's owner. `behind` orders it after the instructions that wrote the bytes. The so_sync counts as a write to
/// Resource::link, which orders it after earlier fetches over this link and before later ones.
void Links::synchronise(const Origin &origin, const Link &link, const Touch &behind) {
  const auto owner = static_cast<std::uint8_t>(link.owner);
  emitter_.select(link.owner);
  emitter_.emit("so_sync", origin, {{"Prev_Cores", 0}, {"Next_Cores", 0}},
                {behind, {Resource::link, true, link.number, link.number + 1, owner}});
}

}  // namespace cox::lower
