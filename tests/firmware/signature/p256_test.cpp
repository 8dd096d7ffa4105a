// SPDX-License-Identifier: MIT
// The verification of signatures in steps: published vectors, edge cases that were worked out with big integers, and BearSSL's own
// function.
#include <bearssl.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coxswain/firmware/signature/p256_verification.h"

namespace cox::tests {
namespace {

std::vector<std::uint8_t> bytes_of(std::string_view digits) {
  std::vector<std::uint8_t> bytes(digits.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(std::stoi(std::string(digits.substr(2 * i, 2)), nullptr, 16));
  return bytes;
}

bool verifies(std::span<const std::uint8_t> key, std::span<const std::uint8_t> digest, std::span<const std::uint8_t> signature) {
  cox_p256_verification verification;
  cox_p256_begin(&verification, key.data(), digest.data(), signature.data());
  unsigned steps = 0;
  while (cox_p256_step(&verification)) EXPECT_LT(++steps, 100U);
  return verification.good;
}

/// True if BearSSL's own function accepts the signature.
bool library_verifies(std::span<const std::uint8_t> key, std::span<const std::uint8_t> digest, std::span<const std::uint8_t> signature) {
  std::vector<std::uint8_t> point(key.begin(), key.end());
  point.insert(point.begin(), 4);
  const br_ec_public_key encoded = {BR_EC_secp256r1, point.data(), point.size()};
  return br_ecdsa_i31_vrfy_raw(&br_ec_p256_m31, digest.data(), digest.size(), &encoded, signature.data(), signature.size()) == 1;
}

struct Vector {
  const char *what;
  std::string_view key, digest, signature;
  bool good;
};

// RFC 6979, A.2.5, with the digests of "sample" and "test".
constexpr std::string_view kKey =
    "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB67903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299";
constexpr std::string_view kSample = "AF2BDBE1AA9B6EC1E2ADE1D694F41FC71A831D0268E9891562113D8A62ADD1BF";
constexpr std::string_view kSampleSignature =
    "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8";
constexpr std::string_view kOther =
    "8447b97a5ea780d92c7105ce13468a830eb8e908079a3783d0f9bed9bb0b082d89274d1e9c17b5f72b1bb223224d70ba57cee7d29bb88a34cafcbe471330a28e";

constexpr Vector kVectors[] = {
    {"RFC 6979, sample", kKey, kSample, kSampleSignature, true},
    {"RFC 6979, test", kKey, "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08",
     "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083",
     true},
    {"RFC 6979, test, with the signature of sample", kKey, "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08",
     kSampleSignature, false},
    {"the x coordinate is r + order",
     "4894bc62257c18697a17f8ee12e1697050f3b3881590335d40a7b6feb23813a87aa00ab3629c38342634e3ba27a51e60ee10460ea1774e8b36ae2a2ba7e827c6",
     "97acf1023b0a1753ecf7f38a2c43a8aeb91e38c63ca8c85f556c90d66acaa560",
     "000000000000000000000000000000000000000000000000000000000000000302f44c39ec483a52d7f8f96ed411b5e068dc048ffb9adba00c86938d1db54001",
     true},
    {"the sum is the point at infinity", kOther, "71f191f2029d8e7fbd5e11ba280f8efbf60a2219cebe8ae07401669a781eb634",
     "3fd4235992edcf451a1afe878b33e968617959ce3f1f65a8de5271007814e8a2de11cc9dea959c212e9c82b1478c281d687c966c377b9aa2bb2edb20035b7399",
     false},
    {"the digest is the order", kOther, "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
     "6c56bebe37bb6031fc4f60d522d81741cf9ad6d7bf71ad859cf5f642ac1804f82b8050959c58da6557db04618cd50690764b352aa45c581d5f0f27e1bef9181f",
     true},
    {"the digest is 0", kOther, "0000000000000000000000000000000000000000000000000000000000000000",
     "6c56bebe37bb6031fc4f60d522d81741cf9ad6d7bf71ad859cf5f642ac1804f82b8050959c58da6557db04618cd50690764b352aa45c581d5f0f27e1bef9181f",
     true},
    {"r is 0", kKey, kSample,
     "0000000000000000000000000000000000000000000000000000000000000000F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
     false},
    {"s is 0", kKey, kSample,
     "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF37160000000000000000000000000000000000000000000000000000000000000000",
     false},
    {"r is the order", kKey, kSample,
     "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
     false},
    {"r is larger than the order", kKey, kSample,
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
     false},
    {"s is the order", kKey, kSample,
     "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
     false},
    {"all is 0", kKey, "0000000000000000000000000000000000000000000000000000000000000000",
     "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "0"
     "00",
     false},
    {"the key is no point of the curve",
     "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB67903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462298",
     kSample, kSampleSignature, false},
};

TEST(P256Verification, VectorsAndEdges) {
  for (const Vector &vector : kVectors) {
    const auto key = bytes_of(vector.key), digest = bytes_of(vector.digest), signature = bytes_of(vector.signature);
    EXPECT_EQ(verifies(key, digest, signature), vector.good) << vector.what;
  }
}

TEST(P256Verification, KeysArePointsOfTheCurve) {
  std::vector<std::uint8_t> key = bytes_of(kKey);
  EXPECT_TRUE(cox_p256_is_key(key.data()));
  key[63] ^= 1;
  EXPECT_FALSE(cox_p256_is_key(key.data()));
  EXPECT_FALSE(cox_p256_is_key(std::vector<std::uint8_t>(64, 0).data()));
  EXPECT_FALSE(cox_p256_is_key(std::vector<std::uint8_t>(64, 0xFF).data()));  // larger than the field's prime
}

TEST(P256Verification, AgreesWithTheLibrary) {
  std::mt19937 random(17);
  const auto fill = [&](std::span<std::uint8_t> bytes) {
    for (std::uint8_t &byte : bytes) byte = static_cast<std::uint8_t>(random());
  };
  for (unsigned turn = 0; turn < 20; ++turn) {
    std::array<std::uint8_t, 32> scalar{}, digest{};
    fill(std::span(scalar).subspan(1));  // less than the order
    scalar[31] |= 1;
    fill(digest);
    const br_ec_private_key private_key = {BR_EC_secp256r1, scalar.data(), scalar.size()};
    std::array<std::uint8_t, 65> point{};
    br_ec_public_key public_key{};
    ASSERT_EQ(br_ec_compute_pub(&br_ec_p256_m31, &public_key, point.data(), &private_key), 65U);
    std::array<std::uint8_t, 64> signature{};
    ASSERT_EQ(br_ecdsa_i31_sign_raw(&br_ec_p256_m31, &br_sha256_vtable, digest.data(), &private_key, signature.data()), 64U);
    const auto key = std::span<const std::uint8_t>(point).subspan(1);
    EXPECT_TRUE(verifies(key, digest, signature)) << turn;
    for (const std::span<std::uint8_t> part : {std::span<std::uint8_t>(digest), std::span<std::uint8_t>(signature)}) {
      const std::size_t bit = random() % (8 * part.size());
      part[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
      EXPECT_FALSE(verifies(key, digest, signature)) << turn;
      EXPECT_FALSE(library_verifies(key, digest, signature)) << turn;
      part[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    }
  }
}

}  // namespace
}  // namespace cox::tests
