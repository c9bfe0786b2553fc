# SPDX-License-Identifier: Apache-2.0
"""How fast a run is saved, and loaded again, beside a program that only writes as many bytes."""

from pathlib import Path

from support import measure, report

WORDS = 1 << 25  # of 8 bytes, in a memory
CYCLES = 8

NETWORK = f"""network: large
buses:
  x: u64
processes:
  p:
    out: x
    state:
      n: u25
      memory: u64[{WORDS}]
    step:
      n: n + 12345
      memory[n]: u64(n) * 0x9e3779b97f4a7c15
      x: memory[n + 7]
"""


def bytes_of(path: Path) -> float:
    return path.stat().st_size / 1e9


def run_s(sme: Path, network: Path, *options) -> float:
    """Seconds of the cycles alone."""
    command = [sme, "run", network, "--threads", "1", "--stats", "--engine", "interpreted", *options]
    return float(measure.stats(measure.run(command, 600))["run_s"])


def measures(sme: Path, folder: Path) -> dict:
    network = folder / "large.yaml"
    network.write_text(NETWORK)
    path = folder / "large.ckpt"
    measure.run([sme, "run", network, "--cycles", 1, "--checkpoint-every", 1, path])

    def save() -> float:
        seconds = run_s(sme, network, "--cycles", CYCLES, "--checkpoint-every", 1, path)
        return CYCLES * bytes_of(path) / seconds

    def load() -> float:
        command = [sme, "run", network, "--cycles", CYCLES + 1]
        with_it = measure.run([*command, "--resume", path], 600).seconds
        return bytes_of(path) / max(with_it - measure.run(command, 600).seconds, 1e-6)

    def write() -> float:
        count = path.stat().st_size >> 20
        done = measure.run(["dd", "if=/dev/zero", f"of={folder / 'large.zeros'}", "bs=1M", f"count={count}",
                            "conv=fsync", "status=none"], 600)
        return count * (1 << 20) / 1e9 / done.seconds

    return {("checkpoint", "saved"): save, ("checkpoint", "loaded"): load, ("dd conv=fsync", "written"): write}


def tables(folder: Path, samples: dict) -> list:
    """Writes the measurements; returns tables."""
    rows = [[*key, *sample.columns(".2f"), sample.note.splitlines()[0] if sample.note else ""]
            for key, sample in samples.items()]
    report.write_csv(folder / "saving.csv", ["what", "is", "GB a second", "min", "max", "repetitions", "note"], rows)
    return [report.markdown(["what", "is", "GB a second", "min", "max"], [row[:5] for row in rows])]
