#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes points.csv, and expected.csv: their groups, computed one point after the other.

    expected.py [FOLDER]    the folder of this file, unless another is given
"""

import random
import sys
from pathlib import Path

POINTS, GROUPS, RANGE = 600, 12, 1000


def nearest(point, means):
    distances = [sum((a - b) ** 2 for a, b in zip(point, mean)) for mean in means]
    return distances.index(min(distances))


def groups_of(points, count):
    means, rounds = points[:count], 0
    while True:
        rounds += 1
        members = [[] for _ in means]
        for point in points:
            members[nearest(point, means)].append(point)
        new = [
            tuple(sum(axis) // len(group) for axis in zip(*group)) if group else mean
            for group, mean in zip(members, means)
        ]
        if new == means:
            return means, [len(group) for group in members], rounds
        means = new


folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
rng = random.Random(2009)
points = [tuple(rng.randrange(RANGE) for _ in range(3)) for _ in range(POINTS)]
(folder / "points.csv").write_text("".join("{},{},{}\n".format(*point) for point in points))
means, sizes, rounds = groups_of(points, GROUPS)
(folder / "expected.csv").write_text(
    "".join("{},{},{},{}\n".format(*mean, size) for mean, size in zip(means, sizes))
)
print(rounds, "rounds")
