"""What one fetched page taught the frontier, as a value that is stored with the page and read again on a resume."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from arborist_pipeline.core.web.url import Url

_NUMBER = re.compile(r"[0-9]{1,9}")


class Told(NamedTuple):
    """A model's word on a link that waits in an arm."""

    arm: int
    url: Url
    anchor: str
    is_product: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The first answer to an address.

    `arm` is the queue that it was taken from; `is_product` is None where the answer does not say. `finds` counts the
    new links that the page led to by their arms. `identity` is a product's own address where that is another.
    `platform` is the software of the site, where this page was the first to tell; `told` what a model said that was
    asked after this page.
    """

    url: Url
    anchor: str
    parent: Url | None
    arm: int
    is_product: bool | None
    finds: Mapping[int, int] = field(default_factory=dict)
    identity: Url | None = None
    platform: str | None = None
    told: tuple[Told, ...] = ()


class Completion(NamedTuple):
    """What closing a request decided: when the page is due again, its number among all decisions, what it taught."""

    due_at: datetime
    completed_seq: int
    lesson: Lesson | None


def lesson_to_json(lesson: Lesson) -> dict[str, Any]:
    """Return what of a lesson does not stand in its page's row anyway; what says nothing is left out."""
    told = {"product": lesson.is_product, "finds": {str(arm): count for arm, count in lesson.finds.items()} or None,
            "identity": lesson.identity, "platform": lesson.platform,
            "told": [list(each) for each in lesson.told] or None}  # fmt: skip
    return {"arm": lesson.arm, **{name: value for name, value in told.items() if value is not None}}


def lesson_from_json(kept: Any, *, url: str, anchor: str, parent: str | None) -> Lesson | None:  # noqa: ANN401  # JSON
    """Return a stored lesson; total: None for what is none."""
    if not isinstance(kept, dict) or type(kept.get("arm")) is not int:
        return None
    finds, is_product = kept.get("finds"), kept.get("product")
    return Lesson(
        url=Url(url),
        anchor=anchor,
        parent=Url(parent) if parent is not None else None,
        arm=kept["arm"],
        is_product=is_product if isinstance(is_product, bool) else None,
        finds=_read_finds(finds) if isinstance(finds, dict) else {},
        identity=Url(kept["identity"]) if isinstance(kept.get("identity"), str) else None,
        platform=kept["platform"] if isinstance(kept.get("platform"), str) else None,
        told=tuple(_read_told(kept.get("told"))),
    )


def _read_told(told: object) -> Iterator[Told]:
    for each in told if isinstance(told, list) else ():
        match each:
            case [int(arm), str(url), str(anchor), bool(is_product)]:
                yield Told(arm, Url(url), anchor, is_product)


def _read_finds(finds: Mapping[Any, Any]) -> dict[int, int]:
    return {int(arm): count for arm, count in finds.items() if _NUMBER.fullmatch(str(arm)) and type(count) is int}
