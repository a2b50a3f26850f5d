"""The machine's clock."""

import asyncio
import time
from datetime import UTC, datetime


class SystemClock:
    """Real time."""

    def now(self) -> datetime:
        """Return the present moment in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait; other tasks go on."""
        await asyncio.sleep(seconds)
