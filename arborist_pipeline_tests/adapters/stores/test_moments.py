"""Moments in a column: aware, in UTC, to the microsecond."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import postgresql, sqlite

from arborist_pipeline.adapters.stores.moments import UtcDateTime, moment_writer

DIALECTS = (sqlite.dialect(), postgresql.dialect())
AWARE = st.datetimes(min_value=datetime(1900, 1, 2), max_value=datetime(2200, 1, 1),  # noqa: DTZ001  # made aware
                     timezones=st.integers(-14, 14).map(lambda hours: timezone(timedelta(hours=hours))))  # fmt: skip


@given(AWARE, st.sampled_from(DIALECTS))
def test_a_moment_comes_back_as_the_same_moment_in_utc(moment, dialect):
    column = UtcDateTime()
    found = column.process_result_value(column.process_bind_param(moment, dialect), dialect)
    assert found == moment
    assert found.utcoffset() == timedelta(0)


@given(AWARE, st.sampled_from(DIALECTS))
def test_what_is_written_past_the_column_is_what_the_column_writes(moment, dialect):
    by_type = UtcDateTime().dialect_impl(dialect).bind_processor(dialect)
    assert moment_writer(dialect)(moment) == by_type(moment)


def test_sqlite_gets_no_zone_and_postgresql_does():
    noon = datetime(2026, 1, 15, 13, tzinfo=timezone(timedelta(hours=1)))
    assert UtcDateTime().process_bind_param(noon, DIALECTS[0]) == datetime(2026, 1, 15, 12)  # noqa: DTZ001  # its form
    assert UtcDateTime().process_bind_param(noon, DIALECTS[1]) == datetime(2026, 1, 15, 12, tzinfo=UTC)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_moment_is_no_moment_and_a_naive_one_is_refused(dialect):
    column = UtcDateTime()
    assert column.process_bind_param(None, dialect) is column.process_result_value(None, dialect) is None
    with pytest.raises(ValueError, match="naive"):
        column.process_bind_param(datetime(2026, 1, 15), dialect)  # noqa: DTZ001  # the case itself
    with pytest.raises(ValueError, match="naive"):
        moment_writer(dialect)(datetime(2026, 1, 15))  # noqa: DTZ001  # the case itself
