"""arborist db: upgrade makes and migrates, check only looks."""

import sqlite3

import pytest

from arborist_pipeline.core.crawl.site_list import site_key_for
from arborist_pipeline_tests.support.site_server import LocalSite, html


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


def test_a_crawl_lands_on_postgresql_and_every_question_is_answered_from_there(arborist, new_postgres, tmp_path):
    database = new_postgres()
    with LocalSite({"/": html("Oak", "<p>A desk made of oak.</p>")}) as site:
        assert arborist("--db", database, "crawl", "--seed-url", site.url(), "--fast", "--ingest").exit_code == 0
        page = site.url()
    for words in (("query", "oak"), ("history", page), ("history", "--site", site_key_for(page)), ("prove", page),
                  ("prove", page, "--in-site"), ("products", "list"),
                  ("crawl-report", "--seed-url", page, "--no-sitemap"),
                  ("verify", "--json"), ("db", "check"), ("db", "upgrade")):  # fmt: skip
        result = arborist("--db", database, *words)
        assert result.exit_code == 0, (words, result.stderr)
        assert result.stdout or words[0] == "products"
    refused = arborist("--db", database, "db", "backup", tmp_path / "copy.db")
    assert (refused.exit_code, "pg_dump" in refused.stderr) == (2, True)
