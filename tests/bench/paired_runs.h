// SPDX-License-Identifier: MIT
// Measures the times of two functions that run alternately, so that a busy or throttled machine slows both.
#pragma once

#include <time.h>

#include <algorithm>
#include <vector>

namespace cox::bench {

inline constexpr int kRounds = 101;
inline constexpr int kRunsPerRound = 4;

/// Returns the seconds of this thread's processor time: other work on the machine does not count.
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Returns the seconds of one run, which must take long enough to be measured.
template <typename Product>
double seconds_of(Product &product) {
  const double begin = thread_seconds();
  product.run();
  return thread_seconds() - begin;
}

template <typename Layer>
double seconds_per_run(Layer &layer) {
  const double begin = thread_seconds();
  for (int i = 0; i < kRunsPerRound; ++i) layer.run();
  return (thread_seconds() - begin) / kRunsPerRound;
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace cox::bench
