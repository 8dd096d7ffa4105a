// SPDX-License-Identifier: MIT
#include "tools/flash/signed_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/command/failure.h"
#include "tools/file/error.h"

namespace cox::tools::flash {
namespace {

// struct image_header of the design document, and where its fields are.
constexpr std::uint32_t kImageMagic = 0x96f3b83d;
constexpr std::size_t kHeaderSize = 32, kAtHeaderSize = 8, kAtProtectedSize = 10, kAtImageSize = 12, kAtFlags = 16, kAtVersion = 20;

enum Type : unsigned {
  kTypeKeyHash = 0x01,
  kTypeSha256 = 0x10,
  kTypeEcdsaSignature = 0x22,
  kTypeEd25519 = 0x24,
  kTypeSecurityCounter = 0x50,
};
constexpr unsigned kInfoMagic = 0x6907, kProtectedInfoMagic = 0x6908;

constexpr std::array<std::uint8_t, 16> kBootMagic = {0x77, 0xc2, 0x95, 0xf3, 0x60, 0xd2, 0xef, 0x7f,
                                                     0x35, 0x52, 0x50, 0x0f, 0x2c, 0xb6, 0x79, 0x80};

/// Returns the little-endian number in at most four bytes.
std::uint32_t number_in(std::span<const std::uint8_t> bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) value = value << 8 | bytes[i - 1];
  return value;
}

class Reader {
 public:
  Reader(std::span<const std::uint8_t> file, const std::string &name) : file_(file), name_(name) {}

  [[nodiscard]] std::span<const std::uint8_t> bytes(std::size_t offset, std::size_t size, const char *what) const {
    if (offset > file_.size() || file_.size() - offset < size) {
      throw FileError(fmt::format("{}: the {} should end at byte {}, but the file has only {}: it is truncated, or its header was changed",
                                  name_, what, offset + size, file_.size()));
    }
    return file_.subspan(offset, size);
  }
  [[nodiscard]] std::uint32_t number(std::size_t offset, std::size_t size, const char *what) const {
    return number_in(bytes(offset, size, what));
  }

  /// Calls visit(type, value) for each TLV of the area at `offset`. Returns the area's size.
  template <typename Visit>
  std::size_t walk(std::size_t offset, unsigned magic, const char *what, const Visit &visit) const {
    const std::uint32_t found = number(offset, 2, what);
    if (found != magic) {
      throw FileError(
          fmt::format("{}: at byte {} there should be the {}, which begin with 0x{:04x}, but there is 0x{:04x}: the sizes in the "
                      "header or these TLVs were changed",
                      name_, offset, what, magic, found));
    }
    const std::size_t size = number(offset + 2, 2, what);
    static_cast<void>(bytes(offset, size, what));
    std::size_t at = offset + 4;
    while (at < offset + size) {
      if (offset + size - at < 4 || offset + size - at - 4 < number(at + 2, 2, what)) {
        throw FileError(fmt::format("{}: a TLV at byte {} reaches behind the end of the {}: they were changed", name_, at, what));
      }
      const std::uint32_t length = number(at + 2, 2, what);
      visit(number(at, 2, what), bytes(at + 4, length, what));
      at += 4 + length;
    }
    return size;
  }

 private:
  std::span<const std::uint8_t> file_;
  const std::string &name_;
};

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace

bool is_signed(std::span<const std::uint8_t> file) { return file.size() >= 4 && number_in(file.first(4)) == kImageMagic; }

SignedImage parse_signed(std::span<const std::uint8_t> file, const std::string &name) {
  const Reader reader(file, name);
  if (!is_signed(file)) {
    throw FileError(fmt::format("{}: not a signed image: it does not begin with the magic number 0x{:08x}; cox image-sign signs images",
                                name, kImageMagic));
  }
  static_cast<void>(reader.bytes(0, kHeaderSize, "header"));
  SignedImage result;
  result.header_bytes = reader.number(kAtHeaderSize, 2, "header");
  const std::size_t protected_bytes = reader.number(kAtProtectedSize, 2, "header");
  const std::size_t image_bytes = reader.number(kAtImageSize, 4, "header");
  const std::uint32_t flags = reader.number(kAtFlags, 4, "header");
  result.version.major = static_cast<std::uint8_t>(reader.number(kAtVersion, 1, "header"));
  result.version.minor = static_cast<std::uint8_t>(reader.number(kAtVersion + 1, 1, "header"));
  result.version.revision = static_cast<std::uint16_t>(reader.number(kAtVersion + 2, 2, "header"));
  result.version.build = reader.number(kAtVersion + 4, 4, "header");
  if (result.header_bytes < kHeaderSize) {
    throw FileError(fmt::format("{}: the header says that it has {} bytes, less than the {} of its fields: it was changed", name,
                                result.header_bytes, kHeaderSize));
  }
  if (flags != 0) {
    throw FileError(fmt::format("{}: the header has flags 0x{:x}; encrypted, compressed and RAM images are not supported", name, flags));
  }
  result.image = reader.bytes(result.header_bytes, image_bytes, "image");

  std::size_t at = result.header_bytes + image_bytes;
  if (protected_bytes != 0) {
    const std::size_t size =
        reader.walk(at, kProtectedInfoMagic, "protected TLVs", [&](unsigned type, std::span<const std::uint8_t> value) {
          if (type != kTypeSecurityCounter) return;
          if (value.size() != 4) throw FileError(fmt::format("{}: the security counter has {} bytes, not 4", name, value.size()));
          result.security_counter = number_in(value);
        });
    if (size != protected_bytes) {
      throw FileError(
          fmt::format("{}: the header says that the protected TLVs have {} bytes, but they say {}", name, protected_bytes, size));
    }
    at += size;
  }
  result.signed_bytes = file.first(at);
  at += reader.walk(at, kInfoMagic, "TLVs", [&](unsigned type, std::span<const std::uint8_t> value) {
    if (type == kTypeSha256) result.digest = value;
    if (type == kTypeKeyHash) result.key_hash = value;
    if (type == kTypeEcdsaSignature || type == kTypeEd25519) {
      result.signature = value;
      result.kind = type == kTypeEd25519 ? KeyKind::ed25519 : KeyKind::ecdsa_p256;
    }
  });

  // Padding is not signed, so it must not hold anything.
  std::span<const std::uint8_t> padding = file.subspan(at);
  result.padding = padding.size();
  if (padding.size() >= kBootMagic.size() && std::ranges::equal(padding.last(kBootMagic.size()), kBootMagic)) {
    result.trailer = true;
    padding = padding.first(padding.size() - kBootMagic.size());
  }
  const auto confirmed = [&result](std::uint8_t byte) { return byte == 0xFF || (result.trailer && byte == 1); };
  if (!std::ranges::all_of(padding, confirmed) || std::ranges::count(padding, 1) > 1) {
    throw FileError(fmt::format("{}: behind the TLVs, at byte {}, there are {} bytes that are neither erased flash nor MCUboot's trailer",
                                name, at, padding.size()));
  }
  return result;
}

void verify(const SignedImage &image, const std::string &name, const Key &key, const std::string &key_name,
            const Requirements &requirements) {
  const auto refuse = [&name](const std::string &what) { throw Failure(ExitCode::bad_task, name + ": " + what); };
  const Digest digest = sha256(image.signed_bytes);
  const Digest key_hash = sha256(key.public_der());
  if (image.digest.size() != digest.size()) refuse("the image has no SHA-256 TLV: it was changed, or signed by another tool");
  if (image.signature.empty())
    refuse("the image has no signature by Ed25519 or ECDSA on P-256: it is not signed, or its TLVs were changed");
  if (image.kind != key.kind()) {
    refuse(fmt::format("the image has a signature by {}, but {} is a key for {}", kKeyKindNames[static_cast<int>(image.kind)], key_name,
                       kKeyKindNames[static_cast<int>(key.kind())]));
  }
  const bool same_key = std::ranges::equal(image.key_hash, key_hash);
  const bool same_digest = std::ranges::equal(image.digest, digest);
  const bool is_signature = key.verifies(digest, image.signature);
  if (!same_digest) {
    Digest said;
    std::ranges::copy(image.digest, said.begin());
    if (is_signature) refuse("the SHA-256 TLV was changed: the signature fits the image, the TLV does not");
    refuse(fmt::format("the header, the image or the protected TLVs were changed{}: their SHA-256 is {}, the TLV says {}",
                       key.verifies(said, image.signature) ? " since they were signed" : "", hex(digest), hex(said)));
  }
  if (!is_signature) {
    if (!same_key) {
      refuse(fmt::format("the image was signed with another key than {}: the hash of that key is {}, of this one {}", key_name,
                         hex(image.key_hash), hex(key_hash)));
    }
    refuse(fmt::format("the signature is wrong, though the image names the key {}: the signature was changed or forged", key_name));
  }
  if (!same_key) refuse("the key hash TLV was changed: the signature fits the key, the TLV does not");
  if (requirements.least_version && image.version < *requirements.least_version) {
    refuse(fmt::format("rolled back: the image has version {}, and at least {} is asked for", image.version.text(),
                       requirements.least_version->text()));
  }
  if (requirements.least_counter) {
    if (!image.security_counter) {
      refuse(fmt::format("the image has no security counter, and at least {} is asked for; sign it with --security-counter",
                         *requirements.least_counter));
    }
    if (*image.security_counter < *requirements.least_counter) {
      refuse(fmt::format("rolled back: the image has security counter {}, and at least {} is asked for", *image.security_counter,
                         *requirements.least_counter));
    }
  }
}

}  // namespace cox::tools::flash
