// SPDX-License-Identifier: MIT
#include "tools/flash/sign.h"

#include <fmt/format.h>

#include "tools/command/failure.h"

namespace cox::tools::flash {
namespace {

constexpr std::uint32_t kMagic = 0x96f3b83d;
constexpr std::uint16_t kTlvMagic = 0x6907, kProtectedTlvMagic = 0x6908;
constexpr std::uint16_t kKeyHash = 0x01, kSha256 = 0x10, kEcdsa = 0x22, kEd25519 = 0x24, kSecurityCounter = 0x50;
constexpr std::uint8_t kErased = 0xFF;
constexpr std::uint8_t kTrailerMagic[] = {0x77, 0xc2, 0x95, 0xf3, 0x60, 0xd2, 0xef, 0x7f, 0x35, 0x52, 0x50, 0x0f, 0x2c, 0xb6, 0x79, 0x80};
constexpr unsigned kSectors = 128;  ///< imgtool's default for the sectors of a slot
constexpr unsigned kAlign = 8;      ///< of the fields of the trailer, unless writes are larger

/// Little-endian bytes, one number after the other.
class Bytes {
 public:
  template <typename Number>
  Bytes &add(Number value) {
    for (std::size_t i = 0; i < sizeof value; ++i) bytes_.push_back(static_cast<std::uint8_t>(std::uint64_t{value} >> 8 * i));
    return *this;
  }
  Bytes &append(std::span<const std::uint8_t> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Bytes &tlv(std::uint16_t type, std::span<const std::uint8_t> value) {
    return add(type).add(static_cast<std::uint16_t>(value.size())).append(value);
  }
  Bytes &fill(std::size_t size) {
    bytes_.resize(size, kErased);
    return *this;
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::vector<std::uint8_t> &bytes() { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// TLVs behind the four bytes that say how long all of them are.
Bytes area(std::uint16_t magic, Bytes &tlvs) {
  constexpr std::size_t kInfo = 4;
  Bytes area;
  area.add(magic).add(static_cast<std::uint16_t>(kInfo + tlvs.size())).append(tlvs.bytes());
  return area;
}

}  // namespace

std::vector<std::uint8_t> sign(std::span<const std::uint8_t> image, const Key &key, const SignRequest &request) {
  Bytes protected_area;
  if (request.security_counter) {
    Bytes counter;
    counter.add(*request.security_counter);
    Bytes tlvs;
    tlvs.tlv(kSecurityCounter, counter.bytes());
    protected_area = area(kProtectedTlvMagic, tlvs);
  }

  Bytes file;
  file.add(kMagic).add(std::uint32_t{0});  // load address, for bootloaders that copy images to RAM
  file.add(request.header_bytes).add(static_cast<std::uint16_t>(protected_area.size())).add(static_cast<std::uint32_t>(image.size()));
  file.add(std::uint32_t{0});  // flags
  file.add(request.version.major).add(request.version.minor).add(request.version.revision).add(request.version.build);
  file.add(std::uint32_t{0});
  file.fill(request.header_bytes).append(image).append(protected_area.bytes());

  const Digest digest = sha256(file.bytes());
  Bytes tlvs;
  tlvs.tlv(kSha256, digest).tlv(kKeyHash, sha256(key.public_der()));
  tlvs.tlv(key.kind() == KeyKind::ed25519 ? kEd25519 : kEcdsa, key.sign(digest));
  file.append(area(kTlvMagic, tlvs).bytes());

  if (request.slot_bytes != 0) {
    const unsigned field = std::max(kAlign, request.write_bytes);
    const std::size_t magic = (sizeof kTrailerMagic + field - 1) / field * field;
    const std::size_t trailer = std::size_t{kSectors} * 3 * request.write_bytes + std::size_t{field} * 4 + magic;
    if (file.size() + trailer > request.slot_bytes) {
      throw Failure(ExitCode::bad_task, fmt::format("the signed image has {} bytes and MCUboot's trailer {}, but the slot has only {}",
                                                    file.size(), trailer, request.slot_bytes));
    }
    if (request.pad) {
      file.fill(request.slot_bytes - sizeof kTrailerMagic).append(kTrailerMagic);
      if (request.confirm) file.bytes()[request.slot_bytes - magic - field] = 1;
    }
  }
  return std::move(file.bytes());
}

}  // namespace cox::tools::flash
