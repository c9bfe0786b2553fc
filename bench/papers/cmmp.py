# SPDX-License-Identifier: Apache-2.0
"""Oleinick, "The implementation and evaluation of parallel algorithms on C.mmp": all on the model of that machine,
which is deterministic, so each program runs once."""

import functools
import re

from claims import FITTED, MODELLED, Part, Setup, claim, gain, left_out, number, present, seconds
from support import measure, plot, report

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
    out = functools.cache(lambda: measure.run([cmmp, "--crossover"]).out)
    usable = setup.figures(part, "table 10: usable from, ms of work", {
        name: lambda name=name: number(rf"(?m)^{name} +(\S+) ms", out()) for name in USABLE})
    for name, theirs in USABLE.items():
        part.claims.append(claim("table 10", f"{name} is usable from", theirs, theirs, [usable[name]], WHY_USABLE[name],
                                 MODELLED, " ms"))
    curves, rows = {name: [] for name in USABLE}, []
    for work in WORK_MS:
        share = setup.figures(part, f"stages of {work} ms of work, % of an ideal machine's speed", {
            name: lambda name=name, work=work: 100 * work / number(r"(\S+) ms a stage", measure.run(
                [cmmp, "--primitive", name, "--compute", work * 1000], limit_s=300).out) for name in USABLE})
        for name in USABLE:
            curves[name].append((work, share[name], share[name], share[name]))
        rows.append([work, *(f"{share[name]:.0f} %" for name in USABLE)])
    drawn = plot.lines(setup.results / "primitives.svg", curves, "ms of work", "% of an ideal machine's speed")
    part.pages.append("Five processes that work and wait for each other: speed as a share of an ideal machine's, by ms "
                      "of work between two meetings. Half of it is the paper's bound of what is usable:\n\n" +
                      report.markdown(["ms", *USABLE], rows) + ("\n\n![primitives](primitives.svg)" if drawn else ""))


def perturbations(setup: Setup, part: Part) -> None:
    """Table 8: how much a source of disturbance can lengthen what it disturbs, greatest over least."""
    cmmp = setup.model("cmmp")
    out = functools.cache(lambda: measure.run([cmmp, "--tables"], limit_s=300).out)

    def spread(column: int) -> float:
        each = [float(row[column]) for row in re.findall(r"(?m)^ *\d+ +(\S+) +\d+ +(\S+)$", out())]
        return max(each) / min(each)

    def stage(*options) -> float:
        return number(r"(\S+) ms a stage", measure.run(
            [cmmp, "--primitive", "none", "--processes", 9, "--compute", 100_000, *options], limit_s=300).out)

    ours = setup.figures(part, "table 8: greatest over least", {
        "memory contention": lambda: stage("--shared-code") / stage(),
        "processors": lambda: spread(0), "memories": lambda: spread(1)})
    for name, theirs, how, why in (
            ("memory contention", 3.0, MODELLED,
             "The average length of a memory cycle: nine processes in one bank over nine in banks of their own."),
            ("processors", 1.6, FITTED, "The speeds are those of table 1."),
            ("memories", 1.07, FITTED, "The speeds are those of table 2.")):
        part.claims.append(claim("table 8", f"the range of {name}", theirs, theirs, present(ours[name]), why, how))
    for section, what, theirs, why in (
            ("table 8", "the ranges of F(x), kernel processes and interrupts", "3.4x, 2.8x, 1.3x",
             "The model gives times of stages, not of single evaluations, and times of F(x) are its input."),
            ("tables 4 to 6", "histograms of the length of memory cycles", "three histograms",
             "The model counts the references of 10 µs, not single cycles of the bus; the first row of table 8 here has their "
             "average."),
            ("3.4.4, figure 12", "evaluations at the end of time slices", "in a plot",
             "The plot is lost. The text has the cost alone, more than 150 ms after each 5 s of computing: 3 %."),
            ("3.3.1", "process stealing, page swapping", "no figure",
             "A process of the model stays on its processor, the fastest free one; there is nothing to compare with.")):
        part.claims.append(left_out(section, what, theirs, why))


COUNTS = list(range(1, 10))


def speed_ups(setup: Setup, part: Part, name: str, *options) -> list:
    """Of the rootfinder on C.mmp with 1 to 9 processes, over one."""
    @functools.cache
    def on_cmmp(n: int) -> float:
        return number(r"(\S+) s on C.mmp", measure.run(
            [setup.model("cmmp/rootfinder"), *options, "--processes", n]).out)

    return list(setup.figures(part, f"rootfinder, {name}: speed-up by processes", {
        n: lambda n=n: on_cmmp(1) / on_cmmp(n) for n in COUNTS}).values())


def drawn(setup: Setup, file: str, curves: dict) -> str:
    """A plot of speed-ups, as a link."""
    lines = {name: [(n, each, each, each) for n, each in zip(COUNTS, curve)] for name, curve in curves.items()}
    there = plot.lines(setup.results / f"{file}.svg", lines, "processes", "speed-up")
    return f"\n\n![{file.replace('_', ' ')}]({file}.svg)" if there else ""


def table_of(curves: dict, first: str) -> str:
    return report.markdown([first, *COUNTS], [[name, *(f"{each:.2f}" for each in curve)] for name, curve in curves.items()])


def rootfinder(setup: Setup, part: Part) -> None:
    curves = {name: speed_ups(setup, part, name, "--roots", 10, *options) for name, options in (
        ("spin", ["--primitive", "spin"]), ("k-sem", ["--primitive", "k-sem"]), ("pm1-300", ["--primitive", "pm1-300"]),
        ("spin, shared code", ["--shared-code"]))}
    part.pages.append("Rootfinder, speed-up by number of processes:\n\n" + table_of(curves, "waiting") +
                      drawn(setup, "rootfinder", curves))
    why = {"spin": "These runs have no interrupts, and no scheduler takes a processor away.",
           "k-sem": "Each wake-up takes all of table 9's time; the report's processes often found theirs done.",
           "pm1-300": "As with k-sem: each wake-up takes all of its time."}
    shared = curves["spin, shared code"]
    best = max(shared)
    for what, theirs, ours, reason in (
            *((f"{primitive}, {n} processes", theirs, curves[primitive][n - 1], why[primitive])
              for primitive, n, theirs in SPEED_UPS),
            (f"shared code, at its best ({COUNTS[shared.index(best)]} processes; 3 there)", 1.53, best,
             "One bank of memory serves all instructions and is full."),
            ("code of their own, 9 processes", 2.60, curves["spin"][8], why["spin"])):
        part.claims.append(claim("4", f"rootfinder, {what}", theirs, theirs, [ours], reason, MODELLED))


def long_work(setup: Setup, part: Part) -> None:
    """4.3.3: evaluations of 375 ms on a machine with seven fast processors; and interrupts, 3.4.3."""
    curves = {name: speed_ups(setup, part, f"375 ms, {name}", "--roots", 2, "--mean", 375_000, "--fast", 7, *options)
              for name, options in (
                  *((f"{kind}, {primitive}", ["--times", kind, "--primitive", primitive])
                    for kind in ("constant", "exponential") for primitive in ("spin", "pm0")),
                  ("constant, spin, interrupts", ["--times", "constant", "--interrupts", 100]))}
    part.pages.append("Rootfinder with evaluations of 375 ms, on seven PDP-11/40s and PDP-11/20s; in the last row four "
                      "processors with devices have an interrupt of 1 to 15 ms every 100 ms:\n\n" +
                      table_of(curves, "times, waiting") + drawn(setup, "long_work", curves))
    spin, pm0 = curves["constant, spin"], curves["constant, pm0"]
    for what, theirs, ours, why in (
            ("spin, at its best", 2.8, max(spin), "No interrupts, and no scheduler takes a processor away."),
            ("pm0, at its best", 2.1, max(pm0), "Each wake-up takes all of table 9's time, one after the other."),
            ("spin, nine processes on seven fast processors", 2.0, spin[8], "Two of them run on PDP-11/20s, and all wait."),
            ("spin over pm0, nine processes", 1.0, spin[8] / pm0[8], "As for pm0 at its best.")):
        part.claims.append(claim("4.3.3", f"rootfinder, 375 ms, {what}", theirs, theirs, [ours], why, MODELLED))
    part.claims.append(claim(
        "4.3.3", "rootfinder, 375 ms, exponential: spin's best over pm0's", None, None,
        [max(curves["exponential, spin"]) / max(curves["exponential, pm0"])],
        "The paper says that they differ less than with constant times, where it is 1.33.", MODELLED,
        theirs="relatively little, no figure"))
    part.claims.append(claim(
        "3.4.3", "rootfinder, 375 ms, spin: the best with interrupts, of that without", None, None,
        [max(curves["constant, spin, interrupts"]) / max(spin)],
        "The processor that serves a device comes last, and all wait for it.", MODELLED, "%", theirs="less, no figure"))


def on_this_machine(setup: Setup, part: Part) -> None:
    evaluations = 100 if setup.quick else 2000
    samples = setup.samples(part, "rootfinder here, s", {
        f"{n} runners": lambda n=n: seconds(setup.model("cmmp/rootfinder"), "--untimed", "--processes", 8, "--runners",
                                            n, "--evaluations", evaluations) for n in (1, 2)})
    part.claims.append(claim(
        "4", "rootfinder as a Kahn network, 8 processes: two runners against one", None, None,
        gain(samples["1 runners"], samples["2 runners"]),
        "At most 2x with two processors. The same roots, bit for bit.", theirs="not measured"))


def harpy(setup: Setup, part: Part) -> None:
    folder = measure.ROOT / "models/cmmp/harpy"
    files = ["--dictionary", folder / "dictionary.txt", "--sentences", folder / "sentences.txt"]

    @functools.cache
    def out(version: str, *options) -> str:
        return measure.run([setup.model("cmmp/harpy"), *files, "--alike", "--version", version, *options]).out

    def step(*options) -> float:
        return number(r"forward step (\S+) s", out(*options))

    rows = []
    why = ("Processors alike and memory without limits; the costs match the shares of table 11, noise and beam the "
           "numbers of candidates. The order and the steps between the versions are the report's.")
    for version, (use, over_first, over_itself) in VERSIONS.items():
        one = (version, "--processes", 1)
        found = setup.figures(part, f"HARPY, {version}", {
            "processors in use, %": lambda: number(r"processors (\S+) %", out(version)),
            "speed-up over static on one": lambda: step("static", "--processes", 1) / step(version),
            "speed-up over itself on one": lambda: step(*one) / step(version)})
        ours = list(found.values())
        rows.append([version, f"{ours[0]:.1f} %", f"{use:.1f} %", f"{ours[1]:.2f}", f"{over_first:.2f}",
                     f"{ours[2]:.2f}", f"{over_itself:.2f}"])
        part.claims.append(claim("5", f"HARPY, {version}: processors in use, of 8", use / 100, use / 100,
                                 [ours[0] / 100], why, FITTED, "%", theirs=f"{use:.1f} %"))
        for name, theirs, value in (("static", over_first, ours[1]), ("itself", over_itself, ours[2])):
            part.claims.append(claim("5", f"HARPY, {version}: speed-up over {name} on one", theirs, theirs, [value],
                                     "As in the row before.", FITTED))
    part.pages.append("HARPY, forward step on eight processors, ours and the report's:\n\n" +
                      report.markdown(["version", "in use", "there", "over static on one", "there",
                                       "over itself on one", "there"], rows))
    pruning(setup, part, lambda n: out("static", "--processes", n))


# 5.4.0.2 and 5.6.2: shares of segments with up to 10, 100, 1000 and more units of work, in percent.
UNITS = {"candidates": (65.7, 30.3, 4.0, 0.0), "pairs": (38.0, 32.0, 28.0, 2.0)}
BOUNDS = ["1 to 10", "10 to 100", "100 to 1000", "more"]


def pruning(setup: Setup, part: Part, out) -> None:
    rows = []
    for name, theirs in UNITS.items():
        found = setup.figures(part, f"HARPY, units of work in a segment, {name}, %", {
            bound: lambda k=k, name=name: float(re.search(
                rf"up to 10 {name} (\S+) %, up to 100 (\S+) %, up to 1000 (\S+) %, more (\S+) %", out(1))[k + 1])
            for k, bound in enumerate(BOUNDS)})
        rows.append([name, *(f"{own:.1f} ({there:.1f})" for own, there in zip(found.values(), theirs))])
    part.pages.append("HARPY, units of work in a segment of speech, % of all segments, ours (the report's):\n\n" +
                      report.markdown(["units", *BOUNDS], rows))
    over_one = setup.figures(part, "HARPY, speed-up over one processor", {
        **{f"all steps on {n}": lambda n=n: number(r"(\S+) s in all", out(1)) / number(r"(\S+) s in all", out(n))
           for n in (4, 7)},
        "pruning on 8": lambda: number(r"pruning step (\S+) s", out(1)) / number(r"pruning step (\S+) s", out(8))})
    part.claims.append(claim(
        "5.4.0.2", "HARPY: the pruning step on eight processors, over itself on one", 4.7, 5, [over_one["pruning on 8"]],
        "Each process takes the next pair from one stack, here as there. Our vocabulary is smaller, so few segments have "
        "more than 100 pairs.", FITTED))
    for n, theirs in ((4, 144 / 46), (7, 144 / 33)):
        part.claims.append(claim(
            "5.6.2", f"HARPY: all steps on {n} processors, over one", round(theirs, 2), round(theirs, 2),
            [over_one[f"all steps on {n}"]], "The report's KL10 is as fast as 2.9 of its processors; its speed has no "
            "parameters that a model could use.", FITTED))


def run(setup: Setup) -> Part:
    setup.targets("model_cmmp", "model_rootfinder", "model_harpy")
    part = Part("Oleinick: parallel algorithms on C.mmp")
    primitives(setup, part)
    perturbations(setup, part)
    rootfinder(setup, part)
    long_work(setup, part)
    on_this_machine(setup, part)
    harpy(setup, part)
    return part
