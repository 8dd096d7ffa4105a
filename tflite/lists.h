// SPDX-License-Identifier: MIT
// Access to the vectors of a verified FlatBuffer. A vector that is absent is empty.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "coxswain/tflite/flatbuffer.h"

namespace cox::tflite::lists {

template <typename T>
std::size_t count_of(const flatbuffers::Vector<T> *list) {
  return list == nullptr ? 0 : list->size();
}

/// For elements of at most 4 bytes, which a FlatBuffer aligns.
template <typename T>
requires(sizeof(T) <= 4) std::span<const T> span_of(const flatbuffers::Vector<T> *list) {
  if (list == nullptr) return {};
  return {reinterpret_cast<const T *>(list->Data()), list->size()};
}

/// `index` < count_of(list).
template <typename T>
auto at(const flatbuffers::Vector<T> *list, std::size_t index) {
  return list->Get(static_cast<flatbuffers::uoffset_t>(index));
}

inline std::string_view text_of(const flatbuffers::String *text) {
  return text == nullptr ? std::string_view() : std::string_view(text->c_str(), text->size());
}

}  // namespace cox::tflite::lists
