// SPDX-License-Identifier: MIT
// What the loader does with signed images: policies, every kind of damage, and versions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/image/signed_header.h"
#include "coxswain/firmware/load/load.h"
#include "coxswain/firmware/signature/verification.h"
#include "tests/firmware/fake_device.h"
#include "tests/firmware/signature/signed_images.h"
#include "tools/sign/signed_image.h"

namespace cox::tests {
namespace {

using firmware::image::SignedHeader;

constexpr std::size_t kSignature = firmware::image::kSignatureBytes;

Status load(std::span<const std::byte> image) {
  alignas(8) static std::byte workspace[65536];
  const Result<firmware::image::LoadedTask> task = firmware::image::load(image, firmware::image::reference_geometry(), workspace);
  return task.ok() ? Status() : task.status();
}

struct Refused {
  ErrorCode code;
  std::string what;
  bool operator==(const Refused &) const = default;
};
std::ostream &operator<<(std::ostream &out, const Refused &refused) { return out << error_name(refused.code) << " " << refused.what; }
Refused refused(const Status &status) { return {status.code(), status.what()}; }

class SignedLoad : public testing::Test {
 protected:
  void SetUp() override { policy_.set(); }

  FakeDevice device_;
  SignaturePolicy policy_;
};

TEST_F(SignedLoad, AGoodImageLoads) {
  SignedImage image = sign(copy_task());
  EXPECT_TRUE(load(image.bytes()).ok());
  const Result<std::size_t> bytes = firmware::image::workspace_bytes(image.bytes());
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(bytes.value(), firmware::image::workspace_bytes(7));
  EXPECT_EQ(firmware::image::instruction_count(image.bytes()).value(), 7U);
}

TEST_F(SignedLoad, AnotherKeyIsUnknown) {
  SignedImage image = sign(copy_task(), 5, second_key());
  EXPECT_EQ(refused(load(image.bytes())), (Refused{ErrorCode::unknown_key, "key_id"}));
  // A known key's identifier does not help.
  const firmware::image::KeyId id = firmware::signature::key_id(policy_.keys[0]);
  std::memcpy(&image.bytes()[offsetof(SignedHeader, key_id)], id.data(), id.size());
  EXPECT_EQ(refused(load(image.bytes())), (Refused{ErrorCode::bad_signature, "signature"}));
}

TEST_F(SignedLoad, EachOfSeveralKeysIsKnown) {
  policy_.keys.push_back(tools::sign::public_key(second_key().point()));
  policy_.set();
  EXPECT_TRUE(load(sign(copy_task(), 5, first_key()).bytes()).ok());
  EXPECT_TRUE(load(sign(copy_task(), 5, second_key()).bytes()).ok());
}

TEST_F(SignedLoad, WithoutKeysNothingLoads) {
  policy_.keys.clear();
  policy_.set();
  EXPECT_EQ(refused(load(sign(copy_task()).bytes())), (Refused{ErrorCode::unknown_key, "key_id"}));
  EXPECT_EQ(refused(load(Image(copy_task()).bytes())), (Refused{ErrorCode::image_unsigned, "signature"}));
}

TEST_F(SignedLoad, AnUnsignedImageNeedsThePolicysLeave) {
  EXPECT_EQ(refused(load(Image(copy_task()).bytes())), (Refused{ErrorCode::image_unsigned, "signature"}));
  EXPECT_EQ(firmware::image::workspace_bytes(Image(copy_task()).bytes()).status().code(), ErrorCode::image_unsigned);
  policy_.policy.allow_unsigned = true;
  policy_.set();
  EXPECT_TRUE(load(Image(copy_task()).bytes()).ok());
  EXPECT_TRUE(load(sign(copy_task()).bytes()).ok());
  SignedImage image = sign(copy_task());
  image.bytes().back() ^= std::byte{1};
  EXPECT_EQ(refused(load(image.bytes())), (Refused{ErrorCode::bad_signature, "signature"}));
}

TEST_F(SignedLoad, WithoutAPolicySignedImagesAreRefused) {
  firmware::load::set_signature_check(nullptr);
  EXPECT_EQ(refused(load(sign(copy_task()).bytes())), (Refused{ErrorCode::unsupported, "signed images"}));
  EXPECT_TRUE(load(Image(copy_task()).bytes()).ok());
}

// Every bit of header and signature, and bits of the payload.
TEST_F(SignedLoad, AFlippedBitIsRefused) {
  SignedImage image = sign(copy_task());
  const std::span<std::byte> bytes = image.bytes();
  const std::map<std::size_t, Refused> words = {
      {0, {ErrorCode::image_unsigned, "signature"}},  {4, {ErrorCode::image_version, "layout"}},
      {8, {ErrorCode::image_version, "algorithm"}},   {12, {ErrorCode::bad_signature, "signature"}},
      {20, {ErrorCode::image_malformed, "reserved"}}, {24, {ErrorCode::image_malformed, "reserved"}},
      {28, {ErrorCode::image_malformed, "reserved"}}};
  std::mt19937 random(17);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const bool in_payload = at >= sizeof(SignedHeader) && at < bytes.size() - kSignature;
    if (in_payload && random() % 16 != 0) continue;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((in_payload || at >= bytes.size() - kSignature) && bit != at % 8) continue;  // each takes a verification of the curve
      bytes[at] ^= std::byte(1U << bit);
      const Refused found = refused(load(bytes));
      bytes[at] ^= std::byte(1U << bit);
      if (at / 4 == offsetof(SignedHeader, payload_bytes) / 4) {
        EXPECT_TRUE(found.code == ErrorCode::image_truncated || found.code == ErrorCode::image_malformed) << at << " " << found;
      } else if (at >= sizeof(SignedHeader)) {
        EXPECT_EQ(found, (Refused{ErrorCode::bad_signature, "signature"})) << at;
      } else if (at >= offsetof(SignedHeader, key_id)) {
        EXPECT_EQ(found, (Refused{ErrorCode::unknown_key, "key_id"})) << at;
      } else {
        EXPECT_EQ(found, words.at(at / 4 * 4)) << at;
      }
    }
  }
  EXPECT_TRUE(load(bytes).ok());
}

TEST_F(SignedLoad, EachBitOfTheSignatureCounts) {
  SignedImage image = sign(copy_task());
  const std::span<std::byte> signature = image.bytes().last(kSignature);
  for (unsigned bit = 0; bit < 8 * kSignature; bit += 3) {
    signature[bit / 8] ^= std::byte(1U << bit % 8);
    EXPECT_EQ(load(image.bytes()).code(), ErrorCode::bad_signature) << bit;
    signature[bit / 8] ^= std::byte(1U << bit % 8);
  }
}

TEST_F(SignedLoad, ATruncatedImageIsRefusedAtEachLength) {
  SignedImage image = sign(copy_task());
  const std::span<std::byte> bytes = image.bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Refused found = refused(load(bytes.first(size)));
    if (size < sizeof(firmware::image::kSignedMagic)) {
      EXPECT_EQ(found, (Refused{ErrorCode::image_unsigned, "signature"})) << size;
    } else if (size < sizeof(SignedHeader)) {
      EXPECT_EQ(found, (Refused{ErrorCode::image_truncated, "header"})) << size;
    } else if (size < bytes.size() - kSignature) {
      EXPECT_EQ(found, (Refused{ErrorCode::image_truncated, "payload_bytes"})) << size;
    } else {
      EXPECT_EQ(found, (Refused{ErrorCode::image_truncated, "signature"})) << size;
    }
  }
}

TEST_F(SignedLoad, BytesBehindTheSignatureAreRefused) {
  std::vector<std::uint8_t> bytes(sign(copy_task()).bytes().size() + 1);
  std::memcpy(bytes.data(), sign(copy_task()).bytes().data(), bytes.size() - 1);
  EXPECT_EQ(refused(load(SignedImage(bytes).bytes())), (Refused{ErrorCode::image_malformed, "payload_bytes"}));
}

// A payload that the parser would refuse, with a signature that is wrong: the parser does not see it.
TEST_F(SignedLoad, NothingIsParsedBeforeItIsVerified) {
  std::mt19937 random(3);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{5000}}) {
    std::vector<std::byte> payload(size);
    for (std::byte &byte : payload) byte = static_cast<std::byte>(random());
    SignedImage image = sign(payload);
    const ErrorCode parsed = load(image.bytes()).code();
    EXPECT_TRUE(parsed == ErrorCode::image_truncated || parsed == ErrorCode::image_magic) << error_name(parsed);
    image.bytes()[image.bytes().size() - 1] ^= std::byte{1};
    EXPECT_EQ(load(image.bytes()).code(), ErrorCode::bad_signature) << size;
    EXPECT_EQ(firmware::image::workspace_bytes(image.bytes()).status().code(), ErrorCode::bad_signature) << size;
    EXPECT_EQ(firmware::image::instruction_count(image.bytes()).status().code(), ErrorCode::bad_signature) << size;
  }
}

TEST_F(SignedLoad, ASignedImageInASignedImageIsNoTask) {
  SignedImage inner = sign(copy_task());
  EXPECT_EQ(load(sign(inner.bytes()).bytes()).code(), ErrorCode::image_magic);
}

TEST_F(SignedLoad, TheMinimumRisesWithTheVersionsThatLoad) {
  EXPECT_EQ(load(sign(copy_task(), 2).bytes()).code(), ErrorCode::rolled_back);
  EXPECT_TRUE(load(sign(copy_task(), 3).bytes()).ok());
  EXPECT_TRUE(load(sign(copy_task(), 7).bytes()).ok());
  const Status status = load(sign(copy_task(), 6).bytes());
  EXPECT_EQ(refused(status), (Refused{ErrorCode::rolled_back, "version"}));
  EXPECT_EQ(status.index(), 0);
  EXPECT_EQ(status.value(), 6);
  EXPECT_EQ(status.limit(), 7);
  EXPECT_TRUE(load(sign(copy_task(), 7).bytes()).ok());
  EXPECT_TRUE(load(sign(copy_task(), 0xFFFFFFFF).bytes()).ok());
  EXPECT_EQ(load(sign(copy_task(), 0xFFFFFFFE).bytes()).code(), ErrorCode::rolled_back);
}

// The version of an image is only believed if its signature is right.
TEST_F(SignedLoad, AForgedVersionDoesNotRaiseTheMinimum) {
  SignedImage image = sign(copy_task(), 4);
  image.bytes()[offsetof(SignedHeader, version)] = std::byte{200};
  EXPECT_EQ(load(image.bytes()).code(), ErrorCode::bad_signature);
  image.bytes()[offsetof(SignedHeader, version)] = std::byte{1};
  EXPECT_EQ(load(image.bytes()).code(), ErrorCode::bad_signature);  // not rolled_back
  EXPECT_TRUE(load(sign(copy_task(), 4).bytes()).ok());
}

TEST_F(SignedLoad, AnImageThatIsRefusedLaterDoesNotRaiseTheMinimum) {
  TaskText text = copy_task();
  text.tile_cores = 5;
  EXPECT_EQ(load(sign(text, 9).bytes()).code(), ErrorCode::image_geometry);
  EXPECT_EQ(firmware::image::workspace_bytes(sign(copy_task(), 9).bytes()).status().code(), ErrorCode::ok);
  EXPECT_TRUE(load(sign(copy_task(), 3).bytes()).ok());
}

TEST_F(SignedLoad, EachKeyHasItsOwnMinimum) {
  policy_.keys.push_back(tools::sign::public_key(second_key().point()));
  policy_.set();
  EXPECT_TRUE(load(sign(copy_task(), 9).bytes()).ok());
  EXPECT_TRUE(load(sign(copy_task(), 0, second_key()).bytes()).ok());
  EXPECT_EQ(load(sign(copy_task(), 8).bytes()).index(), 0);
}

struct Counter {
  std::map<std::size_t, std::uint32_t> minimum;
  bool works = true;
  unsigned raised = 0;
};

TEST_F(SignedLoad, TheApplicationsCounterDecides) {
  Counter counter{.minimum = {{0, 10}}};
  policy_.policy.context = &counter;
  policy_.policy.read_minimum = [](void *context, std::size_t key) { return static_cast<Counter *>(context)->minimum[key]; };
  policy_.policy.raise_minimum = [](void *context, std::size_t key, std::uint32_t version) {
    auto &to = *static_cast<Counter *>(context);
    ++to.raised;
    if (to.works) to.minimum[key] = version;
    return to.works;
  };
  policy_.set();
  EXPECT_EQ(load(sign(copy_task(), 9).bytes()).limit(), 10);
  EXPECT_TRUE(load(sign(copy_task(), 10).bytes()).ok());
  EXPECT_EQ(counter.raised, 0U);
  EXPECT_TRUE(load(sign(copy_task(), 12).bytes()).ok());
  EXPECT_EQ(counter.raised, 1U);
  EXPECT_EQ(counter.minimum[0], 12U);
  counter.works = false;
  const Status status = load(sign(copy_task(), 13).bytes());
  EXPECT_EQ(refused(status), (Refused{ErrorCode::rolled_back, "minimum_version"}));
  EXPECT_EQ(status.value(), 13);
}

// A check that another thread has not finished.
TEST_F(SignedLoad, OnlyOneImageIsVerifiedAtATime) {
  SignedImage image = sign(copy_task());
  alignas(8) static std::byte workspace[65536];
  firmware::load::Load first;
  first.begin(image.bytes(), firmware::image::reference_geometry(), workspace);
  EXPECT_TRUE(first.step(1));
  EXPECT_EQ(refused(load(image.bytes())), (Refused{ErrorCode::not_ready, "signature check"}));
  while (first.step()) {
  }
  EXPECT_TRUE(first.status().ok());
  EXPECT_TRUE(load(image.bytes()).ok());
  first.begin(image.bytes(), firmware::image::reference_geometry(), workspace);
  first.abandon();
  EXPECT_TRUE(load(image.bytes()).ok());
}

// Hashing 1 MiB and verifying the signature take many steps, and none does much more than it was given.
TEST_F(SignedLoad, LongImagesTakeManySteps) {
  std::vector<std::byte> payload(1U << 20);
  SignedImage image = sign(payload);
  firmware::load::Load steps;
  steps.begin(image.bytes(), firmware::image::reference_geometry(), {});
  unsigned count = 0;
  while (steps.step()) ++count;
  EXPECT_EQ(steps.status().code(), ErrorCode::image_magic);
  EXPECT_GT(count, 200U);
  EXPECT_LT(count, 1000U);
}

TEST_F(SignedLoad, AWrongPolicyIsRefused) {
  const auto refusal = [&](auto change) {
    cox_signing_policy wrong = policy_.policy;
    change(wrong);
    const cox_status status = cox_set_signing_policy(&wrong);
    EXPECT_TRUE(load(sign(copy_task()).bytes()).ok()) << "the policy before is still there";
    return std::string(cox_error_name(status.error)) + " " + status.what;
  };
  EXPECT_EQ(refusal([](auto &wrong) { wrong.key_count = 9; }), "invalid_argument key_count");
  EXPECT_EQ(refusal([](auto &wrong) { wrong.keys = nullptr; }), "invalid_argument keys");
  EXPECT_EQ(refusal([](auto &wrong) { wrong.read_minimum = [](void *, std::size_t) { return 0U; }; }), "invalid_argument raise_minimum");
  EXPECT_EQ(refusal([](auto &wrong) { wrong.protected_bytes = 64; }), "invalid_argument protected_bytes");
  alignas(64) static std::byte memory[128];
  EXPECT_EQ(refusal([](auto &wrong) {
              wrong.protected_memory = &memory[1];
              wrong.protected_bytes = 64;
            }),
            "invalid_argument protected_memory");
  std::vector<cox_public_key> keys(2, policy_.keys[0]);
  keys[1].point[0] ^= 1;
  cox_signing_policy wrong = policy_.policy;
  wrong.keys = keys.data();
  wrong.key_count = 2;
  EXPECT_EQ(cox_set_signing_policy(&wrong).index, 1);
  EXPECT_EQ(cox_set_signing_policy(nullptr).error, COX_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace cox::tests
