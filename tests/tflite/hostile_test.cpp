// SPDX-License-Identifier: MIT
// Broken files: each byte and each word of two models takes several values, and then random places do. Whatever is accepted must run.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/tflite/hostile.h"
#include "tests/tflite/model_builder.h"
#include "tests/tflite/published.h"

namespace cox::tests::tflite_hostile {
namespace {

using namespace cox::tests::tflite_models;  // NOLINT(google-build-using-namespace)

/// Counts the verdicts of a campaign.
class Campaign {
 public:
  void examine_file(File &file) { ++verdicts_[static_cast<std::size_t>(examine(file.bytes()))]; }
  [[nodiscard]] unsigned count(Verdict verdict) const { return verdicts_[static_cast<std::size_t>(verdict)]; }
  void print(const std::string &what) const {
    std::printf("%s: %u refused, %u with an unknown operator, %u planned, %u ran\n", what.c_str(), verdicts_[0], verdicts_[1], verdicts_[2],
                verdicts_[3]);
  }

 private:
  std::array<unsigned, 4> verdicts_{};
};

void break_every_byte(File &file, Campaign &campaign) {
  for (std::size_t i = 0; i < file.bytes().size(); ++i) {
    const std::uint8_t was = file.bytes()[i];
    for (const unsigned value : {0U, 255U, was ^ 128U, was + 1U, was - 1U}) {
      file.bytes()[i] = static_cast<std::uint8_t>(value);
      campaign.examine_file(file);
    }
    file.bytes()[i] = was;
  }
}

void break_every_word(File &file, Campaign &campaign) {
  for (std::size_t i = 0; i + 4 <= file.bytes().size(); i += 4) {
    std::uint32_t was = 0;
    std::memcpy(&was, &file.bytes()[i], 4);
    for (const std::uint32_t value : {0U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU, was + 4}) {
      std::memcpy(&file.bytes()[i], &value, 4);
      campaign.examine_file(file);
    }
    std::memcpy(&file.bytes()[i], &was, 4);
  }
}

void break_at_random(File &file, Campaign &campaign, unsigned count, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::vector<std::uint8_t> whole(file.bytes().begin(), file.bytes().end());
  for (unsigned i = 0; i < count; ++i) {
    const unsigned places = 1 + static_cast<unsigned>(random() % 4);
    for (unsigned j = 0; j < places; ++j) {
      const std::size_t at = random() % whole.size();
      file.bytes()[at] = random() % 2 == 0 ? static_cast<std::uint8_t>(random()) : whole[random() % whole.size()];
    }
    campaign.examine_file(file);
    std::copy(whole.begin(), whole.end(), file.bytes().begin());
  }
}

TEST(TfliteHostile, AcceptsTheWholeFiles) {
  File small(convolution_and_add()), large(all_operators());
  EXPECT_EQ(examine(small.bytes()), Verdict::ran);
  EXPECT_EQ(examine(large.bytes()), Verdict::ran);
}

TEST(TfliteHostile, EveryByteOfASmallModel) {
  File file(convolution_and_add());
  Campaign campaign;
  break_every_byte(file, campaign);
  break_every_word(file, campaign);
  campaign.print("small model");
  EXPECT_GT(campaign.count(Verdict::refused), 1000U);
  EXPECT_GT(campaign.count(Verdict::rejected), 100U);
  EXPECT_GT(campaign.count(Verdict::ran), 1000U);
}

TEST(TfliteHostile, EveryWordOfAModelWithAllOperators) {
  File file(all_operators());
  Campaign campaign;
  break_every_word(file, campaign);
  campaign.print("all operators");
  EXPECT_GT(campaign.count(Verdict::refused), 3000U);
  EXPECT_GT(campaign.count(Verdict::rejected), 200U);
}

TEST(TfliteHostile, RandomPlaces) {
  File file(all_operators());
  Campaign campaign;
  break_at_random(file, campaign, 3000, 1);
  campaign.print("random places");
  EXPECT_GT(campaign.count(Verdict::refused), 500U);
}

TEST(TfliteHostile, PublishedModels) {
  if (!published::present(published::model_file("ic01_resnet8"))) GTEST_SKIP() << "no published models at " << COX_SHARED_DATA;
  for (const char *name : published::kModels) {
    File file = read(published::model_file(name));
    Campaign campaign;
    break_at_random(file, campaign, 200, 2);
    campaign.print(name);
  }
}

}  // namespace
}  // namespace cox::tests::tflite_hostile
