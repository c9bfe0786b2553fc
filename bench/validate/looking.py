# SPDX-License-Identifier: Apache-2.0
"""What it costs to look on: checks, the last cycles of a trace, coverage."""

import re
from pathlib import Path

from support import measure, report

MOST_RING = 1.10
MOST_JUDGED = 3
JUDGED = ("cpu", "sha256") # models, for their own number of cycles
CYCLES = {"riscv": 1_000_000, "ring": 20_000, "checks": 1_000_000}
CHECKS = 64

# lui x5, 0x10; then again and again addi x1, x1, 1; add x2, x2, x1; xor x3, x2, x1; sw x2, 256(x5);
# lw x4, 256(x5); jal x0, -20
LOOP = "000102b7\n00108093\n00110133\n001141b3\n1022a023\n1002a203\nfedff06f\n"

# the text of check number K after "- "
KINDS = {
    "always": "always: x != y + K",
    "stable": "always: stable(x) implies y != K",
    "past, 1": "always: past(x) != y + K",
    "past, 1000": "always: past(x, 1000) != y + K",
    "sequence within 3": "always: x == K then y != K within 3",
    "sequence within 1000": "always: x == K then y != K within 1000",
    "sequence, 1000 open": "never: x != K then y == x in 1000",
}


def counter(checks: list) -> str:
    """Two counters of 32 bits that never meet, and checks of them that hold."""
    lines = "".join(f"  - {check}\n" for check in checks)
    return f"""network: counter
buses:
  x: u32 = 2000000000
  y: u32 = 0
processes:
  p:
    out: [x, y]
    state:
      n: u32 = 0
    step:
      n: n + 1
      x: n + 2000000000
      y: n
""" + (f"checks:\n{lines}" if lines else "")


def riscv(folder: Path) -> Path:
    """The model with a program that never ends, and without rows to record."""
    (folder / "loop.hex").write_text(LOOP)
    text = (measure.ROOT / "models/riscv/network.yaml").read_text()
    text = re.sub(r"(?m)^outputs:\n( .*\n)*", "", text)
    text = re.sub(r"(?m)^  - eventually .*\n", "", text)
    text = re.sub(r"(?m)^  expected: .*\n", "", text)
    text = re.sub(r"(?m)^  program: .*$", "  program: file = loop.hex", text)
    network = folder / "riscv.yaml"
    network.write_text(text)
    return network


def cycle_ns(sme: Path, network: Path, name: str, *options: str) -> float:
    """Nanoseconds of a cycle, without loading and what comes after the run."""
    cycles = ("--cycles", str(CYCLES[name])) if name in CYCLES else ()
    done = measure.run([sme, "run", network, "--threads", "1", "--engine", "interpreted", "--stats", *cycles,
                        *options], 600)
    return 1e9 / float(measure.stats(done)["cycles_per_s"])


def measures(sme: Path, folder: Path) -> dict:
    made = {}
    ways = {
        "alone": (),
        "--keep-last 200": ("--trace", folder / "kept.vcd", "--keep-last", "200"),
        "--keep-last 200, states too": ("--trace", folder / "kept.vcd", "--keep-last", "200", "--trace-state"),
        "--trace": ("--trace", folder / "whole.vcd"),
        "--coverage": ("--coverage", folder / "cover.info"),
    }
    networks = {"riscv": riscv(folder), "ring": measure.ROOT / "models/ring/network.yaml"}
    for name, network in networks.items():
        for way, options in ways.items():
            made[name, way] = lambda network=network, name=name, options=options: cycle_ns(
                sme, network, name, *options)
    for name in JUDGED:
        network = measure.ROOT / "models" / name / "network.yaml"
        for way, options in {"alone": (), "--validate": ("--validate",)}.items():
            made[name, way] = lambda network=network, name=name, options=options: cycle_ns(
                sme, network, name, *options)
    for kind, text in {"none": "", **KINDS}.items():
        checks = [text.replace("K", str(1000 + k)) for k in range(CHECKS)] if text else []
        path = folder / f"counter_{kind.replace(',', '').replace(' ', '_')}.yaml"
        path.write_text(counter(checks))
        made["checks", kind] = lambda path=path: cycle_ns(sme, path, "checks")
    return made


def wanted(samples: dict) -> list:
    limits = {("riscv", "--keep-last 200"): MOST_RING, **{(name, "--validate"): MOST_JUDGED for name in JUDGED}}
    results = []
    for (name, way), most in limits.items():
        ratio = measure.ratio(samples[name, way], samples[name, "alone"])
        results.append(report.Wanted(f"{name} with {way}", f"<= {most:.2f}x",
                                     "" if ratio is None else f"{ratio:.2f}x",
                                     ratio is not None and ratio <= most))
    return results


def write(folder: Path, samples: dict) -> list:
    """Writes the measurements; returns tables."""
    rows = [[*key, *sample.columns(".1f"), sample.note.splitlines()[0] if sample.note else ""]
            for key, sample in samples.items()]
    report.write_csv(folder / "looking.csv",
                     ["network", "with", "ns a cycle", "min", "max", "repetitions", "note"], rows)
    runs = []
    for name in ("riscv", "ring", *JUDGED):
        alone = samples[name, "alone"]
        for (network, way), sample in samples.items():
            if network == name:
                times = measure.ratio(sample, alone)
                runs.append([name, way, *sample.columns(".0f")[:1], "" if times is None else f"{times:.2f}x"])
    checks = []
    none = samples["checks", "none"]
    for kind in KINDS:
        sample = samples["checks", kind]
        if sample.values and none.values:
            checks.append([kind, f"{(sample.median - none.median) / CHECKS:.1f}"])
    return [report.markdown(["network", "with", "ns a cycle", "against alone"], runs),
            report.markdown(["check", "ns a check and cycle"], checks)]
