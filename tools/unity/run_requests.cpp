// SPDX-License-Identifier: MIT
#include "tools/unity/run_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "tools/file/error.h"
#include "tools/names/did_you_mean.h"

namespace cox::tools::unity {
namespace {

class Adder {
 public:
  explicit Adder(StreamImage &image) : image_(image) {
    for (const Window &window : image.windows) places_.push_back({fmt::format("window{}", window.index), window.index, 0, window.size});
    for (const Tensor &tensor : image.tensors) places_.push_back({tensor.name, tensor.window, tensor.offset, tensor.size});
  }

  RequestedTensors add(const ProgramFormat::RunRequest &request) {
    if (!request.set.empty())
      throw FileError("--set " + request.set.front() + ": programs of the Unity units have no registers; .key sets keys");
    for (const std::string &text : request.memory) load(text);
    for (const std::string &text : request.dump) dump(text);
    return std::move(tensors_);
  }

 private:
  struct Place {
    std::string name;
    std::uint8_t window = 0;
    std::uint64_t offset = 0, bytes = 0;
  };

  [[noreturn]] static void fail(const std::string &option, const std::string &text, const std::string &why) {
    throw FileError(fmt::format("{} {}: {}", option, text, why));
  }

  static std::uint64_t number(const std::string &option, const std::string &text, std::string_view digits) {
    const bool hexadecimal = digits.starts_with("0x");
    if (hexadecimal) digits.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
    if (error != std::errc{} || stop != digits.data() + digits.size()) fail(option, text, fmt::format("'{}' is not a number", digits));
    return value;
  }

  /// NAME or NAME@OFFSET.
  [[nodiscard]] Place place(const std::string &option, const std::string &text, std::string_view from) const {
    const std::size_t at = from.find('@');
    const std::string_view name = from.substr(0, at);
    const auto found = std::ranges::find(places_, name, &Place::name);
    if (found == places_.end()) fail(option, text, fmt::format("there is no '{}'{}", name, did_you_mean(name, places_, &Place::name)));
    Place place = *found;
    const std::uint64_t offset = at == std::string_view::npos ? 0 : number(option, text, from.substr(at + 1));
    if (offset > place.bytes) fail(option, text, fmt::format("{} has only {} bytes", name, place.bytes));
    place.offset += offset;
    place.bytes -= offset;
    return place;
  }

  void load(const std::string &text) {
    const std::string option = "--memory";
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) fail(option, text, "it should be NAME@OFFSET=FILE");
    const std::string file = text.substr(equals + 1);
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(file, error);
    if (error) throw FileError(file + ": " + error.message());
    if (bytes == 0) fail(option, text, "the file is empty");
    add_tensor(option, text, place(option, text, std::string_view(text).substr(0, equals)), bytes, Direction::input, file);
  }

  void dump(const std::string &text) {
    const std::string option = "--dump";
    const std::size_t equals = text.find('=');
    const std::size_t plus = std::string_view(text).substr(0, equals).rfind('+');
    if (equals == std::string::npos || equals + 1 == text.size() || plus == std::string::npos)
      fail(option, text, "it should be NAME@OFFSET+BYTES=FILE");
    const std::uint64_t bytes = number(option, text, std::string_view(text).substr(plus + 1, equals - plus - 1));
    if (bytes == 0) fail(option, text, "0 bytes cannot be read");
    add_tensor(option, text, place(option, text, std::string_view(text).substr(0, plus)), bytes, Direction::output,
               text.substr(equals + 1));
  }

  void add_tensor(const std::string &option, const std::string &text, const Place &place, std::uint64_t bytes, Direction direction,
                  const std::string &file) {
    if (bytes > place.bytes) fail(option, text, fmt::format("{} bytes pass the end of {}", bytes, place.name));
    auto &list = direction == Direction::input ? tensors_.inputs : tensors_.outputs;
    Tensor tensor;
    tensor.name = fmt::format("{} {}", direction == Direction::input ? "memory" : "dump", list.size());
    tensor.direction = direction;
    tensor.shape = {1, 1, 1, static_cast<std::uint32_t>(bytes)};
    tensor.window = place.window;
    tensor.offset = place.offset;
    tensor.size = bytes;
    list.emplace_back(tensor.name, file);
    image_.tensors.push_back(std::move(tensor));
  }

  StreamImage &image_;
  std::vector<Place> places_;
  RequestedTensors tensors_;
};

}  // namespace

RequestedTensors add_requests(StreamImage &image, const ProgramFormat::RunRequest &request) { return Adder(image).add(request); }

}  // namespace cox::tools::unity
