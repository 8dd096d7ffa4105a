// SPDX-License-Identifier: MIT
#include "coxswain/isa/pim/program.h"

#include <cstring>

#include "coxswain/isa/pim/place.h"

namespace cox::isa::pim {
namespace {

static_assert(std::endian::native == std::endian::little);  // parts of programs are copied as they are

template <typename Part>
Part read_part(std::span<const std::byte> bytes, std::uint64_t offset) {
  Part part;
  std::memcpy(&part, bytes.data() + offset, sizeof part);
  return part;
}

constexpr std::uint64_t table_offset(unsigned core) { return sizeof(ProgramHeader) + std::uint64_t{core} * sizeof(CodeEntry); }

Status check_fits(std::span<const std::byte> bytes, std::uint64_t end) {
  if (end <= bytes.size()) return {};
  return Status(ErrorCode::stream_truncated, "program", -1, signed_of(bytes.size()), signed_of(end));
}

Status check_part(std::span<const std::byte> bytes, const char *what, std::int32_t index, std::uint32_t offset, std::uint64_t size) {
  if (offset % kPartAlignment != 0) return Status(ErrorCode::misaligned_address, what, index, offset, kPartAlignment);
  return check_fits(bytes, offset + size);
}

Status check_header(const ProgramHeader &header) {
  if (header.magic != kProgramMagic) return Status(ErrorCode::field_out_of_range, "magic", -1, header.magic, kProgramMagic);
  if (header.cores < 1) return Status(ErrorCode::field_out_of_range, "cores", -1, header.cores, 1);
  if (header.cores > kMostCores) return Status(ErrorCode::field_out_of_range, "cores", -1, header.cores, kMostCores);
  if (header.reserved != 0) return Status(ErrorCode::field_out_of_range, "reserved", -1, header.reserved, 0);
  return {};
}

Status check_setting(const Setting &setting, unsigned cores, std::int32_t index) {
  const auto refuse = [index](std::int64_t value, std::int64_t limit) {
    return Status(ErrorCode::field_out_of_range, "setting", index, value, limit);
  };
  if (setting.core >= cores) return refuse(setting.core, cores - 1);
  if (setting.reserved != 0) return refuse(setting.reserved, 0);
  if (setting.place >= 2 * kRegisters) return refuse(setting.place, 2 * kRegisters - 1);
  constexpr auto kLastSpecial = static_cast<unsigned>(Special::simd_output_bit_width);
  if (setting.place >= kRegisters && !is_special(setting.place - kRegisters)) return refuse(setting.place, kRegisters + kLastSpecial);
  return {};
}

Status check_copy(const Copy &copy, unsigned cores, std::int32_t index) {
  const auto refuse = [index](std::int64_t value, std::int64_t limit) {
    return Status(ErrorCode::field_out_of_range, "copy", index, value, limit);
  };
  if (copy.kind > CopyKind::store_registers) {
    return refuse(static_cast<std::int64_t>(copy.kind), static_cast<std::int64_t>(CopyKind::store_registers));
  }
  if (copy.core >= cores) return refuse(copy.core, cores - 1);
  if (copy.reserved != 0) return refuse(copy.reserved, 0);
  if (copy.kind != CopyKind::store_registers) return {};
  if (copy.local != 0) return refuse(copy.local, 0);
  if (copy.bytes != kStoredRegistersBytes) return refuse(copy.bytes, kStoredRegistersBytes);
  return {};
}

}  // namespace

Status check(const Copy &copy, const Configuration &configuration) {
  if (copy.bytes == 0) return {};
  if (copy.kind != CopyKind::store_registers) {
    const Place local = place(configuration, Reach::all, copy.local, copy.bytes);
    if (!local.is_local() && !local.is_array()) return Status(ErrorCode::address_outside_buffer, "copy", -1, copy.local);
  }
  if (!place(configuration, Reach::dram, copy.dram, copy.bytes).found()) return outside(configuration, Reach::dram, "copy", copy.dram);
  return {};
}

Result<Program> Program::open(std::span<const std::byte> bytes) {
  if (Status status = check_fits(bytes, sizeof(ProgramHeader)); !status.ok()) return status;
  Program program;
  program.bytes_ = bytes;
  program.header_ = read_part<ProgramHeader>(bytes, 0);
  const ProgramHeader &header = program.header_;
  if (Status status = check_header(header); !status.ok()) return status;
  if (Status status = check_fits(bytes, table_offset(header.cores)); !status.ok()) return status;
  for (unsigned core = 0; core < header.cores; ++core) {
    const CodeEntry entry = program.entry(core);
    const auto index = static_cast<std::int32_t>(core);
    if (entry.instructions > kMostInstructions) {
      return Status(ErrorCode::field_out_of_range, "instructions", index, entry.instructions, kMostInstructions);
    }
    const std::uint64_t size = std::uint64_t{entry.instructions} * kInstructionBytes;
    if (Status status = check_part(bytes, "code", index, entry.offset, size); !status.ok()) return status;
  }
  const std::uint64_t settings = header.settings * std::uint64_t{sizeof(Setting)}, copies = header.copies * std::uint64_t{sizeof(Copy)};
  if (Status status = check_part(bytes, "settings", -1, header.settings_offset, settings); !status.ok()) return status;
  if (Status status = check_part(bytes, "copies", -1, header.copies_offset, copies); !status.ok()) return status;
  for (std::uint32_t i = 0; i < header.settings; ++i) {
    if (Status status = check_setting(program.setting(i), header.cores, static_cast<std::int32_t>(i)); !status.ok()) return status;
  }
  for (std::uint32_t i = 0; i < header.copies; ++i) {
    if (Status status = check_copy(program.copy(i), header.cores, static_cast<std::int32_t>(i)); !status.ok()) return status;
  }
  return program;
}

CodeEntry Program::entry(unsigned core) const { return read_part<CodeEntry>(bytes_, table_offset(core)); }

MachineCode Program::code(unsigned core, std::uint32_t number) const {
  return read_part<MachineCode>(bytes_, entry(core).offset + std::uint64_t{number} * kInstructionBytes);
}

std::span<const std::byte> Program::code(unsigned core) const {
  const CodeEntry entry = this->entry(core);
  return bytes_.subspan(entry.offset, std::size_t{entry.instructions} * kInstructionBytes);
}

Setting Program::setting(std::uint32_t number) const {
  return read_part<Setting>(bytes_, header_.settings_offset + std::uint64_t{number} * sizeof(Setting));
}

Copy Program::copy(std::uint32_t number) const {
  return read_part<Copy>(bytes_, header_.copies_offset + std::uint64_t{number} * sizeof(Copy));
}

}  // namespace cox::isa::pim
