"""The hosts that a piece of work holds while it asks them: one at a time asks a host, whoever it is."""

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Self

from arborist_pipeline.core.errors import LeaseHeld, StoreError
from arborist_pipeline.core.ports import Clock, Lease, LeaseStore
from arborist_pipeline.core.web.url import Url, split_origin

LEASE_SECONDS = 90.0
HEARTBEAT_SECONDS = 20.0


def host_of(url: Url) -> str:
    """Return a URL's host as leases name it: with its port, where that is not the scheme's own."""
    return str(split_origin(url)).split("://", 1)[1]


class HostLeases:
    """Leases that are renewed while the context is open, and given back at its end.

    A thread of its own renews them: an event loop that is busy, or waits for a page to be parsed, loses none. `lost`
    is called in that thread, with the reason, when one went to another holder; nothing is renewed from then on.
    """

    def __init__(self, leases: LeaseStore, clock: Clock, *, holder: str) -> None:
        self.lost: Callable[[str], object] = lambda _: None
        self._leases, self._clock, self._holder = leases, clock, holder
        self._held: dict[str, Lease] = {}
        self._refusals: dict[str, str] = {}
        self._changing = threading.Lock()  # what is given back is not renewed at the same time
        self._over = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="lease heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._heart.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._heart.join()
        self._give_back(tuple(self._held))

    @contextlib.contextmanager
    def for_a_while(self) -> Iterator[None]:
        """Give back at the end of this context what is taken inside it."""
        before = frozenset(self._held)
        try:
            yield
        finally:
            self._give_back([host for host in self._held if host not in before])

    def take(self, url: Url) -> Lease:
        """Take the host of a URL, or return its lease where it is held already. Raises LeaseHeld."""
        host = host_of(url)
        if host not in self._held:
            self._held[host] = self._leases.acquire(
                host, holder=self._holder, seconds=LEASE_SECONDS, now=self._clock.now()
            )
        return self._held[host]

    def refusal_of(self, url: Url) -> str | None:
        """Take the host of a URL, unless another holds it; return who does, in a sentence, None where it is ours.

        A host that was found in other hands is not tried again.
        """
        host = host_of(url)
        if host not in self._refusals:
            try:
                self.take(url)
            except LeaseHeld as held:
                self._refusals[host] = str(held)
        return self._refusals.get(host)

    def _beat(self) -> None:
        while not self._over.wait(HEARTBEAT_SECONDS):
            for host in tuple(self._held):
                if not self._renew(host):
                    self.lost(f"another crawl took {host} over; nothing more is written")
                    return

    def _renew(self, host: str) -> bool:
        with self._changing:
            lease = self._held.get(host)
            try:
                return lease is None or self._leases.renew(lease, seconds=LEASE_SECONDS, now=self._clock.now())
            except StoreError:  # the lease outlasts four beats, and no batch is written without it
                return True

    def _give_back(self, hosts: Iterable[str]) -> None:
        for host in hosts:
            with self._changing, contextlib.suppress(StoreError):  # what is not given back expires
                self._leases.release(self._held.pop(host), self._clock.now())
