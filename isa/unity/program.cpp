// SPDX-License-Identifier: MIT
#include "coxswain/isa/unity/program.h"

#include <bit>
#include <cstring>

namespace cox::isa::unity {
namespace {

static_assert(std::endian::native == std::endian::little);  // parts of containers are copied as they are

template <typename Part>
Part read_part(std::span<const std::byte> bytes, std::uint64_t offset) {
  Part part;
  std::memcpy(&part, bytes.data() + offset, sizeof part);
  return part;
}

constexpr std::uint64_t program_offset(std::uint64_t number) { return sizeof(ContainerHeader) + number * sizeof(ProgramEntry); }
/// The tables of programs and sub-programs adjoin, so that sub-programs count on behind the programs. Keys follow them.
constexpr std::uint64_t key_offset(const ContainerHeader &header, std::uint64_t number) {
  return program_offset(std::uint64_t{header.programs} + header.sub_programs) + number * sizeof(InitialKey);
}

Status check_fits(std::span<const std::byte> bytes, std::uint64_t end) {
  if (end <= bytes.size()) return {};
  return Status(ErrorCode::stream_truncated, "container", -1, signed_of(bytes.size()), signed_of(end));
}

Status refuse(const char *what, std::int64_t value, std::int64_t limit, std::int32_t index = -1) {
  return Status(ErrorCode::field_out_of_range, what, index, value, limit);
}

Status check_header(const ContainerHeader &header) {
  if (header.magic != kContainerMagic) return refuse("magic", header.magic, kContainerMagic);
  if (header.units < 1) return refuse("units", header.units, 1);
  if (header.units > kMostUnits) return refuse("units", header.units, kMostUnits);
  if ((header.flags & ~kKnownFlags) != 0) return refuse("flags", header.flags, kKnownFlags);
  if (header.programs == 0) return refuse("programs", 0, 1);
  if (header.page % kPageBytes != 0) return refuse("page", signed_of(header.page), kPageBytes);
  return {};
}

Status check_image(std::span<const std::byte> bytes, const ProgramEntry &entry, const char *what, std::int32_t index) {
  if (entry.offset % kProgramAlignment != 0) {
    return Status(ErrorCode::misaligned_address, what, index, entry.offset, kProgramAlignment);
  }
  if (entry.instructions == 0) return refuse(what, 0, 1, index);
  if (entry.reserved != 0) return refuse("reserved", entry.reserved, 0, index);
  if (const Status status = check_fits(bytes, entry.offset + program_bytes(entry.instructions)); !status) return status;
  for (std::uint32_t i = 0; i < entry.instructions; ++i) {
    const auto id = std::to_integer<std::uint8_t>(bytes[static_cast<std::size_t>(entry.offset + id_offset(i))]);
    if (!is_domain(id)) return Status(ErrorCode::unsupported, "domain", static_cast<std::int32_t>(i), id);
    const bool ends = id == static_cast<std::uint8_t>(Domain::end);
    if (ends != (i + 1 == entry.instructions)) return refuse("end", i, entry.instructions - 1, index);
  }
  return {};
}

}  // namespace

Result<Container> Container::open(std::span<const std::byte> bytes) {
  if (const Status status = check_fits(bytes, sizeof(ContainerHeader)); !status) return status;
  Container container;
  container.bytes_ = bytes;
  const ContainerHeader &header = container.header_ = read_part<ContainerHeader>(bytes, 0);
  if (const Status status = check_header(header); !status) return status;
  if (bytes.size() > kMostContainerBytes) return refuse("size", signed_of(bytes.size()), kMostContainerBytes);
  if (const Status status = check_fits(bytes, key_offset(header, header.keys)); !status) return status;
  unsigned unit = 0;
  for (std::uint32_t i = 0; i < header.programs; ++i) {
    const ProgramEntry entry = container.program(i);
    const auto index = static_cast<std::int32_t>(i);
    if (entry.unit >= header.units) return refuse("program", entry.unit, header.units - 1, index);
    if (entry.unit < unit) return refuse("program", entry.unit, unit, index);
    unit = entry.unit;
    if (const Status status = check_image(bytes, entry, "program", index); !status) return status;
  }
  for (std::uint32_t i = 0; i < header.sub_programs; ++i) {
    const ProgramEntry entry = container.sub_program(i);
    const auto index = static_cast<std::int32_t>(i);
    if (entry.unit != 0) return refuse("sub-program", entry.unit, 0, index);
    if (i > 0 && entry.offset <= container.sub_program(i - 1).offset) {
      return refuse("sub-program", entry.offset, container.sub_program(i - 1).offset, index);
    }
    if (const Status status = check_image(bytes, entry, "sub-program", index); !status) return status;
  }
  for (std::uint32_t i = 0; i < header.keys; ++i) {
    if (const InitialKey key = container.key(i); key.table >= kKeyTables) {
      return refuse("key", key.table, kKeyTables - 1, static_cast<std::int32_t>(i));
    }
  }
  return container;
}

ProgramEntry Container::program(std::uint32_t number) const { return read_part<ProgramEntry>(bytes_, program_offset(number)); }
ProgramEntry Container::sub_program(std::uint32_t number) const {
  return read_part<ProgramEntry>(bytes_, program_offset(std::uint64_t{header_.programs} + number));
}
InitialKey Container::key(std::uint32_t number) const { return read_part<InitialKey>(bytes_, key_offset(header_, number)); }

ProgramEntry Container::sub_program_at(std::uint64_t offset) const {
  std::uint32_t first = 0, end = header_.sub_programs;  // the entries rise
  while (first < end) {
    const std::uint32_t middle = first + (end - first) / 2;
    const ProgramEntry entry = sub_program(middle);
    if (entry.offset == offset) return entry;
    if (entry.offset < offset) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return {};
}

Container::Queue Container::queue(unsigned unit) const {
  Queue queue;
  while (queue.first < header_.programs && program(queue.first).unit < unit) ++queue.first;
  queue.end = queue.first;
  while (queue.end < header_.programs && program(queue.end).unit == unit) ++queue.end;
  return queue;
}

Stored Container::instruction(const ProgramEntry &program, std::uint32_t number) const {
  const Result<Stored> stored = fetch(bytes_, program.offset, number);
  return stored ? stored.value() : Stored{};
}

}  // namespace cox::isa::unity
