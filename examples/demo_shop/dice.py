"""Choices that a seed decides: the same in every process, under every hash seed and Python version."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Answers named questions. An answer depends on seed and question alone, so a new question moves no old answer."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def roll(self, question: str) -> int:
        """Return a 64-bit number for the question."""
        return int.from_bytes(hashlib.sha256(f"{self._seed}/{question}".encode()).digest()[:8], "big")

    def number(self, question: str, low: int, high: int) -> int:
        """Return a whole number, low <= number <= high."""
        return low + self.roll(question) % (high - low + 1)

    def chance(self, question: str, one_in: int) -> bool:
        """Whether a thing happens that happens once in `one_in` times."""
        return self.roll(question) % one_in == 0

    def pick(self, question: str, options: Sequence[T]) -> T:
        """Return one of the options; there must be one at least."""
        return options[self.roll(question) % len(options)]

    def sample(self, question: str, options: Sequence[T], count: int) -> tuple[T, ...]:
        """Return `count` different options (all of them where there are fewer) in an order of their own."""
        order = sorted(range(len(options)), key=lambda index: self.roll(f"{question}/{index}"))
        return tuple(options[index] for index in order[:count])
