// SPDX-License-Identifier: MIT
// Fields at their limits, in any combination: no computation of a footprint overflows (the sanitizers check this), and every instruction
// that resolves has a plausible footprint. COX_EXTREMES sets the number of tasks.
#include <cstdlib>
#include <random>
#include <vector>

#include "coxswain/isa/tile/operation.h"
#include "coxswain/isa/tile/table.h"
#include "tests/isa/tile/operation/instruction.h"

namespace cox::isa::tile {
namespace {

class Extremes {
 public:
  /// A legal instruction. The value of each field is small, at a limit, or random.
  MachineCode instruction(const Instruction &entry) {
    MachineCode code = begin(entry.opcode);
    const int mood = any(0, 3);
    for (const Field &field : entry.fields) {
      for (unsigned element = 0; element < field.count; ++element) set(code, field, element, mood);
    }
    if (takes(entry.opcode)) {
      EXPECT_TRUE(set_batch(code, any(0, 1) * 255).ok());
    }
    EXPECT_TRUE(set_core(code, any(0, 3)).ok());
    return code;
  }

  /// Chooses the shape of the maps and records of the next instructions.
  void next_shape() {
    static constexpr int kShapes[][3] = {{65535, 8, 2}, {2, 65535, 900}, {1, 1, 65535}, {16, 900, 7},
                                         {8, 4, 5},     {65535, 1, 1},   {3, 255, 255}, {4, 3, 3}};
    shape_ = kShapes[any(0, 7)];
  }

  int any(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }

 private:
  static bool takes(Opcode opcode) { return opcode == Opcode::vp_self || opcode == Opcode::vp_pool; }

  /// A value for one dimension of a shape field. The last three dimensions are C, H and W.
  std::int64_t extent(const Field &field, unsigned element) {
    const std::string_view name = field.name;
    const unsigned before = field.count - 3U;
    const bool whole = name != "Tile" || any(0, 2) != 0;
    if (element >= before) return whole ? shape_[element - before] : 1;
    return any(0, 4) == 0 ? 65535 : any(1, 4);
  }

  static bool is_extent(std::string_view name) {
    return name == "STile" || name == "DTile" || name == "Tile" || name == "SWsize" || name == "DWsize" || name == "Wsize";
  }

  void set(MachineCode &code, const Field &field, unsigned element, int mood) {
    if (field.kind == Kind::floating_point) {
      const float values[] = {0, 7, -32768, 3.4e38F, -3.4e38F, 0.5F};
      EXPECT_TRUE(set_float(code, field, element, values[any(0, 5)]).ok());
      return;
    }
    std::int64_t value = any(0, 1);
    if (field.kind == Kind::enumeration) {
      const auto values = field.type_of(element)->values;
      value = values[static_cast<std::size_t>(any(0, static_cast<int>(values.size()) - 1))].value;
    } else if (field.kind == Kind::integer) {
      const std::int64_t width = field.maximum - field.minimum;
      // All functions of the field GPMD (the first three) and of the field LUT (the others).
      const std::int64_t functions[] = {4, 5, 69, 16, 17, 18, 19, 20, 21, 22, 23, 32, 40, 41, 48, 49, 56};
      const bool is_function = std::string_view(field.name) == "LUT";
      const bool is_path = std::string_view(field.name) == "GPMD";
      switch (mood == 3 ? any(0, 2) : mood) {
        case 0: value = field.minimum + (width < 4 ? any(0, static_cast<int>(width)) : any(0, 4)); break;
        case 1: value = any(0, 1) == 0 ? field.minimum : field.maximum; break;
        default: value = field.minimum + std::uniform_int_distribution<std::int64_t>(0, width)(random_); break;
      }
      if (is_extent(field.name) && any(0, 50) != 0) value = extent(field, element);
      // resolve() refuses L2 addresses that are not multiples of 8, so most addresses are multiples.
      if (std::string_view(field.name).find("addr") != std::string_view::npos && any(0, 49) != 0) value &= ~std::int64_t{7};
      if (is_path) value = functions[any(0, 2)];
      if (is_function) value = functions[any(3, 16)];
    }
    EXPECT_TRUE(set_integer(code, field, element, value).ok()) << field.name << " " << value;
  }

  std::mt19937 random_{5};
  const int *shape_ = nullptr;
};

TEST(Extremes, NothingOverflows) {
  const char *wanted = std::getenv("COX_EXTREMES");
  const int tasks = wanted == nullptr ? 4000 : std::atoi(wanted);
  Extremes extremes;
  std::vector<int> resolved(std::variant_size_v<Operation>);
  for (int i = 0; i < tasks; ++i) {
    Configuration configuration;
    extremes.next_shape();
    for (const Instruction &entry : kInstructions) {
      const MachineCode code = extremes.instruction(entry);
      ASSERT_TRUE(check(code).ok()) << entry.name;
      if (!configuration.apply(code).ok()) continue;
      const Result<Operation> operation = resolve(code, configuration);
      if (!operation) continue;
      ++resolved[operation.value().index()];
      ASSERT_GE(multiply_accumulates(operation.value()), 0);
      const Footprint touched = footprint(operation.value());
      ASSERT_LE(touched.count, touched.accesses.size());
      for (unsigned a = 0; a < touched.count; ++a) {
        const Access &access = touched.accesses[a];
        ASSERT_GT(access.bytes(), 0) << entry.name << " " << access.field;
        ASSERT_GT(access.end(), access.start) << entry.name << " " << access.field;
        static_cast<void>(check_region(access.reach(), configuration.region(access.selector)));
        static_cast<void>(check_window(access.reach(), 1 << 20, true, true));
        static_cast<void>(check_remote(access.reach(), 0, 8191));
      }
    }
  }
  for (const int count : resolved) EXPECT_GT(count, tasks / 100);
}

}  // namespace
}  // namespace cox::isa::tile
