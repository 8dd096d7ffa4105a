// SPDX-License-Identifier: MIT
// cox keygen, sign and verify: signed images (docs/signing.md).
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "coxswain/firmware/signature/policy.h"
#include "tools/command/failure.h"
#include "tools/command/format_option.h"
#include "tools/cox/commands.h"
#include "tools/cox/run_arguments.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/image/container.h"
#include "tools/image/signed_file.h"
#include "tools/registry/file_kind.h"
#include "tools/registry/registry.h"
#include "tools/sign/keys.h"
#include "tools/sign/signed_image.h"

namespace cox::tools {
namespace {

std::vector<cox_public_key> read_keys(const std::vector<std::string> &files) {
  std::vector<cox_public_key> keys;
  for (const std::string &file : files) keys.push_back(sign::public_key(sign::read_public_key(file)));
  return keys;
}

void make_keys(const std::string &file) {
  const std::string open = (file.ends_with(".pem") ? file.substr(0, file.size() - 4) : file) + ".pub.pem";
  struct stat there {};
  for (const std::string &path : {file, open}) {
    if (stat(path.c_str(), &there) == 0)
      throw OutputError(path + ": is there already, and an image that is signed with a lost key cannot be replaced; name another file");
    check_writable(path);
  }
  const sign::PrivateKey key = sign::PrivateKey::generate();
  const mode_t before = umask(S_IRWXG | S_IRWXO);  // only the owner reads the private key
  write_file(file, key.pem());
  umask(before);
  write_file(open, sign::public_pem(key.point()));
}

void sign_file(const std::string &file, const std::string &key, std::uint32_t version, const std::string &output) {
  const std::vector<std::uint8_t> payload = read_file(file);
  if (is_signed_file(payload)) throw FileError(file + ": is signed already; sign the task image that it was made of");
  if (!is_image(payload)) {
    const std::optional<FileKind> kind = identify(program_formats(), payload);
    throw FileError(file + ": is " + (kind ? kind->what : "no task image") + "; cox as makes a task image, which has the ending " +
                    kImageEnding);
  }
  write_file(output, sign::sign_image(payload, sign::PrivateKey::read(key), version));
}

/// Prints the header of a signed image. Throws Failure if the image is refused.
void verify_file(const std::string &file, const std::vector<std::string> &key_files, std::uint32_t minimum) {
  const std::vector<std::uint8_t> bytes = read_file(file);
  if (!is_signed_file(bytes)) throw FileError(file + ": is no signed image; cox sign makes one", ErrorCode::image_unsigned);
  const SignedParts parts = signed_parts(bytes, file);
  write_file("-", "key:     " + key_text(parts.header.key_id) + "\nversion: " + std::to_string(parts.header.version) +
                      "\npayload: " + std::to_string(parts.header.payload_bytes) + " bytes\n");
  const Status status = sign::verify_image(bytes, read_keys(key_files));
  if (status.code() == ErrorCode::unknown_key)
    throw Failure(ExitCode::bad_task, file + ": unknown_key: none of the keys is the one that the image is signed with");
  if (!status.ok()) throw Failure(ExitCode::bad_task, file + ": " + signature_complaint(status).value_or(error_name(status.code())));
  if (parts.header.version < minimum) {
    throw Failure(ExitCode::bad_task, file + ": rolled_back: it has version " + std::to_string(parts.header.version) +
                                          ", and --minimum is " + std::to_string(minimum));
  }
  write_file("-", "The signature is right.\n");
}

void add_keygen(CLI::App &app) {
  const auto file = std::make_shared<std::string>();
  CLI::App *command = app.add_subcommand("keygen", "Make a pair of keys for signed images");
  command->add_option("-o,--output", *file, "Private key; the public key goes beside it, to KEY.pub.pem")->required()->type_name("KEY.pem");
  command->footer("Example:\n  cox keygen -o release.pem\n      release.pem stays secret, release.pub.pem goes to firmware and users");
  command->callback([file] { make_keys(*file); });
}

void add_sign(CLI::App &app) {
  struct Options {
    std::string file, key, output;
    std::uint32_t version = 0;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("sign", "Sign a task image");
  command->add_option("FILE", options->file, "Task image")->required()->type_name("FILE.cxt");
  command->add_option("--key", options->key, "Private key of the curve P-256: PKCS#8 or SEC 1, without a password")
      ->required()
      ->type_name("KEY.pem");
  command
      ->add_option("--version", options->version, "Number of the release, which never decreases; firmware refuses lower ones than it knows")
      ->required()
      ->type_name("N");
  command->add_option("-o,--output", options->output, "Signed image")->required()->type_name("FILE.signed");
  command->footer("Example:\n  cox sign digits.cxt --key release.pem --version 3 -o digits.signed");
  command->callback([options] { sign_file(options->file, options->key, options->version, options->output); });
}

void add_verify(CLI::App &app) {
  struct Options {
    std::string file;
    std::vector<std::string> keys;
    std::uint32_t minimum = 0;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("verify", "Verify a signed image, and say what its header has");
  command->add_option("FILE", options->file, "Signed image")->required()->type_name("FILE.signed");
  command->add_option("--key", options->keys, "Public key; give the option once for each")
      ->required()
      ->type_name("KEY.pub.pem")
      ->allow_extra_args(false);
  command->add_option("--minimum", options->minimum, "Lowest version to accept")->type_name("N")->capture_default_str();
  command->footer("Example:\n  cox verify digits.signed --key release.pub.pem --minimum 3");
  command->callback([options] { verify_file(options->file, options->keys, options->minimum); });
}

}  // namespace

void add_signing(CLI::App &app) {
  add_keygen(app);
  add_sign(app);
  add_verify(app);
}

std::function<void()> policy_of(const std::vector<std::string> &keys) {
  if (keys.empty()) return {};
  const auto table = std::make_shared<std::vector<cox_public_key>>(read_keys(keys));
  if (table->size() > COX_MOST_SIGNING_KEYS)
    throw Failure(ExitCode::usage,
                  "--keys: " + std::to_string(table->size()) + " keys; a firmware has at most " + std::to_string(COX_MOST_SIGNING_KEYS));
  return [table] {
    cox_signing_policy policy{};
    policy.keys = table->data();
    policy.key_count = table->size();
    static_cast<void>(firmware::signature::set_policy(policy));  // read_public_key() has checked the points
  };
}

}  // namespace cox::tools
