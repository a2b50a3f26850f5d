"""Which products share a description: grouped by a digest, so that no text is held."""

import hashlib
from collections.abc import Iterable

MIN_CHARACTERS = 80  # shorter ones ("100 % cotton") are alike by nature


def group_descriptions(products: Iterable[tuple[str, str, str | None]]) -> tuple[tuple[str, ...], ...]:
    """Group (url, group of variants or "", description) by description; variants of one group count once.

    Descriptions are compared without regard to white space. Groups are sorted, and so are the URLs in them.
    """
    groups: dict[bytes, dict[str, str]] = {}
    for url, variant_group, description in products:
        text = " ".join((description or "").split())
        if len(text) >= MIN_CHARACTERS:
            members = groups.setdefault(hashlib.sha256(text.encode()).digest(), {})
            name = variant_group or url
            members[name] = min(url, members.get(name, url))
    return tuple(sorted(tuple(sorted(members.values())) for members in groups.values() if len(members) > 1))
