"""What one fetched page taught the frontier, as a value that is stored with the page and read again on a resume."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from arborist_pipeline.core.web.url import Url


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The first answer to an address.

    `arm` is the queue that it was taken from; `is_product` is None where the answer does not say. `finds` counts the
    new links that the page led to by their arms. `identity` is a product's own address where that is another.
    `platform` is the software of the site, where this page was the first to tell.
    """

    url: Url
    anchor: str
    parent: Url | None
    arm: int
    is_product: bool | None
    finds: Mapping[int, int] = field(default_factory=dict)
    identity: Url | None = None
    platform: str | None = None


class Completion(NamedTuple):
    """What closing a request decided: when the page is due again, its number among all decisions, what it taught."""

    due_at: datetime
    completed_seq: int
    lesson: Lesson | None


def lesson_to_json(lesson: Lesson) -> dict[str, Any]:
    """Return what of a lesson does not stand in its page's row anyway; what says nothing is left out."""
    told = {"product": lesson.is_product, "finds": {str(arm): count for arm, count in lesson.finds.items()} or None,
            "identity": lesson.identity, "platform": lesson.platform}  # fmt: skip
    return {"arm": lesson.arm, **{name: value for name, value in told.items() if value is not None}}


def lesson_from_json(kept: Any, *, url: str, anchor: str, parent: str | None) -> Lesson | None:  # noqa: ANN401  # JSON
    """Return a stored lesson; total: None for what is none."""
    if not isinstance(kept, dict) or not isinstance(kept.get("arm"), int):
        return None
    finds = kept.get("finds")
    return Lesson(
        url=Url(url),
        anchor=anchor,
        parent=Url(parent) if parent is not None else None,
        arm=kept["arm"],
        is_product=kept.get("product"),
        finds={int(arm): count for arm, count in finds.items()} if isinstance(finds, dict) else {},
        identity=kept.get("identity"),
        platform=kept.get("platform"),
    )
