"""URLs: parsed as browsers do (WHATWG URL Standard, by ada), then brought to one versioned canonical form.

canon-v1, on top of the WHATWG serialisation: no fragment, no user name or password, no tracking or session
parameters, query sorted by name (stable: values of one name keep their order, which servers may read), one spelling
of escapes (RFC 3986 §6.2.2), no empty query. It is idempotent. Left alone, since servers may tell them apart: slashes
in a row, a trailing slash, `index.html`, empty values, the case of paths, a host's final dot, `www.`.
"""

import re
from functools import lru_cache
from typing import NamedTuple, NewType

import ada_url

from arborist_pipeline.core.errors import InvalidUrl

CANON_VERSION = "canon-v1"

Url = NewType("Url", str)
"""An absolute http(s) URL in canonical form. Only `canonicalize` and `resolve` make one; trust it after that."""

MAX_URL_CHARACTERS = 8_192
# An escape; a percent sign that begins none, with what decoding beside it could turn into one; or a character that
# neither path nor query may hold as it is (RFC 3986 §3.3, §3.4).
_TO_NORMALIZE = re.compile(
    r"%([0-9A-Fa-f]{2})|%[0-9A-Fa-f]?(?:%[0-9A-Fa-f]{2})?|([^A-Za-z0-9\-._~!$&'()*+,;=:@/?])", re.ASCII
)
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/;?]*", re.IGNORECASE)
# Parameters that tell how or by whom a page was reached and never what it shows, by names that mean nothing else.
# Short and ambiguous ones (`ref`, `sid`, `source`, `id`) stay: losing a page is worse than fetching one twice.
_DROPPED_PREFIXES = ("utm_", "hsa_", "mtm_", "matomo_", "piwik_", "__hs")
_DROPPED_NAMES = frozenset(
    # sessions of PHP, Java, ColdFusion, osCommerce, Zen Cart
    "phpsessid jsessionid cfid cftoken oscsid zenid "
    # clicks on advertisements: Google, Microsoft, Meta, X, TikTok, Pinterest, LinkedIn, Snap, Yandex, Adobe and others
    "gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid srsltid msclkid fbclid twclid ttclid epik li_fat_id "
    "sccid yclid _openstat s_kwcid mkwid wickedid irclickid igshid "
    # newsletters and analytics: Mailchimp, HubSpot, Klaviyo, Vero, Bronto, Branch, Google, Piwik
    "mc_cid mc_eid _hsenc _hsmi _ke _kx vero_conv vero_id _bta_tid _bta_c _branch_match_id _ga _gl pk_campaign pk_kwd "
    # the place in a list of search results that a link stood at: Shopify
    "_pos _psq _sid _ss".split()
)
_NOT_ASCII = re.compile("[^\x00-\x7f]+")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_PLAIN_ORIGIN = re.compile(r"(https?)://([a-z0-9-]*[a-z-][a-z0-9.-]*)(?::([0-9]{1,5}))?/")
# What stands before the last "@" of an authority. Where passwords are pasted as they are (database URLs) a slash or
# another "@" may be part of them, so that anything before the last "@" of the word is masked.
_USER_IN_URL = re.compile(r"(?<=://)(?<!http://)(?<!https://)\S{0,500}@|(?<=//)[^\s/?#]{0,500}@")
# What stands before such an authority, in a reference that browsers take for the web: blanks anywhere, any slashes.
_START = re.compile(r"[\x00-\x20]*(?:h\s*t\s*t\s*p\s*(?:s\s*)?:)?[\x00-\x20/\\]*", re.IGNORECASE)
_MAX_SHOWN_CHARACTERS = 10_000
_PARAMETER = re.compile(r"([?&;#])([^?=&;#\s]*)=[^&;#\s]*")
_SECRET_NAME = re.compile(
    "token|key(?!word)|secret|passw|pwd|signature|auth(?!ors?(?:$|[_-]|id))|credential|session|jwt|^sig$", re.IGNORECASE
)
# A path, and a query, that the parser and canon-v1 leave as they are but for the order of parameters: no segment begins
# with a dot, nothing is to be escaped, no colon could end a scheme.
_SEGMENTS = r"(?:[A-Za-z0-9_~-][A-Za-z0-9_~.-]*+/?+)"
_PLAIN = re.compile(rf"(?:/{_SEGMENTS}*+|{_SEGMENTS}++)(\?[A-Za-z0-9_~./=&+-]*+)?+")
_QUERY_ESCAPED = frozenset(b"\"#<>'")


class Origin(NamedTuple):
    """Scheme, host and port: the authority for which one robots.txt speaks (RFC 9309 §2.3)."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}" + ("" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}")


def canonicalize(raw: str) -> Url:
    """Return the canonical form of an absolute URL; idempotent.

    Raises InvalidUrl where `raw` is no absolute http(s) URL of at most 8,192 characters.
    """
    url = resolve(None, raw)
    if url is None:
        shown = redact_unreadable(raw)
        shown = shown if len(shown) <= 200 else shown[:200] + "…"
        message = f"not an absolute http(s) URL: {shown!r}"
        raise InvalidUrl(message)
    return url


def resolve(base: str | None, reference: str, *, encoding: str = "utf-8") -> Url | None:
    """Resolve an href against its base as a browser does; None where no http(s) URL comes out.

    `encoding` is that of the document: the query part of a link is escaped in it (WHATWG URL, query state).
    """
    href = _parse(base, reference, encoding)
    return None if href is None else _canonical_form(href)


def resolve_both(base: str | None, reference: str, *, encoding: str = "utf-8") -> tuple[Url | None, str | None]:
    """Resolve an href as `resolve` does; return with it the address as its author wrote it, where that differs.

    As written, the parameters that canon-v1 drops or sorts stand where they stood. Fragment, user name and password
    are gone and escapes are in one spelling, so that it can be held against robots.txt.
    """
    return _both(_parse(base, reference, encoding))


class Base:
    """What the references of one document resolve against: its base, and the encoding that queries are escaped in.

    Most references are plain paths. The parser would but write what they leave out before them, so they do without it.
    """

    def __init__(self, url: Url, encoding: str) -> None:
        path_start = url.index("/", 8)
        self._url = url
        self._encoding = encoding
        self._origin = url[:path_start]
        self._folder = url[: url.partition("?")[0].rindex("/") + 1]

    def resolve_both(self, reference: str) -> tuple[Url | None, str | None]:
        """Do what the function of this name does."""
        start = len(self._origin) if reference.startswith(self._origin) else 0
        plain = _PLAIN.fullmatch(reference, start)
        if plain is None or (start and reference[start] != "/") or len(reference) > MAX_URL_CHARACTERS:
            return resolve_both(self._url, reference, encoding=self._encoding)
        href = f"{self._origin if plain[0][0] == '/' else self._folder}{plain[0]}"
        if plain[1] is None and len(href) <= MAX_URL_CHARACTERS:
            return Url(href), None
        return _both(href)


def _both(href: str | None) -> tuple[Url | None, str | None]:
    url = None if href is None else _canonical_form(href)
    if href is None or url is None or url == href or ("?" not in href and ";" not in href):
        return url, None
    whole = href.partition("#")[0]
    if whole.find("?") == len(whole) - 1:  # an empty query is none
        whole = whole[:-1]
    start = whole.index("/", 8)
    scheme, _, authority = whole[:start].rpartition("//")
    written = f"{scheme}//{authority.rpartition('@')[2]}{normalize_escapes(whole[start:])}"
    return url, None if written == url else written


def _parse(base: str | None, reference: str, encoding: str) -> str | None:
    """Return what the WHATWG parser serialises, None where it fails or the reference is longer than one may be."""
    if len(reference) > MAX_URL_CHARACTERS:
        return None
    if not reference.isascii() and not encoding.startswith("utf"):  # UTF-16 pages send UTF-8 as well
        reference = _escape_query(reference, encoding)
    try:
        return ada_url.join_url(base, reference) if base else ada_url.normalize_url(reference)
    except ValueError:
        return None


def split_origin(url: str) -> Origin:
    """Return scheme, host and port of an absolute http(s) URL, the default port filled in."""
    return _read_origin(url[: url.find("/", 8) + 1] or url)  # before the path: few URLs are of a site of their own


@lru_cache(maxsize=1_000)
def _read_origin(start: str) -> Origin:
    plain = _PLAIN_ORIGIN.match(start)
    if plain is not None:
        return Origin(plain[1], plain[2], int(plain[3] or _DEFAULT_PORTS[plain[1]]))
    parsed = ada_url.URL(start)
    scheme = parsed.protocol[:-1]
    port = int(parsed.port) if parsed.port else _DEFAULT_PORTS[scheme]
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
    slash = url.find("/", url.index("://") + 3)
    return url[slash:] if slash >= 0 else "/"


def redact(url: str) -> str:
    """Return a URL, or a text with URLs of any scheme in it, fit for logs.

    User name, password and the values of secret-looking parameters are masked.
    """
    return _PARAMETER.sub(_mask_secret, _USER_IN_URL.sub("***@", url))


def redact_unreadable(reference: str) -> str:
    """Return a reference that no parser takes, fit for logs and reports, its first 10,000 characters at most.

    Where an address is broken a password may hold what would end an authority (`http://me:pass/word@host/`), so that
    all before the last "@" is masked once a colon stands in it.
    """
    user, mark, rest = reference.rpartition("@")
    start = _START.match(user)
    name = user[start.end() :] if start else user
    if mark and (":" in name or (start and start[0] and not re.search(r"[/\\?#]", name))):
        reference = f"{user[: len(user) - len(name)]}***@{rest}"
    return redact(reference[:_MAX_SHOWN_CHARACTERS])


def _mask_secret(parameter: re.Match[str]) -> str:
    return f"{parameter[1]}{parameter[2]}=***" if _SECRET_NAME.search(parameter[2]) else parameter[0]


def normalize_escapes(text: str) -> str:
    """Bring the path or query of a URL, ASCII alone, to one spelling (RFC 3986 §2.1, §6.2.2); idempotent.

    Escapes of unreserved characters are decoded, the others written in upper case; what must be escaped is, but for a
    percent sign that begins no escape: it is sent as browsers send it.
    """
    return _TO_NORMALIZE.sub(_normalize_one, text)


def _normalize_one(match: re.Match[str]) -> str:
    if match[1] is None:
        return f"%{ord(match[2]):02X}" if match[2] else match[0]
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _canonical_form(href: str) -> Url | None:
    """Bring what the parser serialised to canon-v1; None where it is no http(s) URL or longer than one may be."""
    if not href.startswith(("http://", "https://")):
        return None
    whole, _, _ = href.partition("#")
    whole, _, query = whole.partition("?")
    start = whole.index("/", 8)
    scheme, path = whole[:start], normalize_escapes(whole[start:])
    if "@" in scheme:
        scheme = scheme[: scheme.index("/") + 2] + scheme.rpartition("@")[2]
    if ";" in path:
        kept = _SESSION_IN_PATH.sub("", path)
        if kept != path:  # what is left may hold a dot segment of its own
            return resolve(None, f"{scheme}{kept}{_canonical_query(query)}")
    url = f"{scheme}{path}{_canonical_query(query)}"
    return Url(url) if len(url) <= MAX_URL_CHARACTERS else None


def _canonical_query(query: str) -> str:
    if not query:
        return ""
    kept = [part for part in normalize_escapes(query).split("&") if part and not _is_dropped(part)]
    if len(kept) > 1:
        kept.sort(key=_name_of)
    return "?" + "&".join(kept) if kept else ""


def _name_of(parameter: str) -> str:
    return parameter.partition("=")[0]


def _is_dropped(parameter: str) -> bool:
    name = parameter.partition("=")[0].lower()
    return name in _DROPPED_NAMES or name.startswith(_DROPPED_PREFIXES)


def _escape_query(reference: str, encoding: str) -> str:
    """Escape the query of a reference in the encoding of its document (WHATWG URL, percent-encode after encoding)."""
    head, mark, rest = reference.partition("?")
    if not mark or "#" in head:
        return reference
    query, hash_mark, fragment = rest.partition("#")
    return f"{head}?{_NOT_ASCII.sub(lambda run: _escape_run(run[0], encoding), query)}{hash_mark}{fragment}"


def _escape_run(run: str, encoding: str) -> str:
    try:
        encoded = run.encode(encoding)
    except UnicodeError:
        if len(run) == 1:
            return f"%26%23{ord(run)}%3B"  # as browsers write what the encoding lacks
        return "".join(_escape_run(character, encoding) for character in run)
    return "".join(
        chr(byte) if 0x20 < byte < 0x7F and byte not in _QUERY_ESCAPED else f"%{byte:02X}" for byte in encoded
    )
