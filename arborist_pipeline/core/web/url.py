"""URLs: parsed as browsers do (WHATWG URL Standard, by ada), then brought to one versioned canonical form.

canon-v1, on top of the WHATWG serialisation: no fragment, no user name or password, no tracking or session
parameters, query sorted by name (stable: values of one name keep their order, which servers may read), escapes in
upper case, escapes of unreserved characters decoded (RFC 3986 §6.2.2.2), no empty query. It is idempotent.
"""

import re
from typing import NamedTuple, NewType

import ada_url

from arborist_pipeline.core.errors import InvalidUrl

CANON_VERSION = "canon-v1"

Url = NewType("Url", str)
"""An absolute http(s) URL in canonical form. Only `canonicalize` and `resolve` make one; trust it after that."""

MAX_URL_CHARACTERS = 8_192
_C0_OR_SPACE = "".join(map(chr, range(0x21)))
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/;?]*", re.IGNORECASE)
_DROPPED_PREFIXES = ("utm_", "mc_", "hsa_", "pk_", "mtm_", "matomo_", "_hs")
_DROPPED_NAMES = frozenset(
    """_branch_match_id _bta_c _bta_tid _ga _gl _ke _kx _openstat _pos _psq _sid _ss aspsessionid cfid cftoken dclid
    epik fbclid gad_source gbraid gclid gclsrc igshid irclickid jsessionid li_fat_id mkwid msclkid oscsid phpsessid
    piwik_campaign piwik_kwd s_kwcid sccid srsltid ttclid twclid vero_conv vero_id wbraid wickedid yclid zenid
    """.split()
)


class Origin(NamedTuple):
    """Scheme, host and port: the authority for which one robots.txt speaks (RFC 9309 §2.3)."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        default = {"http": 80, "https": 443}[self.scheme]
        return f"{self.scheme}://{self.host}" + ("" if self.port == default else f":{self.port}")


def canonicalize(raw: str) -> Url:
    """Return the canonical form of an absolute URL; idempotent.

    Raises InvalidUrl where `raw` is no absolute http(s) URL of at most 8,192 characters.
    """
    url = resolve(None, raw)
    if url is None:
        shown = raw if len(raw) <= 200 else raw[:200] + "…"
        message = f"not an absolute http(s) URL: {shown!r}"
        raise InvalidUrl(message)
    return url


def resolve(base: str | None, reference: str, *, encoding: str = "utf-8") -> Url | None:
    """Resolve an href against its base as a browser does; None where no http(s) URL comes out.

    `encoding` is that of the document: the query part of a link is escaped in it (WHATWG URL, query state).
    """
    if len(reference) > MAX_URL_CHARACTERS:
        return None
    if encoding != "utf-8" and not reference.isascii():
        reference = _escape_query(reference, encoding)
    try:
        parsed = ada_url.URL(reference, base=base) if base else ada_url.URL(reference)
    except (ValueError, UnicodeError):
        return None
    if parsed.protocol not in ("http:", "https:") or not parsed.hostname:
        return None
    path = _normalize_escapes(parsed.pathname)
    if ";" in path:
        path = _SESSION_IN_PATH.sub("", path)
    return Url(f"{parsed.protocol}//{parsed.host}{path}{_canonical_query(parsed.search)}")


def split_origin(url: str) -> Origin:
    """Return scheme, host and port of an absolute http(s) URL, the default port filled in."""
    parsed = ada_url.URL(url)
    scheme = parsed.protocol[:-1]
    port = int(parsed.port) if parsed.port else {"http": 80, "https": 443}[scheme]
    return Origin(scheme, parsed.hostname, port)


def site_key(url: str) -> tuple[str, int | None]:
    """Return host and port as one site has them: http on port 80 and https on port 443 are one site (port None)."""
    scheme, host, port = split_origin(url)
    return host, None if (scheme, port) in (("http", 80), ("https", 443)) else port


def same_site(one: str, other: str) -> bool:
    """Whether both URLs belong to one site: host and port exactly, no subdomain crossover."""
    return site_key(one) == site_key(other)


def path_and_query(url: str) -> str:
    """Return path and query of a canonical URL, as robots.txt rules see them."""
    rest = url.split("://", 1)[1]
    slash = rest.find("/")
    return rest[slash:] if slash >= 0 else "/"


def redact(url: str) -> str:
    """Return a URL fit for logs: user name, password and the values of secret-looking parameters are masked."""
    url = re.sub(r"(?i)^(\w+://)[^/@?#]*@", r"\1***@", url)
    return re.sub(r"(?i)([?&;][^=&;#]*(?:token|key|secret|passw|signature|auth)[^=&;#]*=)[^&;#]*", r"\1***", url)


def _normalize_escapes(text: str) -> str:
    return _ESCAPE.sub(_one_escape, text) if "%" in text else text


def _one_escape(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _canonical_query(search: str) -> str:
    if len(search) <= 1:
        return ""
    kept = [part for part in _normalize_escapes(search[1:]).split("&") if part and not _is_dropped(part)]
    kept.sort(key=lambda part: part.split("=", 1)[0])
    return "?" + "&".join(kept) if kept else ""


def _is_dropped(parameter: str) -> bool:
    name = parameter.split("=", 1)[0].lower()
    return name in _DROPPED_NAMES or name.startswith(_DROPPED_PREFIXES)


def _escape_query(reference: str, encoding: str) -> str:
    head, mark, rest = reference.partition("?")
    if not mark or "#" in head:
        return reference
    query, hash_mark, fragment = rest.partition("#")
    raw = query.encode(encoding, "xmlcharrefreplace")
    escaped = "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in raw)
    return f"{head}?{escaped}{hash_mark}{fragment}"
