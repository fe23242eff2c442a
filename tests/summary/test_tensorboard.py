"""TensorBoard itself reads what is written: it is started, and asked over HTTP what it has found.

It is no dependency: without it (`pip install 'tfc-lang[tensorboard]'`) there is nothing to test.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.summary import encoding

pytest.importorskip("tensorboard")

DATA = np.random.default_rng(0).normal(size=500)


def write(folder: Path) -> None:
    """A summary of each kind."""
    f = tf.function(lambda x: tf.tanh(x) * 2.0)
    with tf.summary.create_file_writer(folder / "run").as_default(step=0):
        for step in range(5):
            tf.summary.scalar("loss", 1.0 / (1 + step), step, description="of *each*")
        tf.summary.histogram("weights", DATA)
        tf.summary.image("pictures", tf.zeros([2, 4, 6, 3]))
        tf.summary.text("plan", "**first**")
        tf.summary.audio("tone", tf.zeros([1, 80, 1]), 8000)
        tf.summary.trace_on()
        f(tf.constant(1.0))
        tf.summary.trace_export("traced")
        tf.summary.graph(f)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a TensorBoard that shows these."""
    folder = tmp_path_factory.mktemp("logs")
    write(folder)
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(folder), "--port", "0"]
    with subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--load_fast", "false"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            address = next(
                found[0] for line in process.stderr if (found := re.search(r"http://\S+/", line))
            )
            deadline = time.monotonic() + 60
            while not asked(address, "graphs/info").get("run", {}).get("run_graph"):
                assert time.monotonic() < deadline, "it reads nothing"
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()


def asked(address: str, path: str, text: bool = False, **query: Any) -> Any:
    url = f"{address}data/plugin/{path}?{urllib.parse.urlencode(query)}"
    with urllib.request.urlopen(url, timeout=30) as reply:
        data = reply.read()
    return data.decode() if text else json.loads(data)


def test_scalars(board: str) -> None:
    tags = asked(board, "scalars/tags")["run"]
    assert tags == {"loss": {"displayName": "", "description": "<p>of <em>each</em></p>"}}
    rows = asked(board, "scalars/scalars", run="run", tag="loss")
    expected = [(step, float(np.float32(1 / (1 + step)))) for step in range(5)]
    assert [(step, value) for _, step, value in rows] == expected


def test_histograms(board: str) -> None:
    ((_, step, table),) = asked(board, "histograms/histograms", run="run", tag="weights")
    assert step == 0 and np.allclose(table, encoding.buckets(DATA, 30))


def test_histograms_are_those_of_tensorboard() -> None:
    made = pytest.importorskip("tensorboard.plugins.histogram.summary_v2").histogram_pb
    read = pytest.importorskip("tensorboard.util.tensor_util").make_ndarray
    for data in (DATA, [2.0, 2.0], [], [0, 1, 2, 2, 10], DATA.astype(np.float32)):
        wanted = read(made("h", data).value[0].tensor)
        assert (encoding.buckets(np.array(data), 30) == wanted).all()


def test_images(board: str) -> None:
    assert asked(board, "images/tags")["run"]["pictures"]["samples"] == 2
    (row,) = asked(board, "images/images", run="run", tag="pictures", sample=0)
    url = f"{board}data/plugin/images/individualImage?{row['query']}"
    with urllib.request.urlopen(url, timeout=30) as reply:
        assert reply.read() == encoding.png(np.zeros((4, 6, 3), np.uint8))


def test_text_and_sounds(board: str) -> None:
    (text,) = asked(board, "text/text", run="run", tag="plan")
    assert text["text"] == "<p><strong>first</strong></p>"
    (sound,) = asked(board, "audio/audio", run="run", tag="tone", sample=0)
    assert sound["contentType"] == "audio/wav"


def test_graphs(board: str) -> None:
    assert asked(board, "graphs/info")["run"]["tags"]["traced"]["op_graph"]
    for query in ({}, {"tag": "traced"}):
        text = asked(board, "graphs/graph", text=True, run="run", **query)
        assert re.search(r'name: "line_\d+/tanh"\n  op: "Tanh"', text)
        assert 'name: "output_0"' in text
