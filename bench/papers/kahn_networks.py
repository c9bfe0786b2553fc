# SPDX-License-Identifier: Apache-2.0
"""Vrba, Halvorsen and Griwodz, "Evaluating the run-time performance of Kahn process network implementation
techniques": transport, scheduling, overdecomposed programs."""

import functools
from pathlib import Path

from claims import MODELLED, NEWER, Part, Setup, claim, gain, left_out, number, points, present, seconds, times
from support import measure, plot, report

PROCESSES = [10, *range(50, 1001, 50)]
BYTES = [4, 64, 256, 1024, 4096]
WAYS = {  # runners (0: a thread for each process) and placement, as bench/kahn takes them
    "one runner": (1, 0),
    "two, good": (2, 1),
    "two, bad": (2, 2),
    "threads": (0, 0),
    "threads, one processor": (0, 0),
}
TURNS = {"one runner": 1_000_000, "two, good": 1_000_000, "two, bad": 200_000, "threads": 50_000,
         "threads, one processor": 50_000, "POSIX": 50_000}


def transaction(setup: Setup, peer: str, way: str, processes: int, size: int = 4, owned: int = 0) -> float:
    """Nanoseconds for send, switch and receive."""
    runners, placement = WAYS.get(way, (1, 0))
    trips = max(4, TURNS[way] // processes // (10 if setup.quick else 1))
    pinned = ["taskset", "-c", "0"] if way.endswith("one processor") else []
    done = measure.run([*pinned, setup.peer("kahn", peer), processes, 1, trips, 1, runners, size, placement, owned])
    return number(r"ns_per_communication (\S+) check 1", done.out)


def message_queues(wanted: int) -> int:
    """How many message queues there may be: raises the limit of Linux, 256, if this user may."""
    limit = Path("/proc/sys/fs/mqueue/queues_max")
    try:
        if int(limit.read_text()) < wanted + 10:
            limit.write_text(str(wanted + 10))
        return int(limit.read_text()) - 10
    except (OSError, ValueError):
        return 100


def ring(setup: Setup, part: Part) -> None:
    rows, by_way = [], {way: {} for way in [*WAYS, "POSIX"]}
    most = message_queues(max(PROCESSES))
    for processes in PROCESSES:
        ways = {way: lambda way=way: transaction(setup, "ours", way, processes) for way in WAYS}
        if processes <= most:
            ways["POSIX"] = lambda: transaction(setup, "posix", "POSIX", processes)
        samples = setup.samples(part, f"ring of {processes}", ways)
        for way, sample in samples.items():
            by_way[way][processes] = sample
        if any(sample.values for sample in samples.values()):
            rows.append([processes, *(by_way[way][processes].columns(".0f")[0] if processes in by_way[way] else ""
                                      for way in by_way)])
    drawn = plot.lines(setup.results / "ring.svg", {way: points(each) for way, each in by_way.items()},
                       "processes", "ns per transaction")
    part.pages.append("The ring, one token, ns per send, switch and receive. In the last three columns each process is "
                      "a thread, with our channels on all processors and bound to one, and with message queues of "
                      "POSIX:\n\n" +
                      report.markdown(["processes", *by_way], rows) + ("\n\n![ring](ring.svg)" if drawn else ""))
    part.claims.append(claim(
        "4.1", "own transport against POSIX message queues, a thread for each process", 1.7, 1.9,
        present(*(measure.ratio(by_way["POSIX"][n], by_way["threads"][n]) for n in (10, 50, 100))),
        "With 10, 50 and 100 processes. On Linux a message through a queue takes two calls of the kernel, as does a "
        "message of ours between sleeping threads; theirs ran on Solaris. Only with runners does ours need none."))
    at = {way: by_way[way][1000] for way in WAYS}
    part.claims.append(claim(
        "4.1", "1000 processes, good placement: two runners against threads", 6.5, 6.5,
        gain(at["threads"], at["two, good"]),
        "A switch is a jump between coroutines, a few loads; theirs saved and restored registers."))
    part.claims.append(claim(
        "4.1", "1000 processes, bad placement: two runners against threads", 1.25, 1.25,
        gain(at["threads"], at["two, bad"]),
        "Each transaction crosses processors; a runner looks around for 20 µs before it sleeps, so most need no "
        "call of the kernel."))
    if len(rows) < len(PROCESSES):
        part.claims.append(left_out("4.1, figure 3", "rings of 10 to 1000 processes, in steps of 50", "in a plot", NEWER))
    part.claims.append(left_out(
        "4.1, 4.2", "our scheduler with POSIX message queues (U/N), and AES with workers bound to processors (U)",
        "in plots that are lost",
        "Our processes have no other transport than channels, and our runners steal in AES and H.264; only the ring "
        "above binds processes."))


def message_sizes(setup: Setup, part: Part) -> None:
    rows = []
    for size in BYTES:
        ways = {"ours": lambda: transaction(setup, "ours", "threads", 100, size, int(size > 4)),
                "POSIX": lambda: transaction(setup, "posix", "POSIX", 100, size)}
        samples = setup.samples(part, f"messages of {size} bytes", ways)
        rows.append([size, *(sample.columns(".0f")[0] for sample in samples.values()),
                     times(measure.ratio(samples["POSIX"], samples["ours"]))])
    part.pages.append("Messages of more bytes, 100 threads: our message is a pointer that owns them, a queue copies "
                      "them. ns per transaction:\n\n" +
                      report.markdown(["bytes", "ours", "POSIX", "POSIX ÷ ours"], rows))


def aes(setup: Setup, part: Part) -> None:
    size, passes = 1 << (22 if setup.quick else 28 if memory_gib() > 2 else 27), 2 if setup.quick else 8
    counts = [1, 16, 128, 2048, 16384]
    by_way = {"two runners": {}, "threads": {}}
    options = {"two runners": ["--runners", 2], "threads": ["--threads"]}
    for workers in counts:
        def rate(way: str, workers=workers) -> float:
            done = measure.run([setup.model("aes_farm"), "--workers", workers, "--bytes", size, "--passes", passes,
                                *options[way]], limit_s=300)
            return number(r"([\d.]+) MB/s", done.out)
        samples = setup.samples(part, f"AES, {workers} workers, MB/s",
                                {way: lambda way=way: rate(way) for way in by_way})
        for way, sample in samples.items():
            by_way[way][workers] = sample
    rows = [[workers, *(by_way[way][workers].columns(".0f")[0] for way in by_way)] for workers in counts]
    drawn = plot.lines(setup.results / "aes.svg", {way: points(each) for way, each in by_way.items()},
                       "workers", "MB/s")
    part.pages.append(f"AES, {size >> 20} MiB, {passes} passes, MB/s:\n\n" +
                      report.markdown(["workers", *by_way], rows) + ("\n\n![AES](aes.svg)" if drawn else ""))
    # more MB/s is faster: a ratio of 1 is no loss
    for way, theirs, why in (
            ("two runners", "less than all", "A message for each chunk takes the same time, but chunks are smaller."),
            ("threads", "much less than with runners", "Of the threads' time, making and ending them is a part.")):
        part.claims.append(claim(
            "4.2", f"AES: from 2048 to 16384 workers, the speed left: {way}", None, None,
            present(measure.ratio(by_way[way][16384], by_way[way][2048])), f"{why} The paper's plot is lost.", unit="%",
            theirs=f"{theirs}, no figure"))


def memory_gib() -> float:
    """What is free, as Linux says."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) / 2**20
    return 0


def h264(setup: Setup, part: Part) -> None:
    frames, work = (30, 20) if setup.quick else (300, 200)
    counts = [1, 100, 500, 1000]
    by_way = {"two runners": {}, "threads": {}}
    options = {"two runners": ["--runners", 2], "threads": ["--threads"]}
    for workers in counts:
        def rate(way: str, workers=workers) -> float:
            return frames / seconds(setup.model("h264"), "--frames", frames, "--work", work, "--workers", workers,
                                    *options[way])
        samples = setup.samples(part, f"H.264, {workers} workers, frames a second",
                                {way: lambda way=way: rate(way) for way in by_way})
        for way, sample in samples.items():
            by_way[way][workers] = sample
    clocked = setup.figures(part, "H.264 with a clock, cycles a frame by workers", {
        workers: lambda workers=workers: number(r"(\d+) cycles a frame", measure.run(
            [setup.model("h264"), "--frames", 30, "--workers", workers, "--clocked"], limit_s=300).out)
        for workers in counts})
    rows = [[workers, *(by_way[way][workers].columns(".1f")[0] for way in by_way), f"{clocked[workers]:.0f}"]
            for workers in counts]
    drawn = plot.lines(setup.results / "h264.svg", {way: points(each) for way, each in by_way.items()},
                       "workers of each of ME, MC and P", "frames a second")
    part.pages.append("The encoder's network, frames a second; and with a clock, a processor for each process, where a "
                      "unit of work is a cycle:\n\n" +
                      report.markdown(["workers", *by_way, "cycles a frame, clocked"], rows) +
                      ("\n\n![H.264](h264.svg)" if drawn else ""))
    for way, left, good, why in (
            ("two runners", 0.9, "more",
             "Idle runners steal, and many workers are dealt more evenly than one of each kind."),
            ("threads", 0.5, "", "The kernel's scheduler wakes more threads at once than there are processors, and "
                                 "each costs two switches a frame.")):
        part.claims.append(claim("4.3", f"H.264, frames a second from 1 to 1000 workers: {way}", left, left,
                                 present(measure.ratio(by_way[way][1000], by_way[way][1])), why, unit="change",
                                 good=good, theirs=f"about {100 * (left - 1):.0f} %"))
    part.claims.append(claim(
        "4.3", "H.264: the gain from 1 to 1000 workers each", None, None, [clocked[1] / clocked[1000]],
        "A processor for each process: the ring of prediction, transform and reference keeps its length.", MODELLED,
        theirs="not linear in the processors, no figure"))
    paced(setup, part)


def paced(setup: Setup, part: Part) -> None:
    """25 frames a second, as in the paper: how much of a processor that takes."""
    frames, work, rows = (10 if setup.quick else 100), 200, []
    for workers in (1, 1000):
        for way, option in (("two runners", ["--runners", 2]), ("threads", ["--threads"])):
            @functools.cache
            def out(workers=workers, option=tuple(option)) -> str:
                return measure.run([setup.model("h264"), "--frames", frames, "--work", work, "--workers", workers,
                                    "--pace", 25, *option], limit_s=300).out
            found = setup.samples(part, f"H.264 at 25 frames a second, {workers} workers, {way}", {
                "frames a second": lambda: frames / number(r"(\d+\.\d+) s, of processors", out()),
                "ms a frame": lambda: 1000 * number(r"of processors (\S+) s", out()) / frames}, 1)
            rows.append([workers, way, found["frames a second"].columns(".1f")[0], found["ms a frame"].columns(".2f")[0]])
    part.pages.append("The same at 25 frames a second, as from a camera; ms of all processors for a frame, the start "
                      "and end of threads included:\n\n" +
                      report.markdown(["workers", "with", "frames a second", "ms a frame"], rows, left=("with",)))


def run(setup: Setup) -> Part:
    setup.targets("bench_kahn_ours", "bench_kahn_posix", "model_aes_farm", "model_h264")
    part = Part("Vrba, Halvorsen, Griwodz: Kahn process networks at run time")
    ring(setup, part)
    message_sizes(setup, part)
    aes(setup, part)
    h264(setup, part)
    return part
