// SPDX-License-Identifier: MIT
// Blocks `.slots`: streams and instructions of the other engines in a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "coxswain/isa/tile/table.h"
#include "coxswain/isa/unity/engine_slots.h"
#include "coxswain/isa/unity/relocation.h"
#include "tools/file/error.h"
#include "tools/unity/addresses.h"
#include "tools/unity/assemble.h"
#include "tools/unity/disassemble.h"
#include "tools/unity/program_text.h"

namespace cox::tools::unity::slots_test {
namespace {

using namespace isa::unity;  // NOLINT(google-build-using-namespace)
using testing::HasSubstr;

constexpr const char *kBases = "    CONFBADDR InputBase1=0 InputBase2=0 OutputBase1=1 OutputBase2=1 WeightBase=2\n";
constexpr const char *kMove = "    MOVE InOffset=0 OutOffset=$((1+3)*(4*4)) Repeat=0 InStride=0 OutStride=0 Run=3 Count=0\n";
constexpr const char *kLoadL1 =
    "    DRAM_TO_L1 Source=$a SourceHigh=$(a>>32) Rows=16 RowBytes=32 SourcePitch=32 Format=Fractal Destination=0 DestinationPitch=1\n";
constexpr const char *kAll = R"(["lda_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [8, 1, 4], "DTile": [8, 1, 4]}]
["lda_mov", {}, {"RS": 0, "DBSG": 0, "STaddr": $(2*8), "DTaddr": 64, "Tile": [1, 8, 1, 4], "Prev_Insts": [], "Next_Insts": []}]
)";

/// A container, and what its submissions say.
class Program {
 public:
  explicit Program(const std::string &text) : container_(assemble(text, "mixed.xdsa").container), opened_(open_container(container_, "")) {}

  [[nodiscard]] EngineSubmission submission(std::uint32_t instruction) const {
    const Stored stored = opened_.instruction(opened_.program(0), instruction);
    const auto submission = resolve_submission(stored.domain, stored.code, 0);
    EXPECT_TRUE(submission.ok());
    EXPECT_TRUE(check_slots(submission.value(), slots(submission.value())).ok());
    return submission.value();
  }
  [[nodiscard]] std::span<const std::byte> slots(const EngineSubmission &submission) const {
    return opened_.bytes().subspan(submission.address, std::size_t{submission.slots} * kSlotBytes);
  }
  [[nodiscard]] StreamSlot stream(std::uint32_t instruction, unsigned slot) const {
    return stream_slot(slots(submission(instruction)), slot);
  }
  [[nodiscard]] const std::vector<std::uint8_t> &bytes() const { return container_; }
  [[nodiscard]] std::string print() const { return disassemble(opened_); }

 private:
  std::vector<std::uint8_t> container_;
  Container opened_;
};

std::string block(const std::string &engine, const std::string &lines) { return ".slots s " + engine + "\n" + lines + ".end\n"; }
std::string error_of(const std::string &text) {
  try {
    static_cast<void>(assemble(text, "bad.xdsa"));
  } catch (const FileError &error) {
    return error.what();
  }
  return "no error";
}
void expect_round_trip(const Program &program) {
  const std::string text = program.print();
  EXPECT_THAT(text, HasSubstr(".slots slots0 "));
  EXPECT_THAT(text, testing::Not(HasSubstr(".bytes")));
  EXPECT_EQ(assemble(text, "again.xdsa").container, program.bytes()) << text;
}

TEST(SlotsUnity, StreamsOfOneSubmission) {
  const Program program(".unit 0\nsubmit mx slots=s deposit=0:5\n.unit 1\nsubmit mx slots=s fetch=0:5\n" +
                        block("mx", std::string(kBases) + ".stream  # another\n" + kBases + kMove));
  const EngineSubmission submission = program.submission(0);
  EXPECT_EQ(submission.domain, Domain::mx);
  EXPECT_EQ(submission.queue, 0);
  EXPECT_EQ(submission.slots, 2);
  EXPECT_EQ(submission.address % kSlotBytes, 0U);
  EXPECT_EQ(program.stream(0, 0).address, submission.address + 64);
  EXPECT_EQ(program.stream(0, 0).bytes, 8U);
  EXPECT_EQ(program.stream(0, 1).address, submission.address + 96);
  EXPECT_GT(program.stream(0, 1).bytes, 8U);
  expect_round_trip(program);
}

TEST(SlotsUnity, TheClassOfTileInstructionsIsTheQueue) {
  const Program program(".unit 0\nsubmit tile slots=s blk\n" + block("tile", kAll));
  EXPECT_EQ(program.submission(0).queue, static_cast<unsigned>(isa::tile::Class::LD));
  EXPECT_EQ(program.submission(0).slots, 2);
  expect_round_trip(program);
}

TEST(SlotsUnity, NamesInStreams) {
  const Program program(".tensor a window=1 offset=64 bytes=512\n.unit 0\nsubmit cube slots=s\n" + block("cube", kLoadL1));
  const std::vector<PlacedAddress> found = addresses(program.bytes());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].address, 0x2000040U);
  const AddressPlace place(found[0].place);
  EXPECT_EQ(place.width(), AddressPlace::Width::bits48);
  const StreamSlot stream = program.stream(0, 0);
  EXPECT_GT(place.offset(), stream.address);
  EXPECT_LT(place.offset(), stream.address + stream.bytes);
  std::vector<std::uint8_t> moved = program.bytes();
  write_address(moved, {found[0].place, 0x123456789AC0});
  EXPECT_EQ(addresses(moved)[0].address, 0x123456789AC0U);
  write_address(moved, {found[0].place, 0});
  EXPECT_EQ(addresses(moved)[0].address, 0U);
  write_address(moved, found[0]);
  EXPECT_EQ(moved, program.bytes());
  expect_round_trip(program);
}

TEST(SlotsUnity, AddressesOfAllStreamsInTheOrderOfTheirPlaces) {
  const Program program(
      ".equ a = 0x1000000\n.unit 0\nsubmit cube slots=t\nsubmit cube slots=s\nsubmit cube slots=t\n" +
      block("cube", std::string(kLoadL1) + ".stream\n" + kLoadL1 + "    OUT_CFG ScaleMode=None Activation=None\n" + kLoadL1) +
      ".slots t cube\n" + kLoadL1 + ".end\n");
  const std::vector<PlacedAddress> found = addresses(program.bytes());
  ASSERT_EQ(found.size(), 4U);
  EXPECT_TRUE(std::ranges::is_sorted(found, {}, &PlacedAddress::place));
  expect_round_trip(program);
}

TEST(SlotsUnity, PimPrograms) {
  const Program program(".unit 0\nsubmit pim slots=s\n" +
                        block("pim", ".core 0\n    li r1, $(3+4)  ; $ in a comment\n    addi r2, r1, 1\n"));
  EXPECT_EQ(program.submission(0).slots, 1);
  expect_round_trip(program);
}

TEST(SlotsUnity, Files) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "cox_slots";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.mx") << kBases;
  const Program text(".unit 0\nsubmit mx slots=s\n" + block("mx", kBases));
  const StreamSlot stream = text.stream(0, 0);
  std::ofstream(folder / "a.mxs", std::ios::binary).write(reinterpret_cast<const char *>(&text.bytes()[stream.address]), stream.bytes);
  for (const char *file : {"a.mx", "a.mxs"}) {
    const std::string program = std::string(".unit 0\nsubmit mx slots=s\n.slots s mx file=\"") + file + "\"\n";
    EXPECT_EQ(assemble(program, (folder / "x.xdsa").string()).container, text.bytes()) << file;
  }
  EXPECT_THAT(error_of(".slots s mx file=\"/nowhere/a.mxs\"\n.unit 0\n"), HasSubstr("/nowhere/a.mxs: "));
  EXPECT_THAT(error_of(".slots s mx file=\"" + (folder / "a.mx").string() + "\" file=7\n"), HasSubstr("a name in quotes is missing"));
  EXPECT_THAT(error_of(".slots s cube file=\"" + (folder / "a.mxs").string() + "\"\n"), HasSubstr("a.mxs: is not a CUBE stream"));
  EXPECT_THAT(error_of(".slots s tile file=\"" + (folder / "a.mx").string() + "\"\n"), HasSubstr("tile instructions only as text"));
}

TEST(SlotsUnity, PlacesAreKept) {
  const Program program(".unit 0\nsubmit mx slots=s\n.slots s mx at=0x400\n" + std::string(kBases) + ".end\n");
  EXPECT_EQ(program.submission(0).address, 0x400U);
  EXPECT_THAT(program.print(), HasSubstr(".slots slots0 mx at=0x400\n"));
  expect_round_trip(program);
}

/// Slots that no block can say stay numbers, and their bytes `.bytes`.
TEST(SlotsUnity, OtherSlotsArePrintedAsBytes) {
  const Program program(".unit 0\nsubmit mx slots=s\n" + block("mx", kBases));
  const EngineSubmission submission = program.submission(0);
  const auto changed = [&](std::size_t place, std::uint8_t value) {
    std::vector<std::uint8_t> bytes = program.bytes();
    bytes[place] = value;
    const std::string text = disassemble(open_container(bytes, ""));
    EXPECT_EQ(assemble(text, "again.xdsa").container, bytes) << text;
    return text;
  };
  EXPECT_THAT(changed(submission.address, 0x20), HasSubstr("submit mx queue=0 slots=1 address=0x"));    // another stream
  EXPECT_THAT(changed(submission.address + 32, 0x3F), HasSubstr("submit mx queue=0 slots=1 address"));  // no instruction
  EXPECT_THAT(changed(submission.address + 28, 1), HasSubstr("submit mx slots=slots0"));                // a reserved bit
}

TEST(SlotsUnity, PlaceAndReason) {
  const std::pair<std::string, const char *> kTexts[] = {
      {".slots s mxx\n.end\n", "bad.xdsa:1:10: 'mxx' is not an engine; did you mean \"mx\"?"},
      {".slots s vector\n.end\n", "bad.xdsa:1:10: 'vector' is not an engine: tile, mx, cube or pim"},
      {".slots s mx\n", "bad.xdsa:1:1: .slots has no .end"},
      {".slots s mx\n  MOOVE Run=1\n.end\n.unit 0\n", "bad.xdsa:2:3: 'MOOVE' is not an instruction; did you mean \"MOVE\"?"},
      {".slots s mx\n.end\n.unit 0\n", "bad.xdsa:1:1: the stream has no instruction"},
      {".slots s mx\n  # nothing\n.stream\n.end\n.unit 0\n", "bad.xdsa:2:1: the stream has no instruction"},
      {".slots s mx\n\n    MOVE InOffset=$(1+\n.end\n.unit 0\n", "bad.xdsa:3:"},
      {".slots s mx\n    MOVE InOffset=$nowhere\n.end\n.unit 0\n", "bad.xdsa:2:20: there is no 'nowhere'"},
      {".slots s mx\n    MOVE InOffset=$\n.end\n.unit 0\n", "bad.xdsa:2:19: a name or an expression in parentheses is missing behind $"},
      {".slots s mx at=33\n.end\n", "bad.xdsa:1:16: at: 33 is no multiple of 32"},
      {".slots s mx align=32\n.end\n", "bad.xdsa:1:13: 'align' is neither at= nor file="},
      {".slots s mx\n.end now\n", "bad.xdsa:2:6: 'now' is not expected here"},
      {".slots s tile\n" + std::string(kAll) + ".stream\n.end\n", "bad.xdsa:4:1: .stream: slots of tile cores are instructions"},
      {".slots s tile\n" + std::string(kAll) +
           "[\"sta_cfg\", {}, {\"SME\": 1, \"RS\": 0, \"BAS\": 1, \"DF\": \"INT8\", \"STile\": [8, 1, 4], \"DTile\": [8, 1, "
           "4]}]\n.end\n.unit 0\n",
       "bad.xdsa:4:1: sta_cfg is of class ST, but lda_cfg is of class LD"},
      {".unit 0\nsubmit cube slots=s\n" + block("mx", kBases), "bad.xdsa:2:19: submit: slots: 's' holds slots of mx"},
      {".unit 0\nsubmit mx slots=t\n" + block("mx", kBases), "bad.xdsa:2:17: submit: there is no 't'"},
      {".unit 0\nsubmit mx slots=t\n.data t\n.u8 1\n", "bad.xdsa:2:17: submit: slots: 't' is no block of .slots"},
      {".unit 0\nsubmit mx slots=s address=4\n" + block("mx", kBases), "bad.xdsa:2:19: submit: queue and address follow from the block"},
      {".unit 0\nsubmit mx\n", "bad.xdsa:2:10: submit: slots is missing"},
      {".unit 0\nsubmit mx slots=0\n", "bad.xdsa:2:17: submit: slots: 0 is out of range (1 to 16383)"},
      {".unit 0\nsubmit mxx slots=1\n", "bad.xdsa:2:8: submit: 'mxx' is not an engine; did you mean \"mx\"?"},
      {".unit 0\nsubmit mx slot=s\n", "'slot' is not a field of submit; did you mean \"slots\"?"},
  };
  for (const auto &[text, expected] : kTexts) EXPECT_THAT(error_of(text), HasSubstr(expected)) << text;
}

TEST(SlotsUnity, ALengthThatDependsOnALabelIsRefused) {
  std::string lines;
  for (int i = 0; i < 16; ++i) lines += "  li r1, $(a * 0x100001)\n";
  EXPECT_THAT(error_of(".unit 0\n.slots s pim\n.core 0\n" + lines + ".end\n.data a\n.u8 1\n"),
              HasSubstr("bad.xdsa:2:1: .slots: the length of a stream depends on a label"));
}

}  // namespace
}  // namespace cox::tools::unity::slots_test
