// SPDX-License-Identifier: MIT
// Compares the fast path with the reference, bit for bit, on random operations. Uses every set of kernels that this host supports.
#include "random_case.h"

namespace cox::test {
namespace equivalence_test {

/// Executes `count` random operations in each of a few random configurations.
template <typename Make>
void compare(std::uint32_t seed, std::uint32_t configurations, std::uint32_t count, Make make) {
  Random random(seed);
  for (std::uint32_t c = 0; c < configurations; ++c) {
    TestCore core(random_configuration(random));
    const isa::pim::Array &array = core.configuration.array;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto operation = make(random, core);
      SCOPED_TRACE(testing::Message() << "configuration " << c << " of " << array.macros << " x " << array.compartments << " x "
                                      << array.elements << " x " << array.rows << ", operation " << i);
      ASSERT_NO_FATAL_FAILURE(execute_everywhere(operation, core));
    }
  }
}

TEST(PimEquivalence, Compute) { compare(1, 60, 8, random_compute); }
TEST(PimEquivalence, Output) { compare(2, 30, 10, random_output); }
TEST(PimEquivalence, Transfer) { compare(3, 6, 40, random_transfer); }
TEST(PimEquivalence, Simd) { compare(4, 6, 100, random_simd); }

}  // namespace equivalence_test
}  // namespace cox::test
