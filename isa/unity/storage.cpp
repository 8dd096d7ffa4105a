// SPDX-License-Identifier: MIT
#include "coxswain/isa/unity/storage.h"

#include <cstring>

#include "coxswain/isa/unity/sync.h"

namespace cox::isa::unity {
namespace {

static_assert(std::endian::native == std::endian::little);  // payloads are copied as they are

Result<Domain> domain_of(std::byte id, std::uint32_t number) {
  const auto value = std::to_integer<std::uint8_t>(id);
  if (!is_domain(value)) return Status(ErrorCode::unsupported, "domain", static_cast<std::int32_t>(number), value);
  return static_cast<Domain>(value);
}

}  // namespace

Result<Stored> fetch(std::uint64_t program, std::uint32_t number, const OperandMemory &memory) {
  const auto index = static_cast<std::int32_t>(number);
  if (program % kProgramAlignment != 0) {
    return Status(ErrorCode::misaligned_address, "program", index, signed_of(program), kProgramAlignment);
  }
  std::byte id{};
  const std::uint64_t at = program + id_offset(std::uint64_t{number});
  if (!memory.read(at, {&id, 1})) return Status(ErrorCode::address_outside_window, "program", index, signed_of(at));
  const Result<Domain> domain = domain_of(id, number);
  if (!domain) return domain.status();
  Stored stored{.domain = domain.value()};
  if (stored.domain == Domain::end) return stored;
  const std::uint64_t payload = program + payload_offset(std::uint64_t{number});
  if (!memory.read(payload, std::as_writable_bytes(std::span(stored.code)))) {
    return Status(ErrorCode::address_outside_window, "program", index, signed_of(payload));
  }
  return stored;
}

Result<Stored> fetch(std::span<const std::byte> bytes, std::uint64_t offset, std::uint32_t number) {
  const auto index = static_cast<std::int32_t>(number);
  if (offset % kProgramAlignment != 0) {
    return Status(ErrorCode::misaligned_address, "program", index, signed_of(offset), kProgramAlignment);
  }
  const auto check = [&](std::uint64_t end) {
    if (end <= bytes.size()) return Status{};
    return Status(ErrorCode::stream_truncated, "program", index, signed_of(bytes.size()), signed_of(end));
  };
  if (offset > bytes.size()) return check(offset + kIdBytes);
  if (const Status status = check(offset + id_offset(std::uint64_t{number}) + 1); !status) return status;
  const Result<Domain> domain = domain_of(bytes[static_cast<std::size_t>(offset + id_offset(std::uint64_t{number}))], number);
  if (!domain) return domain.status();
  Stored stored{.domain = domain.value()};
  if (stored.domain == Domain::end) return stored;
  const std::uint64_t payload = offset + payload_offset(std::uint64_t{number});
  if (const Status status = check(payload + kInstructionBytes); !status) return status;
  std::memcpy(stored.code.data(), bytes.data() + payload, kInstructionBytes);
  return stored;
}

void ImageWriter::put(const MachineCode &code, Domain domain) {
  if (count_ % kGroupInstructions == 0) {
    std::memset(bytes_.data() + id_offset(count_), static_cast<int>(Domain::end), kIdBytes);
  }
  bytes_[static_cast<std::size_t>(id_offset(count_))] = static_cast<std::byte>(domain);
  std::memcpy(bytes_.data() + payload_offset(count_), code.data(), kInstructionBytes);
  ++count_;
}

Status ImageWriter::add(const MachineCode &code, Domain domain) {
  const std::uint64_t needed = program_bytes(std::uint64_t{count_} + 2);
  if (needed > bytes_.size()) return Status(ErrorCode::no_room, "program", -1, signed_of(needed), signed_of(bytes_.size()));
  put(code, domain);
  return {};
}

std::uint32_t ImageWriter::end() {
  if (program_bytes(std::uint64_t{count_} + 1) > bytes_.size()) return 0;
  put({}, Domain::end);
  return static_cast<std::uint32_t>(program_bytes(count_));
}

Result<EngineSubmission> resolve_submission(Domain domain, const MachineCode &code, std::uint64_t page) {
  constexpr unsigned kFirstReserved = 22;
  constexpr unsigned kReservedSpace = 3;
  const std::uint32_t space_code = code[0] >> 6 & 3;
  if (space_code == kReservedSpace) return Status(ErrorCode::field_out_of_range, "address_space", -1, kReservedSpace, kReservedSpace - 1);
  for (unsigned bit = kFirstReserved; bit < 32; ++bit) {
    if ((code[0] >> bit & 1) != 0) return Status(ErrorCode::reserved_bits, "payload", static_cast<std::int32_t>(bit), bit);
  }
  if (const Status status = check_sync(code[1]); !status) return status;
  EngineSubmission submission{.domain = domain, .queue = static_cast<std::uint8_t>(code[0] & 0x3F)};
  submission.slots = static_cast<std::uint16_t>(code[0] >> 8 & 0x3FFF);
  if (submission.slots == 0) return Status(ErrorCode::field_out_of_range, "slots", -1, 0, 1);
  const std::uint64_t address = table_address(code);
  const auto space = static_cast<AddressSpace>(space_code);
  if (address_bits(space) < 64 && address >> address_bits(space) != 0) {
    return Status(ErrorCode::address_outside_window, "address", -1, signed_of(address));
  }
  if (address % kSlotBytes != 0) return Status(ErrorCode::misaligned_address, "address", -1, signed_of(address), kSlotBytes);
  submission.address = space == AddressSpace::bits16 ? page + address : address;
  return submission;
}

}  // namespace cox::isa::unity
