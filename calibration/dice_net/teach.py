"""Teaches the net of `companion/vision/dice` with cast and drawn trays, and writes it as ONNX.

    python -m calibration.dice_net.teach --trays 1200 --minutes 100 --out dice_net.onnx
    python -m calibration.dice_net.teach --rendered lessons --begin companion/vision/dice/net.onnx --rate 6e-4 --out …

needs `tensorflow-cpu` and `onnx`, which nothing else does, and two cores. Trays that Blender rendered (see
`calibration.blender.dice_lessons`) are learned from like cast ones; what is begun with a net is that one, taught on.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from calibration.dice_net.cast import cast_tray
from calibration.dice_net.pool import Pool
from calibration.dice_net.truth import kept

LAYERS = (
    (5, 5, 16, 2), (3, 16, 20, 1), (3, 20, 32, 2), (3, 32, 48, 1), (3, 48, 56, 1), (3, 56, 56, 1), (3, 56, 64, 1),
    (1, 64, 64, 1), (1, 64, 8, 1),
)  # fmt: skip
"""Convolutions without a border: kernel, channels in and out, stride; a leaky ReLU after each but the last."""
_LEAK = 0.1
_BATCH, _RATE, _WARM = 96, 2e-3, 200
_SOFT = 0.0008  # of the truth is spread over all answers
_SLOW = 0.01  # the weights that are written follow those that learn, every tenth step

Weights = list[tuple[Any, Any]]


class Adam(NamedTuple):
    """The optimizer's memory (Kingma and Ba, 2015)."""

    mean: list[Any]
    square: list[Any]


class Course(NamedTuple):
    """How long, how fast and from where it is learned. begin: an ONNX model that is taught on; none: from nothing."""

    seconds: float
    rate: float = _RATE
    seed: int = 1
    begin: bytes = b""


def teach(pool: Pool, course: Course) -> Weights:
    """Kernels (rows, cols, in, out) and biases that read the pool's samples well."""
    import tensorflow as tf

    tf.random.set_seed(course.seed)
    rng, begun = np.random.default_rng(course.seed), weights_in(course.begin) if course.begin else _begin(tf)
    weights = [(tf.Variable(kernel), tf.Variable(bias)) for kernel, bias in begun]
    flat = [variable for pair in weights for variable in pair]
    memory = Adam([tf.Variable(tf.zeros_like(v)) for v in flat], [tf.Variable(tf.zeros_like(v)) for v in flat])
    slow = [v.numpy() for v in flat]
    step = tf.function(lambda *given: _step(tf, weights, memory, *given))
    began, count = time.monotonic(), 0
    while (share := (time.monotonic() - began) / course.seconds) < 1:
        count += 1
        rate = course.rate * min(1.0, count / _WARM) * 0.5 * (1 + np.cos(np.pi * share))
        planes, shows = pool.some(_BATCH, rng)
        loss = step(tf.constant(planes), tf.constant(shows), tf.constant(rate, tf.float32), tf.constant(float(count)))
        if count % 10 == 0:
            for kept, now in zip(slow, flat, strict=True):
                kept += (now.numpy() - kept) * max(_SLOW, 10 / count)
        if count % 500 == 0:
            print(f"{count} steps, {pool.made} samples, loss {float(loss):.3f}", flush=True)
    return list(zip(slow[::2], slow[1::2], strict=True))


def _begin(tf: Any) -> Weights:
    """He's initialization; a small last layer."""
    pairs = []
    for number, (side, into, out, _) in enumerate(LAYERS):
        spread = np.sqrt(2 / (side * side * into)) * (0.1 if number == len(LAYERS) - 1 else 1.0)
        pairs.append((tf.random.normal((side, side, into, out)) * spread, tf.zeros(out)))
    return pairs


def weights_in(model: bytes) -> Weights:
    """Those of a model that `as_onnx` made."""
    from onnx import load_from_string, numpy_helper

    held = {value.name: numpy_helper.to_array(value) for value in load_from_string(model).graph.initializer}
    return [(held[f"kernel{n}"].transpose(2, 3, 1, 0), held[f"bias{n}"]) for n in range(len(LAYERS))]


def _step(tf: Any, weights: Weights, memory: Adam, planes: Any, shows: Any, rate: Any, count: Any) -> Any:
    """One step down; the loss before it."""
    answers = LAYERS[-1][2]
    with tf.GradientTape() as tape:
        truth = tf.one_hot(shows, answers) * (1 - _SOFT) + _SOFT / answers
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(truth, _told(tf, weights, planes)[:, 0, 0]))
    flat = [variable for pair in weights for variable in pair]
    for variable, slope, mean, square in zip(flat, tape.gradient(loss, flat), *memory, strict=True):
        mean.assign(0.9 * mean + 0.1 * slope)
        square.assign(0.999 * square + 0.001 * slope * slope)
        way = (mean / (1 - 0.9**count)) / (tf.sqrt(square / (1 - 0.999**count)) + 1e-8)
        variable.assign_sub(rate * (way + 1e-4 * variable))
    return loss


def _told(tf: Any, weights: Weights, planes: Any) -> Any:
    for number, ((kernel, bias), (_, _, _, stride)) in enumerate(zip(weights, LAYERS, strict=True)):
        planes = tf.nn.conv2d(planes, kernel, stride, "VALID") + bias
        if number < len(LAYERS) - 1:
            planes = tf.nn.leaky_relu(planes, _LEAK)
    return planes


def as_onnx(weights: Weights) -> bytes:
    """The net as an ONNX model of pictures (n, 5, rows, cols)."""
    from onnx import TensorProto, checker, helper, numpy_helper

    nodes, values, before = [], [], "planes"
    for number, ((kernel, bias), (side, _, _, stride)) in enumerate(zip(weights, LAYERS, strict=True)):
        kernel = np.ascontiguousarray(np.asarray(kernel).transpose(3, 2, 0, 1), np.float32)
        values.append(numpy_helper.from_array(kernel, f"kernel{number}"))
        values.append(numpy_helper.from_array(np.asarray(bias, np.float32), f"bias{number}"))
        given, name = [before, f"kernel{number}", f"bias{number}"], f"sum{number}"
        shape = {"kernel_shape": [side] * 2, "strides": [stride] * 2, "pads": [0] * 4}
        nodes.append(helper.make_node("Conv", given, [name], **shape))
        before = name
        if number < len(LAYERS) - 1:
            nodes.append(helper.make_node("LeakyRelu", [name], [before := f"bent{number}"], alpha=_LEAK))
    into = helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["n", LAYERS[0][1], "rows", "cols"])
    out = helper.make_tensor_value_info(before, TensorProto.FLOAT, ["n", LAYERS[-1][2], "down", "across"])
    graph = helper.make_graph(nodes, "dice_net", [into], [out], values)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    checker.check_model(model)
    return bytes(model.SerializeToString())


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trays", type=int, default=1200, help="so many are cast first, two seconds each")
    parser.add_argument("--rendered", type=Path, nargs="*", default=[], help="folders of trays that Blender rendered")
    parser.add_argument("--minutes", type=float, default=100.0)
    parser.add_argument("--begin", type=Path, help="a net that is taught on")
    parser.add_argument("--rate", type=float, default=_RATE, help="how large the first steps are")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    trays = [kept(path) for folder in given.rendered for path in sorted(folder.glob("*.npz"))]
    trays += [cast_tray(given.seed, number) for number in range(given.trays)]
    pool = Pool(trays, given.seed)
    try:
        while pool.made < 3000:
            time.sleep(0.5)
        begin = given.begin.read_bytes() if given.begin else b""
        given.out.write_bytes(as_onnx(teach(pool, Course(given.minutes * 60, given.rate, given.seed, begin))))
    finally:
        pool.close()


if __name__ == "__main__":
    main()
