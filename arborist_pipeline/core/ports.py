"""What the core and the workflows need from outside. Adapters fit these by shape; nothing here knows a library."""

from datetime import datetime
from typing import Protocol

from arborist_pipeline.core.web.fetch import FetchRequest, FetchResult


class Clock(Protocol):
    """Time, so that tests can hold it still."""

    def now(self) -> datetime:
        """Return the present moment, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; other tasks go on."""
        ...


class Fetcher(Protocol):
    """One exchange at a time. Never raises for the network's sake; a redirect is a result."""

    async def fetch(self, request: FetchRequest) -> FetchResult:
        """Do what the request says and return what came of it."""
        ...
