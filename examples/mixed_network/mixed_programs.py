# SPDX-License-Identifier: MIT
"""The xDSA programs of this example as text: the network over three engines, and the same network on the units alone."""
import digit_network as network

IMAGE_BYTES, FEATURE_BYTES = 64, network.FEATURES
COUNTED = 16  # images whose neighbours a unit counts at a time
GROUP = 2 * COUNTED  # images that an engine works on at a time
UNITS = 4  # of the usual device


class Layout:
    """Where tensors lie: windows 0 (images, features), 1 (constants) and 2 (results). `constants` are arrays by name."""

    def __init__(self, images, constants):
        self.images, self.gallery = images, len(constants["gallery"])
        votes, neighbours = network.CLASSES, network.NEIGHBOURS
        windows = [
            {"image": (images * IMAGE_BYTES, "in"), "features": (images * FEATURE_BYTES, "")},
            {name: (value.nbytes, "in") for name, value in constants.items()},
            {
                "scores": (images * self.gallery, "out"),
                "votes": (images * votes, "out"),
                "classes": (images, "out"),
                "nearest": (images * neighbours, ""),
                "indices": (images * neighbours * 4, ""),
                "found": (images * neighbours * 4, ""),
                "chosen": (images * neighbours * votes, ""),
                "conv1": (images * 8 * 8 * 16, ""),
                "conv2": (images * 8 * 8 * 32, ""),
                "pool": (images * FEATURE_BYTES, ""),
                "conv3": (images * FEATURE_BYTES, ""),
            },
        ]
        self.offsets, self.text = {}, []
        for window, tensors in enumerate(windows):
            end = 0
            for name, (size, direction) in tensors.items():
                self.text.append(f".tensor {name} window={window} offset={end:#x} bytes={size} {direction}".rstrip())
                self.offsets[name] = end
                end = (end + size + 511) // 512 * 512


# Events that keys stand for: of a group, and from FOUND on of a unit.
LOADED, CONVOLVED, POOLED, AGAIN, ADDED, SCORES, PASSED, FOUND = range(8)


def key(event, number):
    """The key of an event of a group, or of a unit. Each has an entry of its own, so that no group takes the key of another one."""
    return None if event is None else f"{event // 4}:{event % 4 * 64 + number}"


class Program:
    """Lines of each unit, and blocks of slots."""

    def __init__(self, layout):
        self.layout, self.units, self.blocks = layout, [[] for _ in range(UNITS)], []

    def add(self, unit, line, take=None, give=None, blk=False):
        words = [line]
        if take:
            words.append(f"fetch={take}")
        if give:
            words.append(f"deposit={give}")
        if blk:
            words.append("blk")
        self.units[unit].append("    " + " ".join(words))

    def submit(self, unit, engine, name, lines, **order):
        self.blocks += [f".slots {name} {engine}", *lines, ".end"]
        self.add(unit, f"submit {engine} slots={name}", **order)

    def text(self):
        text = list(self.layout.text)
        for unit, lines in enumerate(self.units):
            text += [f".unit {unit}", *lines]
        return "\n".join(text + self.blocks) + "\n"


def number(value):
    return format(value, ".20f").rstrip("0")


def convolution(layer, source, destination, height):
    """CONV2D of a layer of the network; `height` is also the width."""
    kernels, _, _, channels = layer.weights.shape
    clip = " CLIP_MAX=127" if layer.lowest == 0 else ""
    return (
        f"CONV2D FM={source} K={layer.name}_weights D={destination} FM_UNIT=s8 W_UNIT=s8 D_UNIT=s8 BIAS_UNIT=s32 BIAS_MODE=1 BIAS={layer.name}_biases"
        f" MUL_UNIT=fp32 MUL={number(layer.factor)} SCALE_UNIT=s32 FM_C={channels} FM_H={height} FM_W={height} K_NUM={kernels} K_H=3 K_W=3"
        f" T_PAD=1 B_PAD=1 L_PAD=1 R_PAD=1 H_STRIDE=1 V_STRIDE=1{clip}"
    )


def count_neighbours(program, unit, first, take=None, give=None):
    """The largest scores of 16 images from `first` on, their labels, the votes and the classes."""
    k, votes, gallery = network.NEIGHBOURS, network.CLASSES, program.layout.gallery
    earlier, later = key(FOUND, unit), key(FOUND + 1, unit)
    for i in range(COUNTED):
        at = first + i
        order = {"give": earlier if i < 8 else later}
        if i == 0:
            order = {"take": take, "give": give, "blk": True}
        if i == 8:
            order["take"] = f"7*{earlier}"  # an instruction takes at most 8 keys, so these of the others before it
        program.add(unit, f"TOPK S=scores+{at * gallery} D0=nearest+{at * k} D1=indices+{at * k * 4} LEN={gallery} K={k} UNIT=s8", **order)
    n, at = COUNTED * k, first * k
    program.add(unit, f"GATHER S=labels INDEX=indices+{at * 4} D=found+{at * 4} FH={gallery} FW=1 FC=1 INDEX_LEN={n} AXIS=1 UNIT=s32", take=f"8*{later}", blk=True)
    program.add(unit, f"ONE_HOT INDEX=found+{at * 4} D=chosen+{at * votes} UNIT=u8 DEPTH={votes} N={n}", blk=True)
    program.add(unit, f"REDUCE_SUM S=chosen+{at * votes} D=votes+{first * votes} FW={k} FH={COUNTED} FC={votes} AXIS=2 UNIT=u8", blk=True)
    for i in range(first, first + COUNTED):
        program.add(unit, f"ARG_MAX S0=votes+{i * votes} D=classes+{i} LEN={votes} S0_UNIT=u8 D_UNIT=u8")


class Gallery:
    """Streams of the matrix unit: the gallery stays in L1 as the right matrix, 32 KiB of it at a time go to L0B."""

    COLUMNS = 64

    def __init__(self, layout):
        self.vectors = layout.gallery
        self.pitch = (self.vectors + 15) // 16
        self.biases = self.pitch * 512 * FEATURE_BYTES // 32
        self.left = self.biases + 0x2000
        assert self.left + layout.images * FEATURE_BYTES <= 1 << 20

    def load(self):
        return [
            f"DRAM_TO_L1 Source=$gallery SourceHigh=$(gallery>>32) Rows={self.vectors} RowBytes={FEATURE_BYTES} SourcePitch={FEATURE_BYTES}"
            f" Format=Fractal DestinationPitch={self.pitch}",
            f"DRAM_TO_L1 Source=$biases SourceHigh=$(biases>>32) Rows=1 RowBytes={self.vectors * 4} Destination={self.biases}",
        ]

    def multiply(self, group, rows):
        """Scores of `rows` images of the group, by the columns of the gallery in two halves of L0B and L0C."""
        features, scores = f"features+{group * rows * FEATURE_BYTES}", f"scores+{group * rows * self.vectors}"
        pitch = (rows + 15) // 16
        left = self.left + group * pitch * 16 * FEATURE_BYTES
        tiles = [(at, min(self.COLUMNS, self.vectors - at)) for at in range(0, self.vectors, self.COLUMNS)]
        lines = [
            f"OUT_CFG Scale={number(network.SCORE_SCALE)} ScaleMode=Tensor Bias=true BiasAddress={self.biases}",
            f"DRAM_TO_L1 Source=$({features}) SourceHigh=$(({features})>>32) Rows={rows} RowBytes={FEATURE_BYTES} SourcePitch={FEATURE_BYTES}"
            f" Format=Fractal Destination={left} DestinationPitch={pitch} Set=MTE1:7",
            f"L1_TO_L0A Source={left} SourcePitch={pitch} Rows={rows} Columns={FEATURE_BYTES} Type=int8 Wait=MTE2:7",
        ]
        for i, (at, columns) in enumerate(tiles):
            half, again, more = i % 2, i >= 2, i + 2 < len(tiles)
            reused, free = (f" Wait=M:{half}" if again else "", f",MTE1:{half}" if more else "")
            lines += [
                f"L1_TO_L0B Source={at // 16 * 512} SourcePitch={self.pitch} Rows={FEATURE_BYTES} Columns={columns} Type=int8 Destination={half * 0x8000}"
                f"{reused} Set=M:{half}",
                f"MAD M={rows} K={FEATURE_BYTES} N={columns} Type=int8 CmatrixInitVal=true Right={half * 0x8000} Destination={half * 0x20000}"
                f" Wait=MTE1:{half}{f',FIX:{half}' if again else ''} Set=FIX:{half}{free}",
                f"L0C_TO_DRAM Destination=$({scores}+{at}) DestinationHigh=$(({scores}+{at})>>32) DestinationPitch={self.vectors} Channel={at} Integer=true"
                f" To=int8 Rows={rows} Columns={columns} SourcePitch={pitch} Source={half * 0x20000} Wait=M:{half}{f' Set=M:{half}' if more else ''}",
            ]
        return lines


def three_engines(layout, chain):
    """Convolutions on the tile core, scores on the matrix unit, neighbours on the units. Units 0 and 1 only submit, units 2 and 3 count."""
    PLACES = 4  # groups whose maps lie in L2
    program, groups = Program(layout), layout.images // GROUP
    if [queue for queue, _ in chain.chain] != ["LD", "PE", "VP", "PE", "VP", "ST"]:
        raise ValueError(f"the lowered network has another chain of classes: {[queue for queue, _ in chain.chain]}")

    def tile(unit, step, i, take=None, give=None, blk=False):
        if 0 <= i < groups:
            order = {"take": key(take, i), "give": key(give, i), "blk": blk}
            source, destination = i * GROUP * IMAGE_BYTES, layout.offsets["features"] - GROUP * IMAGE_BYTES + i * GROUP * FEATURE_BYTES
            program.submit(unit, "tile", f"step{step}_{i}", chain.submission(step, i % PLACES, source, destination), **order)

    # While PE computes the first convolutions of a group, VP pools the group before, whose last convolution follows.
    program.submit(0, "tile", "weights", chain.load_weights(), blk=True)
    for i in range(-1, groups + 1):
        tile(0, 1, i + 1, take=LOADED, give=CONVOLVED)
        tile(0, 2, i, take=CONVOLVED, give=POOLED)
        tile(0, 4, i - 1, take=AGAIN, give=ADDED)
        tile(0, 3, i, take=POOLED, give=AGAIN)
    # The maps of a group lie where those of the fourth group before lay, so its images are loaded behind that one's store.
    product = Gallery(layout)
    program.submit(1, "tile", "cut", chain.cut(PLACES), blk=True)
    for i in range(PLACES):
        tile(1, 0, i, give=LOADED)
    program.submit(1, "cube", "gallery_load", product.load(), blk=True)
    for i in range(groups):
        tile(1, 5, i, take=ADDED, blk=True)
        tile(1, 0, i + PLACES, give=LOADED)
        program.submit(1, "cube", f"product{i}", product.multiply(i, GROUP), give=key(SCORES, i), blk=True)
    # An instruction gives one key, so unit 2 passes the key of a group's scores on to unit 3.
    for i in range(groups):
        count_neighbours(program, 2, i * GROUP, take=key(SCORES, i), give=key(PASSED, i))
        count_neighbours(program, 3, i * GROUP + COUNTED, take=key(PASSED, i))
    return program.text()


def units_alone(layout, net):
    """The whole network on the units, each of which has a part of the images."""
    program, share = Program(layout), layout.images // UNITS
    conv1, conv2, conv3 = net.layers
    gallery = layout.gallery
    for unit in range(UNITS):
        first = unit * share
        for i in range(first, first + share):
            at, maps = i * FEATURE_BYTES, i * 64
            program.add(unit, convolution(conv1, f"image+{maps}", f"conv1+{maps * 16}", 8), blk=True)
            program.add(unit, convolution(conv2, f"conv1+{maps * 16}", f"conv2+{maps * 32}", 8), blk=True)
            program.add(unit, f"MAX_POOL FM=conv2+{maps * 32} D=pool+{at} FM_UNIT=s8 FM_C=32 FM_H=8 FM_W=8 K_H=2 K_W=2 H_STRIDE=2 V_STRIDE=2", blk=True)
            program.add(unit, convolution(conv3, f"pool+{at}", f"conv3+{at}", 4), blk=True)
            program.add(unit, f"ADD S0=pool+{at} S1=conv3+{at} D=features+{at} LEN={FEATURE_BYTES} S0_UNIT=s8 S1_UNIT=s8 D_UNIT=s8 SAT=1", blk=True)
        program.add(
            unit,
            f"CONV2D FM=features+{first * FEATURE_BYTES} K=gallery D=scores+{first * gallery} FM_UNIT=s8 W_UNIT=s8 D_UNIT=s8 BIAS_UNIT=s32 BIAS_MODE=1"
            f" BIAS=biases MUL_UNIT=fp32 MUL={number(network.SCORE_SCALE)} SCALE_UNIT=s32 FM_C={FEATURE_BYTES} FM_H=1 FM_W={share} K_NUM={gallery}"
            f" K_H=1 K_W=1 H_STRIDE=1 V_STRIDE=1",
            blk=True,
        )
        for at in range(first, first + share, COUNTED):
            count_neighbours(program, unit, at)
    return program.text()
