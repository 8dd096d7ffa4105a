// SPDX-License-Identifier: MIT
#include "tests/campaign/gtest_failures.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <sstream>

namespace cox::campaign {

/// A longer line has the values of a whole container.
constexpr std::size_t kLongestLine = 120;

std::string first_failure(const std::function<void()> &check) {
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &results);
    check();
  }
  for (int i = 0; i < results.size(); ++i) {
    if (!results.GetTestPartResult(i).failed()) continue;
    std::istringstream message(results.GetTestPartResult(i).message());
    std::string sentence, line;
    while (std::getline(message, line) && line != "Google Test trace:") {
      line.erase(0, line.find_first_not_of(' '));
      if (!line.empty() && line.size() <= kLongestLine) sentence += (sentence.empty() ? "" : "; ") + line;
    }
    return sentence.empty() ? "an assertion failed" : sentence;
  }
  return "";
}

}  // namespace cox::campaign
