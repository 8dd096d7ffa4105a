// SPDX-License-Identifier: MIT
#include "tools/run/timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "tools/run/layer_colours.h"

namespace cox::tools::run {
namespace {

constexpr double kWidth = 1600;
constexpr double kMargin = 32;
constexpr double kLabels = 168;       // names of the lanes, on the left
constexpr double kUtilisation = 132;  // on the right
constexpr double kPlotLeft = kMargin + kLabels;
constexpr double kPlotWidth = kWidth - 2 * kMargin - kLabels - kUtilisation;
constexpr double kPlotTop = 124;
constexpr double kLane = 50;
constexpr double kBox = 32;              // height of an operation's box
constexpr double kConfiguration = 5;     // and of a configuration's
constexpr double kThinnest = 0.7;        // pixels; thinner boxes vanish
constexpr double kChip = 44;             // a layer of the legend
constexpr std::size_t kMostTokens = 80;  // drawn; more would hide what they explain
constexpr double kCharacter = 6.1;       // width of a character in a box, at 11 px

std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

// 1234567 as 1,234,567.
std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string microseconds(std::uint64_t cycles) {
  const std::string whole = grouped(cycles / 1000);
  return cycles % 1000 == 0 || cycles >= 1'000'000 ? whole : fmt::format("{}.{:03}", whole, cycles % 1000);
}

// 1, 2 or 5 times a power of ten, so that at most thirteen intervals fit.
std::uint64_t tick_step(std::uint64_t span) {
  std::uint64_t power = 1;
  while (power * 100 <= span) power *= 10;
  for (const std::uint64_t factor : {1U, 2U, 5U, 10U}) {
    if (power * factor * 13 >= span) return power * factor;
  }
  return power * 10;
}

// A lane of the picture: a class of a core that the task uses.
struct Lane {
  std::uint32_t core;
  std::size_t queue;
  std::uint64_t busy;
  auto operator<=>(const Lane &) const = default;
};

class Picture {
 public:
  Picture(std::ostream &out, const Timeline &timeline)
      : out_(out), timeline_(timeline), span_(std::max<std::uint64_t>(timeline.end_cycle(), 1)), tokens_(tokens_of(timeline)) {
    std::set<std::int32_t> layers;
    std::set<std::pair<std::uint32_t, std::size_t>> used;
    for (const TimedInstruction &instruction : timeline.instructions) {
      layers.insert(instruction.layer);
      used.insert({instruction.core, static_cast<std::size_t>(instruction.queue)});
      several_cores_ = several_cores_ || instruction.core > 0;
    }
    layers_.assign(layers.begin(), layers.end());
    for (const auto &[core, queue] : used) lanes_.push_back({core, queue, busy(core, queue)});
  }

  void draw() {
    const double bottom = kPlotTop + kLane * static_cast<double>(lanes_.size());
    const double legend = bottom + 84;
    const auto chips_a_row = static_cast<std::size_t>((kWidth - 2 * kMargin) / kChip);
    const std::size_t rows = (layers_.size() + chips_a_row - 1) / chips_a_row;
    const double height = legend + 62 + 26 * static_cast<double>(rows);
    open(height);
    title();
    axis(bottom);
    for (std::size_t i = 0; i < lanes_.size(); ++i) lane(lanes_[i], lane_top(i));
    if (tokens_.size() <= kMostTokens) {  // behind the boxes
      for (const Token &token : tokens_) arrow(timeline_.instructions[token.from], timeline_.instructions[token.to]);
    }
    for (const TimedInstruction &instruction : timeline_.instructions) box(instruction, middle_of(instruction) - kBox / 2);
    describe(legend, chips_a_row);
    out_ << "</svg>\n";
  }

 private:
  [[nodiscard]] double x(std::uint64_t cycle) const {
    return kPlotLeft + kPlotWidth * static_cast<double>(cycle) / static_cast<double>(span_);
  }

  static double lane_top(std::size_t lane) { return kPlotTop + kLane * static_cast<double>(lane); }

  // The middle of the boxes in the lane of an instruction.
  [[nodiscard]] double middle_of(const TimedInstruction &instruction) const {
    const auto lane = std::ranges::find_if(lanes_, [&](const Lane &candidate) {
      return candidate.core == instruction.core && candidate.queue == static_cast<std::size_t>(instruction.queue);
    });
    return lane_top(static_cast<std::size_t>(lane - lanes_.begin())) + 4 + kBox / 2;
  }

  [[nodiscard]] std::uint64_t busy(std::uint32_t core, std::size_t queue) const {
    std::uint64_t cycles = 0;
    for (const TimedInstruction &instruction : timeline_.instructions) {
      if (instruction.core == core && static_cast<std::size_t>(instruction.queue) == queue) cycles += instruction.cycles();
    }
    return cycles;
  }

  void open(double height) {
    out_ << fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )", kWidth, height)
         << R"svg(font-family="Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif">
<style>
  text { fill: #1f2933 }
  .title { font-size: 23px; font-weight: 600 } .subtitle { font-size: 14px; fill: #52606d } .note { font-size: 13px; fill: #52606d }
  .name { font-size: 16px; font-weight: 600 } .what { font-size: 12px; fill: #7b8794 } .tick { font-size: 12px; fill: #52606d }
  .axis { font-size: 12px; fill: #7b8794 } .share { font-size: 14px; font-weight: 600 } .in { font-size: 11px; pointer-events: none }
  .chip { font-size: 12px; text-anchor: middle } .c { fill: #9aa5b1 } .w { stroke: #ffffff; stroke-width: 0.5 }
  .token { fill: none; stroke: #3e4c59; stroke-width: 1; stroke-opacity: 0.45; pointer-events: none } .head { fill: #3e4c59; pointer-events: none }
  rect[class]:hover { stroke: #1f2933; stroke-width: 1.5 }
</style>
)svg";
    out_ << fmt::format(R"(<rect width="{}" height="{}" fill="#ffffff"/>)", kWidth, height) << '\n';
  }

  void title() {
    out_ << fmt::format(R"(<text class="title" x="{}" y="48">{}</text>)", kMargin, escaped(timeline_.title)) << '\n';
    out_ << fmt::format(R"(<text class="subtitle" x="{}" y="72">{} instructions in {} cycles ({} µs at 1 GHz)</text>)", kMargin,
                        grouped(timeline_.instructions.size()), grouped(timeline_.end_cycle()), microseconds(timeline_.end_cycle()))
         << '\n';
  }

  void axis(double bottom) {
    const std::uint64_t step = tick_step(span_);
    const double right = kPlotLeft + kPlotWidth;
    for (std::uint64_t cycle = 0; cycle <= span_; cycle += step) {
      const double at = x(cycle);
      out_ << fmt::format(R"(<line x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2}" stroke="#d5dae1"/>)", at, kPlotTop - 8, bottom + 6) << '\n';
      // A number that would run into the column beside the plot is left out.
      if (at > right - 12 && cycle != 0) continue;
      out_ << fmt::format(R"(<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", at, bottom + 24, grouped(cycle))
           << '\n';
      out_ << fmt::format(R"(<text class="axis" x="{:.1f}" y="{}" text-anchor="middle">{} µs</text>)", at, bottom + 42, microseconds(cycle))
           << '\n';
    }
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">cycles</text>)", kMargin, bottom + 24) << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">time</text>)", kMargin, bottom + 42) << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">engine</text>)", kMargin, kPlotTop - 16) << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">busy</text>)", right + 20, kPlotTop - 16) << '\n';
  }

  void lane(const Lane &lane, double top) {
    const double middle = top + kLane / 2;
    const std::string core = several_cores_ ? fmt::format(" {}", lane.core) : "";
    out_ << fmt::format(R"(<text class="name" x="{}" y="{}">{}{}</text>)", kMargin, middle - 2, isa::tile::kClassNames[lane.queue], core)
         << '\n';
    out_ << fmt::format(R"(<text class="what" x="{}" y="{}">{}</text>)", kMargin, middle + 14,
                        class_description(static_cast<isa::tile::Class>(lane.queue)))
         << '\n';
    out_ << fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="#eef1f5" fill-opacity="0.7"/>)", kPlotLeft, top + 4, kPlotWidth,
                        kLane - 8)
         << '\n';
    share(lane, middle);
  }

  void box(const TimedInstruction &instruction, double top) {
    const bool small = instruction.is_configuration();
    const double left = x(instruction.start);
    const double width = std::max(x(instruction.end) - left, kThinnest);
    const double y = small ? top + kBox + 3 : top;
    out_ << fmt::format(R"(<rect class="{}" x="{:.2f}" y="{}" width="{:.2f}" height="{}")",
                        small       ? "c"
                        : width > 3 ? "w"
                                    : "t",
                        left, y, width, small ? kConfiguration : kBox);
    if (!small) out_ << fmt::format(R"( fill="{}"{})", layer_colour(instruction.layer), width > 6 ? R"( rx="2")" : "");
    out_ << "><title>" << escaped(spoken(instruction)) << "</title></rect>\n";
    if (!small) write_in(instruction, left, width, y);
  }

  // From the end of the giver to the start of the taker, level where it leaves and arrives.
  void arrow(const TimedInstruction &from, const TimedInstruction &to) {
    const double left = x(from.end);
    const double right = x(to.start);
    const double top = middle_of(from);
    const double bottom = middle_of(to);
    const double bend = std::max((right - left) / 2, 10.0);
    out_ << fmt::format(
                R"(<path class="token" d="M{:.1f} {}C{:.1f} {} {:.1f} {} {:.1f} {}"/><circle class="head" cx="{:.1f}" cy="{}" r="2"/>)",
                left, top, left + bend, top, right - bend, bottom, right, bottom, right, bottom)
         << '\n';
  }

  static std::string spoken(const TimedInstruction &instruction) {
    std::string text = fmt::format("{} (instruction {})\n{} to {}: {} cycles", instruction.name, instruction.index,
                                   grouped(instruction.start), grouped(instruction.end), grouped(instruction.cycles()));
    if (instruction.layer >= 0) text += fmt::format("\nlayer {}", instruction.layer);
    if (instruction.workload >= 0) text += fmt::format(", workload {}", instruction.workload);
    if (instruction.tile >= 0) text += fmt::format(", tile {}", instruction.tile);
    if (instruction.bytes > 0) text += fmt::format("\n{} bytes of DRAM", grouped(instruction.bytes));
    return text;
  }

  // The longest of the name with the layer, the layer, and nothing, that fits.
  void write_in(const TimedInstruction &instruction, double left, double width, double top) {
    const std::string layer = instruction.layer >= 0 ? std::to_string(instruction.layer) : "";
    for (const std::string &text : {layer.empty() ? instruction.name : instruction.name + " · " + layer, layer}) {
      const double length = kCharacter * static_cast<double>(text.size());
      if (text.empty() || length + 3 > width) continue;
      out_ << fmt::format(R"(<text class="in" x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", left + width / 2, top + kBox / 2 + 4,
                          escaped(text))
           << '\n';
      return;
    }
  }

  void share(const Lane &lane, double middle) {
    const double left = kPlotLeft + kPlotWidth + 20;
    const double part = static_cast<double>(lane.busy) / static_cast<double>(span_);
    constexpr double kBar = kUtilisation - 20;
    const std::string percent = lane.busy > 0 && part < 0.001 ? "&lt; 0.1 %" : fmt::format("{:.1f} %", 100 * part);
    out_ << fmt::format(R"(<text class="share" x="{}" y="{}">{}</text>)", left, middle - 2, percent) << '\n';
    out_ << fmt::format(R"(<rect x="{}" y="{}" width="{}" height="6" rx="3" fill="#e4e7eb"/>)", left, middle + 8, kBar) << '\n';
    out_ << fmt::format(R"(<rect x="{}" y="{}" width="{:.1f}" height="6" rx="3" fill="#3e6fb0"/>)", left, middle + 8,
                        kBar * std::min(part, 1.0))
         << '\n';
  }

  void describe(double top, std::size_t chips_a_row) {
    out_
        << fmt::format(
               R"(<text class="note" x="{}" y="{}">A lane is one engine's queue. A box is one instruction from its start to its end, in the colour of)",
               kMargin, top)
        << " the network layer that it works for; a grey tick at the foot of a lane is a configuration."
        << (!tokens_.empty() && tokens_.size() <= kMostTokens ? " A line is a token: what an instruction waits for." : "") << "</text>\n";
    out_ << fmt::format(R"(<text class="note" x="{}" y="{}" font-weight="600">Layers</text>)", kMargin, top + 28) << '\n';
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const double left = kMargin + kChip * static_cast<double>(i % chips_a_row);
      const std::size_t row = i / chips_a_row;
      const double y = top + 38 + 26 * static_cast<double>(row);
      out_ << fmt::format(R"(<rect x="{}" y="{}" width="{}" height="20" rx="3" fill="{}"/>)", left, y, kChip - 6, layer_colour(layers_[i]));
      out_ << fmt::format(R"(<text class="chip" x="{}" y="{}">{}</text>)", left + (kChip - 6) / 2, y + 14.5,
                          layers_[i] >= 0 ? std::to_string(layers_[i]) : "none")
           << '\n';
    }
  }

  std::ostream &out_;
  const Timeline &timeline_;
  std::uint64_t span_;
  std::vector<std::int32_t> layers_;
  std::vector<Lane> lanes_;
  std::vector<Token> tokens_;
  bool several_cores_ = false;
};

}  // namespace

void write_timeline_svg(std::ostream &out, const Timeline &timeline) { Picture(out, timeline).draw(); }

}  // namespace cox::tools::run
