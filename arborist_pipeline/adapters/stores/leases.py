"""The LeaseStore over SQL: a row a host, taken over only when it has expired."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, delete, insert, select, update

from arborist_pipeline.adapters.stores.engine import writing
from arborist_pipeline.adapters.stores.schema import leases
from arborist_pipeline.core.errors import LeaseHeld, LeaseLost
from arborist_pipeline.core.ports import Lease


class SqlLeaseStore:
    """Host leases. The token of a host only grows, so a holder that was overtaken can be told."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def acquire(self, host: str, *, holder: str, seconds: float, now: datetime) -> Lease:
        """Take the lease; raises LeaseHeld where another holder's has not expired."""
        fresh = {"holder": holder, "acquired_at": now, "expires_at": now + timedelta(seconds=seconds)}
        with writing(self._engine) as connection:
            row = connection.execute(select(leases).where(leases.c.host == host)).first()
            if row is None:
                connection.execute(insert(leases).values(host=host, token=1, **fresh))
                return Lease(host=host, holder=holder, token=1)
            if row.expires_at > now:
                since = row.acquired_at.strftime("%Y-%m-%dT%H:%M:%SZ")
                raise LeaseHeld(f"{host} is being crawled by {row.holder} since {since}; wait for it, or stop it")
            connection.execute(update(leases).where(leases.c.host == host).values(token=row.token + 1, **fresh))
            return Lease(host=host, holder=holder, token=row.token + 1)

    def renew(self, lease: Lease, *, seconds: float, now: datetime) -> bool:
        """Keep the lease for another while; False where it went to another holder."""
        with writing(self._engine) as connection:
            done = connection.execute(
                update(leases)
                .where(leases.c.host == lease.host, leases.c.token == lease.token)
                .values(expires_at=now + timedelta(seconds=seconds))
            )
            return done.rowcount == 1

    def release(self, lease: Lease, now: datetime) -> None:
        """Give the lease back by letting it expire: the row keeps the token."""
        with writing(self._engine) as connection:
            connection.execute(
                update(leases).where(leases.c.host == lease.host, leases.c.token == lease.token).values(expires_at=now)
            )

    def sweep(self, now: datetime) -> int:
        """Forget leases that expired over a month ago; return how many."""
        with writing(self._engine) as connection:
            return connection.execute(delete(leases).where(leases.c.expires_at < now - timedelta(days=30))).rowcount


def check_fence(connection: Connection, lease: Lease | None) -> None:
    """Raise LeaseLost where the lease went to another holder; inside the transaction that is about to write."""
    if lease is None:
        return
    token = connection.scalar(select(leases.c.token).where(leases.c.host == lease.host))
    if token != lease.token:
        raise LeaseLost(f"the lease of {lease.host} went to another crawl; this one stops without writing")
