"""What the frontier remembers of every known URL: one small number each, so that a million of them are 80 MB.

The number is found under the 64-bit hash of the URL's text. Among a million URLs two share a hash with a probability
of 3e-8; the second would then be taken for known and not be asked for.
"""

from enum import IntEnum

from arborist_pipeline.core.web.url import Url

_CODE_BITS = 4
_CODE_MASK = (1 << _CODE_BITS) - 1
_FLAG = 1 << 40  # above every depth: such a mark is never below a ceiling


class Standing(IntEnum):
    """Where a known URL stands, with what decides how it is met again."""

    QUEUED = 0
    DONE = 1  # answered by an earlier crawl
    BEYOND = 2
    REFUSED = 3
    ASKED = 4  # answered in this crawl
    MOVED = 5  # answered in this crawl by a redirect
    REFUSED_AS_WRITTEN = 6  # it stands otherwise on the page that links to it: another link may be allowed
    LEFT = 7  # by an earlier crawl, and not yet met by this one, which begins afresh
    LEFT_ANSWERED = 8


UNMET = (Standing.LEFT, Standing.LEFT_ANSWERED)
_FIRST_UNMET = int(Standing.LEFT)
_STANDINGS = tuple(Standing)
_FLAGS = tuple(_FLAG if standing >= Standing.REFUSED_AS_WRITTEN else 0 for standing in Standing)


class Marks:
    """The marks of one site, by URL. `seen` counts those that this crawl has met."""

    def __init__(self) -> None:
        self.by_hash: dict[int, int] = {}
        self.seen = 0
        self._shared: dict[int, int] = {}  # one object for each number, not for each URL

    def put(self, url: str, standing: Standing, depth: int) -> None:
        """Remember where a URL stands and how deep."""
        key = hash(url)
        before = self.by_hash.get(key)
        if before is None or before & _CODE_MASK >= _FIRST_UNMET:
            self.seen += standing < _FIRST_UNMET
        mark = _FLAGS[standing] | depth << _CODE_BITS | standing
        self.by_hash[key] = self._shared.setdefault(mark, mark)

    def standing(self, url: str) -> Standing | None:
        """Return where a URL stands, None for an unknown one."""
        mark = self.by_hash.get(hash(url))
        return None if mark is None else _STANDINGS[mark & _CODE_MASK]

    def depth(self, url: Url) -> int:
        """Return the depth of a known URL; raises KeyError for another."""
        return (self.by_hash[hash(url)] & ~_FLAG) >> _CODE_BITS

    def lower(self, url: Url, depth: int) -> None:
        """Give a known URL another depth, wherever it stands."""
        key = hash(url)
        mark = self.by_hash[key] & (_FLAG | _CODE_MASK) | depth << _CODE_BITS
        self.by_hash[key] = self._shared.setdefault(mark, mark)

    def is_met(self, url: str) -> bool:
        """Whether this crawl has met the URL."""
        mark = self.by_hash.get(hash(url))
        return mark is not None and mark & _CODE_MASK < _FIRST_UNMET


def ceiling(depth: int) -> int:
    """Return the number below which a mark tells that a link from here to `depth` changes nothing."""
    return (depth + 1) << _CODE_BITS
