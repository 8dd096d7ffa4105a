// SPDX-License-Identifier: MIT
// Tests how `cox` recognises the kind of a file by its contents.
#include "tools/registry/file_kind.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tools/registry/registry.h"

namespace cox::tools {
namespace {

std::string kind(std::string_view text) {
  const std::optional<FileKind> found =
      identify(program_formats(), std::span(reinterpret_cast<const std::uint8_t *>(text.data()), text.size()));
  return found.has_value() ? found->what + "; " + found->taken_by : "";
}

TEST(FileKind, Programs) {
  EXPECT_EQ(kind("# a comment\nSIGMOID Length1=1\n"), "an MX stream as text; cox as --isa mx and cox check --isa mx take it");
  EXPECT_EQ(kind("\n MAD M=16\n"), "a CUBE stream as text; cox as --isa cube and cox check --isa cube take it");
  EXPECT_EQ(kind("[\"ct_st\", {}, {}]\n"), "a stream of tile instructions; cox as --isa tile, cox run and cox check --isa tile take it");
  EXPECT_EQ(kind("[ct_st, {}, {}]\n"), kind("[\"ct_st\", {}, {}]\n"));
  EXPECT_EQ(kind("CXT1 and the rest"), "a task image; cox dis --isa tile, cox run and cox check --isa tile take it");
  EXPECT_NE(kind(std::string("\x2a\0\x40\0\0\0\0\0\0\x12\0\0\0\0\0\0", 16)).find("an MX stream; cox dis --isa mx"), std::string::npos);
}

TEST(FileKind, ConstantsBelongToEveryTextForm) {
  const std::string constants = "# a comment\n.equ N = 4*(2+1)\n.time_limit 5000\n";
  EXPECT_EQ(kind(constants + ".unit 0\n"), "an xDSA program as text; cox as --isa unity, cox run and cox check --isa unity take it");
  EXPECT_EQ(kind(constants + ".core 0\n"), "a PIM program as text; cox as --isa pim, cox run and cox check --isa pim take it");
  EXPECT_EQ(kind(constants), "");
}

TEST(FileKind, OtherFiles) {
  EXPECT_EQ(kind("[{\"task\": \"a.cxt\"}]"), "a list of jobs; cox run --jobs takes it");
  EXPECT_EQ(kind("{\"format\": \"coxswain-network\", \"layers\": []}"), "a network file; cox lower takes it");
  EXPECT_EQ(kind("{\"windows\": []}"), "the bindings of a stream; cox as STREAM --bindings takes it");
  EXPECT_EQ(kind("{\"end_cycle\": 5}"), "the statistics of a run; cox stats takes it");
  EXPECT_EQ(kind("{\"traceEvents\": []}"), "a Chrome trace; Perfetto opens it");
  EXPECT_EQ(kind("COXEVT01"), "an event log; cox timeline takes it");
  EXPECT_EQ(kind(std::string_view("\x1c\0\0\0TFL3 and the rest", 21)), "a TensorFlow Lite model; cox info and cox run take it");
}

TEST(FileKind, UnknownFiles) {
  for (const char *text : {"", "\n", "hello", "{", "[", "[1]", "{}", "[{\"a\": 1}]", "\"ct_st\""}) EXPECT_EQ(kind(text), "") << text;
}

}  // namespace
}  // namespace cox::tools
