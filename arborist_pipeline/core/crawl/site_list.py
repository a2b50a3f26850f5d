"""sites.yaml (contract §2): text to sites, total but for one error that names file, line, key and the mend."""

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import yaml

from arborist_pipeline.core.crawl.records import BodyRetention, Discovery, Mode, Render, Retention, Site, SiteType
from arborist_pipeline.core.crawl.site_faults import find_fault, mend_address
from arborist_pipeline.core.errors import ConfigError, InvalidUrl
from arborist_pipeline.core.web.url import Url, canonicalize, site_key

_KEY = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class _Bad(Exception):
    """What is wrong with a key, carried up to where file and line are known."""

    key: str
    why: str


def parse_site_list(text: str, *, source: str, max_pages: int = 60) -> tuple[Site, ...]:
    """Return the sites of a site list in order; `max_pages` is the budget of those that name none.

    Raises ConfigError: file, line, key, what is wrong, what to do.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{source}, line {mark.line + 1}" if mark else source
        problem = getattr(error, "problem", None) or "unreadable"
        raise ConfigError(f"{where}: this is not YAML ({problem}); see docs/sites-yaml.md for an example") from error
    if root is None:
        raise ConfigError(f"{source}: the file is empty; add a site with: arborist sites add URL")
    if not isinstance(root, yaml.MappingNode):
        raise ConfigError(f"{source}, line 1: expected the keys 'sites' and 'defaults', found {_shape(root)}")
    top = _fields(root, source)
    unknown = next((name for name in top if name not in ("sites", "defaults")), None)
    if unknown is not None:
        raise _error(source, top[unknown][0], unknown, "unknown key; only 'defaults' and 'sites' stand at the top")
    place, listed = top.get("sites", (root, None))
    if not isinstance(listed, yaml.SequenceNode):
        raise _error(source, place, "sites", "must be a list of entries such as '- seed_url: https://example.com/'")
    defaults = _read_defaults(top["defaults"][1], source) if "defaults" in top else {}
    sites = tuple(_parse_entry(node, {"max_pages": max_pages} | defaults, source) for node in listed.value)
    _refuse_twins(sites, listed, source)
    return sites


def site_to_config(site: Site) -> dict[str, Any]:
    """Return a site as the plain data of its sites.yaml entry."""
    return asdict(site) | {"include": list(site.include), "exclude": list(site.exclude)}


def site_from_config(config: Mapping[str, Any]) -> Site:
    """Build a site from the plain data of an entry. Raises ConfigError naming the key."""
    try:
        return _build(config)
    except _Bad as bad:
        raise ConfigError(f"{bad.key}: {bad.why}") from bad


def site_key_for(seed_url: Url) -> str:
    """Return the default key of a site: HOSTNAME or HOSTNAME-PORT, letters, digits, `.`, `_`, `-` only."""
    host, port = site_key(seed_url)
    name = re.sub(r"[^A-Za-z0-9._-]", "_", host.strip("[]"))
    return name if port is None else f"{name}-{port}"


def _read_defaults(node: yaml.Node, source: str) -> dict[str, Any]:
    values = _values(node, source)
    assert isinstance(node, yaml.MappingNode)  # noqa: S101  # else there were no values
    for name, (place, _) in _fields(node, source).items():
        if name in ("key", "seed_url"):
            raise _error(source, place, name, "belongs to one site; move it to the site's own entry")
        try:
            _read(name, values[name])
            _refuse_faults({name: values[name]})
        except _Bad as bad:
            raise _error(source, place, bad.key, bad.why) from bad
    return values


def _parse_entry(node: yaml.Node, defaults: Mapping[str, Any], source: str) -> Site:
    if not isinstance(node, yaml.MappingNode):
        raise _error(source, node, "sites", f"each entry is a mapping with at least seed_url, found {_shape(node)}")
    fields = _fields(node, source)
    values = _values(node, source)
    try:
        site = _build({**defaults, **values})
        _refuse_faults(values)
    except _Bad as bad:
        place = fields[bad.key][0] if bad.key in fields else node
        raise _error(source, place, bad.key, bad.why) from bad
    return site


def _refuse_faults(values: Mapping[str, Any]) -> None:
    """Refuse what a person cannot mean. Settings of the store were accepted once, and are not asked again."""
    for name, value in values.items():
        fault = find_fault(name, value)
        if fault is not None:
            raise _Bad(name, fault)


def _refuse_twins(sites: tuple[Site, ...], listed: yaml.SequenceNode, source: str) -> None:
    keys: dict[str, int] = {}
    hosts: dict[tuple[str, int | None], int] = {}
    for index, (site, node) in enumerate(zip(sites, listed.value, strict=True)):
        place = site_key(site.seed_url)
        if place in hosts:
            line = listed.value[hosts[place]].start_mark.line + 1
            raise _error(source, node, "seed_url", f"the same site as the entry at line {line}; keep one of the two")
        if site.key in keys:
            line = listed.value[keys[site.key]].start_mark.line + 1
            raise _error(source, node, "key", f"{site.key!r} is also the key of the entry at line {line}; rename one")
        keys[site.key] = hosts[place] = index


def _fields(node: yaml.MappingNode, source: str) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    fields: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    for name, value in node.value:
        if not isinstance(name, yaml.ScalarNode):
            raise _error(source, name, _shape(name), "a key is a single word")
        if name.value in fields:
            raise _error(source, name, name.value, "stands twice in one entry; keep one")
        fields[name.value] = (name, value)
    return fields


def _values(node: yaml.Node, source: str) -> dict[str, Any]:
    if not isinstance(node, yaml.MappingNode):
        raise _error(source, node, "defaults", f"expected keys and values, found {_shape(node)}")
    constructor = yaml.SafeLoader("")
    try:
        return {name: constructor.construct_object(value, deep=True) for name, (_, value) in
                _fields(node, source).items()}  # fmt: skip
    except yaml.YAMLError as error:
        raise _error(source, node, "entry", f"unreadable: {error}") from error


def _error(source: str, node: yaml.Node, key: str, why: str) -> ConfigError:
    return ConfigError(f"{source}, line {node.start_mark.line + 1}, key {key!r}: {why}")


def _shape(node: yaml.Node) -> str:
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    return "a list" if isinstance(node, yaml.SequenceNode) else "a single value"


# -- one reader a key


def _url(value: object) -> Url:
    text = value if isinstance(value, str) else repr(value)
    try:
        return canonicalize(text)
    except InvalidUrl as error:
        raise ValueError(f"{error}; {mend_address(text)}") from error


def _choice(kind: type[Mode | Render | Discovery | SiteType | BodyRetention]) -> Callable[[object], Any]:
    def read(value: object) -> Any:  # noqa: ANN401  # a member of `kind`
        names = [member.value for member in kind]
        if value not in names:
            raise ValueError(f"must be one of {', '.join(names)}, not {value!r}")
        return kind(value)

    return read


def _whole(least: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ValueError(f"must be a whole number of at least {least}, not {value!r}")
        return value

    return read


def _minutes(value: object) -> float:
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else 0
    if not 0 < number < 100_000:
        raise ValueError(f"must be a number of minutes above 0, not {value!r}")
    return float(number)


def _share(value: object) -> float:
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else -1
    if not 0 <= number <= 1:
        raise ValueError(f"must be a share from 0 (never) to 1, such as 0.05, not {value!r}")
    return float(number)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"must be text, not {value!r}")
    return value


def _flag(value: object) -> bool:
    if value is True or value is False:
        return value
    raise ValueError(f"must be true or false, not {value!r}")


def _patterns(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) and item for item in value):
        raise ValueError("must be a list of URL patterns such as ['/shop/']")
    return tuple(value)


def _retention(value: object) -> Retention:
    if not isinstance(value, Mapping) or set(value) - {"bodies", "crawls"}:
        raise ValueError("must be a mapping with the keys bodies and crawls")
    kept = Retention()
    bodies = _choice(BodyRetention)(value["bodies"]) if "bodies" in value else kept.bodies
    return Retention(bodies=bodies, crawls=_whole(1)(value["crawls"]) if "crawls" in value else kept.crawls)


def _key(value: object) -> str:
    if not isinstance(value, str) or not _KEY.fullmatch(value) or not value.strip("."):
        raise ValueError(f"must be text of letters, digits, '.', '_' and '-', not {value!r}")
    return value


_READERS: Mapping[str, Callable[[object], Any]] = {
    "key": _key, "seed_url": _url, "mode": _choice(Mode), "concurrency": _whole(1), "max_pages": _whole(0),
    "max_minutes": _minutes, "depth": _whole(0), "stop_below": _share, "render": _choice(Render),
    "discovery": _choice(Discovery), "sitemap": _url, "kind": _choice(SiteType), "author": _text, "tenant": _text,
    "llm": _flag, "include": _patterns, "exclude": _patterns, "retention": _retention,
}  # fmt: skip
_MAY_BE_NULL = frozenset({"concurrency", "sitemap", "author", "tenant"})


def _read(name: str, value: object) -> Any:  # noqa: ANN401  # of the key's own type
    reader = _READERS.get(name)
    if reader is None:
        near = difflib.get_close_matches(name, _READERS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(_READERS)}"
        raise _Bad(name, f"unknown key; {hint}")
    if value is None and name in _MAY_BE_NULL:
        return None
    try:
        return reader(value)
    except ValueError as error:
        raise _Bad(name, str(error)) from error


def _build(config: Mapping[str, Any]) -> Site:
    read: dict[str, Any] = {}
    for name, value in config.items():
        if value is not None or name not in _MAY_BE_NULL:
            read[name] = _read(name, value)
    if "seed_url" not in read:
        raise _Bad("seed_url", "missing; each site names the address where its crawl starts")
    read.setdefault("key", site_key_for(read["seed_url"]))
    return Site(**read)
