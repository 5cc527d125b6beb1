#!/usr/bin/env python3
"""picture.py ORIGINAL.out [TRANSLATED.out] FILE.png: the pictures of vkexec's output files as PNG.

A row a picture (colour targets, then depth): the original's, and with a second file the translation's and, black where both
agree, their difference. Floats are shown from 0 to 1, depth from 0 to 1 as grey, integers modulo 256; what no shader has
written is left transparent. Each pixel is drawn four by four.
"""
import math
import struct
import sys
import zlib

SCALE, TOLERANCE = 4, 1e-4
FLOAT, DEPTH, INTEGERS = 109, 126, (107, 108)  # VkFormat: R32G32B32A32_SFLOAT, D32_SFLOAT, _UINT and _SINT
BACKGROUND = {FLOAT: struct.pack("<f", 1234.5), DEPTH: struct.pack("<f", 0.5)}


def pictures(file):
    """(format, width, height, bytes) of the colour and depth records."""
    with open(file, "rb") as f:
        data = f.read()
    at, found = 8, []
    while at + 40 <= len(data):
        kind = data[at:at + 8].rstrip(b"\0").decode()
        form, width, height, size = struct.unpack("<3I", data[at + 20:at + 32]) + struct.unpack("<I", data[at + 32:at + 36])
        if kind in ("color", "depth") and form in (FLOAT, DEPTH, *INTEGERS):
            found.append((form, width, height, data[at + 40:at + 40 + size]))
        at += 40 + size
    return found


def byte(x):
    return 255 if math.isnan(x) else int(min(max(x, 0.0), 1.0) * 255 + 0.5)


def pixel(form, raw):
    """Red, green, blue, alpha of a pixel's bytes."""
    if form == DEPTH:
        return (byte(struct.unpack("<f", raw)[0]),) * 3 + (255,)
    if form in INTEGERS:
        return tuple(v & 255 for v in struct.unpack("<3I", raw[:12])) + (255,)
    return tuple(byte(v) for v in struct.unpack("<3f", raw[:12])) + (255,)


def rows(picture):
    form, width, height, data = picture
    step = 4 if form == DEPTH else 16
    empty = BACKGROUND.get(form, struct.pack("<I", 12345)) * (step // 4)
    for y in range(height):
        line = [data[(y * width + x) * step:(y * width + x + 1) * step] for x in range(width)]
        yield [(0, 0, 0, 0) if raw == empty else pixel(form, raw) for raw in line]


def apart(p, q):
    """How far two values are from each other, 0 where the comparison takes them for equal."""
    if p != p or q != q:
        return float(p == p or q == q)
    return 0.0 if p == q or abs(p - q) <= TOLERANCE * max(1, abs(p), abs(q)) else abs(p - q)


def difference(form, a, b):
    """Where pixels differ: how much, at least a quarter of full brightness."""
    if a == b:
        return (0, 0, 0, 255)
    letters = f"<{len(a) // 4}" + ("f" if form in (FLOAT, DEPTH) else "I")
    far = [apart(p, q) for p, q in zip(struct.unpack(letters, a), struct.unpack(letters, b))]
    return tuple(byte(0.25 + d) if d else 0 for d in (far * 3)[:3]) + (255,)


def compared(one, two):
    form, width, height, a = one
    step, b = (4 if form == DEPTH else 16), two[3]
    return [[difference(form, a[i:i + step], b[i:i + step]) for i in range(y * width * step, (y + 1) * width * step, step)]
            for y in range(height)]


def write_png(file, lines):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    width = max(len(line) for line in lines)
    raw = bytearray()
    for line in lines:
        wide = b"".join(bytes(p) * SCALE for p in line + [(0, 0, 0, 0)] * (width - len(line)))
        raw += (b"\0" + wide) * SCALE
    with open(file, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n")
        f.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width * SCALE, len(lines) * SCALE, 8, 6, 0, 0, 0)))
        f.write(chunk(b"IDAT", zlib.compress(bytes(raw), 9)) + chunk(b"IEND", b""))


def write(file, original, translated=None):
    """False: there is no picture in the file."""
    one, two, lines = pictures(original), pictures(translated) if translated else [], []
    for i, picture in enumerate(one):
        parts = [list(rows(picture))]
        if i < len(two) and two[i][:3] == picture[:3]:
            parts += [list(rows(two[i])), compared(picture, two[i])]
        gap = [(0, 0, 0, 0)] * 2
        lines += [[p for n, part in enumerate(parts) for p in (gap if n else []) + part[y]] for y in range(picture[2])]
        lines += [[(0, 0, 0, 0)]] * 2 if i + 1 < len(one) else []
    if lines:
        write_png(file, lines)
    return bool(lines)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(0 if write(sys.argv[-1], *sys.argv[1:-1]) else "no picture in " + sys.argv[1])
