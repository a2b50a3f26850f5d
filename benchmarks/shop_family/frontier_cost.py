"""What the order costs: CPU seconds inside the frontier, measured around its methods while a crawl runs."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from types import FunctionType, TracebackType
from typing import Any, Self

from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.web.fetch import FetchRequest, FetchResult
from benchmarks.shop_family.catalogue import dice_of
from benchmarks.shop_family.network import ShopFetcher
from benchmarks.shop_family.words import ADJECTIVES, MATERIALS

METERED = (Frontier,)


class FrontierMeter:
    """Counts the CPU seconds of this thread between entering a method of the frontier and leaving it.

    Calls of one method by another are part of the outer one. `restore` and other generators are not counted.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self._is_inside = False
        self._originals: list[tuple[type, str, FunctionType]] = []

    def __enter__(self) -> Self:
        for owner in METERED:
            for name, method in list(vars(owner).items()):
                if isinstance(method, FunctionType) and not name.startswith("_"):
                    self._originals.append((owner, name, method))
                    setattr(owner, name, self._metered(method))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for owner, name, method in self._originals:
            setattr(owner, name, method)
        self._originals.clear()

    def _metered(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def measured(*values: Any, **named: Any) -> Any:  # noqa: ANN401  # it stands for whatever method it measures
            if self._is_inside:
                return method(*values, **named)
            self._is_inside = True
            began = time.thread_time()
            try:
                return method(*values, **named)
            finally:
                self.seconds += time.thread_time() - began
                self._is_inside = False

        return measured


class CrowdedFetcher(ShopFetcher):
    """A shop whose first `CROWDED` pages name `EXTRA` addresses more each, of an archive that is there no longer."""

    CROWDED = 50
    EXTRA = 2_000

    async def fetch(self, request: FetchRequest) -> FetchResult:
        """Answer from memory, at once."""
        answer = await super().fetch(request)
        number = len(self.asked) - 1  # the first was robots.txt
        if not 1 <= number <= self.CROWDED or not answer.body:
            return answer
        dice = dice_of("archive", number)
        links = "".join(
            f'<li><a href="/archive/{number}/{each}-{dice.choice(MATERIALS)}-{dice.choice(ADJECTIVES)}">{each}</a></li>'
            for each in range(self.EXTRA)
        )
        crowd = f'<div class="archive"><ul>{links}</ul></div></body>'
        return replace(answer, body=answer.body.replace(b"</body>", crowd.encode()))
