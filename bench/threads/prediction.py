# SPDX-License-Identifier: Apache-2.0
"""What `sme predict` says, against what is measured."""

import re
from statistics import median

from peers import HERE, MODELS, Answer, Network, Setup, at_most, riscv
from support import measure, report

WITHIN = 0.15


class Prediction:
    """`sme predict` for 1 and 2 threads; keeps what it said, by threads."""

    def __init__(self, setup: Setup, network, *settings: str) -> None:
        self.command = [setup.folder / "sim/cli/sme", "predict", network, "--threads", "1,2"]
        for setting in settings:
            self.command += ["--set", setting]
        self.said = {"1": [], "2": []}
        self.own = {"1": [], "2": []}  # its own measurements

    def measure(self) -> float:
        out = measure.run(self.command).out
        for threads, values in self.said.items():
            # columns: threads; time and speed-up by round-robin, blocks and optimize; measured
            row = re.search(rf"^ +{threads}((?: +[\d.]+x?){{6}}) +([\d.]+)$", out, re.MULTILINE)
            if not row:
                raise measure.Failed(f"no row of {threads} threads")
            values.append(float(row[1].split()[4]))
            self.own[threads].append(float(row[2]))
        return self.said["2"][-1]


def networks(setup: Setup) -> dict:
    return {
        "ring, 100,000 nodes": (MODELS / "ring/network.yaml", "nodes=100000"),
        "ring, 10,000 nodes": (MODELS / "ring/network.yaml", "nodes=10000"),
        "divide, 100 nodes": (HERE / "divide.yaml",),
        "life 128 x 128": (HERE / "life.yaml",),
        "riscv x 64": (riscv(setup.folder, 64),),
    }


def predicted(setup: Setup, _results) -> Answer:
    answer = Answer("Prediction", "")
    table = []
    for name, network in networks(setup).items():
        prediction = Prediction(setup, *network)
        runs = {threads: Network(setup, network[0], threads, *network[1:]) for threads in ("1", "2")}
        samples = measure.interleaved(
            {"predict": prediction.measure, **{k: run.measure for k, run in runs.items()}},
            max(setup.repetitions // 2, 1))
        for key, sample in samples.items():
            answer.failed |= sample.failed
            answer.rows.append([f"predict {name}", "", "", key, *sample.columns(".2f"), "", sample.note])
        if any(not sample.values for sample in samples.values()):
            continue
        for threads, run in runs.items():
            real = samples[threads].median
            ratio = median(prediction.said[threads]) / real
            table.append([f"{name}, {threads}", f"{median(prediction.said[threads]):.0f}", f"{real:.0f}",
                          f"{median(prediction.own[threads]):.0f}", f"{ratio:.2f}"])
            answer.wanted.append(at_most(f"predict, {name}, {threads} threads: off by", 100 * WITHIN,
                                         100 * abs(ratio - 1), " %"))
    answer.text = ("ns per cycle by `sme predict` (optimize), by `sme run --stats`, and by the run that "
                   "`predict` makes itself:\n\n" + report.markdown(
                       ["network, threads", "predicted", "measured", "by predict", "predicted / measured"],
                       table))
    return answer
