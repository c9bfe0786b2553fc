# SPDX-License-Identifier: Apache-2.0
"""A low-pass filter that SciPy designs, as a network, bit for bit what NumPy computes.

    python3 sim/python/examples/fir.py
"""

import numpy
from scipy import signal

import sme

TAPS = 24
PASSES, STOPS = 0.05, 0.15  # cycles per sample


def design():
    """The taps as integers: 32768 stands for 1."""
    taps = signal.remez(TAPS, [0, PASSES, STOPS, 0.5], [1, 0], fs=1)
    return numpy.round(taps * 32768).astype(int)


def network(taps):
    net = sme.Network("low_pass")
    net["constants"] = {"taps": f"i16[{len(taps)}] = {taps.tolist()}"}
    x, y = net.bus("x", "i16"), net.bus("y", "i40")
    net.process(
        "filter",
        {
            "line": "window",
            "y": f"sum(k < {len(taps)}, i40(taps[k]) * i40(window[k]))",
        },
        reads=x,
        writes=y,
        state={"line": f"i16[{len(taps)}] = 0"},
        let={"window": f"array(k < {len(taps)}, if k == 0 then x else line[k - 1])"},
    )
    return net


def attenuation():
    """Checks the filter; returns how far it brings the higher of two tones down, in dB."""
    taps = design()
    frequencies, gains = signal.freqz(taps / 32768, worN=2048, fs=1)
    assert abs(gains[frequencies <= PASSES]).min() > 0.98
    assert abs(gains[frequencies >= STOPS]).max() < 0.02  # rounding the taps costs little

    time = numpy.arange(4000)
    tones = 9000 * numpy.sin(2 * numpy.pi * 0.02 * time) + 9000 * numpy.sin(2 * numpy.pi * 0.3 * time)
    samples = tones.round().astype(numpy.int16)

    sim = network(taps).load()
    found = sim.run(len(samples), feed={"x": samples}, record=["y"])["y"]

    expected = numpy.convolve(samples.astype(numpy.int64), taps)[: len(samples)]
    assert (found[1:] == expected[:-1]).all()  # a bus delays its value by a cycle
    power = numpy.abs(numpy.fft.rfft(found * numpy.hanning(len(found))))
    return 20 * numpy.log10(power[80] / power[1200])  # of the two tones


def test_fir():
    assert attenuation() > 40


if __name__ == "__main__":
    print(f"the tone at 0.3 is {attenuation():.0f} dB below the one at 0.02")
