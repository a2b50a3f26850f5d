"""arborist db: upgrade makes and migrates, check only looks."""

import sqlite3

import pytest


def test_upgrade_makes_the_store_and_twice_does_nothing_more(arborist, home):
    assert arborist("db", "upgrade").exit_code == 0
    before = (home / "crawl/web.db").read_bytes()
    again = arborist("db", "upgrade")
    assert again.exit_code == 0
    assert str(home / "crawl/web.db") in again.stdout
    assert (home / "crawl/web.db").read_bytes() == before


def test_check_makes_nothing(arborist, home):
    result = arborist("db", "check")
    assert result.exit_code == 2
    assert "there is no store" in result.stderr
    assert not home.exists()


@pytest.mark.parametrize("version", ["0000", "9999"])
def test_check_ends_with_1_where_the_tables_are_of_another_version(arborist, home, version):
    arborist("db", "upgrade")
    assert arborist("db", "check").exit_code == 0
    with sqlite3.connect(home / "crawl/web.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
    connection.close()
    result = arborist("db", "check")
    assert result.exit_code == 1
    assert version in result.stderr


def test_the_password_of_a_store_is_not_shown():
    from arborist_pipeline.cli.wiring import load_settings, store_name  # noqa: PLC0415  # reads the environment

    assert store_name(load_settings("postgresql+psycopg://me:secret@db/web")) == "postgresql+psycopg://me:***@db/web"


def test_check_tells_sizes_and_ends_with_1_where_a_table_is_missing(arborist, home):
    arborist("db", "upgrade")
    assert "bytes, 0 of them the index for query" in arborist("db", "check").stdout
    with sqlite3.connect(home / "crawl/web.db") as connection:
        connection.execute("DROP TABLE findings")
    connection.close()
    result = arborist("db", "check")
    assert result.exit_code == 1
    assert "damaged  the table findings is missing" in result.stdout


def test_a_backup_is_a_store(arborist, tmp_path):
    arborist("db", "upgrade")
    assert arborist("db", "backup", tmp_path / "copy.db").exit_code == 0
    assert arborist("--db", tmp_path / "copy.db", "db", "check").exit_code == 0
    assert arborist("db", "backup", tmp_path / "copy.db").exit_code == 2
