// SPDX-License-Identifier: MIT
// Reads any bytes as a signed image, once as they are and once with a valid header. The policy demands signatures, and the fuzzer has no
// private key. So no image may load, and no error may come from the parser of images.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/image/signed_header.h"
#include "coxswain/firmware/signature/policy.h"
#include "coxswain/firmware/signature/verification.h"
#include "tests/fuzz/seal.h"
#include "tools/file/error.h"
#include "tools/image/signed_file.h"

namespace {

namespace image = cox::firmware::image;
using cox::ErrorCode;

/// The generator of the curve: a point of the curve that is known.
constexpr cox_public_key kKey = {
    {0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2, 0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB,
     0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96, 0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A,
     0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5},
    0};

/// True if the error is one of a signature or of its header.
bool is_of_signature(const cox::Status &status) {
  const std::string_view what = status.what();
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) { return std::ranges::find(names, what) != names.end(); };
  switch (status.code()) {
    case ErrorCode::image_unsigned:
    case ErrorCode::unknown_key:
    case ErrorCode::bad_signature: return true;
    case ErrorCode::image_truncated: return is_one_of({"header", "payload_bytes", "signature"});
    case ErrorCode::image_version: return is_one_of({"layout", "algorithm"});
    case ErrorCode::image_malformed: return is_one_of({"reserved", "payload_bytes"});
    default: return false;
  }
}

/// The policy masks the interrupts of a board.
std::unique_ptr<cox::board::NativeBoard> make_board() {
  std::string error;
  auto board = cox::board::NativeBoard::create({}, error);
  if (!board) std::abort();
  return board;
}

void try_image(std::span<const std::byte> bytes) {
  alignas(8) static std::byte workspace[64];
  if (!is_of_signature(image::load(bytes, image::reference_geometry(), workspace).status())) std::abort();
  if (!is_of_signature(image::workspace_bytes(bytes).status())) std::abort();
  try {
    static_cast<void>(cox::tools::signed_parts({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()}, "fuzz"));
  } catch (const cox::tools::FileError &) {
  }
}

/// Writes a header that fits the size of the image. Its version stays.
void make_header(std::span<std::byte> bytes) {
  image::SignedHeader header{};
  if (bytes.size() < sizeof(header) + image::kSignatureBytes) return;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.magic = image::kSignedMagic;
  header.layout = image::kSignedLayout;
  header.algorithm = image::kEcdsaP256Sha256;
  header.payload_bytes = static_cast<std::uint32_t>(bytes.size() - sizeof(header) - image::kSignatureBytes);
  std::ranges::fill(header.reserved, 0);
  header.key_id = cox::firmware::signature::key_id(kKey);
  std::memcpy(bytes.data(), &header, sizeof(header));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  static const auto kBoard = make_board();
  cox_signing_policy policy{};
  policy.keys = &kKey;
  policy.key_count = 1;
  if (!cox::firmware::signature::set_policy(policy).ok()) std::abort();
  const cox::fuzz::Image bytes(data, size);
  try_image(bytes.bytes());
  make_header(bytes.bytes());
  try_image(bytes.bytes());
  return 0;
}
