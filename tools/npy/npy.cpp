// SPDX-License-Identifier: MIT
#include "tools/npy/npy.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "tools/file/error.h"
#include "tools/file/file.h"

namespace cox::tools {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;  ///< of the elements in a file that we write
constexpr std::size_t kMaxRank = 32;    ///< NumPy's

/// Reads the header: a dictionary of Python with exactly the keys descr, fortran_order and shape.
class Header {
 public:
  Header(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  NpyArray read() {
    expect('{');
    while (!take('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr") {
        once(type_.has_value(), key);
        type_ = type_of(string());
      } else if (key == "fortran_order") {
        once(order_, key);
        order_ = true;
        fortran_ = boolean();
      } else if (key == "shape") {
        once(shape_.has_value(), key);
        shape_ = tuple();
      } else {
        refuse("unknown key '" + std::string(key) + "'");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (at_ != text_.size()) refuse("text behind the dictionary");
    if (!type_.has_value()) refuse("no descr");
    if (!order_) refuse("no fortran_order");
    if (!shape_.has_value()) refuse("no shape");
    if (fortran_ && shape_->size() > 1) throw FileError(name_ + ": Fortran's order; numpy.ascontiguousarray() makes C order");
    return {*type_, *shape_, {}};
  }

 private:
  [[noreturn]] void refuse(const std::string &what) const { throw FileError(name_ + ": .npy header: " + what); }
  void once(bool seen, std::string_view key) const {
    if (seen) refuse("key '" + std::string(key) + "' twice");
  }
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool take(char wanted) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) refuse(std::string("no '") + wanted + "' at character " + std::to_string(at_));
  }
  std::string_view string() {
    skip_spaces();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) refuse("no text in quotes at character " + std::to_string(at_));
    const std::string_view found = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return found;
  }
  bool boolean() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return value;
    }
    refuse("fortran_order is neither True nor False");
  }
  std::vector<std::size_t> tuple() {
    expect('(');
    std::vector<std::size_t> sizes;
    while (!take(')')) {
      skip_spaces();
      std::size_t size = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
      if (error != std::errc{}) refuse("shape: no size at character " + std::to_string(at_));
      at_ = static_cast<std::size_t>(end - text_.data());
      sizes.push_back(size);
      if (sizes.size() > kMaxRank) refuse("shape: more than " + std::to_string(kMaxRank) + " dimensions");
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }
  [[nodiscard]] NpyType type_of(std::string_view descr) const {
    const std::string text(descr);
    if (descr.size() == 3 && descr[0] == '>' && descr[2] != '1') throw FileError(name_ + ": type '" + text + "' is big-endian");
    for (const char *known : {"|b1", "|i1", "|u1", "<b1", "<i1", "<u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8"}) {
      if (descr == known) return {known[1], static_cast<unsigned>(known[2] - '0')};
    }
    throw FileError(name_ + ": type '" + text + "' is not supported");
  }

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  std::optional<NpyType> type_;
  std::optional<std::vector<std::size_t>> shape_;
  bool order_ = false, fortran_ = false;
};

/// Returns the size of an array's elements, or nullopt if it does not fit.
std::optional<std::size_t> size_of(const NpyArray &array) {
  std::size_t size = array.type.bytes;
  if (std::find(array.shape.begin(), array.shape.end(), 0U) != array.shape.end()) return 0;
  for (const std::size_t dimension : array.shape) {
    if (size > std::numeric_limits<std::size_t>::max() / dimension) return std::nullopt;
    size *= dimension;
  }
  return size;
}

}  // namespace

std::string NpyType::name() const {
  const std::string bits = std::to_string(8 * bytes);
  switch (kind) {
    case 'b': return "bool";
    case 'i': return "int" + bits;
    case 'u': return "uint" + bits;
    default: return "float" + bits;
  }
}

NpyArray parse_npy(std::span<const std::uint8_t> file, const std::string &name) {
  const std::string_view text(reinterpret_cast<const char *>(file.data()), file.size());
  if (!text.starts_with(kMagic)) throw FileError(name + ": this is no .npy file");
  if (file.size() < kMagic.size() + 4) throw FileError(name + ": the .npy header ends early");
  const unsigned version = file[kMagic.size()], minor = file[kMagic.size() + 1];
  if ((version != 1 && version != 2) || minor != 0) {
    throw FileError(name + ": .npy version " + std::to_string(version) + "." + std::to_string(minor) +
                    " is not supported; 1.0 and 2.0 are");
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4, start = kMagic.size() + 2 + length_bytes;
  if (file.size() < start) throw FileError(name + ": the .npy header ends early");
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= std::size_t{file[kMagic.size() + 2 + i]} << (8 * i);
  if (file.size() - start < length) throw FileError(name + ": the .npy header ends early");
  NpyArray array = Header(text.substr(start, length), name).read();
  const std::span<const std::uint8_t> elements = file.subspan(start + length);
  const std::optional<std::size_t> size = size_of(array);
  if (!size.has_value() || *size != elements.size()) {
    throw FileError(name + ": " + std::to_string(elements.size()) + " bytes of elements, but type and shape need " +
                    (size.has_value() ? std::to_string(*size) : std::string("more than there can be")));
  }
  array.bytes.assign(elements.begin(), elements.end());
  return array;
}

NpyArray read_npy(const std::string &path) { return parse_npy(read_file(path), path); }

std::vector<std::uint8_t> npy_file(const NpyArray &array) {
  std::string header = "{'descr': '";
  header += array.type.bytes == 1 ? '|' : '<';
  header += array.type.kind;
  header += std::to_string(array.type.bytes) + "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < array.shape.size(); ++i) header += (i == 0 ? "" : " ") + std::to_string(array.shape[i]) + ",";
  if (array.shape.size() > 1) header.pop_back();  // one size keeps its comma
  header += "), }";
  const auto padded = [&](std::size_t prefix) { return (prefix + header.size() + 1 + kAlignment - 1) / kAlignment * kAlignment - prefix; };
  const bool long_header = padded(kMagic.size() + 4) > 0xFFFF;
  const std::size_t prefix = kMagic.size() + (long_header ? 6 : 4);
  header.resize(padded(prefix) - 1, ' ');
  header += '\n';

  std::vector<std::uint8_t> file(kMagic.begin(), kMagic.end());
  file.push_back(long_header ? 2 : 1);
  file.push_back(0);
  for (std::size_t i = 0; i < (long_header ? 4U : 2U); ++i) file.push_back(static_cast<std::uint8_t>(header.size() >> (8 * i)));
  file.insert(file.end(), header.begin(), header.end());
  file.insert(file.end(), array.bytes.begin(), array.bytes.end());
  return file;
}

}  // namespace cox::tools
