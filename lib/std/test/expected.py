#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what the test networks are fed with and what must come out: plain models, one a component,
that share nothing with the simulator. The same bytes in every run.

A row t of an expected file is what readers see in cycle t; a component whose answer is read from a
wire answers in the cycle of the input row, one that answers on an ordinary bus a cycle later.
"""
import argparse
import cmath
import math
import random
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 60

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
folder = parser.parse_args().folder


def write(name, header, rows):
    cells = (row if isinstance(row, (tuple, list)) else (row,) for row in rows)
    text = "".join(",".join(cell if isinstance(cell, str) else str(int(cell)) for cell in row) + "\n" for row in cells)
    (folder / f"{name}.csv").write_text(f"{header}\n{text}")


def bits(chance, rows, seed):
    """Bits that are 1 with the chance given."""
    source = random.Random(seed)
    return [int(source.random() < chance) for _ in range(rows)]


def few(row, words):
    """The first rows, which are drawn in the catalogue, meet at few addresses."""
    return 2 if row < 20 else words


def round_robin():
    n, last = 5, 4
    source = random.Random(1)
    asks = [31] * 12 + [source.randrange(32) for _ in range(200)] + [0, 0, 4, 4, 31, 31] + [source.randrange(32) | 1 for _ in range(60)]
    grants = []
    for ask in asks:
        order = [(last + 1 + k) % n for k in range(n)]
        chosen = [k for k in order if ask >> k & 1]
        grants.append(1 << chosen[0] if chosen else 0)
        last = chosen[0] if chosen else last
    write("round_robin_arbiter", "pattern", asks)
    write("round_robin_arbiter_expected", "value", grants)


def register_file():
    source = random.Random(2)
    accesses = [(source.randrange(2), source.randrange(few(t, 8)), source.randrange(1 << 16), source.randrange(few(t, 8)),
                 source.randrange(8)) for t in range(300)]
    plain, special = [0] * 8, [0] * 8
    rows = []
    for write_, to, value, *from_ in accesses:
        now = list(special)
        if write_ and to:
            now[to] = value
        rows.append(sum(word << 16 * k for k, word in enumerate([plain[f] for f in from_] + [now[f] for f in from_])))
        special = now
        if write_:
            plain[to] = value
    write("register_file", "write,to,value,from0,from1", accesses)
    write("register_file_expected", "value", rows)


def single_port():
    source = random.Random(3)
    accesses = [(source.random() < 0.8, source.randrange(2), source.randrange(few(t, 16)), source.randrange(256)) for t in range(300)]
    memory = [0] * 16
    rows, old = [0], 0
    for enable, write_, address, value in accesses:
        new = 0  # an undriven bus
        if enable:
            old = memory[address]
            new = value if write_ else old
            if write_:
                memory[address] = value
        rows.append(old << 8 | new)
    write("memory_single_port", "enable,write,address,value", accesses)
    write("memory_single_port_expected", "value", rows)


def simple_dual_port():
    source = random.Random(4)
    accesses = [(source.randrange(2), source.randrange(few(t, 8)), source.randrange(256), source.randrange(few(t, 8))) for t in range(300)]
    memory = [0] * 8
    rows = [0]
    for write_, to, value, from_ in accesses:
        old = memory[from_]
        if write_:
            memory[to] = value
        rows.append(old << 8 | memory[from_])
    write("memory_simple_dual_port", "write,to,value,from", accesses)
    write("memory_simple_dual_port_expected", "value", rows)


def true_dual_port():
    source = random.Random(5)
    memory = [0] * 8
    accesses, rows = [], [0]
    while len(accesses) < 300:
        a = (source.randrange(2), source.randrange(few(len(accesses), 8)), source.randrange(256))
        b = (source.randrange(2), source.randrange(few(len(accesses), 8)), source.randrange(256))
        if a[0] and b[0] and a[1] == b[1]:
            continue  # a fault
        old = [memory[a[1]], memory[b[1]]]
        new = [port[2] if port[0] else word for port, word in zip((a, b), old)]
        for write_, address, value in (a, b):
            if write_:
                memory[address] = value
        accesses.append(a + b)
        rows.append(old[0] << 24 | old[1] << 16 | new[0] << 8 | new[1])
    write("memory_true_dual_port", "a.write,a.address,a.value,b.write,b.address,b.value", accesses)
    write("memory_true_dual_port_expected", "value", rows)


def delay_line():
    source = random.Random(6)
    steps = [(source.random() < 0.7, source.randrange(256)) for _ in range(200)]
    ys, ones = [], []
    for t in range(len(steps)):
        came = [x for enable, x in steps[:t] if enable]
        ys.append(came[-3] if len(came) >= 3 else 0)
        ones.append(steps[t - 1][1] if t else 0)
    write("delay_line", "enable,x", steps)
    write("delay_line_expected", "value", [y << 16 | later << 8 | one for y, later, one in zip(ys, [0] + ys, ones)])


def edges():
    xs = [0] + bits(0.4, 199, 7)
    rows = []
    for t, x in enumerate(xs):
        before = xs[t - 1] if t else 0
        rising, falling = x and not before, before and not x
        first = not x if t == 0 else falling
        rows.append(first * 8 + (rising or falling) * 4 + falling * 2 + rising)
    write("edge_detector", "x", xs)
    write("edge_detector_expected", "value", rows)
    write("synchroniser_expected", "value", [(xs[t - 3] if t >= 3 else 1) * 2 + (xs[t - 2] if t >= 2 else 0) for t in range(len(xs))])


def debouncer():
    source = random.Random(8)
    xs = [level for k in range(60) for level in [k % 2] * source.choice((1, 2, 3, 4, 5, 9))]
    rows = []
    for cycles in (4, 1):
        level, ys = 0, []
        for t in range(len(xs)):
            recent = xs[max(0, t - cycles):t]
            if len(recent) == cycles and all(x != level for x in recent):
                level = 1 - level
            ys.append(level)
        rows.append(ys)
    write("debouncer", "x", xs)
    write("debouncer_expected", "value", [quick * 2 + y for y, quick in zip(*rows)])


def counter():
    enables, clears = bits(0.7, 400, 9), bits(0.1, 400, 10)
    since, rows = 0, []
    for enable, clear in zip(enables, clears):
        wraps = enable and not clear and since % 5 == 4
        rows.append(wraps * 8 + since % 5)
        since = 0 if clear else since + enable
    write("counter_enable", "enable", enables)
    write("counter_clear", "clear", clears)
    write("counter_expected", "value", rows)


def frame(word, stop=1):
    return [0] + [word >> k & 1 for k in range(8)] + [stop]


def uart_transmitter():
    divisor, rest = 3, 17
    line = [1, 1]  # taken in cycle 0, written in 1, read in 2
    for k, word in enumerate((0x55, 0x00, 0xFF, 0xA3, 0x41)):
        # the previous word was taken one cycle before its start bit was written: it ends 30 cycles later
        if k >= 3:
            line += [1] * max(0, rest + 1 - 10 * divisor)
        line += [level for level in frame(word) for _ in range(divisor)]
    write("uart_transmitter_expected", "value", (line + [1] * 201)[:201])


def uart_receiver():
    """Words at 16 cycles a bit, give or take; the times of the edges are rounded."""
    source = random.Random(11)
    line, words = [1] * 5, []

    def send(levels, cycles_a_bit):
        start = len(line)
        for k, level in enumerate(levels):
            line.extend([level] * (start + round((k + 1) * cycles_a_bit) - len(line)))

    for rate in (16, 16, 16.6, 15.4, 16.3, 15.7) * 3:
        word = source.randrange(256)
        send(frame(word), rate)
        words.append(word)
        line.extend([1] * source.choice((0, 1, 30)))
    line.extend([1] * 20 + [0] * 7 + [1] * 200)  # a glitch, shorter than half a bit
    send(frame(0x3C, stop=0), 16)
    line.extend([0] * 40 + [1] * 40)  # held low: a broken line, no second start bit
    send(frame(0x96), 16)
    words.append(0x96)
    line.extend([1] * 20)
    deaf = len(line)
    send(frame(0x11) + frame(0x22), 16)  # the first is not taken in time: the second is lost
    line.extend([1] * 20)
    hearing = len(line)
    words.append(0x11)
    line.extend([1] * 20)
    send(frame(0x33), 16)
    words.append(0x33)
    line.extend([1] * 40)
    write("uart_receiver", "level,ready", [(level, not deaf <= t < hearing) for t, level in enumerate(line)])
    write("uart_receiver_expected", "value", words)


def spi_master():
    """Each word: 17 halves of 2 cycles, then a cycle in which the next one is taken."""
    words, answers = (0xB1, 0x4E, 0xFF), ((0x5A, 0xC3, 0x00, 0x99), (0xFF, 0x18, 0x81, 0x01), (0x37, 0x80, 0x7E, 0xE0))
    miso, wires = [], []

    def row(select_n, clocks, mosis, misos):
        miso.append(sum(bit << m for m, bit in enumerate(misos)))
        together = [select_n] * 4, clocks, mosis
        wires.append(sum(bit << 4 * (2 - part) + m for part, group in enumerate(together) for m, bit in enumerate(group)))

    rest = [0, 0, 1, 1]
    for word, answer in zip(words, answers):
        row(1, rest, [0] * 4, [1] * 4)
        for half in range(17):
            active = half % 2
            # cpha 0: bit k is on the wires in halves 2k and 2k + 1; cpha 1: in 2k + 1 and 2k + 2 (and the first before)
            out_k = [half // 2, max(0, (half - 1) // 2)] * 2
            mosis = [word >> 7 - k & 1 if k < 8 else answer[m] >> 7 & 1 for m, k in enumerate(out_k)]
            for cycle in range(2):
                looked_at = [cycle == 1 and half % 2 == m % 2 and half < 16 for m in range(4)]
                right = [answer[m] >> 7 - half // 2 & 1 if half < 16 else 0 for m in range(4)]
                misos = [bit if look else 1 - bit for bit, look in zip(right, looked_at)]  # wrong while not sampled
                row(0, [active ^ level for level in rest], mosis, misos)
    for _ in range(5):
        row(1, rest, [0] * 4, [1] * 4)
    write("spi_master", "miso", miso)
    write("spi_master_expected", "value", wires)
    write("spi_master_words_expected", "value", [sum(byte << 8 * m for m, byte in enumerate(answer)) for answer in answers])


def multiply_accumulate():
    source = random.Random(12)
    rows, pairs = [], []
    so_far = 0

    def answer(total, fraction):
        nearest = (total + (1 << fraction - 1)) // (1 << fraction)
        limited = not -32768 <= nearest <= 32767
        return (max(-32768, min(32767, nearest)) & 0xFFFF) << 1 | limited

    ends = (-32768, 32767, -1, 0, 1)
    first = [(1, 1, 16384, 16384), (1, 0, 16384, -8192), (0, 0, 77, 77), (1, 0, 32767, 32767), (1, 0, 3, 16384),
             (1, 0, 1, 16383), (0, 1, 0, 0), (1, 0, -32768, 32767), (1, 0, -32768, 32767)]
    for t in range(400):
        def number():
            return source.choice(ends) if source.random() < 0.3 else source.randrange(-32768, 32768)
        valid, clear, a, b = source.random() < 0.8, source.random() < 0.2, number(), number()
        if t < len(first):
            valid, clear, a, b = first[t]
        so_far = (0 if clear else so_far) + (a * b if valid else 0)
        pairs.append((valid, clear, a, b))
        rows.append(answer(so_far, 15) << 17 | answer(so_far, 8))
    write("multiply_accumulate", "valid,clear,a,b", pairs)
    write("multiply_accumulate_expected", "value", rows)


def decimal(number):
    """A fraction with a power of two below, as an exact decimal."""
    return format(Decimal(number.numerator) / Decimal(number.denominator), "f")


def nearest(number, fraction, whole):
    """The number in a signed fixed-point type: halves up, limited."""
    steps = math.floor(number * 2**fraction + Fraction(1, 2))
    most = 2 ** (whole + fraction - 1)
    return Fraction(max(-most, min(most - 1, steps)), 2**fraction)


def samples(seed, fraction, whole):
    """A signal with gaps: steps, a sine, noise."""
    source = random.Random(seed)
    for t in range(300):
        size = 0.9 * 2 ** (whole - 1)
        value = size * (1, math.sin(t / 9), source.uniform(-1, 1))[t // 100] if t >= 10 else 0.0
        yield source.random() < 0.8, nearest(Fraction(value), fraction, whole)


def filtered(name, seed, fraction, whole, step):
    """Writes the samples, and what a filter makes of them. `step` takes one and returns the exact sum and the double."""
    rows, expected, now, error = [], [], (0, Fraction(0)), 0
    for valid, sample in samples(seed, fraction, whole):
        expected.append((now[0], decimal(now[1])))
        rows.append((valid, decimal(sample)))
        now = (0, Fraction(0))
        if valid:
            result, ideal = step(sample)
            now = (1, result)
            error = max(error, abs(float(result) - ideal))
    expected.append((now[0], decimal(now[1])))
    write(name, "valid,data", rows)
    write(f"{name}_expected", "valid,data", expected)
    return error


def fir():
    taps = [Fraction(each) for each in ("0.0625", "0.25", "0.375", "0.25", "0.0625")]
    window = [Fraction(0)] * 5

    def step(sample):
        window[:] = [sample] + window[:-1]
        exact = sum(tap * each for tap, each in zip(taps, window))
        return nearest(exact, 15, 1), sum(float(tap) * float(each) for tap, each in zip(taps, window))

    assert filtered("fir", 13, 15, 1, step) <= 2**-16 + 1e-12  # half a step


def biquad():
    # a low pass, 1 kHz of 48 kHz, Q = 0.7071 (Bristow-Johnson's audio cookbook)
    omega = 2 * math.pi / 48
    alpha = math.sin(omega) / (2 * 0.7071)
    a0 = 1 + alpha
    ideal = [(1 - math.cos(omega)) / 2 / a0, (1 - math.cos(omega)) / a0, (1 - math.cos(omega)) / 2 / a0,
             -2 * math.cos(omega) / a0, (1 - alpha) / a0]
    held = [nearest(Fraction(each), 14, 2) for each in ideal]
    write("biquad_coefficients", "b0,b1,b2,a1,a2", [tuple(decimal(each) for each in held)])
    x, y, doubles = [Fraction(0)] * 2, [Fraction(0)] * 2, ([0.0] * 2, [0.0] * 2)

    def step(sample):
        b0, b1, b2, a1, a2 = held
        result = nearest(b0 * sample + b1 * x[0] + b2 * x[1] - a1 * y[0] - a2 * y[1], 12, 4)
        x[:], y[:] = [sample, x[0]], [result, y[0]]
        b0, b1, b2, a1, a2 = map(float, held)
        dx, dy = doubles
        value = b0 * float(sample) + b1 * dx[0] + b2 * dx[1] - a1 * dy[0] - a2 * dy[1]
        dx[:], dy[:] = [float(sample), dx[0]], [value, dy[0]]
        return result, value

    # half a step in each sample, times the sum of the magnitudes of the response of 1 / (1 + a1 z + a2 z^2)
    response, before = 1.0, [1.0, 0.0]
    for _ in range(500):
        before = [-float(held[3]) * before[0] - float(held[4]) * before[1], before[0]]
        response += abs(before[0])
    assert filtered("biquad", 14, 12, 4, step) <= response * 2**-13


def rotated(angle, fraction):
    """Cosine and sine of an angle in half turns, as shifts and additions make them."""
    inner = fraction + 4
    far = not -0.5 <= angle < 0.5
    scale = math.floor(Fraction("0.60725293500888126") * 2**inner + Fraction(1, 2))
    x, y, left = -scale if far else scale, 0, angle + 1 if far else angle
    left = (left + 1) % 2 - 1
    left = int(left * 2**inner)
    for k in range(fraction + 1):
        turn = Fraction(round(math.atan(2.0**-k) / math.pi * 2**30), 2**30)
        by = math.floor(turn * 2**inner + Fraction(1, 2))
        sign = -1 if left < 0 else 1
        x, y, left = x - sign * (y >> k), y + sign * (x >> k), left - sign * by
    return [nearest(Fraction(each, 2**inner), fraction, 2) for each in (x, y)]


def within(points, angle, fraction):
    ideal = cmath.exp(1j * math.pi * float(angle))
    assert abs(float(points[0]) - ideal.real) < 2 ** (2 - fraction) and abs(float(points[1]) - ideal.imag) < 2 ** (2 - fraction)


def cordic():
    fraction, latency = 14, 17
    source = random.Random(15)
    ends = [Fraction(each, 4) for each in range(-4, 4)]
    angles = [each + Fraction(off, 2**16) for each in ends for off in (0, 1, -1) if -1 <= each + Fraction(off, 2**16) < 1]
    angles += [Fraction(source.randrange(-(2**16), 2**16), 2**16) for _ in range(300)]
    rows = [(source.random() < 0.8 or t < 20, angle) for t, angle in enumerate(angles)]
    expected = []
    for t in range(len(rows) + 1):
        valid, angle = rows[t - latency] if t >= latency else (0, Fraction(0))
        points = rotated(angle, fraction) if t >= latency else [Fraction(0)] * 2
        if t >= latency:
            within(points, angle, fraction)
        expected.append((valid, *(map(decimal, points))) if valid else (0, "0.0", "0.0"))
    write("cordic", "valid,data", [(valid, decimal(angle)) for valid, angle in rows])
    write("cordic_expected", "valid,cosine,sine", expected)


def nco():
    fraction, phase, latency = 14, 24, 18
    steps = [Fraction(2**19, 2**24)] * 100 + [Fraction(123457, 2**24)] * 100 + [Fraction(2**24 - 1, 2**24)] * 60
    total, angles = Fraction(0), []
    for step in steps:
        total = (total + step) % 1
        turns = math.floor(total * 2 ** (fraction + 3))
        half_turns = Fraction(turns, 2 ** (fraction + 2))
        angles.append(half_turns - 2 if half_turns >= 1 else half_turns)
    expected = []
    for t in range(len(steps) + 1):
        points = rotated(angles[t - latency], fraction) if t >= latency else None
        if points:
            within(points, angles[t - latency], fraction)
        expected.append((1, *map(decimal, points)) if points else (0, "0.0", "0.0"))
    write("nco", "step", [decimal(step) for step in steps])
    write("nco_expected", "valid,cosine,sine", expected)


for make in (round_robin, register_file, single_port, simple_dual_port, true_dual_port, delay_line, edges, debouncer, counter,
             uart_transmitter, uart_receiver, spi_master, multiply_accumulate, fir,
             biquad, cordic, nco):
    make()
