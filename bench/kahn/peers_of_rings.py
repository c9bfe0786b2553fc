# SPDX-License-Identifier: Apache-2.0
"""The ring of processes in each peer: how it is built and started, and what it prints."""

import re
import shutil
from pathlib import Path

from support import build, measure

HERE = Path(__file__).resolve().parent
PROCESSES = 256
TITLES = {"ours": "ours", "go": "Go", "erlang": "Erlang", "fiber": "Boost.Fiber", "threads": "threads"}
SLOW = {"threads": 60, "go": 4, "erlang": 8, "fiber": 8}  # divisor of the number of round trips
MISSING = {"fiber": "libboost-fiber-dev was not found", "go": "go was not found", "erlang": "erlc was not found"}


def program(folder: Path, peer: str) -> Path:
    path = folder / "bench/kahn" / ("ring.beam" if peer == "erlang" else f"bench_kahn_{peer}")
    if not path.exists():
        raise measure.Skipped(MISSING.get(peer, "not part of this build"))
    return path


def build_go(folder: Path) -> None:
    if shutil.which("go"):
        target = folder / "bench/kahn/bench_kahn_go"
        build.call(["go", "build", "-o", str(target), str(HERE / "ring.go")], folder / "go.log")


def build_erlang(folder: Path) -> None:
    if shutil.which("erlc"):
        build.call(["erlc", "-o", str(folder / "bench/kahn"), str(HERE / "ring.erl")], folder / "erlang.log")


def trips_of(peer: str, trips: int, tokens: int) -> int:
    """How many round trips a peer makes where ours makes `trips` with one token."""
    return max(4, trips // tokens // SLOW.get(peer, 1))


def once(folder: Path, peer: str, tokens: int, depth: int, runners: int, trips: int,
         processes: int = PROCESSES, rest: tuple = ()) -> float:
    """Nanoseconds per communication. One runner: one processor for all threads of the peer."""
    if peer == "threads" and depth == 0:
        raise measure.Skipped("a queue under a mutex has no rendezvous")
    if peer == "erlang" and depth != 1:
        raise measure.Skipped("a mailbox has no bound")
    cpus = ["taskset", "-c", "0"] if runners == 1 and shutil.which("taskset") else []
    path = program(folder, peer)
    start = [path]
    if peer == "erlang":
        start = ["erl", "-noshell", "+S", f"{runners}:{runners}", "-pa", path.parent, "-run", "ring", "main"]
    done = measure.run([*cpus, *start, processes, tokens, trips, depth, runners, *rest], limit_s=60)
    found = re.search(r"ns_per_communication (\S+) check 1", done.out)
    if not found:
        raise measure.Failed("the sum of the tokens is wrong")
    return float(found[1])
