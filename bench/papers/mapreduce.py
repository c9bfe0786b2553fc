# SPDX-License-Identifier: Apache-2.0
"""Vrba, Beskow, Halvorsen and Griwodz, "Kahn process networks are a flexible alternative to MapReduce"."""

import itertools
import random
from pathlib import Path

from claims import NEWER, Agreeing, Part, Setup, claim, left_out, points, present, seconds, times
from support import measure, plot, report

POINTS = {"A": (100_000, 100), "B": (200_000, 50), "C": (200_000, 100)}
WORKERS = [8, 32]
WAYS = {"FLEX": [], "MR": ["--map-reduce"], "pairs": ["--pairs"]}


def text_of(folder: Path, megabytes: int) -> Path:
    """A text of English letters whose words are as frequent as Zipf's law says: 50,000 of them."""
    path = folder / f"papers/text_{megabytes}.txt"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    dice = random.Random(1)
    words = ["".join(dice.choices("etaoinshrdlucmfwypvbgkjqxz", weights=range(26, 0, -1), k=1 + min(k, 7)))
             for k in itertools.islice(itertools.cycle(range(9)), 50_000)]
    weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(len(words))))
    under_way = path.with_suffix(".part")
    left = megabytes * 1_000_000
    with under_way.open("w") as file:
        while left > 0:
            line = " ".join(dice.choices(words, cum_weights=weights, k=20_000))[:left] + "\n"
            file.write(line)
            left -= len(line)
    under_way.rename(path)
    return path


def best(samples: dict, way: str, runners: int):
    """The fastest number of workers, as the paper compares."""
    of_way = [samples[way, runners, workers] for workers in WORKERS if samples[way, runners, workers].values]
    return min(of_way, key=lambda sample: sample.median, default=measure.Samples())


def word_count(setup: Setup, part: Part) -> dict:
    """Seconds by size: the best of FLEX and MR with one and two runners, and the threads."""
    sizes = [1, 2] if setup.quick else [10, 50, 100]
    found, rows = {}, []
    for size in sizes:
        program = Agreeing()
        measures = {(way, runners, workers): lambda way=way, runners=runners, workers=workers, size=size: program.seconds(
                        setup.model("wordcount"), "--input", text_of(setup.folder, size), "--runners", runners, "--workers", workers,
                        *WAYS[way])
                    for way in WAYS for runners in (1, 2) for workers in WORKERS}
        measures["threads"] = lambda: program.seconds(setup.peer("papers", "phoenix"), "words", 2,
                                                       text_of(setup.folder, size))
        samples = setup.samples(part, f"word count of {size} MB, s", measures)
        found[size] = {(way, runners): best(samples, way, runners) for way in WAYS for runners in (1, 2)}
        found[size]["threads"] = samples["threads"]
        rows.append(row_of(f"{size} MB", found[size]))
    part.pages.append("Word count, seconds with the best of 8 and 32 workers. *pairs*: FLEX with a message for each word, as the "
                      "paper has it; our FLEX sends one message with all words to each process:\n\n" + table_of(rows))
    return found


def k_means(setup: Setup, part: Part) -> dict:
    found, rows = {}, []
    for name, (count, groups) in POINTS.items():
        count //= 50 if setup.quick else 1
        program = Agreeing()
        measures = {(way, runners): lambda way=way, runners=runners: program.seconds(
                        setup.model("kmeans"), "--points", count, "--groups", groups, "--runners", runners,
                        "--workers", runners, *WAYS[way])
                    for way in WAYS for runners in (1, 2)}
        measures["threads"] = lambda: program.seconds(setup.peer("papers", "phoenix"), "kmeans", 2, count, groups)
        samples = setup.samples(part, f"k-means {name}, s", measures)
        found[name] = samples
        rows.append(row_of(f"{name}: {count:,} points, {groups} groups", samples))
    part.pages.append("k-means, seconds, as many workers as runners; *pairs*: a message for each mean and each group:\n\n" + table_of(rows))
    return found


def row_of(name: str, found: dict) -> list:
    keys = [("FLEX", 1), ("FLEX", 2), ("pairs", 1), ("pairs", 2), ("MR", 1), ("MR", 2), "threads"]
    return [name, *(found[key].columns(".3f")[0] for key in keys),
            times(measure.ratio(found["FLEX", 1], found["FLEX", 2])), times(measure.ratio(found["MR", 1], found["MR", 2]))]


def table_of(rows: list) -> str:
    return report.markdown(["size", "FLEX, 1 runner", "FLEX, 2", "pairs, 1", "pairs, 2", "MR, 1", "MR, 2", "on 2 threads",
                            "FLEX: 2 against 1", "MR: 2 against 1"], rows)


def ratios(found: dict, slow, fast) -> list:
    """Of all sizes."""
    return present(*(measure.ratio(each[slow], each[fast]) for each in found.values()))


def by_workers(setup: Setup, part: Part) -> None:
    """Figure 8, with the smallest text."""
    size = 1 if setup.quick else 10
    found = {way: {} for way in WAYS}
    for workers in range(8, 129, 8):
        samples = setup.samples(part, f"word count of {size} MB by workers, {workers}, s", {
            way: lambda way=way, workers=workers: seconds(
                setup.model("wordcount"), "--input", text_of(setup.folder, size), "--runners", 2, "--workers", workers,
                *WAYS[way]) for way in WAYS})
        for way, sample in samples.items():
            found[way][workers] = sample
    rows = [[workers, *(found[way][workers].columns(".3f")[0] for way in WAYS)] for workers in found["MR"]
            if found["MR"][workers].values]
    if not rows:
        part.claims.append(left_out("6.2, figure 8", "word count by the number of workers, 8 to 128", "in a plot", NEWER))
        return
    drawn = plot.lines(setup.results / "workers.svg", {way: points(each) for way, each in found.items()},
                       "workers", "seconds, two runners")
    part.pages.append(f"Word count of {size} MB by the number of workers (figure 8), two runners, seconds:\n\n" +
                      report.markdown(["workers", *WAYS], rows) + ("\n\n![by workers](workers.svg)" if drawn else ""))


def run(setup: Setup) -> Part:
    setup.targets("bench_papers_phoenix", "model_wordcount", "model_kmeans")
    part = Part("Vrba, Beskow, Halvorsen, Griwodz: a flexible alternative to MapReduce")
    words = word_count(setup, part)
    groups = k_means(setup, part)
    by_workers(setup, part)
    for section, what, low, high, found, slow, fast, why in (
        ("6.2, table 1", "word count: a network of its own, a message a word, over MapReduce, two runners", 3.80, 6.74,
         words, ("MR", 2), ("pairs", 2),
         "As the paper has it: MapReduce sends one message with all pairs to each reducer, the other network a "
         "message for each word, which points into a table of its sender. The smallest text gains least."),
        ("6.2, table 1", "word count: the same with one message for all words", 3.80, 6.74, words, ("MR", 2), ("FLEX", 2),
         "A table of words counts without sorting them."),
        ("6.3", "k-means: a network of its own, a message a mean, over MapReduce, two runners", 1.17, 1.43, groups,
         ("MR", 2), ("pairs", 2), "As the paper has it. The distances to all means take nearly all of the time."),
        ("6.3", "k-means: the same with one message for all means", 1.17, 1.43, groups, ("MR", 2), ("FLEX", 2),
         "The distances to all means take nearly all of the time, and both compute them; only the sort of pairs is "
         "saved."),
        ("6.4", "word count: a network of its own over MapReduce on threads, two (8 there)", 2.65, 2.76, words,
         "threads", ("FLEX", 2), "Ours against phoenix.hpp, which keeps a list of values for each word."),
        ("6.4", "word count: MapReduce of processes over MapReduce on threads, two (8 there)", 0.48, 0.94, words,
         "threads", ("MR", 2),
         "The threads keep pairs in order as they come and store a word once, as Phoenix does; our mapper hands "
         "on a pair for each word and its reducer sorts them all."),
        ("6.4", "k-means: a network of its own over MapReduce on threads, two (8 there)", 1.28, 1.75, groups,
         "threads", ("FLEX", 2),
         "The distances take nearly all of the time in both. The threads are made anew in each round, but a round is "
         "long."),
        ("6.4", "k-means: MapReduce of processes over MapReduce on threads, two (8 there)", 1.05, 1.31, groups,
         "threads", ("MR", 2),
         "Our reducers sort the pairs of a round; the threads append each point to the list of its group."),
        ("6.3", "k-means: two processors against one", 1.98, 2.00, groups, ("FLEX", 1), ("FLEX", 2),
         "Parts of equal size for each worker, and nothing shared."),
    ):
        part.claims.append(claim(section, what, low, high, ratios(found, slow, fast), why))
    bars = {f"{kind} {name}, {who}": (sample.median, min(sample.values), max(sample.values))
            for kind, found, name in (("words", words, max(words)), ("k-means", groups, "C"))
            for who, sample in (("FLEX", found[name]["FLEX", 2]), ("MR", found[name]["MR", 2]),
                                ("threads", found[name]["threads"])) if sample.values}
    if bars and plot.bars(setup.results / "mapreduce.svg", bars, "seconds, two processors"):
        part.pages.append("![FLEX, MR and threads](mapreduce.svg)")
    return part
