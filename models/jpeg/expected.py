#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes picture.csv, the tables of the network, and expected.csv.

picture       a scene of our own: three balls, their shadows, a floor of squares and a fence; pixels row by row
cosines       C[u][n] = c(u) / 2 cos((2 n + 1) u pi / 16) in 1/4096, with c(0) = sqrt(1/2), else c(u) = 1
luminance, chrominance   T.81 tables K.1 and K.2, halved, in zig-zag order
columns, zigzag          place of the k-th value in a block of eight messages: 8 * message + element
expected      the symbols of each block, from the whole picture as matrices

Integers are rounded as the network does: D = C (B C') keeps 3 bits of fraction after the product in brackets and none
after the other one, with halves up; quantising rounds to nearest, with halves away from zero.
"""
import argparse
import math
from pathlib import Path

LUMINANCE = """16 11 10 16 24 40 51 61  12 12 14 19 26 58 60 55  14 13 16 24 40 57 69 56  14 17 22 29 51 87 80 62
               18 22 37 56 68 109 103 77  24 35 55 64 81 104 113 92  49 64 78 87 103 121 120 101
               72 92 95 98 112 100 103 99"""
CHROMINANCE = """17 18 24 47 99 99 99 99  18 21 26 66 99 99 99 99  24 26 56 99 99 99 99 99  47 66 99 99 99 99 99 99
                 99 99 99 99 99 99 99 99  99 99 99 99 99 99 99 99  99 99 99 99 99 99 99 99  99 99 99 99 99 99 99 99"""
EIGHT = range(8)


# The scene: vectors are tuples.
BALLS = [  # centre, radius, colour, reflected share of light
    ((-0.9, 1.0, 0.6), 1.0, (0.85, 0.10, 0.08), 0.25),
    ((0.95, 0.7, -0.3), 0.7, (0.10, 0.30, 0.85), 0.25),
    ((0.0, 0.35, -1.3), 0.35, (0.95, 0.75, 0.10), 0.15)]
LIGHT = (-0.48, 0.72, -0.5)
FENCE = 9.0      # its distance
EYE = (0.0, 1.5, -4.6)


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def along(a, t, b):
    return tuple(p + t * q for p, q in zip(a, b))


def unit(a):
    return tuple(p / math.sqrt(dot(a, a)) for p in a)


def nearest(origin, way):
    """Returns distance, normal, colour and mirror of the first hit of a ray; None for the sky."""
    met = []
    for centre, radius, colour, mirror in BALLS:
        to = along(origin, -1, centre)
        half, rest = dot(to, way), dot(to, to) - radius * radius
        root = half * half - rest
        if root > 0 and -half - math.sqrt(root) > 1e-6:
            t = -half - math.sqrt(root)
            met.append((t, unit(along(along(origin, t, way), -1, centre)), colour, mirror))
    if way[1] < -1e-6:
        t = -origin[1] / way[1]
        x, _, z = along(origin, t, way)
        light = (math.floor(1.6 * x) + math.floor(1.6 * z)) % 2
        if t > 1e-6 and z < 14:
            met.append((t, (0.0, 1.0, 0.0), (0.80, 0.78, 0.70) if light else (0.16, 0.22, 0.18), 0.1))
    if way[2] > 1e-6:
        t = (FENCE - origin[2]) / way[2]
        x, y, _ = along(origin, t, way)
        if t > 1e-6 and 0 < y < 1.2 and math.floor(x / 0.3) % 2:
            met.append((t, (0.0, 0.0, -1.0), (0.45, 0.28, 0.16), 0.0))
    return min(met, default=None)


def seen(origin, way, depth=3):
    met = nearest(origin, way)
    if met is None:
        height = max(way[1], 0.0)
        return along((0.75, 0.82, 0.90), height, (-0.9, -0.65, -0.25))
    t, normal, colour, mirror = met
    point = along(along(origin, t, way), 1e-4, normal)
    sun = unit(LIGHT)
    lit = max(dot(normal, sun), 0.0) if nearest(point, sun) is None else 0.0
    shown = tuple(c * (0.22 + 0.85 * lit) for c in colour)
    if depth > 1:
        back = along(way, -2 * dot(way, normal), normal)
        shown = along(tuple((1 - mirror) * c for c in shown), mirror, seen(point, unit(back), depth - 1))
    return shown


def picture(width, height, rays=3):
    """Returns rows of (r, g, b); each pixel is the mean of rays * rays rays."""
    def pixel(x, y):
        total = (0.0, 0.0, 0.0)
        for i in range(rays * rays):
            right = (x + (i % rays + 0.5) / rays) / width - 0.5
            up = 0.5 - (y + (i // rays + 0.5) / rays) / height
            total = along(total, 1 / rays**2, seen(EYE, unit((right * 1.3, up * 1.3 * height / width - 0.16, 1.0))))
        return tuple(int(255 * math.sqrt(min(max(c, 0.0), 1.0)) + 0.5) for c in total)
    return [[pixel(x, y) for x in range(width)] for y in range(height)]


# The encoder: matrices are lists of rows.
COSINES = [[math.floor(4096 * (math.sqrt(0.5) if u == 0 else 1) / 2 * math.cos((2 * n + 1) * u * math.pi / 16) + 0.5)
            for n in EIGHT] for u in EIGHT]
ZIGZAG = sorted(((v, u) for v in EIGHT for u in EIGHT),
                key=lambda at: (sum(at), at[0] if sum(at) % 2 else at[1]))     # T.81, figure A.6


def rounded(value, bits):
    return (value + (1 << bits >> 1)) >> bits


def product(a, b, bits):
    return [[rounded(sum(p * q for p, q in zip(row, column)), bits) for column in zip(*b)] for row in a]


def transposed(a):
    return [list(row) for row in zip(*a)]


def planes(rgb):
    """Returns Y, Cb and Cr (JFIF), minus 128: each a matrix with the size of the picture."""
    weights = [(19595, 38470, 7471, -128), (-11059, -21709, 32768, 0), (32768, -27439, -5329, 0)]
    return [[[min(rounded(dot(pixel, (r, g, b)), 16) + shift, 127) for pixel in row] for row in rgb]
            for r, g, b, shift in weights]


def quantised(block, table):
    """Returns the 64 values of a block in zig-zag order."""
    coefficients = product(COSINES, product(block, transposed(COSINES), 9), 15)
    for (v, u), step in zip(ZIGZAG, table):
        c = coefficients[v][u]
        yield (1 if c >= 0 else -1) * math.floor(abs(c) / step + 0.5)


def symbols(values, before):
    """Yields (run, size, value) of a block, T.81 F.1.2; before: the previous DC value."""
    difference = values[0] - before
    yield 0, abs(difference).bit_length(), difference
    places = [0] + [k for k in range(1, 64) if values[k]]
    for previous, k in zip(places, places[1:]):
        zeros = k - previous - 1
        yield from [(15, 0, 0)] * (zeros // 16)
        yield zeros % 16, abs(values[k]).bit_length(), values[k]
    if places[-1] < 63:
        yield 0, 0, 0


def encoded(rgb, tables):
    """Yields rows of expected.csv: for each position a block of Y, one of Cb, one of Cr."""
    before = [0, 0, 0]
    layers = planes(rgb)
    for y in range(0, len(rgb), 8):
        for x in range(0, len(rgb[0]), 8):
            for c, (name, table) in enumerate(zip(("Y", "Cb", "Cr"), tables)):
                values = list(quantised([row[x:x + 8] for row in layers[c][y:y + 8]], table))
                for symbol in symbols(values, before[c]):
                    yield name, *symbol
                before[c] = values[0]


def lines(rows):
    return "".join(",".join(str(cell) for cell in row) + "\n" for row in rows)


def table(values):
    return lines(values[at:at + 8] for at in range(0, 64, 8))


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
parser.add_argument("--width", type=int, default=64, help="of the picture, a multiple of 8 (default: 64)")
parser.add_argument("--height", type=int, default=48, help="the same (default: 48)")
arguments = parser.parse_args()

scene = picture(arguments.width, arguments.height)
steps = [[(int(text.split()[8 * v + u]) + 1) // 2 for v, u in ZIGZAG] for text in (LUMINANCE, CHROMINANCE)]
written = {
    "picture": lines(pixel for row in scene for pixel in row),
    "cosines": lines(COSINES),
    "luminance": table(steps[0]),
    "chrominance": table(steps[1]),
    "columns": table([8 * (k % 8) + k // 8 for k in range(64)]),
    "zigzag": table([8 * u + v for v, u in ZIGZAG]),
    "expected": lines([("component", "run", "size", "value"), *encoded(scene, (steps[0], steps[1], steps[1]))])}
for name, text in written.items():
    (arguments.folder / f"{name}.csv").write_text(text)
