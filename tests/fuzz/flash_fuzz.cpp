// SPDX-License-Identifier: MIT
// Reads any bytes as the file of a firmware image: as they are, and as a signed image whose header says the right sizes. Whatever is read
// must be described, and nothing may pass as signed by the test's key, whose private half the fuzzer does not have.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "tools/command/failure.h"
#include "tools/file/error.h"
#include "tools/flash/information.h"
#include "tools/flash/key.h"
#include "tools/flash/signed_image.h"

namespace {

namespace flash = cox::tools::flash;
constexpr std::size_t kHeaderBytes = 32, kTlvBytes = 4;

void try_file(std::span<const std::uint8_t> bytes, const flash::Key &key) {
  try {
    if (!flash::is_image(bytes, "fuzz")) return;
    if (flash::text_of(bytes, "fuzz").empty() || flash::json_of(bytes, "fuzz").dump().empty()) std::abort();
    if (!flash::is_signed(bytes)) return;
    flash::verify(flash::parse_signed(bytes, "fuzz"), "fuzz", key, "key", {});
    std::abort();
  } catch (const cox::tools::FileError &) {
  } catch (const cox::tools::Failure &) {
  }
}

/// Writes the header of a signed image around the bytes; the TLVs take the last quarter.
void make_signed(std::vector<std::uint8_t> &bytes) {
  if (bytes.size() < kHeaderBytes + kTlvBytes) return;
  const std::size_t tlvs = kTlvBytes + (bytes.size() - kHeaderBytes - kTlvBytes) / 4;
  const std::size_t image = bytes.size() - kHeaderBytes - tlvs;
  const auto put = [&bytes](std::size_t offset, std::size_t size, std::size_t value) {
    for (std::size_t i = 0; i < size; ++i) bytes[offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
  };
  put(0, 4, 0x96f3b83d);
  put(8, 2, kHeaderBytes);
  put(10, 2, 0);
  put(12, 4, image);
  put(16, 4, 0);
  put(kHeaderBytes + image, 2, 0x6907);
  put(kHeaderBytes + image + 2, 2, tlvs);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  static const flash::Key kKey = flash::Key::make(flash::KeyKind::ed25519);
  std::vector<std::uint8_t> bytes(data, data + size);
  try_file(bytes, kKey);
  make_signed(bytes);
  try_file(bytes, kKey);
  return 0;
}
