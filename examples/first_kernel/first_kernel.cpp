// SPDX-License-Identifier: MIT
// The first kernel call (docs/kernels/mx.md): y = SiLU(2 x + 1), channel by channel, as a 1x1 convolution on the MX engine.
#include <array>
#include <cstdio>

#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/kernels/mx/conv_act.h"
#include "coxswain/kernels/mx/engine.h"
#include "coxswain/kernels/mx/mx9_pack.h"
#include "coxswain/kernels/mx/mx9_unpack.h"
#include "coxswain/kernels/mx/pack_weights.h"

namespace {

namespace mx = cox::kernels::mx;
using cox::Status;
using cox::isa::mx::Block;

constexpr std::uint32_t kChannels = 16, kHeight = 4, kWidth = 4, kPixels = kHeight * kWidth;

cox::hal::Accelerator accelerator;
mx::Engine engine;
alignas(64) std::array<std::byte, 1024> stream_memory;

int refuse(const char *step, const Status &status) {
  std::printf("%s: %s: %s is %ld, limit %ld\n", step, cox::error_name(status.code()), status.what(), static_cast<long>(status.value()),
              static_cast<long>(status.limit()));
  return 1;
}

template <typename T>
std::span<T> memory(std::uint64_t address, std::uint64_t count) {
  return {cox::hal::core_pointer<T>(address), static_cast<std::size_t>(count)};
}

}  // namespace

int main() {
  // Done once: open the accelerator, and initialise the engine with the parts of DRAM that it may access.
  if (Status status = accelerator.open(); !status) return refuse("open", status);
  const cox::MemoryRange range = cox::hal::dram_range();
  const cox::isa::mx::Window dram[] = {{.base = range.address, .bytes = range.size, .read = true, .write = true}};
  mx::Engine::Configuration configuration;
  configuration.windows = dram;
  if (Status status = engine.init(accelerator, configuration); !status) return refuse("init", status);

  // The addresses are 4 KiB apart, more than each tensor needs.
  const std::uint64_t base = range.address;
  const mx::Tensor input{base, kChannels, kHeight, kWidth};
  const mx::Tensor output{base + 0x1000, kChannels, kHeight, kWidth};
  const std::uint64_t weights = base + 0x2000;

  // Done once: pack weights with 2 on the diagonal, and biases of 1.
  std::array<float, kChannels * kChannels> matrix{};
  std::array<float, kChannels> biases{};
  for (std::uint32_t i = 0; i < kChannels; ++i) {
    matrix[i * kChannels + i] = 2;
    biases[i] = 1;
  }
  const mx::WeightShape shape{.kernel = 1, .input_channels = kChannels, .output_channels = kChannels};
  const auto packed = memory<std::byte>(weights, mx::packed_weights_bytes(shape).value());
  if (Status status = mx::pack_weights(shape, matrix, biases, packed); !status) return refuse("pack_weights", status);
  cox::hal::clean_cache(packed.data(), packed.size());

  // Done once: build the stream. Kernels append to it.
  mx::Stream stream;
  if (Status status = stream.init(stream_memory, engine.windows()); !status) return refuse("stream", status);
  mx::ConvActArguments arguments;
  arguments.input = input;
  arguments.weights = weights;
  arguments.output = output;
  arguments.activation = mx::Activation::SiLU;
  if (Status status = mx::conv_act(stream, arguments); !status) return refuse("conv_act", status);

  // Done for each input: pack it, run the stream, unpack the output.
  std::array<float, kChannels * kPixels> values{};
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % kPixels) / 8 - 1;
  const auto input_blocks = memory<Block>(input.address, input.count());
  const auto output_blocks = memory<Block>(output.address, output.count());
  if (Status status = mx::mx9_pack_planes(values, kChannels, kPixels, input_blocks); !status) return refuse("pack", status);
  cox::hal::clean_cache(input_blocks.data(), input_blocks.size_bytes());
  if (Status status = engine.run(stream); !status) return refuse("run", status);
  cox::hal::invalidate_cache(output_blocks.data(), output_blocks.size_bytes());
  if (Status status = mx::mx9_unpack_planes(output_blocks, kChannels, kPixels, values); !status) return refuse("unpack", status);

  // With weight 2 and bias 1, an input x gives SiLU(2x + 1). So -1 gives SiLU(-1), 0 gives SiLU(1), and 0.875 gives SiLU(2.75).
  for (const std::uint32_t pixel : {0U, 8U, 15U})
    std::printf("y[%u] = %ld / 1000\n", static_cast<unsigned>(pixel), static_cast<long>(values[pixel] * 1000));
  return 0;
}
