# SPDX-License-Identifier: Apache-2.0
"""Oleinick, "The implementation and evaluation of parallel algorithms on C.mmp": all on the model of that machine,
which is deterministic, so each program runs once."""

import re

from claims import CMMP, FITTED, HERE, Claim, Part, Setup, claim_of_ratio, compared, number, seconds, times
from support import build, measure, plot, report

USABLE = {"spin": 2, "k-sem": 18, "pm1-300": 33, "pm1-0": 80, "pm0": 200}  # table 10, ms
SPEED_UPS = [("spin", 8, 2.8), ("k-sem", 8, 2.4), ("pm1-300", 6, 2.0)]
VERSIONS = {  # share of processors in use, speed-up over version 1 on one, over itself on one
    "static": (27.46, 2.92, 2.91),
    "dynamic": (32.70, 3.48, 3.47),
    "split": (52.99, 3.54, 4.46),
    "overlapped": (63.69, 4.29, 5.30),
}
WORK_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500]
WHY_USABLE = {
    "spin": "the paper's shortest work was 2 ms",
    "k-sem": "follows from table 9",
    "pm1-300": "follows from table 9",
    "pm1-0": "follows from table 9",
    "pm0": "table 9 has 62 ms of the scheduler for each of four processes, which is more than 200",
}


def primitives(setup: Setup, part: Part) -> None:
    """Table 10, and the curve of each primitive."""
    cmmp = setup.model("cmmp")
    out = measure.run([cmmp, "--crossover"]).out
    for name, theirs in USABLE.items():
        ours = number(rf"(?m)^{name} +(\S+) ms", out)
        verdict = compared(theirs, theirs, ours, more_is_better=False)
        part.claims.append(Claim("table 10", f"{name} is usable from", f"{theirs} ms", f"{ours:.1f} ms",
                                 verdict, CMMP, WHY_USABLE[name]))
    curves, rows = {name: [] for name in USABLE}, []
    for work in WORK_MS:
        shares = []
        for name in USABLE:
            stage = number(r"(\S+) ms a stage", measure.run(
                [cmmp, "--primitive", name, "--compute", work * 1000], limit_s=300).out)
            share = 100 * work / stage
            curves[name].append((work, share, share, share))
            shares.append(f"{share:.0f} %")
        rows.append([work, *shares])
    drawn = plot.lines(setup.results / "primitives.svg", curves, "ms of work", "% of an ideal machine's speed")
    part.pages.append("Five processes that work and wait for each other: speed as a share of an ideal machine's, by ms "
                      "of work between two meetings. Half of it is the paper's bound of what is usable:\n\n" +
                      report.markdown(["ms", *USABLE], rows) + ("\n\n![primitives](primitives.svg)" if drawn else ""))


def root_seconds(setup: Setup, *options) -> float:
    """What the rootfinder takes on C.mmp."""
    return number(r"(\S+) s on C.mmp", measure.run([setup.model("cmmp/rootfinder"), *options]).out)


def rootfinder(setup: Setup, part: Part) -> None:
    def on_cmmp(*options) -> float:
        return root_seconds(setup, "--roots", 10, *options)

    alone = on_cmmp("--processes", 1)
    counts = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    rows, curves = [], {}
    for primitive in ("spin", "k-sem", "pm1-300"):
        gains = [alone / on_cmmp("--processes", n, "--primitive", primitive) for n in counts]
        curves[primitive] = [(n, gain, gain, gain) for n, gain in zip(counts, gains)]
        rows.append([primitive, *(f"{gain:.2f}" for gain in gains)])
    shared = on_cmmp("--processes", 1, "--shared-code")
    gains = [shared / on_cmmp("--processes", n, "--shared-code") for n in counts]
    curves["spin, shared code"] = [(n, gain, gain, gain) for n, gain in zip(counts, gains)]
    rows.append(["spin, shared code", *(f"{gain:.2f}" for gain in gains)])
    drawn = plot.lines(setup.results / "rootfinder.svg", curves, "processes", "speed-up")
    part.pages.append("Rootfinder, speed-up by number of processes:\n\n" +
                      report.markdown(["waiting", *counts], rows) + ("\n\n![rootfinder](rootfinder.svg)" if drawn else ""))
    why = {"spin": "These runs have no interrupts, and no scheduler takes a processor away.",
           "k-sem": "Each wake-up takes all of table 9's time; the report's processes often found theirs done.",
           "pm1-300": "As with k-sem: each wake-up takes all of its time."}
    for primitive, n, theirs in SPEED_UPS:
        ours = dict((x, y) for x, y, *_ in curves[primitive])[n]
        part.claims.append(claim_of_ratio("4", f"rootfinder, {primitive}, {n} processes", theirs, theirs, ours,
                                          why[primitive], CMMP))
    part.claims.append(claim_of_ratio(
        "4", f"rootfinder, shared code, at its best ({1 + gains.index(max(gains))} processes; 3 there)", 1.53, 1.53,
        max(gains), "One bank of memory serves all instructions and is full.", CMMP))
    part.claims.append(claim_of_ratio(
        "4", "rootfinder, code of their own, 9 processes", 2.60, 2.60, curves["spin"][-1][1], why["spin"], CMMP))


def long_work(setup: Setup, part: Part) -> None:
    """4.3.3: evaluations of 375 ms on a machine with seven fast processors; and interrupts, 3.4.3."""
    counts, rows, curves = list(range(1, 10)), [], {}

    def on_cmmp(n: int, *options) -> float:
        return root_seconds(setup, "--roots", 2, "--mean", 375_000, "--fast", 7, "--processes", n, *options)

    for times_of in ("constant", "exponential"):
        for primitive in ("spin", "pm0"):
            options = ["--times", times_of, "--primitive", primitive]
            alone = on_cmmp(1, *options)
            gains = [alone / on_cmmp(n, *options) for n in counts]
            curves[times_of, primitive] = gains
            rows.append([f"{times_of}, {primitive}", *(f"{gain:.2f}" for gain in gains)])
    alone = on_cmmp(1, "--times", "constant", "--interrupts", 100)
    gains = [alone / on_cmmp(n, "--times", "constant", "--interrupts", 100) for n in counts]
    rows.append(["constant, spin, interrupts", *(f"{gain:.2f}" for gain in gains)])
    drawn = plot.lines(setup.results / "long_work.svg",
                       {", ".join(name): [(n, gain, gain, gain) for n, gain in zip(counts, each)]
                        for name, each in curves.items()}, "processes", "speed-up")
    part.pages.append("Rootfinder with evaluations of 375 ms, on seven PDP-11/40s and PDP-11/20s; in the last row four "
                      "processors with devices have an interrupt of 1 to 15 ms every 100 ms:\n\n" +
                      report.markdown(["times, waiting", *counts], rows) +
                      ("\n\n![long work](long_work.svg)" if drawn else ""))
    spin, pm0 = curves["constant", "spin"], curves["constant", "pm0"]
    for what, theirs, ours, why in (
            ("spin, at its best", 2.8, max(spin), "No interrupts, and no scheduler takes a processor away."),
            ("pm0, at its best", 2.1, max(pm0), "Each wake-up takes all of table 9's time, one after the other."),
            ("spin, nine processes on seven fast processors", 2.0, spin[8], "Two of them run on PDP-11/20s, and all wait.")):
        part.claims.append(claim_of_ratio("4.3.3", f"rootfinder, 375 ms, {what}", theirs, theirs, ours, why, CMMP))
    part.claims.append(Claim("4.3.3", "rootfinder, 375 ms, spin over pm0, nine processes", "1x", times(spin[8] / pm0[8]),
                             compared(1, 1, spin[8] / pm0[8], False), CMMP, "As for pm0 at its best."))
    even = [max(curves["exponential", primitive]) for primitive in ("spin", "pm0")]
    part.claims.append(claim_of_ratio(
        "4.3.3", "rootfinder, 375 ms, exponential: spin's best over pm0's (there relatively little)", 1.0, 1.33,
        even[0] / even[1], "The paper gives 1.33 for constant times, and less for these, without a figure.", CMMP))
    part.claims.append(Claim("3.4.3", "rootfinder, 375 ms, spin: the best with interrupts, of that without", "less than all",
                             f"{100 * max(gains) / max(spin):.0f} %", compared(0, 1, max(gains) / max(spin)), CMMP,
                             "The processor that serves a device comes last, and all wait for it."))


def on_this_machine(setup: Setup, part: Part) -> None:
    evaluations = 100 if setup.quick else 2000
    samples = setup.interleaved({
        n: lambda n=n: seconds(setup.model("cmmp/rootfinder"), "--untimed", "--processes", 8, "--runners", n,
                               "--evaluations", evaluations) for n in (1, 2)})
    part.keep("rootfinder here, s", {f"{n} runners": sample for n, sample in samples.items()})
    part.claims.append(Claim(
        "4", "rootfinder as a Kahn network, 8 processes: two runners against one", "-",
        times(measure.ratio(samples[1], samples[2])), "-", HERE,
        "At most 2x with two processors. The same roots, bit for bit."))


def harpy(setup: Setup, part: Part) -> None:
    folder = measure.ROOT / "models/cmmp/harpy"
    files = ["--dictionary", folder / "dictionary.txt", "--sentences", folder / "sentences.txt"]

    def step(*options) -> tuple:
        out = measure.run([setup.model("cmmp/harpy"), *files, "--alike", *options]).out
        return number(r"forward step (\S+) s", out), number(r"processors (\S+) %", out)

    first, _ = step("--version", "static", "--processes", 1)
    rows = []
    why = ("Processors alike and memory without limits; the costs match the shares of table 11, noise and beam the "
           "numbers of candidates. The order and the steps between the versions are the report's.")
    for version, (use, over_first, over_itself) in VERSIONS.items():
        alone, _ = step("--version", version, "--processes", 1)
        time, used = step("--version", version)
        rows.append([version, f"{used:.1f} %", f"{use:.1f} %", f"{first / time:.2f}", f"{over_first:.2f}",
                     f"{alone / time:.2f}", f"{over_itself:.2f}"])
        part.claims.append(Claim("5", f"HARPY, {version}: processors in use, of 8", f"{use:.1f} %", f"{used:.1f} %",
                                 compared(use, use, used), FITTED, why))
        part.claims.append(claim_of_ratio("5", f"HARPY, {version}: speed-up over static on one", over_first, over_first,
                                          first / time, "As in the row before.", FITTED))
        part.claims.append(claim_of_ratio("5", f"HARPY, {version}: speed-up over itself on one", over_itself,
                                          over_itself, alone / time, "As in the row before.", FITTED))
    part.pages.append("HARPY, forward step on eight processors, ours and the report's:\n\n" +
                      report.markdown(["version", "in use", "there", "over static on one", "there",
                                       "over itself on one", "there"], rows))
    pruning(setup, part, files)


# 5.4.0.2 and 5.6.2: shares of segments with up to 10, 100, 1000 and more units of work, in percent.
UNITS = {"candidates": (65.7, 30.3, 4.0, 0.0), "pairs": (38.0, 32.0, 28.0, 2.0)}


def pruning(setup: Setup, part: Part, files: list) -> None:
    out = {n: measure.run([setup.model("cmmp/harpy"), *files, "--alike", "--version", "static", "--processes", n]).out
           for n in (1, 4, 7, 8)}
    rows = []
    for name, theirs in UNITS.items():
        found = re.search(rf"up to 10 {name} (\S+) %, up to 100 (\S+) %, up to 1000 (\S+) %, more (\S+) %", out[1])
        ours = [float(each) for each in found.groups()]
        rows.append([name, *(f"{own:.1f} ({there:.1f})" for own, there in zip(ours, theirs))])
    part.pages.append("HARPY, units of work in a segment of speech, % of all segments, ours (the report's):\n\n" +
                      report.markdown(["units", "1 to 10", "10 to 100", "100 to 1000", "more"], rows))
    times_of = {n: number(r"pruning step (\S+) s", text) for n, text in out.items()}
    whole = {n: number(r"(\S+) s in all", text) for n, text in out.items()}
    part.claims.append(claim_of_ratio(
        "5.4.0.2", "HARPY: the pruning step on eight processors, over itself on one", 4.7, 5, times_of[1] / times_of[8],
        "Each process takes the next pair from one stack, here as there. Our vocabulary is smaller, so few segments have "
        "more than 100 pairs.", FITTED))
    for n, theirs in ((4, 144 / 46), (7, 144 / 33)):
        part.claims.append(claim_of_ratio(
            "5.6.2", f"HARPY: all steps on {n} processors, over one", round(theirs, 2), round(theirs, 2),
            whole[1] / whole[n], "The report's KL10 is as fast as 2.9 of its processors; its speed has no parameters "
            "that a model could use.", FITTED))


def run(setup: Setup) -> Part:
    build.targets(setup.folder, "model_cmmp", "model_rootfinder", "model_harpy")
    part = Part("Oleinick: parallel algorithms on C.mmp")
    primitives(setup, part)
    rootfinder(setup, part)
    long_work(setup, part)
    on_this_machine(setup, part)
    harpy(setup, part)
    return part
