# SPDX-License-Identifier: MIT
"""The first difference of two files, in words: the member of an archive, the section of an ELF file, the texts there."""
import struct

MOST_TEXT = 60  # characters around a difference


def elf_sections(data):
    """Name and bytes of each section, in the order of the file. Sections without bytes, such as .bss, give their size."""
    wide = data[4] == 2
    table = struct.unpack_from("<Q" if wide else "<I", data, 0x28 if wide else 0x20)[0]
    size, count, names = struct.unpack_from("<HHH", data, 0x3A if wide else 0x2E)
    headers = []
    for at in range(table, table + size * count, size):
        if wide:
            name, kind, _, _, offset, length = struct.unpack_from("<IIQQQQ", data, at)
        else:
            name, kind, _, _, offset, length = struct.unpack_from("<IIIIII", data, at)
        headers.append((name, kind, offset, length))
    texts = headers[names][2]
    for name, kind, offset, length in headers:
        label = data[texts + name : data.index(b"\0", texts + name)].decode()
        yield label, f"{length} bytes".encode() if kind == 8 else data[offset : offset + length]  # SHT_NOBITS


def archive_members(data):
    """Two parts for each member: its time, owner and mode, and its bytes."""
    at, long_names = 8, b""
    while at < len(data):
        header = data[at : at + 60]
        size = int(header[48:58])
        name = header[:16].decode().rstrip(" ")
        if name == "//":
            long_names = data[at + 60 : at + 60 + size]
        elif name[1:].isdigit():
            name = long_names[int(name[1:]) :].split(b"/\n")[0].decode()
        name = name.rstrip("/") or "of symbols"
        yield f"{name} (time, owner, mode)", header[16:48]
        yield name, data[at + 60 : at + 60 + size]
        at += 60 + size + size % 2


def text_around(data, at):
    """The printable characters around a byte, in quotes, or else some bytes."""
    first = last = at
    while first > 0 and at - first < MOST_TEXT and 32 <= data[first - 1] < 127:
        first -= 1
    while last < len(data) and last - at < MOST_TEXT and 32 <= data[last] < 127:
        last += 1
    return f'"{data[first:last].decode("ascii")}"' if last - first >= 3 else data[at : at + 8].hex(" ")


def of_bytes(one, other):
    at = next((i for i, (left, right) in enumerate(zip(one, other)) if left != right), None)
    if at is None:
        return f"{len(one)} bytes and {len(other)} bytes"
    return f"byte {at:#x}: {text_around(one, at)} and {text_around(other, at)}"


def of_parts(what, one, other):
    """The first part that differs in a text, or else the first that differs: offsets differ because texts do."""
    found = []
    for (name, left), (other_name, right) in zip(one, other):
        if name != other_name:
            return f"{what} {name} and {what} {other_name} at the same place"
        if left != right:
            found.append(f"{what} {name}, {first(left, right)}")
    if found:
        return next((each for each in found if '" and "' in each), found[0])
    if len(one) != len(other):
        return f"{len(one)} and {len(other)} parts ({what})"
    return None


def first(one, other):
    """Returns the first difference of two files' bytes, or None."""
    if one == other:
        return None
    found = None
    if one.startswith(b"!<arch>\n") and other.startswith(b"!<arch>\n"):
        found = of_parts("member", list(archive_members(one)), list(archive_members(other)))
    elif one.startswith(b"\x7fELF") and other.startswith(b"\x7fELF"):
        # The build id and relocations differ because other sections do.
        whole = [list(elf_sections(each)) for each in (one, other)]
        causes = [[part for part in parts if not part[0].startswith((".note.gnu.build-id", ".rel"))] for parts in whole]
        found = of_parts("section", *causes) or of_parts("section", *whole)
    return found or of_bytes(one, other)
