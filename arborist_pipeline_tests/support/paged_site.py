"""Pages of a small shop as a table of answers, and a way to run what waits."""

import asyncio
from itertools import count

from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure
from arborist_pipeline_tests.support.builders import make_result


def run(coroutine):
    return asyncio.run(coroutine)


_numbers = count(1)


def page(*links, title=None, etag=None):
    """A page with a text of its own, unless two are given one title."""
    title = title or f"Page {next(_numbers)}"
    body = f"<title>{title}</title><p>Words of {title}.</p>" + "".join(f'<a href="{link}">{link}</a>' for link in links)
    return make_result(body, headers={"etag": etag} if etag else None)


def robots(text):
    return make_result(text, headers={"content-type": "text/plain"})


def failing(kind=FailureKind.CONNECT):
    return make_result(failure=FetchFailure(kind=kind, message="refused"))


SITE = {"/": page("/a", "/b", "/products/c"), "/a": page("/d"), "/b": page("/"), "/d": page(), "/products/c": page()}
