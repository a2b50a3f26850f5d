"""The LeaseStore over SQL: a row a host, taken over only when it has expired."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Row, and_, delete, not_, select, update

from arborist_pipeline.adapters.processes import has_ended
from arborist_pipeline.adapters.stores.engine import reading, retried, writing
from arborist_pipeline.adapters.stores.moments import moment_writer
from arborist_pipeline.adapters.stores.prepared import prepare_insert
from arborist_pipeline.adapters.stores.schema import leases
from arborist_pipeline.core.errors import LeaseHeld, LeaseLost
from arborist_pipeline.core.ports import Lease

_FREE = prepare_insert(leases, skips_known=True)
_NOBODY = ""
"""Holds what was given back: it is free whatever the clock showed then."""


class SqlLeaseStore:
    """Host leases. The token of a host only grows, so a holder that was overtaken can be told.

    `has_ended` tells of a holder whether it is known to be gone: its lease then need not expire first.
    """

    def __init__(self, engine: Engine, has_ended: Callable[[str], bool] = has_ended) -> None:
        self._engine = engine
        self._has_ended = has_ended

    @retried
    def acquire(self, host: str, *, holder: str, seconds: float, now: datetime) -> Lease:
        """Take the lease; raises LeaseHeld where another holder's has not expired and may still be at work."""
        taken = (
            update(leases)
            .where(leases.c.host == host, not_(_binds(now)))
            .values(holder=holder, token=leases.c.token + 1, acquired_at=now,
                    expires_at=now + timedelta(seconds=seconds))
            .returning(leases.c.token)
        )  # fmt: skip
        with writing(self._engine) as connection:
            moment = moment_writer(connection.dialect)(now)
            _FREE.run_in_order(connection, [(host, _NOBODY, 0, moment, moment)])
            holds = connection.execute(select(leases.c.holder, leases.c.token).where(leases.c.host == host)).one()
            if self._has_ended(holds.holder):
                orphaned = (leases.c.host == host, leases.c.token == holds.token)
                connection.execute(update(leases).where(*orphaned).values(expires_at=now))
            token = connection.scalar(taken)  # one statement: of two that want a free host one finds it taken
            if token is None:
                raise LeaseHeld(_in_words(connection.execute(select(leases).where(leases.c.host == host)).one()))
        return Lease(host=host, holder=holder, token=token)

    @retried
    def renew(self, lease: Lease, *, seconds: float, now: datetime) -> bool:
        """Keep the lease for another while; False where it went to another holder."""
        with writing(self._engine) as connection:
            done = connection.execute(
                update(leases)
                .where(leases.c.host == lease.host, leases.c.token == lease.token)
                .values(expires_at=now + timedelta(seconds=seconds))
            )
            return done.rowcount == 1

    @retried
    def release(self, lease: Lease, now: datetime) -> None:
        """Give the lease back. The token moves on, so that nothing still under way can renew it or write under it."""
        with writing(self._engine) as connection:
            connection.execute(
                update(leases)
                .where(leases.c.host == lease.host, leases.c.token == lease.token)
                .values(holder=_NOBODY, expires_at=now, token=lease.token + 1)
            )

    def tell_holder(self, host: str, now: datetime) -> str | None:
        """Return who holds a host, since when and for how long, in a sentence; None where it is free."""
        with reading(self._engine) as connection:
            row = connection.execute(select(leases).where(leases.c.host == host, _binds(now))).first()
        return None if row is None or self._has_ended(row.holder) else _in_words(row)

    def sweep(self, now: datetime) -> int:
        """Forget leases that expired over a month ago; return how many."""
        with writing(self._engine) as connection:
            return connection.execute(delete(leases).where(leases.c.expires_at < now - timedelta(days=30))).rowcount


def _binds(now: datetime) -> ColumnElement[bool]:
    return and_(leases.c.expires_at > now, leases.c.holder != _NOBODY)


def _in_words(row: Row[Any]) -> str:
    since, until = (moment.strftime("%Y-%m-%dT%H:%M:%SZ") for moment in (row.acquired_at, row.expires_at))
    return (
        f"{row.host} is being crawled by {row.holder} since {since}; wait for it, or stop it "
        f"(the host is free from {until} if that crawl is gone)"
    )


def check_fence(connection: Connection, lease: Lease | None) -> None:
    """Raise LeaseLost where the lease went to another holder; inside the transaction that is about to write."""
    if lease is None:
        return
    token = connection.scalar(select(leases.c.token).where(leases.c.host == lease.host))
    if token != lease.token:
        raise LeaseLost(f"the lease of {lease.host} went to another crawl; this one stops without writing")
