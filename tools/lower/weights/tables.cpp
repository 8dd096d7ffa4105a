// SPDX-License-Identifier: MIT
#include "tools/lower/weights/tables.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cox::lower {
namespace {

double value_of(TableFunction function, double x) {
  switch (function) {
    case TableFunction::sigmoid: return 1 / (1 + std::exp(-x));
    case TableFunction::tanh: return std::tanh(x);
    case TableFunction::gelu: return x * std::erfc(-x / std::numbers::sqrt2) / 2;
    case TableFunction::silu: return x / (1 + std::exp(-x));
  }
  return 0;
}

}  // namespace

TableRange range_of(TableFunction function) {
  switch (function) {
    case TableFunction::sigmoid: return {-16, 16, false};
    case TableFunction::tanh: return {-8, 8, false};
    case TableFunction::gelu: return {-8, 8, true};
    case TableFunction::silu: return {-16, 16, true};
  }
  return {};
}

std::vector<float> entries_of(TableFunction function) {
  const TableRange range = range_of(function);
  std::vector<float> entries;
  for (std::uint32_t i = 0; i <= kTableSegments; ++i) {
    entries.push_back(static_cast<float>(value_of(function, range.low + (range.high - range.low) * i / kTableSegments)));
  }
  return entries;
}

std::optional<TableFunction> table_of(const Layer &layer) {
  if (layer.operation == Operation::sigmoid || layer.activation == Activation::sigmoid) return TableFunction::sigmoid;
  if (layer.operation == Operation::tanh || layer.activation == Activation::tanh) return TableFunction::tanh;
  if (layer.operation == Operation::gelu || layer.activation == Activation::gelu) return TableFunction::gelu;
  if (layer.operation == Operation::silu || layer.activation == Activation::silu) return TableFunction::silu;
  return std::nullopt;
}

std::vector<TableFunction> tables_of(const Network &network) {
  std::vector<TableFunction> functions;
  for (const Layer &layer : network.layers) {
    const std::optional<TableFunction> function = table_of(layer);
    if (function && std::find(functions.begin(), functions.end(), *function) == functions.end()) functions.push_back(*function);
  }
  return functions;
}

}  // namespace cox::lower
