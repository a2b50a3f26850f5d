"""Is a stored page still what the site serves? Conditional requests (RFC 9110 §13, §15) and the classes of answers."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """ETag and Last-Modified exactly as the server sent them; to be sent back byte for byte."""

    etag: str | None = None
    last_modified: str | None = None

    def __bool__(self) -> bool:
        return bool(self.etag or self.last_modified)

    @property
    def request_headers(self) -> Mapping[str, str]:
        """The preconditions to send: both where both are known."""
        headers = {}
        if self.etag:
            headers["If-None-Match"] = self.etag
        if self.last_modified:
            headers["If-Modified-Since"] = self.last_modified
        return headers


def validators_from(headers: Mapping[str, str]) -> Validators:
    """Read the validators of an answer; empty strings count as absent."""
    return Validators(etag=headers.get("etag") or None, last_modified=headers.get("last-modified") or None)
