"""sites.yaml on disk: read whole, edited by the line so that a person's comments and order stay."""

from collections.abc import Mapping
from pathlib import Path

import yaml

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.crawl.site_faults import find_address_fault, mend_address
from arborist_pipeline.core.crawl.site_list import parse_site_list, site_key_for
from arborist_pipeline.core.errors import ConfigError, InvalidUrl
from arborist_pipeline.core.web.url import canonicalize, redact


class SiteListFile:
    """The first site list that exists of some places; `max_pages` is the budget of sites that name none."""

    def __init__(self, places: tuple[str, ...], *, max_pages: int = 60) -> None:
        self._max_pages = max_pages
        found = [path for place in places if (path := Path(place).expanduser()).exists()]
        self.exists = bool(found)
        self.path = found[0] if found else Path(places[0]).expanduser()

    def load(self) -> tuple[Site, ...]:
        """Return the listed sites. Raises ConfigError where the file is missing, unreadable or wrong."""
        if not self.exists:
            raise ConfigError(f"there is no site list at {self.path}: make one with arborist sites add URL, "
                              "or name one with ARBORIST_SITES")  # fmt: skip
        return parse_site_list(self._text(), source=str(self.path), max_pages=self._max_pages)

    def add(self, seed_url: str, *, key: str | None = None, settings: Mapping[str, str | int] | None = None) -> Site:
        """Append an entry and return it; `key` None is the URL's default key.

        Raises ConfigError or InvalidUrl; then nothing is written.
        """
        try:
            url = canonicalize(seed_url)
        except InvalidUrl as error:
            raise InvalidUrl(f"{error}; {mend_address(seed_url)}") from error
        fault = find_address_fault(seed_url)
        if fault is not None:
            raise ConfigError(f"{redact(seed_url)!r} {fault}")
        entry = f"  - key: {_plain(key or site_key_for(url))}\n    seed_url: {url}\n"
        entry += "".join(f"    {name}: {value}\n" for name, value in (settings or {}).items())
        text = self._text() if self.exists else ""
        if not text.strip():
            text = "sites:\n"
        lines = _lines(text)
        node = _listed("".join(lines), str(self.path))
        if node.flow_style and node.value:
            raise self._by_hand()
        if node.flow_style:  # `sites: []`: the brackets make room for entries below
            lines[node.start_mark.line] = lines[node.start_mark.line].replace("[]", "", 1).rstrip() + "\n"
        end = _end_of_list(node, lines)
        changed = "".join([*lines[:end], _indented_like(node, lines, entry), *lines[end:]])
        sites = parse_site_list(changed, source=str(self.path), max_pages=self._max_pages)
        self._write(changed)
        return next(site for site in sites if site.seed_url == url)

    def remove(self, key: str) -> Site:
        """Take an entry out and return it. Raises ConfigError where no entry has the key; then nothing is written."""
        sites = self.load()
        index = next((place for place, site in enumerate(sites) if site.key == key), None)
        if index is None:
            known = ", ".join(site.key for site in sites)
            raise ConfigError(f"{self.path} has no site with the key {key!r}; it has: {known}")
        text = self._text()
        lines = _lines(text)
        node = _listed("".join(lines), str(self.path))
        if node.flow_style:
            raise self._by_hand()
        start = node.value[index].start_mark.line
        end = node.value[index + 1].start_mark.line if index + 1 < len(sites) else _end_of_list(node, lines)
        while end > start + 1 and _is_remark(lines[end - 1]):
            end -= 1  # what stands above the next entry is about that one
        del lines[start:end]
        if len(sites) == 1:
            top = max((number for number in range(start) if lines[number].startswith("sites:")), default=0)
            lines[top] = lines[top].replace("sites:", "sites: []", 1)
        changed = "".join(lines)
        if parse_site_list(changed, source=str(self.path), max_pages=self._max_pages) != _without(sites, index):
            raise self._by_hand()
        self._write(changed)
        return sites[index]

    def _by_hand(self) -> ConfigError:
        return ConfigError(f"{self.path}: its 'sites' list is not written one setting a line; edit it by hand")

    def _text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ConfigError(f"{self.path} is not UTF-8 text: save it as UTF-8") from error
        except OSError as error:
            raise ConfigError(f"{self.path} cannot be read: {error.strerror}") from error

    def _write(self, text: str) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part = self.path.with_name(self.path.name + ".part")
            part.write_text(text, encoding="utf-8")
            part.replace(self.path)
        except OSError as error:
            raise ConfigError(f"{self.path} cannot be written: {error.strerror}") from error
        self.exists = True


def _listed(text: str, source: str) -> yaml.SequenceNode:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise ConfigError(f"{source}: this is not YAML; mend it before it is edited") from error
    if isinstance(root, yaml.MappingNode):
        for name, value in root.value:
            if name.value == "sites":
                if isinstance(value, yaml.SequenceNode):
                    return value
                return yaml.SequenceNode("", [], start_mark=name.start_mark, end_mark=name.end_mark)
    raise ConfigError(f"{source}: it has no 'sites:' list to add to")


def _lines(text: str) -> list[str]:
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return lines


def _without(sites: tuple[Site, ...], index: int) -> tuple[Site, ...]:
    return (*sites[:index], *sites[index + 1 :])


def _plain(key: str) -> str:
    """Quote a key that YAML would read as something else than text (`no`, `7`)."""
    return key if isinstance(yaml.safe_load(key), str) else f"'{key}'"


def _end_of_list(node: yaml.SequenceNode, lines: list[str]) -> int:
    """Return the index of the line after the last entry (or after `sites:`), comments behind it left there."""
    last = node.value[-1].end_mark.line if node.value else node.start_mark.line + 1
    while last > node.start_mark.line + 1 and (last > len(lines) or _is_remark(lines[last - 1])):
        last -= 1
    return min(last, len(lines))


def _is_remark(line: str) -> bool:
    return line.lstrip()[:1] in ("", "#")


def _indented_like(node: yaml.SequenceNode, lines: list[str], entry: str) -> str:
    """Indent a new entry as the first one of the list is."""
    if not node.value:
        return entry
    dash = lines[node.value[0].start_mark.line].find("-")
    return "".join(" " * max(dash, 0) + line[2:] for line in entry.splitlines(keepends=True))
