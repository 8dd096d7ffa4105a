// SPDX-License-Identifier: MIT
#include "tools/unity/page.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>

#include <map>
#include <vector>

#include "coxswain/isa/unity/table.h"
#include "tools/isa_page/fields.h"

namespace cox::tools::unity {
namespace {

/// For anchors of headings.
std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

using isa::Field;
using isa::unity::Holds;
using isa::unity::Instruction;
using isa::unity::kAddressSpaces;
using isa::unity::kInstructions;
using isa::unity::Layout;
using isa::unity::Opcode;
using isa::unity::Placed;
using isa::unity::Stage;

std::string bits_text(unsigned bit, unsigned width) {
  return width == 1 ? fmt::format("{}", bit) : fmt::format("{}:{}", bit + width - 1, bit);
}

std::string payload_text() {
  std::string text = "| field | bits | values | meaning |\n|---|---|---|---|\n";
  for (const Field &field : isa::unity::detail::kIdentity) {
    text += fmt::format("| {} | {} | {} | {} |\n", field.name, bits_text(field.bit, field.width), values_text(field), field.meaning);
  }
  for (const Field &field : isa::unity::detail::kPayload) {
    const unsigned width = unsigned{field.width} * field.count;
    const std::string values = field.count == 1 ? values_text(field) : fmt::format("0 to 2^{} − 1", width);
    text += fmt::format("| {} | {} | {} | {} |\n", field.name, bits_text(field.bit, width), values, field.meaning);
  }
  return text;
}

/// Operations that share a layout, in the order of the table. The first one names it.
struct SharedLayout {
  const Layout *layout = nullptr;
  std::vector<const Instruction *> rows;

  [[nodiscard]] const char *name() const { return rows.front()->name; }
};

std::vector<SharedLayout> shared_layouts() {
  std::vector<SharedLayout> shared;
  std::map<const Layout *, std::size_t> numbers;
  for (const Instruction &row : kInstructions) {
    if (row.layout == nullptr) continue;
    const auto [at, is_new] = numbers.try_emplace(row.layout, shared.size());
    if (is_new) shared.push_back({row.layout, {}});
    shared[at->second].rows.push_back(&row);
  }
  return shared;
}

/// The file whose tests compare the operation's results with an independent library.
std::string_view test_of(Opcode op) {
  const auto between = [op](Opcode first, Opcode last) { return op >= first && op <= last; };
  const auto is_one_of = [op](std::initializer_list<Opcode> ops) { return std::find(ops.begin(), ops.end(), op) != ops.end(); };
  if (between(Opcode::LU, Opcode::SOLVE) || between(Opcode::FFT, Opcode::IFFT)) return "tests/sim/unity/arithmetic/matrix_numpy.py";
  if (between(Opcode::CREATE_TENSOR, Opcode::DESTROY_TENSOR) || between(Opcode::SHAPE, Opcode::HAS_NAN) ||
      is_one_of({Opcode::UNSTACK, Opcode::DROPOUT})) {
    return "tests/sim/unity/arithmetic/creation_numpy.py";
  }
  if (is_one_of({Opcode::CONV3D, Opcode::TRANS_CONV3D, Opcode::POOL3D, Opcode::ROI_POOL}) ||
      between(Opcode::ADAPTIVV_POOL1D, Opcode::ADAPTIVV_POOL3D)) {
    return "tests/sim/unity/arithmetic/volume_torch.py";
  }
  if (between(Opcode::LSTM, Opcode::GRU)) return "tests/sim/unity/arithmetic/recurrent_torch.py";
  if (between(Opcode::EMBEDDING, Opcode::ONE_HOT) || between(Opcode::PIXEL_SHUFFLE, Opcode::AFFINE_GRID)) {
    return "tests/sim/unity/arithmetic/vision_torch.py";
  }
  if (between(Opcode::CROSS_ENTROPY, Opcode::ADAM) || op == Opcode::LABEL_SMOOTH) return "tests/sim/unity/arithmetic/training_torch.py";
  if (op == Opcode::EXIT || between(Opcode::CASE, Opcode::WHILE_LOOP)) return "tests/sim/unity/machine/branches_test.cpp";
  if (op == Opcode::SIGN_BIT) return "tests/sim/unity/arithmetic/elementwise_numpy.py";
  if (between(Opcode::REDUCE_ALL, Opcode::REDUCE_VAR) || between(Opcode::RESIZE_BILINEAR, Opcode::RESIZE_NEAREST) ||
      between(Opcode::MAX_POOL, Opcode::MEDIAN_POOL) || op == Opcode::UDEF_POOL || op == Opcode::POOL1D) {
    return "tests/sim/unity/arithmetic/map_numpy.py";
  }
  if (op == Opcode::MATRIX_MUL || between(Opcode::ELE_ADD, Opcode::UDEF_CONV)) return "tests/sim/unity/arithmetic/convolution_numpy.py";
  if (between(Opcode::CONCAT, Opcode::REVERSE) || between(Opcode::ARG_MAX, Opcode::NON_ZERO) || op == Opcode::DATA_MOVE) {
    return "tests/sim/unity/arithmetic/move_numpy.py";
  }
  if (between(Opcode::RELU, Opcode::HARD_TANH) || between(Opcode::BATCH_NORM, Opcode::L2_NORM)) {
    return "tests/sim/unity/arithmetic/network_numpy.py";
  }
  return "tests/sim/unity/arithmetic/elementwise_numpy.py";
}

std::string operations_text() {
  std::map<const Layout *, const char *> names;
  for (const SharedLayout &shared : shared_layouts()) names[shared.layout] = shared.name();
  std::string text = "| operation | section | code | table | what | status and test |\n|---|---|---|---|---|---|\n";
  for (const Instruction &row : kInstructions) {
    const char *section = row.section == isa::unity::kBaseSection ? "BASE" : "AI";
    const std::string test = row.stage == Stage::now ? fmt::format("`{}`", test_of(row.opcode)) : "refused as unsupported";
    const std::string table =
        row.layout == nullptr ? "none" : fmt::format("[{}](#table-of-{})", names[row.layout], lower_case(names[row.layout]));
    text += fmt::format("| {} | {} | {}:0x{:02x} | {} | {} | {} |\n", row.name, section, row.code >> 5, row.code & 0x1F, table, row.meaning,
                        test);
  }
  return text;
}

/// What a field of `layout` holds. A parameter is an address only if the layout has a mode for it.
const char *holds_text(const Layout &layout, const Placed &placed) {
  switch (placed.field->holds) {
    case Holds::integer: return "unsigned";
    case Holds::signed_integer: return "signed";
    case Holds::either_sign: return "the unit's sign";
    case Holds::boolean: return "0, 1";
    case Holds::unit: return "unit";
    case Holds::float32: return "FP32";
    case Holds::address: return "address";
    case Holds::optional_address: return "address or 0";
    case Holds::program: return "program or 0";
    case Holds::parameter:
      return find_field(layout, fmt::format("{}_MODE", placed.field->name)).field == nullptr ? "value" : "value or address";
  }
  return "";
}

std::string table_text(const SharedLayout &shared) {
  std::string text = fmt::format("### Table of {}\n\n", shared.name());
  if (shared.rows.size() > 1) {
    text += "The same table:";
    for (std::size_t i = 1; i < shared.rows.size(); ++i) text += fmt::format("{} {}", i == 1 ? "" : ",", shared.rows[i]->name);
    text += ".\n\n";
  }
  text += "| field | 16-bit | 32-bit | 64-bit | holds | meaning |\n|---|---|---|---|---|---|\n";
  for_each_field(*shared.layout, true, [&](const Placed &placed) {
    const auto bits = [&](unsigned space) {
      return bits_text(placed.place.bit(kAddressSpaces[space]), placed.place.width(kAddressSpaces[space]));
    };
    text += fmt::format("| {}{} | {} | {} | {} | {} | {} |\n", placed.field->name, placed.in_extension ? " +" : "", bits(0), bits(1),
                        bits(2), holds_text(*shared.layout, placed), placed.field->meaning);
    return true;
  });
  const auto sizes = [&](bool extended) {
    return fmt::format("{}, {}, {}", table_bytes(*shared.layout, kAddressSpaces[0], extended),
                       table_bytes(*shared.layout, kAddressSpaces[1], extended), table_bytes(*shared.layout, kAddressSpaces[2], extended));
  };
  text += fmt::format("\nBytes: {}", sizes(false));
  if (shared.layout->condition != nullptr) {
    const bool any = shared.layout->extends == isa::unity::kAnyButZero;
    text += fmt::format("; {} with the fields marked +, if {} is {}", sizes(true), shared.layout->condition,
                        any ? "not 0" : isa::unity::name_of(static_cast<isa::unity::Unit>(shared.layout->extends)));
  }
  return text + ".\n";
}

std::string tables_text() {
  std::string text;
  for (const SharedLayout &shared : shared_layouts()) text += (text.empty() ? "" : "\n") + table_text(shared);
  return text;
}

}  // namespace

std::string page(const std::string &prose) {
  std::string page = prose;
  const bool complete = replace_mark(page, "payload", payload_text()) && replace_mark(page, "operations", operations_text()) &&
                        replace_mark(page, "tables", tables_text());
  if (!complete) return {};
  return "<!-- Generated from docs/isa/unity.prose.md and isa/unity/table.h by tools/isa_page: edit those, then build the target isa_page. "
         "-->\n" +
         page;
}

}  // namespace cox::tools::unity
