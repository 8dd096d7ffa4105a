// SPDX-License-Identifier: MIT
// Program containers: parts by hand, and each error of open().
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "coxswain/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace container_test {

/// A container of two units: unit 0 has programs of 2 and 33 instructions, unit 1 one of 1; two sub-programs; one key.
class Image {
 public:
  static constexpr std::uint32_t kFirst = 96, kSecond = 160, kThird = 768, kSub0 = 832, kSub1 = 896;

  Image() : bytes_(kSub1 + 64) {
    header.units = 2;
    header.programs = 3;
    header.sub_programs = 2;
    header.keys = 1;
    entries = {{kFirst, 2, 0, 0}, {kSecond, 33, 0, 0}, {kThird, 1, 1, 0}, {kSub0, 2, 0, 0}, {kSub1, 2, 0, 0}};
    key = {3, 7, 500};
    for (const ProgramEntry &entry : entries) {
      ImageWriter writer{std::span<std::byte>(bytes_).subspan(entry.offset)};
      for (std::uint32_t i = 1; i < entry.instructions; ++i) EXPECT_TRUE(writer.add({entry.offset, i, 0, 0}));
      writer.end();
    }
  }
  [[nodiscard]] std::span<const std::byte> bytes() {
    std::memcpy(bytes_.data(), &header, sizeof header);
    std::memcpy(bytes_.data() + 32, entries.data(), entries.size() * sizeof entries[0]);
    std::memcpy(bytes_.data() + 72, &key, sizeof key);
    return bytes_;
  }
  [[nodiscard]] std::byte &at(std::size_t offset) { return bytes_[offset]; }
  void resize(std::size_t size) { bytes_.resize(size); }

  ContainerHeader header;
  std::vector<ProgramEntry> entries;
  InitialKey key;

 private:
  std::vector<std::byte> bytes_;
};

void expect_error(Image &image, ErrorCode code, std::string_view what, std::int32_t index, std::int64_t value, std::int64_t limit) {
  const Status status = Container::open(image.bytes()).status();
  EXPECT_EQ(error_name(status.code()), std::string_view(error_name(code)));
  EXPECT_EQ(std::string_view(status.what()), what);
  EXPECT_EQ(status.index(), index);
  EXPECT_EQ(status.value(), value);
  EXPECT_EQ(status.limit(), limit);
}

TEST(UnityContainer, BytesOfTheHeader) {
  Image image;
  image.header = {.units = 5, .flags = 1, .programs = 6, .sub_programs = 7, .keys = 8, .time_limit = 9, .page = 0x0123456789AB0000};
  const std::span<const std::byte> bytes = image.bytes();
  const unsigned expected[32] = {'X', 'D', 'S', '1', 5, 0, 1, 0, 6, 0, 0,    0,    7,    0,    0,    0,
                                 8,   0,   0,   0,   9, 0, 0, 0, 0, 0, 0xAB, 0x89, 0x67, 0x45, 0x23, 1};
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(std::to_integer<unsigned>(bytes[i]), expected[i]) << i;
}

TEST(UnityContainer, PartsAreFound) {
  Image image;
  EXPECT_FALSE(Container::open(image.bytes()).value().is_relative());
  image.header.flags = kFlagRelative;
  EXPECT_TRUE(Container::open(image.bytes()).value().is_relative());
  EXPECT_FALSE(Container::open(image.bytes()).value().host_deposits());
  image.header.flags = kFlagHostDeposits;
  image.header.time_limit = 3;
  image.header.page = 0x20000;
  const Result<Container> opened = Container::open(image.bytes());
  ASSERT_TRUE(opened) << opened.status().what();
  const Container &container = opened.value();
  EXPECT_EQ(container.units(), 2U);
  EXPECT_TRUE(container.host_deposits());
  EXPECT_EQ(container.time_limit(), 3072U);
  EXPECT_EQ(container.header().page, 0x20000U);
  EXPECT_EQ(container.key(0).table, 3);
  EXPECT_EQ(container.key(0).entry, 7);
  EXPECT_EQ(container.key(0).count, 500);
  EXPECT_EQ(container.queue(0).first, 0U);
  EXPECT_EQ(container.queue(0).end, 2U);
  EXPECT_EQ(container.queue(1).first, 2U);
  EXPECT_EQ(container.queue(1).end, 3U);
  EXPECT_EQ(container.program(1).offset, Image::kSecond);
  EXPECT_EQ(container.sub_program_at(Image::kSub0).instructions, 2);
  EXPECT_EQ(container.sub_program_at(Image::kSub1).offset, Image::kSub1);
  EXPECT_EQ(container.sub_program_at(Image::kFirst).instructions, 0);
  EXPECT_EQ(container.sub_program_at(Image::kSub1 + 32).instructions, 0);
  const Stored last = container.instruction(container.program(1), 31);
  EXPECT_EQ(last.domain, Domain::unity);
  EXPECT_EQ(last.code, (MachineCode{Image::kSecond, 32, 0, 0}));
  EXPECT_EQ(container.instruction(container.program(1), 32).domain, Domain::end);
  EXPECT_EQ(container_front(3, 1, 2), 96U);
  EXPECT_EQ(container_front(1, 0, 0), 64U);
  EXPECT_EQ(container_front(4, 0, 0), 64U);
  EXPECT_EQ(container_front(4, 1, 0), 96U);
}

TEST(UnityContainer, Positions) {
  // Payload 32 of a program at 160: group 1, so 160 + 544 + 32 bytes, or step 46; unit 5 above 21 bits.
  EXPECT_EQ(Container::position({160, 33, 0, 0}, 5, 32), 5U << 21 | 46);
  EXPECT_EQ(Position::unpack(5U << 21 | 46).unit, 5U);
  EXPECT_EQ(Position::unpack(5U << 21 | 46).byte(), 736U);
  EXPECT_EQ(Position::unpack(0xFFFFFF).unit, 7U);
  EXPECT_EQ((Position{7, (1U << 21) - 1}.pack()), 0xFFFFFFU);
}

TEST(UnityContainer, HeaderErrors) {
  const auto with = [](auto change) {
    Image image;
    change(image);
    return image;
  };
  Image image = with([](Image &i) { i.header.magic = 5; });
  expect_error(image, ErrorCode::field_out_of_range, "magic", -1, 5, kContainerMagic);
  image = with([](Image &i) { i.header.units = 0; });
  expect_error(image, ErrorCode::field_out_of_range, "units", -1, 0, 1);
  image = with([](Image &i) { i.header.units = 9; });
  expect_error(image, ErrorCode::field_out_of_range, "units", -1, 9, 8);
  image = with([](Image &i) { i.header.flags = 4; });
  expect_error(image, ErrorCode::field_out_of_range, "flags", -1, 4, 3);
  image = with([](Image &i) { i.header.programs = 0; });
  expect_error(image, ErrorCode::field_out_of_range, "programs", -1, 0, 1);
  image = with([](Image &i) { i.header.page = 0x8000; });
  expect_error(image, ErrorCode::field_out_of_range, "page", -1, 0x8000, 0x10000);
  image = with([](Image &i) { i.header.keys = 0xFFFFFFFF; });
  expect_error(image, ErrorCode::stream_truncated, "container", -1, 960, 72 + 4 * std::int64_t{0xFFFFFFFF});
  image = with([](Image &i) { i.resize(kMostContainerBytes + 1); });
  expect_error(image, ErrorCode::field_out_of_range, "size", -1, kMostContainerBytes + 1, kMostContainerBytes);
  image = with([](Image &i) { i.resize(kMostContainerBytes); });
  EXPECT_TRUE(Container::open(image.bytes()));
  for (const std::size_t size : {std::size_t{0}, std::size_t{31}}) {
    const Status status = Container::open(Image().bytes().first(size)).status();
    EXPECT_EQ(status.code(), ErrorCode::stream_truncated);
    EXPECT_EQ(status.value(), static_cast<std::int64_t>(size));
    EXPECT_EQ(status.limit(), 32);
  }
}

TEST(UnityContainer, ProgramErrors) {
  Image image;
  image.entries[1].offset += 16;
  expect_error(image, ErrorCode::misaligned_address, "program", 1, 176, 32);
  image = Image();
  image.entries[2].unit = 2;
  expect_error(image, ErrorCode::field_out_of_range, "program", 2, 2, 1);
  image = Image();
  image.entries[0].unit = 1;
  expect_error(image, ErrorCode::field_out_of_range, "program", 1, 0, 1);
  image = Image();
  image.entries[0].instructions = 0;
  expect_error(image, ErrorCode::field_out_of_range, "program", 0, 0, 1);
  image = Image();
  image.entries[0].reserved = 1;
  expect_error(image, ErrorCode::field_out_of_range, "reserved", 0, 1, 0);
  image = Image();
  image.entries[2].offset = 0xFFFFFFE0;
  expect_error(image, ErrorCode::stream_truncated, "container", -1, 960, 0xFFFFFFE0 + std::int64_t{48});
  image = Image();
  image.at(Image::kFirst) = std::byte{0x42};
  expect_error(image, ErrorCode::unsupported, "domain", 0, 0x42, 0);
  image = Image();  // END too early, and none at the end
  image.at(Image::kSecond + 3) = std::byte{0x7F};
  expect_error(image, ErrorCode::field_out_of_range, "end", 1, 3, 32);
  image = Image();
  image.at(Image::kSecond + 544) = std::byte{0};
  expect_error(image, ErrorCode::field_out_of_range, "end", 1, 32, 32);
}

TEST(UnityContainer, SubProgramAndKeyErrors) {
  Image image;
  image.entries[3].unit = 1;
  expect_error(image, ErrorCode::field_out_of_range, "sub-program", 0, 1, 0);
  image = Image();
  std::swap(image.entries[3].offset, image.entries[4].offset);
  expect_error(image, ErrorCode::field_out_of_range, "sub-program", 1, Image::kSub0, Image::kSub1);
  image = Image();
  image.entries[4].offset += 8;
  expect_error(image, ErrorCode::misaligned_address, "sub-program", 1, Image::kSub1 + 8, 32);
  image = Image();
  image.at(Image::kSub1 + 1) = std::byte{0x80};
  expect_error(image, ErrorCode::field_out_of_range, "end", 1, 1, 1);
  image = Image();
  image.key.table = 4;
  expect_error(image, ErrorCode::field_out_of_range, "key", 0, 4, 3);
}

}  // namespace container_test
}  // namespace
}  // namespace cox::isa::unity
