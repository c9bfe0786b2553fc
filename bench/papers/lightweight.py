# SPDX-License-Identifier: Apache-2.0
"""Ritson, Sampson and Barnes, "Multicore scheduling for lightweight communicating processes"."""

import shutil

from claims import MEASURED, Claim, Part, Setup, claim, gain, number, percent, points, present, seconds, times
from support import measure, plot, report

import peers_of_rings  # of bench/kahn

# Nanoseconds of a communication on one and on eight processors, table 1.
TABLE = {"CCSP in C": (73, 75), "CCSP in occam-pi": (46, 39), "Erlang": (1697, 1675), "Haskell": (269, 9892),
         "threads": (5013, 3485)}
END = "agent 1200: location 90 (-876, 209), persona 4518631"  # after 1024 cycles


def ring(setup: Setup, part: Part) -> None:
    trips = 1024 if setup.quick else 8192
    rows, found = [], {}
    for processors in (1, 2):
        def once(peer: str, depth: int) -> float:
            return peers_of_rings.once(setup.folder, peer, tokens=1, depth=depth, runners=processors,
                                       trips=peers_of_rings.trips_of(peer, trips, 1))

        samples = setup.samples(part, f"ring on {processors} processors, ns", {
            **{peer: lambda peer=peer: once(peer, 1 if peer in ("erlang", "threads") else 0)
               for peer in ("ours", "go", "erlang", "threads")},
            "ours, one place": lambda: once("ours", 1)})
        found[processors] = samples
        rows.append([processors, *(sample.columns(".1f")[0] for sample in samples.values())])
    part.pages.append("The ring of 256 processes, one token, ns per communication: a rendezvous, as CCSP's channels and "
                      "occam's are, and with one place in each channel. Theirs, on one and eight "
                      "processors: " + "; ".join(f"{name} {one}, {eight}" for name, (one, eight) in TABLE.items()) +
                      ".\n\n" + report.markdown(["processors", "ours", "Go", "Erlang", "threads", "ours, one place"], rows))
    one = found[1]["ours"]
    part.claims.append(Claim(
        "5.1", "a communication on one processor", "46 ns (occam), 73 ns (C)",
        f"{one.median:.1f} ns" if one.values else "", "-", MEASURED,
        "Another machine, so the times cannot be compared; the ratios below can."))
    for peer, name in (("erlang", "Erlang takes"), ("threads", "threads take")):
        low, high = sorted(TABLE[name.split()[0]][0] / TABLE[own][0] for own in ("CCSP in C", "CCSP in occam-pi"))
        part.claims.append(claim(
            "5.1", f"{name} longer on one processor", round(low), round(high), gain(found[1][peer], found[1]["ours"]),
            WHY[peer]))
    part.claims.append(Claim(
        "5.1", "Go takes longer on one and on two processors", "not measured",
        ", ".join(filter(None, (times(measure.ratio(found[n]["go"], found[n]["ours"])) for n in (1, 2)))), "-", MEASURED,
        "Go's channels have a lock and its scheduler a queue for all."))
    part.claims.append(claim(
        "5.1", "one token: more processors do not slow it down, time of one", 39 / 46, 75 / 73,
        gain(found[2]["ours"], found[1]["ours"]),
        "With a second runner each position of a channel is exchanged atomically, where one runner stores it.",
        good="less", theirs="75 ÷ 73, 39 ÷ 46 (8 processors)"))


WHY = {"erlang": "Erlang has become faster since, and copies messages still.",
       "threads": "The kernel wakes a thread for each communication; its part of the time has hardly changed, ours has."}


def agents(setup: Setup, part: Part) -> None:
    cycles = 20 if setup.quick else 1024

    def checked(command: list) -> float:
        done = measure.run(command, limit_s=300)
        if cycles == 1024 and END not in done.out:
            raise measure.Failed("the last agent ended elsewhere")
        return number(r"(\d+\.\d+) s\b", done.out)

    samples = setup.samples(part, "agents, s", {
        **{f"processes, {n}": lambda n=n: checked([setup.model("agents"), "--cycles", cycles, "--runners", n])
           for n in (1, 2)},
        **{f"loops, {n}": lambda n=n: checked([setup.peer("papers", "agents"), n, 10, 12, cycles]) for n in (1, 2)}})
    rows = [[who, *(samples[f"{who}, {n}"].columns(".3f")[0] for n in (1, 2)),
             times(measure.ratio(samples[f"{who}, 1"], samples[f"{who}, 2"]))] for who in ("processes", "loops")]
    part.pages.append(f"Agents: 10 x 10 locations, 1200 agents, {cycles} cycles, seconds. All end where they must:\n\n" +
                      report.markdown(["written with", "1 processor", "2", "2 against 1"], rows))
    part.claims.append(claim(
        "5.2", "agents: speed of that of loops on threads, written by hand", 0.5, 0.5,
        present(measure.ratio(samples["loops, 2"], samples["processes, 2"])),
        "An agent has a link to its location and one to its view, which it hands back when it moves. On one processor "
        f"it is {percent(measure.ratio(samples['loops, 1'], samples['processes, 1']))}.", unit="%", theirs="50 %"))
    part.claims.append(claim(
        "5.2", "agents: speed of all processors, of the processors' number", None, None,
        [each / 2 for each in gain(samples["processes, 1"], samples["processes, 2"])],
        "Two here, eight there, so the shares cannot be compared. All agents wait at two barriers a cycle.", unit="%",
        theirs="56 % (4.5x on eight)"))
    curve(setup, part)


def curve(setup: Setup, part: Part) -> None:
    """Figure 14: larger worlds, with as many agents in each location."""
    grids, cycles = ([3, 5] if setup.quick else [5, 10, 20, 40]), 100
    found = {"processes": {}, "loops": {}}
    for grid in grids:
        samples = setup.samples(part, f"agents in a grid of {grid}, s", {
            "processes": lambda grid=grid: seconds(setup.model("agents"), "--grid", grid, "--cycles", cycles,
                                                   "--runners", 2),
            "loops": lambda grid=grid: seconds(setup.peer("papers", "agents"), 2, grid, 12, cycles)})
        for who, sample in samples.items():
            found[who][grid] = sample
    share = {grid: measure.ratio(found["loops"][grid], found["processes"][grid]) for grid in grids}
    rows = [[grid, 12 * grid * grid, *(found[who][grid].columns(".3f")[0] for who in found), percent(share[grid])]
            for grid in grids]
    drawn = plot.lines(setup.results / "agents.svg", {who: points(each) for who, each in found.items()},
                       "locations of an axis", f"seconds for {cycles} cycles")
    part.pages.append(f"Agents in larger worlds, 12 in each location, {cycles} cycles, two processors, seconds:\n\n" +
                      report.markdown(["grid", "agents", "processes", "loops", "speed of loops"], rows) +
                      ("\n\n![agents](agents.svg)" if drawn else ""))
    first, last = share[grids[0]], share[grids[-1]]
    part.claims.append(claim(
        "5.2, figure 14", f"agents: share of the loops' speed in a grid of {grids[-1]}, of that in one of {grids[0]}", 1, 1,
        [] if first is None or last is None else [last / first],
        "The paper says that its curve has the form of the loops'. More processes than the caches hold are slower."))


def run(setup: Setup) -> Part:
    setup.targets("bench_kahn_ours", "bench_kahn_threads", "bench_papers_agents", "model_agents")
    for tool, prepare in (("go", peers_of_rings.build_go), ("erlc", peers_of_rings.build_erlang)):
        if shutil.which(tool) and not setup.known:
            prepare(setup.folder)
    part = Part("Ritson, Sampson, Barnes: lightweight communicating processes")
    ring(setup, part)
    agents(setup, part)
    return part
