// SPDX-License-Identifier: MIT
// yolov5s: the host side of the example (README.md).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "boards/qemu-npu-soc/board_map.h"
#include "examples/yolov5s/host/compare.h"
#include "examples/yolov5s/host/dram_image.h"
#include "examples/yolov5s/host/emulate.h"
#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/host/file.h"
#include "examples/yolov5s/host/network_ends.h"
#include "examples/yolov5s/host/network_image.h"
#include "examples/yolov5s/host/picture.h"
#include "examples/yolov5s/host/random_weights.h"
#include "examples/yolov5s/host/safetensors.h"
#include "examples/yolov5s/host/weights.h"
#include "examples/yolov5s/layers.h"

namespace {

using namespace cox::yolov5s;

enum ExitStatus : int { kMet = 0, kMissed = 1, kUsage = 2, kBadInput = 3, kBadOutput = 5, kInternal = 70 };

constexpr const char *kExitHelp =
    "Exit status: 0 done, 1 a bound is missed (compare), 2 usage, 3 an input file cannot be read or parsed, 5 an output file cannot be\n"
    "written, 70 a defect of yolov5s itself.";
constexpr std::uint32_t kSide = 640;
constexpr std::uint32_t kLargestSide = 2048;
constexpr std::uint64_t kMebibyte = 1U << 20;

const auto kSize = CLI::Range(kSizeMultiple, kLargestSide) & CLI::Validator(
                                                                 [](const std::string &text) {
                                                                   return std::stoul(text) % kSizeMultiple == 0
                                                                              ? std::string()
                                                                              : fmt::format("{} is no multiple of {}", text, kSizeMultiple);
                                                                 },
                                                                 fmt::format("MULTIPLE OF {}", kSizeMultiple));

void print(const std::string &text) { std::fwrite(text.data(), 1, text.size(), stdout); }

struct InputSize {
  std::uint32_t height = kSide, width = kSide;

  void add_options(CLI::App &command) {
    command.add_option("--height", height, "Height of the network's input")->check(kSize)->capture_default_str();
    command.add_option("--width", width, "Width of the network's input")->check(kSize)->capture_default_str();
  }
};

void add_weights(CLI::App &app) {
  struct Options {
    std::uint64_t seed = 1;
    std::string output;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("weights", "Make random weights, the same for a seed on every machine");
  command->add_option("--seed", options->seed, "Seed")->capture_default_str();
  command->add_option("-o,--output", options->output, "Weight file (safetensors) to write")->required();
  command->callback([options] { write_file(options->output, write_safetensors(random_weights(options->seed))); });
}

void add_picture(CLI::App &app) {
  struct Options {
    std::uint64_t seed = 1;
    std::uint32_t height = kSide, width = kSide;
    std::string output;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("picture", "Make a test picture");
  command->add_option("--seed", options->seed, "Seed")->capture_default_str();
  command->add_option("--height", options->height, "Rows")->check(CLI::Range(1U, 8192U))->capture_default_str();
  command->add_option("--width", options->width, "Columns")->check(CLI::Range(1U, 8192U))->capture_default_str();
  command->add_option("-o,--output", options->output, "PPM to write")->required();
  command->callback(
      [options] { write_file(options->output, write_ppm(synthetic_scene(options->seed, options->height, options->width).picture)); });
}

void add_pack(CLI::App &app) {
  struct Options {
    std::string weights, output;
    std::vector<std::string> pictures;
    InputSize size;
    std::uint64_t dram = BOARD_DRAM_SIZE_DEFAULT / kMebibyte;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("pack", "Lay out the board's DRAM: packed weights and pictures");
  command->add_option("WEIGHTS", options->weights, "Weight file (safetensors); batch normalisation is folded in where it has any")
      ->required();
  command->add_option("--image", options->pictures, "Picture (PPM), scaled to fit; several pictures are processed in a row")
      ->required()
      ->allow_extra_args(false)
      ->expected(1, kMostPictures);
  command->add_option("-o,--output", options->output, "DRAM to write")->required();
  options->size.add_options(*command);
  command->add_option("--dram", options->dram, "MiB of DRAM")
      ->check(CLI::Range(BOARD_DRAM_SIZE_MIN / kMebibyte, BOARD_DRAM_SIZE_MAX / kMebibyte))
      ->capture_default_str();
  command->callback([options] {
    const auto packed = pack(read_weights(Safetensors::read(options->weights)));
    std::vector<std::uint8_t> pictures;
    for (const std::string &name : options->pictures) {
      const Picture picture = letterbox(parse_ppm(read_file(name)), options->size.height, options->size.width);
      pictures.insert(pictures.end(), picture.pixels.begin(), picture.pixels.end());
    }
    DramImage::lay_out(options->dram * kMebibyte, options->size.height, options->size.width, pictures, packed).write(options->output);
  });
}

void add_emulate(CLI::App &app) {
  const auto dram = std::make_shared<std::string>();
  CLI::App *command = app.add_subcommand("emulate", "Do the application's work on the host, with the device's bits");
  command->add_option("DRAM", *dram, "DRAM laid out by pack; changed in place")->required();
  command->callback([dram] {
    DramImage image = DramImage::read(*dram);
    emulate(image);
    image.write(*dram);
  });
}

void add_compare(CLI::App &app, int &status) {
  struct Options {
    std::string dram, weights;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("compare", "Hold what a run left in DRAM against FP32");
  command->add_option("DRAM", options->dram, "DRAM after the run")->required();
  command->add_option("WEIGHTS", options->weights, "Weight file that it was packed from")->required();
  command->add_flag("--json", options->json, "Print the report as JSON");
  command->callback([options, &status] {
    DramImage dram = DramImage::read(options->dram);
    const Comparison comparison = compare(dram, read_weights(Safetensors::read(options->weights)));
    print(options->json ? comparison_json(comparison, dram.data()) : comparison_text(comparison, dram.data()));
    status = comparison.misses().empty() ? kMet : kMissed;
  });
}

void add_layers(CLI::App &app) {
  const auto options = std::make_shared<InputSize>();
  CLI::App *command = app.add_subcommand("layers", "List the network's layers");
  options->add_options(*command);
  command->callback([options] {
    const auto layers = std::make_unique<LayerList>();
    if (!build(*layers, options->height, options->width).ok()) return;
    std::uint64_t sum = 0;
    for (const Layer &layer : layers->layers()) {
      print(fmt::format("{:<22} {:>5} x {} x {} -> {} x {} x {}, {} MAC\n", layer.name.view(), layer.input1.channels, layer.input1.height,
                        layer.input1.width, layer.output.channels, layer.output.height, layer.output.width, layer.multiply_accumulates));
      sum += layer.multiply_accumulates;
    }
    print(fmt::format("{} layers, {} MAC\n", layers->count(), sum));
  });
}

void add_image(CLI::App &app) {
  struct Options {
    std::string weights, output;
    InputSize size;
    bool layers = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("image", "Make a task image of the network, which `cox run` runs");
  command->add_option("WEIGHTS", options->weights, "Weight file (safetensors)")->required();
  command->add_option("-o,--output", options->output, "Task image to write")->required();
  command->add_flag("--layers", options->layers, "Make the output of each layer a tensor of the image");
  options->size.add_options(*command);
  command->callback([options] {
    const auto packed = pack(read_weights(Safetensors::read(options->weights)));
    write_file(options->output, network_image(options->size.height, options->size.width, packed, options->layers));
  });
}

void add_input(CLI::App &app) {
  struct Options {
    std::string picture, output;
    InputSize size;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("input", "Make the tensor `image` of the task image from a picture");
  command->add_option("PICTURE", options->picture, "Picture (PPM), scaled to fit")->required();
  command->add_option("-o,--output", options->output, "Tensor to write")->required();
  options->size.add_options(*command);
  command->callback([options] {
    const auto [height, width] = options->size;
    const Picture picture = letterbox(parse_ppm(read_file(options->picture)), height, width);
    std::vector<cox::isa::mx::Block> map(std::size_t{height} * width / 4);
    pack_picture(picture.pixels, height, width, map);
    write_file(options->output, std::as_bytes(std::span(map)));
  });
}

void add_boxes(CLI::App &app) {
  struct Options {
    std::vector<std::string> values;
    InputSize size;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("boxes", "Print the boxes of a picture, best first: class, score, left, top, right, bottom");
  command->add_option("VALUES", options->values, "The tensors model.24.m.0.sigmoid, model.24.m.1.sigmoid and model.24.m.2.sigmoid")
      ->required()
      ->expected(kScales);
  options->size.add_options(*command);
  command->callback([options] {
    const auto [height, width] = options->size;
    std::vector<std::vector<std::byte>> files;
    HeadBlocks blocks;
    for (std::uint32_t scale = 0; scale < kScales; ++scale) {
      files.push_back(read_file(options->values[scale]));
      const std::size_t pixels = std::size_t{height / kStrides[scale]} * (width / kStrides[scale]);
      const std::size_t bytes = (kHeadChannels + 15) / 16 * pixels * cox::isa::mx::kBlockBytes;
      if (files[scale].size() != bytes)
        throw FileError(fmt::format("{}: {} bytes; scale {} has {}", options->values[scale], files[scale].size(), scale, bytes));
      blocks[scale] = reinterpret_cast<const cox::isa::mx::Block *>(files[scale].data());
    }
    const MachineData limits;
    const Detection detection = find_boxes(blocks, height, width, limits.least_score, limits.most_overlap);
    for (const Box &box : std::span(detection.boxes).first(detection.box_count))
      print(fmt::format("{} {} {} {} {} {}\n", box.class_number, box.score, box.x1, box.y1, box.x2, box.y2));
  });
}

int run(int argc, char **argv) {
  CLI::App app{"YOLOv5s on the MX engine: weights, pictures, DRAM before a run, and FP32 beside what came of it.", "yolov5s"};
  app.require_subcommand(1);
  app.footer(kExitHelp);
  int status = kMet;
  add_weights(app);
  add_picture(app);
  add_pack(app);
  add_emulate(app);
  add_compare(app, status);
  add_layers(app);
  add_image(app);
  add_input(app);
  add_boxes(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? kMet : kUsage;
  } catch (const FileError &error) {
    std::fprintf(stderr, "yolov5s: %s\n", error.what());
    return kBadInput;
  } catch (const OutputError &error) {
    std::fprintf(stderr, "yolov5s: %s\n", error.what());
    return kBadOutput;
  }
  return status;
}

}  // namespace

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "yolov5s: internal error: %s\n", error.what());
    return kInternal;
  }
}
