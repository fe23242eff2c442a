"""A processor as code generators see it."""

from __future__ import annotations

from tfc.ir.value_classes import dataclass


@dataclass(frozen=True)
class Machine:
    """A processor to generate code for.

    `features` is LLVM's feature string: what the processor has with `+`, then what it lacks
    with `-`. (In this order: LLVM lets `+avx512bw` imply `avx512f`, so the `-` must come last.)
    """

    triple: str
    cpu: str
    features: str
    vector_bits: int
    scalar_loops: bool = False  # whether loops take one element at a time, to compile quickly

    def has(self, feature: str) -> bool:
        """Whether the processor has `feature`, by LLVM's name for it (`avx512f`, `fma`)."""
        return f"+{feature}" in self.features.split(",")

    @property
    def architecture(self) -> str:
        """`x86_64` or `aarch64` (Apple's name `arm64` is the same processor)."""
        name = self.triple.partition("-")[0]
        return "aarch64" if name == "arm64" else name

    @property
    def has_fma(self) -> bool:
        """Whether multiply-add with one rounding is one instruction."""
        return self.architecture == "aarch64" or self.has("fma")

    @property
    def has_byte_products(self) -> bool:
        """Whether an instruction adds four products of bytes to each int32 of a register."""
        return self.has("avx512vnni" if self.vector_bits == 512 else "avxvnni")

    @property
    def has_pair_products(self) -> bool:
        """Whether an instruction adds up two products of int16 in each int32 of a register."""
        return self.architecture == "x86_64"

    @property
    def has_bfloat16_pairs(self) -> bool:
        """Whether an instruction adds two products of bfloat16 to each float32 of a register."""
        return self.has("avx512bf16") and self.vector_bits == 512

    @property
    def vector_registers(self) -> int:
        """How many vector registers a kernel may plan with."""
        return 32 if self.vector_bits == 512 or self.architecture == "aarch64" else 16

    def lanes(self, bits: int) -> int:
        """How many elements of `bits` bits fill one vector register."""
        return max(1, self.vector_bits // bits)
