"""robots.txt by RFC 9309: one body, one product token, one frozen set of rules. Total on any input.

Patterns are matched without regular expressions: the literal runs between wildcards are looked for from left to
right, so a hostile pattern costs no more than a pass over the path. Lenient where real files are and Google's parser
is: a missing colon, a few frequent misspellings of the keys; each is reported in `problems`.
"""

import re
import sys
from dataclasses import dataclass, field

from arborist_pipeline.core.web.fetch import FetchResult
from arborist_pipeline.core.web.url import normalize_escapes, path_and_query, resolve

MAX_ROBOTS_BYTES = 500 * 1024
"""RFC 9309 §2.5: at least this much of a file is read; the rest is left out, from a line end on."""

MAX_AGE_SECONDS = 24 * 3_600.0
"""RFC 9309 §2.4: a copy older than this is not used, unless the file is unreachable."""

MAX_UNREACHABLE_SECONDS = 30 * 24 * 3_600.0
"""RFC 9309 §2.3.1.4: so long a time without the file is a reasonably long one; no copy stands in for it any more."""

MAX_PROBLEMS = 50
_NEAR = 6  # characters of a path by which most rules are ruled out
_MOST_NEAR = 1_000
_BLANKS = " \t\v\f"
_TOKEN = re.compile(r"[A-Za-z_-]*")
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+")
_NOT_ASCII = re.compile("[^\x00-\x7f]+")
_MISSPELT = {
    "useragent": "user-agent", "user agent": "user-agent", "dissallow": "disallow", "dissalow": "disallow",
    "disalow": "disallow", "diasllow": "disallow", "disallaw": "disallow", "site-map": "sitemap",
}  # fmt: skip
# Records that some crawlers know; RFC 9309 §2.2.4 lets them stand, they say nothing to us.
_FOREIGN = frozenset(
    "host clean-param request-rate visit-time noindex nofollow noarchive robot-version content-signal "
    "content-usage unavailable_after indexpage cache-delay comment".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One Allow or Disallow line, ready to match.

    The pattern is `prefix`, then each of `pieces` anywhere later in this order, then, where `tail` is not None, that
    text at the very end of the path. `is_exact`: no wildcard and an end mark. `octets` is its weight (§2.2.2).
    """

    is_allow: bool
    prefix: str
    pieces: tuple[str, ...]
    tail: str | None
    is_exact: bool
    octets: int
    line: str

    def matches_rest(self, path: str) -> bool:
        """Whether a path that begins with `prefix` matches as a whole."""
        position = len(self.prefix)
        if self.is_exact:
            return len(path) == position
        for piece in self.pieces:
            found = path.find(piece, position)
            if found < 0:
                return False
            position = found + len(piece)
        return self.tail is None or (len(path) - position >= len(self.tail) and path.endswith(self.tail))


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsRules:
    """What one site allows one crawler.

    `rules` are sorted, the first match decides. `crawl_delay` is in seconds, finite and >= 0, as large as the site
    wrote it: the caller caps it. `sitemaps` are absolute, as written, each once. `problems` are findings for the
    webmaster, 50 at most. `unreachable`: the file could not be had, so nothing is allowed (RFC 9309 §2.3.1.4);
    `reason` says why access is decided without rules, "" where rules decide.
    """

    rules: tuple[Rule, ...] = ()
    crawl_delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    unreachable: bool = False
    reason: str = ""
    _near: dict[str, tuple[Rule, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def allows(self, url: str) -> bool:
        """Whether a canonical absolute URL may be fetched; /robots.txt always may (RFC 9309 §2.2.2)."""
        path = path_and_query(url)
        if path == "/robots.txt":
            return True
        rule = self._rule_for(path) if self.rules else None
        return rule.is_allow if rule else not self.unreachable

    def line_for(self, url: str) -> str | None:
        """Return the line that decides for a URL ("line 3: Disallow: /x"), the reason if none can, or None."""
        path = path_and_query(url)
        if path == "/robots.txt":
            return None
        rule = self._rule_for(path)
        return rule.line if rule else self.reason or None

    def _rule_for(self, path: str) -> Rule | None:
        path = _comparable(path).replace("*", "%2A").replace("$", "%24")
        for rule in self._rules_near(path[:_NEAR]):
            if path.startswith(rule.prefix) and rule.matches_rest(path):
                return rule
        return None

    def _rules_near(self, start: str) -> tuple[Rule, ...]:
        """Return the rules that can match a path with this start, in order; looked up once for each start."""
        near = self._near.get(start)
        if near is None:
            near = tuple(rule for rule in self.rules if start.startswith(rule.prefix[:_NEAR]))
            if len(self._near) < _MOST_NEAR:
                self._near[start] = near
        return near


def allow_all(reason: str) -> RobotsRules:
    """Build rules that allow everything, for a file that is not there."""
    return RobotsRules(reason=reason)


def deny_all(reason: str) -> RobotsRules:
    """Build rules that allow nothing but /robots.txt, for a file that should be there and cannot be had."""
    return RobotsRules(unreachable=True, reason=reason)


def rules_from_result(result: FetchResult, token: str) -> RobotsRules:
    """Decide access from what came back for /robots.txt, redirects followed by the caller (RFC 9309 §2.3.1).

    2xx: the rules of the body. 4xx but 429: all allowed. Everything else, a redirect that led nowhere and a body that
    did not arrive whole included: nothing allowed. They hold for the authority first asked, wherever they were found.
    """
    status = result.status
    if status is None or (result.failure is not None and not 400 <= status < 500):
        failure = result.failure
        return deny_all(f"robots.txt unreachable: {failure.kind} ({failure.message})" if failure else "no answer")
    if 400 <= status < 500 and status != 429:
        return allow_all(f"no robots.txt: status {status}")
    if not 200 <= status < 300:
        return deny_all(f"robots.txt unreachable: status {status}")
    if status in (204, 205):
        return allow_all(f"no robots.txt: status {status}")
    if not result.body_read or (len(result.body) < MAX_ROBOTS_BYTES and (result.truncated or result.too_large)):
        return deny_all("robots.txt unreachable: its body was not read whole")
    return parse_robots(result.body, token, base_url=result.requested_url)


def needs_refetch(age_seconds: float) -> bool:
    """Whether a copy of this age must be asked for again before its rules are used (RFC 9309 §2.4: 24 hours)."""
    return age_seconds > MAX_AGE_SECONDS


def rules_or_cached(fetched: RobotsRules, cached: RobotsRules | None) -> RobotsRules:
    """Return the last rules known where the file is unreachable now, however old they are (RFC 9309 §2.4)."""
    return cached if fetched.unreachable and cached is not None else fetched


def parse_robots(body: bytes, token: str, *, base_url: str | None = None) -> RobotsRules:
    """Read the rules for the crawler with this product token, which must be of `[A-Za-z_-]` to be named by a group.

    A User-agent line is cut at the first other character and compared without case (RFC 9309 §2.2.1). Groups that
    name the token are merged; those for `*` count only if none names it. A relative sitemap address is resolved
    against `base_url`, dropped without one, and reported.
    """
    reader = _Reader(token, base_url)
    if len(body) > MAX_ROBOTS_BYTES:
        body = body[: 1 + max(body.rfind(b"\n", 0, MAX_ROBOTS_BYTES), body.rfind(b"\r", 0, MAX_ROBOTS_BYTES))]
        reader.problems.append(f"longer than {MAX_ROBOTS_BYTES} bytes: the rest is not read")
    text = body.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        content = line.partition("#")[0].strip(_BLANKS)
        if content:
            reader.read(number, content)
    return reader.rules()


class _Reader:
    """The state of one pass over the lines of a file."""

    def __init__(self, token: str, base_url: str | None) -> None:
        self.problems: list[str] = []
        self._token = token.lower()
        self._base_url = base_url
        self._own: list[Rule] = []
        self._others: list[Rule] = []
        self._delays: dict[str, float] = {}
        self._sitemaps: dict[str, None] = {}
        self._agents: set[str] = set()  # "" where the group speaks to others only
        self._is_named = False
        self._in_rules = False

    def read(self, number: int, content: str) -> None:
        key, colon, value = content.partition(":")
        if not colon:
            words = content.split()
            key, value = words if len(words) == 2 else (content, "")
        name = key.strip(_BLANKS).lower()
        known = _MISSPELT.get(name, name)
        value = value.strip(_BLANKS)
        if known == "user-agent":
            self._read_agent(value)
        elif known in ("allow", "disallow"):
            self._read_rule(number, content, value, is_allow=known == "allow")
        elif known == "crawl-delay":
            self._read_delay(number, value)
        elif known == "sitemap":
            self._read_sitemap(number, value)
        elif name not in _FOREIGN:
            self._report(number, content, "unknown record")
            return
        if not colon:
            self._report(number, content, "no colon after the key")
        elif known != name:
            self._report(number, content, f"misspelt, read as {known}")

    def _read_agent(self, value: str) -> None:
        if self._in_rules:
            self._agents = set()
            self._in_rules = False
        if value[:1] == "*" and not _product_token(value[1:]):  # "*", or "*<BR>" in a page served as robots.txt
            self._agents.add("*")
            return
        name = _product_token(value)
        is_own = bool(name) and name == self._token
        self._agents.add(name if is_own else "")
        self._is_named = self._is_named or is_own

    def _read_rule(self, number: int, content: str, value: str, *, is_allow: bool) -> None:
        if not self._agents:
            self._report(number, content, "stands before any User-agent line")
            return
        self._in_rules = True
        if not value:
            return
        if value[0] not in "/*$":
            self._report(number, content, "never matches: a path begins with a slash")
            return
        if "*" in self._agents or self._token in self._agents:
            rule = _build_rule(value, f"line {number}: {_shown(content)}", is_allow=is_allow)
            if self._token in self._agents:
                self._own.append(rule)
            if "*" in self._agents:
                self._others.append(rule)

    def _read_delay(self, number: int, value: str) -> None:
        match = _NUMBER.match(value)
        if match is None:
            self._report(number, f"Crawl-delay: {value}", "no number of seconds")
            return
        seconds = min(float(match[0].replace(",", ".")), sys.float_info.max)
        for agent in self._agents:
            self._delays.setdefault(agent, seconds)

    def _read_sitemap(self, number: int, value: str) -> None:
        shown = _shown(value)
        if not value.lower().startswith(("http://", "https://")):
            self._report(number, f"Sitemap: {value}", "not an absolute http(s) address")
            shown = (resolve(self._base_url, shown) or "") if self._base_url and shown else ""
        if shown:
            self._sitemaps.setdefault(shown)

    def _report(self, number: int, content: str, fault: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(f"line {number}: {_shown(content)}: {fault}")

    def rules(self) -> RobotsRules:
        chosen = self._own if self._is_named else self._others
        chosen.sort(key=lambda rule: (-rule.octets, not rule.is_allow))
        return RobotsRules(
            rules=tuple(chosen),
            crawl_delay=self._delays.get(self._token if self._is_named else "*"),
            sitemaps=tuple(self._sitemaps),
            problems=tuple(self.problems),
        )


def _product_token(value: str) -> str:
    match = _TOKEN.match(value)
    return match[0].lower() if match else ""


def _build_rule(pattern: str, line: str, *, is_allow: bool) -> Rule:
    pattern = _comparable(pattern)
    octets = len(pattern)
    is_anchored = pattern.endswith("$")
    prefix, *pieces = pattern.removesuffix("$").replace("$", "%24").split("*")
    tail = pieces.pop() if is_anchored and pieces else None
    return Rule(
        is_allow=is_allow,
        prefix=prefix,
        pieces=tuple(filter(None, pieces)),
        tail=tail,
        is_exact=is_anchored and tail is None,
        octets=octets,
        line=line,
    )


def _comparable(path: str) -> str:
    """Bring a path or pattern to the form that octets are compared in (RFC 9309 §2.2.2, RFC 3986 §6.2.2)."""
    return normalize_escapes(path if path.isascii() else _NOT_ASCII.sub(_escape_run, path))


def _escape_run(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in _bytes_of(match[0]))


def _bytes_of(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")  # bytes that were no UTF-8 come back as they were
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _shown(text: str) -> str:
    shown = _bytes_of(text).decode("utf-8", "replace")
    return shown if len(shown) <= 200 else shown[:200] + "…"
