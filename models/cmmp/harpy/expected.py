# SPDX-License-Identifier: Apache-2.0
"""What an exhaustive search finds: the least misfit of each sentence, by Viterbi's algorithm.

    python3 expected.py SEED NOISE [SENTENCES]

SENTENCES: only the first so many.
"""
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent
MASK = 2**64 - 1


def random(*numbers):
    x = 0
    for number in numbers:
        x = (x + number + 0x9E3779B97F4A7C15) & MASK
        x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
        x ^= x >> 31
    return x


def misfits(said, number, count, seed, noise):
    """Returns for each segment a list over all phonemes."""
    segments = []
    for phoneme in said:
        for _ in range(1 + random(seed, number, len(segments), 1_000_000) % 3):
            moved = [random(seed, number, len(segments), p) % (noise + 1) for p in range(count)]
            segments.append([m if p == phoneme else max(0, 100 - m) for p, m in enumerate(moved)])
    return segments


def main(seed, noise, sentences_max=None):
    phonemes = {}
    words = {}
    for line in (FOLDER / "dictionary.txt").read_text().splitlines():
        word, *said = line.split()
        ids = [phonemes.setdefault(p, len(phonemes)) for p in said]
        words.setdefault(word, []).append(ids)
    sentences = [s.split() for s in (FOLDER / "sentences.txt").read_text().splitlines()]
    first = {s[0] for s in sentences}
    last = {s[-1] for s in sentences}
    before = {w: {s[k] for s in sentences for k in range(len(s) - 1) if s[k + 1] == w}
              for w in words}
    places = [(w, v, k) for w in words for v, said in enumerate(words[w]) for k in range(len(said))]
    for number, sentence in enumerate(sentences[:sentences_max]):
        said = [p for w in sentence for p in words[w][0]]
        cost = {}
        for segment, fits in enumerate(misfits(said, number, len(phonemes), seed, noise)):
            new = {}
            for word, way, k in places:
                ways = [cost[word, way, k]] if (word, way, k) in cost else []
                if k > 0:
                    ways += [cost[p] for p in [(word, way, k - 1)] if p in cost]
                else:
                    ways += [0] if segment == 0 and word in first else []
                    ways += [cost[p] for w in before[word] for v, other in enumerate(words[w])
                             for p in [(w, v, len(other) - 1)] if p in cost]
                if ways:
                    new[word, way, k] = min(ways) + fits[words[word][way][k]]
            cost = new
        print(min(c for (w, v, k), c in cost.items() if w in last and k == len(words[w][v]) - 1))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
