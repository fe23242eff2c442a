"""What is measured: each library's way to write the same pipeline.

A case is made once and then gone through, epoch by epoch: what is timed is one epoch over the
number of its elements. What a library has no way for is left out of its row.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

BATCH = 128
BUFFER = 10_000


class Data:
    """The inputs of all pipelines; `quick`: few of them. Files are in a folder."""

    def __init__(self, folder: str, quick: bool) -> None:
        rng = np.random.default_rng(0)
        self.count = 1_000 if quick else 60_000
        self.images = rng.integers(0, 256, (self.count, 28, 28)).astype(np.uint8)
        self.labels = rng.integers(0, 10, self.count).astype(np.int32)
        self.numbers = 10_000 if quick else 1_000_000
        self.lines, self.records = self.numbers // 3, self.count // 3
        self.lines_path = os.path.join(folder, "lines.txt")
        self.records_path = os.path.join(folder, "examples.tfrecord")
        names = [f"{i}.jpg" for i in range(4 if quick else 100)]
        self.photographs = [os.path.join(folder, name) for name in names]

    def write(self) -> None:
        """Write the files: lines; examples of 784 bytes, a label and 16 floats; JPEG of 640x480."""
        from PIL import Image

        import tfc as tf

        rng, train = np.random.default_rng(1), tf.train
        with open(self.lines_path, "w") as file:
            file.writelines(f"line {i} of a text with some words\n" for i in range(self.lines))
        with tf.io.TFRecordWriter(self.records_path) as writer:
            for image, label in zip(self.images[: self.records], self.labels, strict=False):
                feature = {
                    "image": train.Feature(bytes_list=train.BytesList(value=[image.tobytes()])),
                    "label": train.Feature(int64_list=train.Int64List(value=[int(label)])),
                    "numbers": train.Feature(float_list=train.FloatList(value=rng.normal(size=16))),
                }
                example = train.Example(features=train.Features(feature=feature))
                writer.write(example.SerializeToString())
        for path in self.photographs:
            small = rng.integers(0, 256, (24, 32, 3)).astype(np.uint8)
            Image.fromarray(small).resize((640, 480), Image.Resampling.BICUBIC).save(path)


Made = tuple[Callable[[], Iterable[Any]], int]  # what gives an epoch, and how many elements it has


class Library:
    """The base: each method makes a pipeline."""

    def __init__(self, data: Data) -> None:
        self.data = data


class NumPy(Library):
    """Loops over rows of arrays: what a program would do by hand."""

    def images(self) -> Made:
        images, labels = self.data.images, self.data.labels

        def epoch() -> Iterable[Any]:
            order = np.random.default_rng(1).permutation(len(labels))
            for i in range(0, len(order), BATCH):
                rows = order[i : i + BATCH]
                yield images[rows].astype(np.float32) / np.float32(255), labels[rows]

        return epoch, self.data.count

    images_by_batches = buffered = cached = images

    def filtered(self) -> Made:
        def epoch() -> Iterable[Any]:
            numbers = np.arange(self.data.numbers)
            kept = numbers[numbers % 2 == 0]
            return [kept[i : i + BATCH] for i in range(0, len(kept), BATCH)]

        return epoch, self.data.numbers

    def text(self) -> Made:
        path, count = self.data.lines_path, self.data.lines

        def epoch() -> Iterable[Any]:
            with open(path, "rb") as file:
                found = file.read().split(b"\n")[:-1]
            for i in range(0, count, BATCH):
                yield np.array(found[i : i + BATCH], object)

        return epoch, count

    def decoded(self) -> Made:
        from PIL import Image

        paths = self.data.photographs

        def epoch() -> Iterable[Any]:
            for i in range(0, len(paths), 16):
                yield np.stack([np.asarray(Image.open(path)) for path in paths[i : i + 16]])

        return epoch, len(paths)


class TensorFlow(Library):
    """tf.data, and tfc's: one text."""

    def __init__(self, data: Data, tf: Any) -> None:
        super().__init__(data)
        self.tf = tf

    def _slices(self) -> Any:
        arrays = self.data.images, self.data.labels
        return self.tf.data.Dataset.from_tensor_slices(arrays)

    def _scaled(self, image: Any, label: Any) -> Any:
        return self.tf.cast(image, self.tf.float32) / 255.0, label

    def _ahead(self, dataset: Any) -> Any:
        return dataset.prefetch(self.tf.data.AUTOTUNE)

    def images(self) -> Made:
        shuffled = self._slices().shuffle(self.data.count)
        dataset = self._ahead(shuffled.map(self._scaled).batch(BATCH))
        return lambda: dataset, self.data.count

    def images_by_batches(self) -> Made:
        shuffled = self._slices().shuffle(self.data.count)
        dataset = self._ahead(shuffled.batch(BATCH).map(self._scaled))
        return lambda: dataset, self.data.count

    def buffered(self) -> Made:
        dataset = self._ahead(self._slices().shuffle(BUFFER).map(self._scaled).batch(BATCH))
        return lambda: dataset, self.data.count

    def cached(self) -> Made:
        kept = self._slices().map(self._scaled).cache()
        dataset = self._ahead(kept.shuffle(self.data.count).batch(BATCH))
        return lambda: dataset, self.data.count

    def generated(self) -> Made:
        tf, count = self.tf, self.data.count // 10
        signature = tf.TensorSpec([28, 28], tf.uint8), tf.TensorSpec([], tf.int32)

        def samples() -> Iterable[Any]:
            yield from zip(self.data.images[:count], self.data.labels[:count], strict=True)

        dataset = tf.data.Dataset.from_generator(samples, output_signature=signature)
        dataset = self._ahead(dataset.map(self._scaled).batch(BATCH))
        return lambda: dataset, count

    def filtered(self) -> Made:
        numbers = self.tf.data.Dataset.range(self.data.numbers)
        dataset = self._ahead(numbers.filter(lambda x: x % 2 == 0).batch(BATCH))
        return lambda: dataset, self.data.numbers

    def text(self) -> Made:
        path, count = self.data.lines_path, self.data.lines
        dataset = self._ahead(self.tf.data.TextLineDataset(path).batch(BATCH))
        return lambda: dataset, count

    def examples(self) -> Made:
        tf = self.tf
        path, count = self.data.records_path, self.data.records
        features = {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
            "numbers": tf.io.FixedLenFeature([16], tf.float32),
        }
        batches = tf.data.TFRecordDataset(path).batch(2 * BATCH)
        dataset = self._ahead(batches.map(lambda x: tf.io.parse_example(x, features)))
        return lambda: dataset, count

    def decoded(self) -> Made:
        tf, paths = self.tf, self.data.photographs

        def decoded(path: Any) -> Any:
            return tf.ensure_shape(tf.io.decode_jpeg(tf.io.read_file(path)), [480, 640, 3])

        names = tf.data.Dataset.from_tensor_slices(paths)
        dataset = self._ahead(names.map(decoded).batch(16))
        return lambda: dataset, len(paths)


class PyTorch(Library):
    """DataLoaders, with processes or without."""

    def __init__(self, data: Data, workers: int) -> None:
        super().__init__(data)
        self.workers = workers

    def _loader(self, dataset: Any, **options: Any) -> Any:
        import torch

        return torch.utils.data.DataLoader(dataset, num_workers=self.workers, **options)

    def images(self) -> Made:
        loader = self._loader(Images(self.data), batch_size=BATCH, shuffle=True)
        return lambda: loader, self.data.count

    def generated(self) -> Made:
        import torch

        count, data = self.data.count // 10, self.data

        class Generated(torch.utils.data.IterableDataset):  # type: ignore[misc,name-defined]
            def __iter__(self) -> Any:
                for image, label in zip(data.images[:count], data.labels[:count], strict=True):
                    yield image.astype(np.float32) / np.float32(255), label

        loader = self._loader(Generated(), batch_size=BATCH)
        return lambda: loader, count

    def decoded(self) -> Made:
        paths = self.data.photographs
        loader = self._loader(Photographs(paths), batch_size=16)
        return lambda: loader, len(paths)


class Grain(Library):
    """MapDataset with threads."""

    def images(self) -> Made:
        import grain

        source = grain.MapDataset.source(Images(self.data)).shuffle(seed=1).batch(BATCH)
        return lambda: source.to_iter_dataset(), self.data.count

    def decoded(self) -> Made:
        import grain

        paths = self.data.photographs
        source = grain.MapDataset.source(Photographs(paths)).batch(16)
        return lambda: source.to_iter_dataset(), len(paths)


class Images:
    """Images and labels by their places."""

    def __init__(self, data: Data) -> None:
        self.images, self.labels = data.images, data.labels

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, i: int) -> Any:
        return self.images[i].astype(np.float32) / np.float32(255), self.labels[i]


class Photographs:
    """Decoded files by their places."""

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, i: int) -> Any:
        from PIL import Image

        return np.asarray(Image.open(self.paths[i]))


TITLES = {
    "images": "shuffle, map, batch 128",
    "images_by_batches": "shuffle, batch 128, map",
    "buffered": "shuffle of 10,000, map, batch",
    "cached": "map, cache, shuffle, batch",
    "generated": "generator, map, batch",
    "filtered": "filter of numbers, batch",
    "text": "lines of text, batch",
    "examples": "TFRecord, batch 256, parse_example",
    "decoded": "JPEG of 640x480, batch 16",
}
