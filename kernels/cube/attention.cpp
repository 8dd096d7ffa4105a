// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/attention.h"

#include "coxswain/hal/cache.h"
#include "coxswain/kernels/cube/attention_arguments.h"

namespace cox::kernels::cube {
namespace {

/// Runs one head of attention. While the core computes the softmax of block i, two streams are in flight. The first computes the output of
/// block i - 1, the second the scores of block i + 1. A stream's memory is written again only when the stream has ended.
class Head {
 public:
  Head(Engine &engine, const AttentionStreams &streams, std::uint64_t limit_us) : engine_(engine), streams_(streams), limit_us_(limit_us) {}

  Status run(const AttentionBlocks &blocks, Type type) {
    const std::uint32_t count = blocks.count();
    Result<std::uint32_t> next = submit(streams_.scores, blocks.scores(0));
    if (!next) return next.status();
    Result<std::uint32_t> output = next;
    for (std::uint32_t block = 0; block < count; ++block) {
      if (const Status status = engine_.wait(next.value(), limit_us_); !status) return status;
      if (block + 1 < count) {
        next = submit(streams_.scores, blocks.scores(block + 1));
        if (!next) return end(output.value(), next.status());
      }
      weigh(blocks, block, type);
      if (block > 0) {
        if (const Status status = engine_.wait(output.value(), limit_us_); !status) return status;
      }
      const Result<std::uint32_t> submitted = submit(streams_.output, blocks.output(block));
      if (!submitted) return end(next.value(), submitted.status());
      output = submitted;
    }
    return engine_.wait(output.value(), limit_us_);
  }

 private:
  Result<std::uint32_t> submit(Stream &stream, const GemmArguments &call) {
    stream.clear();
    if (const Status status = engine_.attach(stream, limit_us_); !status) return status;
    if (const Status status = gemm(stream, call); !status) return status;
    return engine_.submit(stream);
  }

  /// Waits until no stream of the call is in flight, then returns `status`.
  Status end(std::uint32_t last, const Status &status) {
    static_cast<void>(engine_.wait(last, limit_us_));
    return status;
  }

  static void weigh(const AttentionBlocks &blocks, std::uint32_t block, Type type) {
    const std::span<std::byte> scores = blocks.scratch(block);
    hal::invalidate_cache(scores.data(), scores.size());
    softmax_rows(blocks.rows(block), type);
    hal::clean_cache(scores.data(), scores.size());
  }

  Engine &engine_;
  const AttentionStreams &streams_;
  std::uint64_t limit_us_;
};

}  // namespace

Status attention(Engine &engine, const AttentionStreams &streams, const AttentionArguments &arguments, std::uint64_t limit_us) {
  if (const Status status = check_arguments(streams, arguments); !status) return status;
  const AttentionBlocks blocks(arguments);
  // The core must not write cached contents of scratch back over the unit's scores later. Bytes behind the blocks are not touched: they may
  // share a cache line with other memory.
  for (const std::uint32_t half : {0U, 1U}) hal::invalidate_cache(blocks.scratch(half).data(), blocks.scratch(half).size());
  return Head(engine, streams, limit_us).run(blocks, arguments.type);
}

}  // namespace cox::kernels::cube
