"""The RobotsStore over SQL: the last good copy of each robots.txt, kept between runs."""

from datetime import datetime

from sqlalchemy import Column, Engine, Integer, LargeBinary, Table, Text, select, update

from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.moments import UtcDateTime, moment_writer
from arborist_pipeline.adapters.stores.prepared import prepare_insert
from arborist_pipeline.adapters.stores.schema import metadata
from arborist_pipeline.core.ports import RobotsCopy
from arborist_pipeline.core.web.url import Origin, Url

robots_files = Table(
    "robots_files",
    metadata,
    Column("origin", Text, primary_key=True),  # scheme, host and port: the authority that the file speaks for
    Column("url", Text, nullable=False),  # where redirects led to
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),  # 500 KiB at most
    Column("fetched_at", UtcDateTime, nullable=False),
)
_NEW = prepare_insert(robots_files, skips_known=True)


class SqlRobotsStore:
    """One copy an origin."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put_robots(self, origin: Origin, copy: RobotsCopy) -> None:
        """Keep a copy in the place of an earlier one."""
        values = {"origin": str(origin), "url": copy.url, "status": copy.status, "body": copy.body,
                  "fetched_at": copy.fetched_at}  # fmt: skip
        with writing(self._engine) as connection:
            moment = moment_writer(connection.dialect)(copy.fetched_at)
            _NEW.run(connection, [values | {"fetched_at": moment}])  # two that begin at once: the later stands
            connection.execute(update(robots_files).where(robots_files.c.origin == str(origin)).values(**values))

    def load_robots(self, origin: Origin, *, since: datetime) -> RobotsCopy | None:
        """Return the copy of an origin, None where there is none or it is older than `since`."""
        query = select(robots_files).where(robots_files.c.origin == str(origin), robots_files.c.fetched_at >= since)
        with reading(self._engine) as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        return RobotsCopy(url=Url(row.url), status=row.status, body=row.body, fetched_at=row.fetched_at)
