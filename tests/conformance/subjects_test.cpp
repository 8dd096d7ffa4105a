// SPDX-License-Identifier: MIT
// The suite runs for each row of device/engines.h that has a ring.
#include "tests/conformance/fixture.h"

namespace cox::conformance {
namespace {

std::vector<const Subject *> all() {
  std::vector<const Subject *> list;
  for (const Subject &subject : subjects()) list.push_back(&subject);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Engines, Conformance, testing::ValuesIn(all()),
                         [](const auto &subject) { return std::string(r::row_of(subject.param->engine).key); });

TEST(Subjects, HaveARing) {
  EXPECT_FALSE(subjects().empty());
  for (const Subject &subject : subjects()) EXPECT_TRUE(r::row_of(subject.engine).has_ring()) << r::engine_name(subject.engine);
}

}  // namespace
}  // namespace cox::conformance
