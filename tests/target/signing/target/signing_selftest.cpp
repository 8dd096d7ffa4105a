// SPDX-License-Identifier: MIT
// Verifies a signed image of 1 MiB on the control core, and counts instructions: of a byte, of the signature alone, and of the longest
// step.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>

#include "coxswain/firmware/image/signed_header.h"
#include "coxswain/firmware/signature/built_in_keys.h"
#include "coxswain/firmware/signature/verification.h"
#include "coxswain/hal/board.h"
#include "tests/target/selftest/selftest.h"

namespace {

namespace board = cox::board;
namespace image = cox::firmware::image;
namespace signature = cox::firmware::signature;
using cox::ErrorCode;
using cox::Status;
using selftest::verdict;

constexpr std::size_t kPayload = 1U << 20;
constexpr std::size_t kImage = sizeof(image::SignedHeader) + kPayload + image::kSignatureBytes;

// tests/target/signing/test.pem made it with OpenSSL.
constexpr std::array<std::uint8_t, image::kSignatureBytes> kSignature = {
    0x2B, 0xDD, 0x17, 0xA6, 0x1F, 0xAD, 0x78, 0x1C, 0xA0, 0x1C, 0x64, 0x30, 0xF2, 0xEB, 0xB1, 0x3D, 0x73, 0x9B, 0x43, 0x94, 0xDE, 0x57,
    0x6C, 0xDD, 0x84, 0x68, 0x52, 0x29, 0x1E, 0xD6, 0x4E, 0xD8, 0x0B, 0x19, 0x80, 0x82, 0xCA, 0x90, 0xBD, 0xE3, 0xFC, 0xA0, 0xE7, 0xFB,
    0x29, 0xF9, 0xE1, 0x26, 0x14, 0xFA, 0x9C, 0x63, 0x9A, 0xD1, 0x79, 0xFB, 0xAE, 0x88, 0x5F, 0x9E, 0x5C, 0xD8, 0x0E, 0xD6};

std::span<std::byte> make_image() {
  const std::span bytes(reinterpret_cast<std::byte *>(board::dram_base()), kImage);
  const image::SignedHeader header = {.magic = image::kSignedMagic,
                                      .layout = image::kSignedLayout,
                                      .algorithm = image::kEcdsaP256Sha256,
                                      .version = 1,
                                      .payload_bytes = kPayload,
                                      .reserved = {},
                                      .key_id = signature::key_id(signature::built_in_keys[0])};
  std::memcpy(bytes.data(), &header, sizeof(header));
  for (std::uint32_t i = 0; i < kPayload; ++i) bytes[sizeof(header) + i] = static_cast<std::byte>(i * 2654435761U >> 24);
  std::memcpy(&bytes[sizeof(header) + kPayload], kSignature.data(), kSignature.size());
  return bytes;
}

struct Count {
  Status status;
  std::uint64_t all = 0, longest = 0;  ///< instructions
};

signature::Verification verification;

Count verify(std::span<const std::byte> bytes, std::span<std::byte> copy = {}) {
  Count count;
  const auto measure = [&](auto work) {
    const std::uint64_t before = board::executed_instructions();
    count.status = work();
    const std::uint64_t instructions = board::executed_instructions() - before;
    count.all += instructions;
    count.longest = std::max(count.longest, instructions);
  };
  measure([&] { return verification.begin(bytes, copy, {signature::built_in_keys, signature::built_in_key_count}); });
  while (count.status.ok() && !verification.done()) {
    measure([&] {
      cox::firmware::load::Budget budget;
      return verification.step(budget);
    });
  }
  return count;
}

/// Newlib-nano prints no floating-point numbers.
void print_per_byte(const char *name, std::uint64_t instructions) {
  const auto hundredths = static_cast<unsigned>((instructions * 100 + kPayload / 2) / kPayload);
  std::printf("signing.%s %u.%02u\n", name, hundredths / 100, hundredths % 100);
}

void print(const char *name, std::uint64_t value) { std::printf("signing.%s %lu\n", name, static_cast<unsigned long>(value)); }

}  // namespace

int main() {
  const std::span<std::byte> bytes = make_image();
  const std::span copy(bytes.data() + 2 * kImage, kImage);
  const Count whole = verify(bytes);
  verdict("1 MiB", whole.status.ok());
  const Count copied = verify(bytes, copy);
  verdict("a copy of it",
          copied.status.ok() && std::ranges::equal(copy.first(kImage - kSignature.size()), bytes.first(kImage - kSignature.size())));
  bytes[kImage / 2] ^= std::byte{1};
  verdict("a flipped bit", verify(bytes).status.code() == ErrorCode::bad_signature);

  // Without a payload, nearly all instructions are those of the curve.
  auto &header = *reinterpret_cast<image::SignedHeader *>(bytes.data());
  header.payload_bytes = 0;
  const Count none = verify(bytes.first(sizeof(header) + kSignature.size()));
  verdict("another payload", none.status.code() == ErrorCode::bad_signature);

  print_per_byte("instructions_per_byte", whole.all);
  print_per_byte("copied.instructions_per_byte", copied.all);
  print("curve_instructions", none.all);
  print("longest_step_instructions", std::max(whole.longest, copied.longest));
  return selftest::failed ? 1 : 0;
}
