// SPDX-License-Identifier: MIT
// cox image-sign, image-verify and image-key: signed images for MCUboot (docs/flashing.md).
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "coxswain/base/version.h"
#include "tools/command/failure.h"
#include "tools/command/usage.h"
#include "tools/cox/commands.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/flash/contents.h"
#include "tools/flash/sign.h"
#include "tools/flash/signed_image.h"

namespace cox::tools {
namespace {

std::uint32_t number_of(const std::string &text, const char *option, std::uint32_t most) {
  std::size_t used = 0;
  unsigned long long value = 0;
  const bool digits = !text.empty() && text.find_first_not_of("0123456789abcdefABCDEFxX") == std::string::npos && text.size() <= 12;
  try {
    if (digits) value = std::stoull(text, &used, 0);
  } catch (const std::exception &) {
    used = 0;
  }
  if (!digits || used != text.size() || value > most) {
    throw Failure(ExitCode::usage, fmt::format("{}: '{}' is not a number from 0 to {}, such as 1024 or 0x400", option, text, most));
  }
  return static_cast<std::uint32_t>(value);
}

struct SignOptions {
  std::string image, output, key, version, counter, header, slot, write = "1";
  bool pad = false, confirm = false;
};

/// Returns how many bytes the image leaves free before its vectors, from --header-size or its version record.
std::uint16_t header_bytes(const SignOptions &options, const std::optional<flash::Record> &record) {
  constexpr std::uint32_t kMost = 0xFFFC;
  const std::uint16_t linked = record ? record->version.header : 0;
  const std::uint16_t asked =
      options.header.empty() ? linked : static_cast<std::uint16_t>(number_of(options.header, "--header-size", kMost));
  if (asked == 0) {
    throw Failure(
        ExitCode::bad_task,
        options.image + (record ? ": the image was linked without room for a header; link it with COX_IMAGE_HEADER=0x400"
                                : ": the image has no version record; say with --header-size how much room it leaves before its vectors"));
  }
  if (record && asked != linked) {
    throw Failure(ExitCode::bad_task,
                  fmt::format("{}: the image was linked for a header of {} bytes, not {}; link it with COX_IMAGE_HEADER={}", options.image,
                              linked, asked, asked));
  }
  if (asked < 32 || asked % 4 != 0) {
    throw Failure(ExitCode::usage, fmt::format("--header-size: {} bytes, but a header has at least 32 and a multiple of 4", asked));
  }
  return asked;
}

void sign_image(const SignOptions &options) {
  const flash::Contents contents = flash::read_contents(read_file(options.image), options.image);
  if (flash::is_signed(contents.bytes)) throw Failure(ExitCode::bad_task, options.image + ": the image is signed already");
  const std::optional<flash::Record> record = flash::find_record(contents.bytes, options.image);
  flash::SignRequest request;
  request.header_bytes = header_bytes(options, record);
  if (!options.version.empty()) {
    request.version = flash::SignedVersion::parse(options.version, "--version");
  } else if (record) {
    const cox_image_version &version = record->version;
    request.version = flash::SignedVersion::parse(fmt::format("{}.{}.{}", version.major, version.minor, version.patch), "--version");
  } else {
    throw Failure(ExitCode::usage, options.image + ": the image has no version record; give its version with --version");
  }
  if (options.counter == "auto") {
    request.security_counter =
        std::uint32_t{request.version.major} << 24 | std::uint32_t{request.version.minor} << 16 | request.version.revision;
  } else if (!options.counter.empty()) {
    request.security_counter = number_of(options.counter, "--security-counter", 0xFFFFFFFF);
  }
  if (!options.slot.empty()) request.slot_bytes = number_of(options.slot, "--slot-size", 0x10000000);
  request.pad = options.pad || options.confirm;
  request.confirm = options.confirm;
  request.write_bytes = number_of(options.write, "--align", 32);
  if (request.pad && request.slot_bytes == 0)
    throw Failure(ExitCode::usage, "--pad: the size of the slot is missing; give it with --slot-size");
  if (request.write_bytes == 0 || (request.write_bytes & (request.write_bytes - 1)) != 0) {
    throw Failure(ExitCode::usage, fmt::format("--align: {} is not 1, 2, 4, 8, 16 or 32", request.write_bytes));
  }
  const std::vector<std::uint8_t> file = flash::sign(contents.bytes, flash::Key::read_private(options.key), request);
  if (!options.output.ends_with(".hex")) return write_file(options.output, file);
  if (!contents.address || *contents.address < request.header_bytes) {
    throw Failure(ExitCode::bad_task,
                  options.image + ": the file does not say at which address the image lies; write a .bin, or sign the .elf or .hex");
  }
  write_file(options.output, flash::hex_text(*contents.address - request.header_bytes, file));
}

struct VerifyOptions {
  std::string image, key, version, counter;
};

void verify_image(const VerifyOptions &options) {
  const std::vector<std::uint8_t> bytes = flash::read_contents(read_file(options.image), options.image).bytes;
  const flash::Key key = flash::Key::read_public(options.key);
  flash::Requirements requirements;
  if (!options.version.empty()) requirements.least_version = flash::SignedVersion::parse(options.version, "--at-least");
  if (!options.counter.empty()) requirements.least_counter = number_of(options.counter, "--counter-at-least", 0xFFFFFFFF);
  const flash::SignedImage image = flash::parse_signed(bytes, options.image);
  flash::verify(image, options.image, key, options.key, requirements);
  write_file("-", fmt::format("{}: version {}, security counter {}: signed by {}\n", options.image, image.version.text(),
                              image.security_counter ? std::to_string(*image.security_counter) : "none", options.key));
}

void make_key(const std::string &path, const std::string &type) {
  const std::string name = path.ends_with(".pem") ? path.substr(0, path.size() - 4) : path;
  const std::string public_path = name + ".pub.pem";
  for (const std::string &file : {path, public_path}) {
    if (std::filesystem::exists(file)) throw OutputError(file + ": the file exists; a key is never overwritten");
  }
  const flash::Key key = flash::Key::make(type == flash::kKeyKindNames[0] ? flash::KeyKind::ed25519 : flash::KeyKind::ecdsa_p256);
  write_file(path, key.private_pem());
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  write_file(public_path, key.public_pem());
}

}  // namespace

void add_images(CLI::App &app) {
  const auto signing = std::make_shared<SignOptions>();
  CLI::App *sign = app.add_subcommand("image-sign", "Sign a firmware image for MCUboot");
  sign->add_option("IMAGE", signing->image, "Image that was linked with COX_IMAGE_HEADER: .elf, .hex or .bin")
      ->required()
      ->type_name("FILE");
  sign->add_option("-o,--output", signing->output, "Signed image: .bin or .hex")->required()->type_name("FILE");
  sign->add_option("--key", signing->key, "Private key, PEM")->required()->type_name("FILE.pem");
  sign->add_option("--version", signing->version, "Version for the header (default: of the version record)")->type_name("1.2.3+4");
  sign->add_option("--security-counter", signing->counter, "Counter against rollback: a number, or auto to make it of the version")
      ->type_name("N");
  sign->add_option("--header-size", signing->header, "Bytes before the vectors (default: as the image was linked)")->type_name("BYTES");
  sign->add_option("--slot-size", signing->slot, "Refuse an image that does not fit the slot with MCUboot's trailer")->type_name("BYTES");
  sign->add_flag("--pad", signing->pad, "Fill the slot, with the trailer that makes MCUboot swap to the image");
  sign->add_flag("--confirm", signing->confirm, "As --pad, and the image need not confirm itself");
  sign->add_option("--align", signing->write, "Least bytes that the flash writes at a time")->type_name("BYTES");
  sign->footer("Example:\n  cox image-sign coxswain.elf --key key.pem --security-counter auto -o coxswain.signed.bin");
  sign->callback([signing] { sign_image(*signing); });

  const auto verification = std::make_shared<VerifyOptions>();
  CLI::App *check = app.add_subcommand("image-verify", "Check the signature of a firmware image for MCUboot");
  check->add_option("IMAGE", verification->image, "Signed image: .bin or .hex")->required()->type_name("FILE");
  check->add_option("--key", verification->key, "Public key, or the private one, PEM")->required()->type_name("FILE.pem");
  check->add_option("--at-least", verification->version, "Refuse an older version")->type_name("1.2.3+4");
  check->add_option("--counter-at-least", verification->counter, "Refuse a smaller security counter, or none")->type_name("N");
  check->footer("Example:\n  cox image-verify coxswain.signed.bin --key key.pub.pem --at-least 0.1.0");
  check->callback([verification] { verify_image(*verification); });

  struct KeyOptions {
    std::string path, type = flash::kKeyKindNames[0];
  };
  const auto key = std::make_shared<KeyOptions>();
  CLI::App *make = app.add_subcommand("image-key", "Make a key for signed firmware images");
  make->add_option("KEY", key->path, "File for the private key; the public one is beside it: KEY.pub.pem")
      ->required()
      ->type_name("KEY.pem");
  make->add_option("--type", key->type, "Kind of the key")
      ->check(one_of({std::begin(flash::kKeyKindNames), std::end(flash::kKeyKindNames)}))
      ->capture_default_str();
  make->footer("Example:\n  cox image-key key.pem");
  make->callback([key] { make_key(key->path, key->type); });
}

}  // namespace cox::tools
