"""The weighted mean of nets for dice of one descent, and how often a die leans at a table.

    python -m calibration.dice_net.mean --of 1 net.onnx --of 1 taught.onnx --leans 0.5 --out mean.onnx

needs `onnx`. Nets that were taught on from one another can be averaged weight by weight (Wortsman and others,
"Model soups", 2022). `--leans` says how often a die leans at a table, for each time that one does in the lessons.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from calibration.dice_net.teach import Weights, as_onnx, weights_in
from companion.vision.dice.net import LEANING


def mean_of(nets: Sequence[tuple[float, Weights]], leans: float = 1.0) -> Weights:
    """The mean of nets, each with its share, which need not sum to 1. leans: what an answer that a die leans counts."""
    every = [[np.asarray(part, np.float64) for pair in net for part in pair] for _, net in nets]
    shares = [share for share, _ in nets]
    means = [np.average(parts, axis=0, weights=shares) for parts in zip(*every, strict=True)]
    means[-1][LEANING] += np.log(leans)
    return list(zip(means[::2], means[1::2], strict=True))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", nargs=2, action="append", required=True, metavar=("SHARE", "NET"))
    parser.add_argument("--leans", type=float, default=1.0)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    nets = [(float(share), weights_in(Path(path).read_bytes())) for share, path in given.of]
    given.out.write_bytes(as_onnx(mean_of(nets, given.leans)))


if __name__ == "__main__":
    main()
