"""Makes a digest of a variant's seeded matches: their records, encodings and sampled deals.

`python -m tests.fingerprint` prints one line per variant; with NUMBA_DISABLE_JIT=1 it runs the
interpreted rules.
"""

import hashlib
import random

import numpy as np

import hastilude
from hastilude.core.calls import determinize_at, encode_at
from hastilude.core.random import generator
from hastilude.core.rules import WORK
from tests.variants import VARIANTS, label

MOST_PLAYS = 150


def fingerprint(name, options):
    digest = hashlib.sha256()
    game = hastilude.load(name, **options)
    encoding, work = np.zeros(game.layout.size, np.uint8), np.zeros(WORK, np.int8)
    rng = generator(5)
    for seed in range(2):
        choose = random.Random(seed)
        match = game.new(seed=seed)
        for play in range(MOST_PLAYS):
            if match.over:
                break
            seat = choose.choice(match.pending)
            sample = match.redacted(seat)
            encode_at(sample, 0, encoding)
            digest.update(encoding.tobytes())
            if play % 5 == 0:
                determinize_at(sample, 0, rng, work)
            digest.update(sample.tobytes())
            match.play(seat, choose.choice(match.legal(seat)))
        digest.update(match.record().to_json().encode())
        digest.update(repr(match.events(0)).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    for variant in VARIANTS:
        print(label(*variant), fingerprint(*variant), sep="\t")
