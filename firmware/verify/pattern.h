// SPDX-License-Identifier: MIT
// Instructions that differ only in their addresses. Most instructions of a network repeat another one of their class in this way, so the
// verifier keeps what it has computed for the last one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tuple>

#include "coxswain/isa/tile/operation.h"

namespace cox::firmware::verify {

/// An instruction of a class and what it touches. It serves until a configuration of the class changes.
class Pattern {
 public:
  Pattern() : known_(false) {}  // leaves the other members undefined until keep(), because patterns are large

  /// Keeps an instruction that passed isa::tile::check() and resolve(). `footprint` is what it touches.
  void keep(const isa::tile::MachineCode &code, const isa::tile::Footprint &footprint);
  void forget() { known_ = false; }
  /// Returns true if `code` differs from the kept instruction only in tokens and addresses. All checks of it give the same result then,
  /// except those of the bytes that it touches.
  [[nodiscard]] bool matches(const isa::tile::MachineCode &code) const {
    if (!known_) return false;
    std::uint32_t different = 0;
#pragma GCC unroll 8
    for (unsigned i = 0; i < code.size(); ++i) different |= (code[i] ^ code_[i]) & fixed_[i];
    return different == 0;
  }
  /// Call after matches(). Moves `reaches` to the addresses of `code`.
  void move_to(const isa::tile::MachineCode &code);

  [[nodiscard]] std::span<const isa::tile::Reach> reaches() const { return {reaches_.data(), count_}; }

 private:
  bool known_;
  std::uint8_t count_;
  isa::tile::MachineCode code_;
  isa::tile::MachineCode fixed_;  ///< the bits that must not differ
  std::array<isa::tile::Reach, std::tuple_size_v<decltype(isa::tile::Footprint::accesses)>> reaches_;
};

}  // namespace cox::firmware::verify
