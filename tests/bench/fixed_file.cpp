// SPDX-License-Identifier: MIT
// build.test_seconds_ratio (docs/testing.md) is relative to the compile time of this file, which run_bench compiles 100 times. The file
// includes nothing of the project and must not change, so that ratios of different commits can be compared.
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fixed {

struct Record {
  std::string name;
  std::vector<double> values;
};

static double sum_of(const Record &record) {
  double sum = 0;
  for (const double value : record.values) sum += value;
  return sum;
}

std::map<std::string, double> sums_of(std::vector<Record> records, const std::function<bool(const Record &)> &is_wanted) {
  std::sort(records.begin(), records.end(), [](const Record &a, const Record &b) { return a.name < b.name; });
  std::map<std::string, double> sums;
  for (const Record &record : records) {
    if (is_wanted(record)) sums[record.name] += sum_of(record);
  }
  return sums;
}

}  // namespace fixed
