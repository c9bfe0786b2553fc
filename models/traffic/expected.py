#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes car.csv, when a car stands on the sensor, and expected.csv: the lights in each cycle.

The lights are not stepped through: each car that finds no green in the side road orders one, and the times of the
four phases follow from the cycle of the order and the end of the green before.
"""
import argparse
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
folder = parser.parse_args().folder

GREEN, SIDE, AMBER = 12, 6, 2
CYCLES = 200
# first cycle and length of each stay: a long one before, a short one, one while the main road has
# just turned green, one while the side road is green (it waits for the next), a queue that never
# ends
STAYS = [(3, 4), (30, 1), (55, 2), (85, 1), (110, 3), (116, 8), (140, 60)]

car = [any(first <= t < first + length for first, length in STAYS) for t in range(CYCLES)]

# phases[t] is the phase of the controller in cycle t
phases, begin = [], 0
while len(phases) <= CYCLES:
    # A request is pending from the cycle after a car arrives; one in the side road's green does not
    # count, but in its last cycle the car is still seen for the first cycle of amber.
    ordered = next((t + 1 for t in range(max(0, begin - AMBER - 1), CYCLES) if car[t]), CYCLES)
    leave = max(begin + GREEN, ordered + 1)  # the first cycle of amber
    phases += ["main green"] * (leave - begin) + ["main amber"] * AMBER + ["side green"] * SIDE + ["side amber"] * AMBER
    begin = leave + AMBER + SIDE + AMBER

lamps = {"main green": (2, 0), "main amber": (1, 0), "side green": (0, 2), "side amber": (0, 1)}  # 0 red, 1 amber, 2 green
rows = [(0, 0)] + [lamps[phase] for phase in phases[:CYCLES]]  # a bus shows it a cycle later
(folder / "car.csv").write_text("car\n" + "".join(f"{int(c)}\n" for c in car))
(folder / "expected.csv").write_text("main,side\n" + "".join(f"{main},{side}\n" for main, side in rows))
