#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes taps.csv, samples.csv and expected.csv.

taps      a low-pass of 16 taps: the sinc of the ideal filter under a Hamming window, in Q15 (32768 is 1)
samples   two tones, one below and one above the cutoff, and noise; about one row in eight is not valid
expected  the convolution of the valid samples with the taps, in exact integers
"""
import argparse
import math
from pathlib import Path

TAPS = 16
CUTOFF = 0.12               # frequencies are in cycles per sample
LOW, HIGH = 0.02, 0.3125
AMPLITUDE = 8000            # of each tone
NOISE = 400                 # maximum
ROWS = 4096


def design():
    """Returns half of the taps, mirrored: symmetric, and rounding cannot change their sum."""
    middle = (TAPS - 1) / 2
    half = []
    for k in range(TAPS // 2):
        ideal = math.sin(2 * math.pi * CUTOFF * (k - middle)) / (math.pi * (k - middle))
        half.append(ideal * (0.54 - 0.46 * math.cos(2 * math.pi * k / (TAPS - 1))))
    half = [round(h / sum(half) * 16384) for h in half]
    half[-1] += 16384 - sum(half)
    return half + half[::-1]


def noise():
    """Returns numbers below 2^16: the high bits of Knuth's 64-bit linear congruential generator."""
    state = 1
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 48


def signal(random):
    """Returns rows (valid, value). The value of an invalid row is arbitrary."""
    n = 0
    for row in range(ROWS):
        valid = next(random) % 8 != 0 or row == ROWS - 1
        any_value = next(random)
        if valid:
            tones = math.sin(2 * math.pi * LOW * n) + math.sin(2 * math.pi * HIGH * n)
            yield 1, round(AMPLITUDE * tones) + any_value % (2 * NOISE + 1) - NOISE
            n += 1
        else:
            yield 0, any_value - 32768


def convolution(taps, values):
    before = [0] * (len(taps) - 1) + values
    return [sum(h * before[n + len(taps) - 1 - k] for k, h in enumerate(taps)) for n in range(len(values))]


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
folder = parser.parse_args().folder

taps = design()
samples = list(signal(noise()))
assert sum(map(abs, taps)) < 2**16, "the sum of products must fit i32"
assert all(-(2**15) <= value < 2**15 for _, value in samples)
expected = convolution(taps, [value for valid, value in samples if valid])

(folder / "taps.csv").write_text("value\n" + "".join(f"{h}\n" for h in taps))
(folder / "samples.csv").write_text("valid,value\n" + "".join(f"{valid},{value}\n" for valid, value in samples))
(folder / "expected.csv").write_text("value\n" + "".join(f"{y}\n" for y in expected))
