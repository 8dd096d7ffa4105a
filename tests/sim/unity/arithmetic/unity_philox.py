# SPDX-License-Identifier: MIT
"""Philox4x32-10, written from its description (Salmon et al., 2011), and the words that an operation takes from a seed."""

ROUNDS = 10
MASK = 0xFFFFFFFF

# Counter, key and block of Random123's known-answer vectors.
KNOWN_ANSWERS = [
    ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([MASK] * 4, [MASK] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    ([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0], [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]),
]


def philox(counter, key):
    left0, right0, left1, right1 = counter
    for turn in range(ROUNDS):
        round_key = [(key[0] + turn * 0x9E3779B9) & MASK, (key[1] + turn * 0xBB67AE85) & MASK]
        high0, low0 = divmod(left0 * 0xD2511F53, 1 << 32)
        high1, low1 = divmod(left1 * 0xCD9E8D57, 1 << 32)
        left0, right0, left1, right1 = high1 ^ right0 ^ round_key[0], low1, high0 ^ right1 ^ round_key[1], low0
    return [left0, right0, left1, right1]


for answer in KNOWN_ANSWERS:
    assert philox(*answer[:2]) == answer[2]


def words(seed, count, first=0):
    """Words `first` to `first + count - 1`."""
    result = []
    for block in range(first // 4, -(-(first + count) // 4)):
        result += philox([block & MASK, block >> 32, 0, 0], [seed & MASK, seed >> 32])
    return result[first % 4:first % 4 + count]
