"""sites.yaml on disk: read whole, edited by the line so that a person's comments and order stay."""

from collections.abc import Mapping
from pathlib import Path

import yaml

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.crawl.site_list import parse_site_list, site_key_for
from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.web.url import canonicalize


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
        url = canonicalize(seed_url)
        entry = f"  - key: {key or site_key_for(url)}\n    seed_url: {url}\n"
        entry += "".join(f"    {name}: {value}\n" for name, value in (settings or {}).items())
        text = self._text() if self.exists else ""
        if not text.strip():
            text = "sites:\n"
        end = _end_of_list(text, str(self.path))
        lines = text.splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        changed = "".join([*lines[:end], _indented_like(text, entry), *lines[end:]])
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
        nodes = _listed(text, str(self.path)).value
        start = nodes[index].start_mark.line
        end = nodes[index + 1].start_mark.line if index + 1 < len(nodes) else _end_of_list(text, str(self.path))
        lines = text.splitlines(keepends=True)
        del lines[start:end]
        self._write("".join(lines) if len(nodes) > 1 else "sites: []\n")
        return sites[index]

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


def _end_of_list(text: str, source: str) -> int:
    """Return the index of the line after the last entry (or after `sites:`), comments behind it left there."""
    node = _listed(text, source)
    lines = text.splitlines()
    last = node.value[-1].end_mark.line if node.value else node.start_mark.line + 1
    while last > node.start_mark.line + 1 and (last > len(lines) or not lines[last - 1].strip()):
        last -= 1
    return min(last, len(lines))


def _indented_like(text: str, entry: str) -> str:
    """Indent a new entry as the first one of the list is."""
    nodes = _listed(text, "").value if text.strip() else []
    if not nodes:
        return entry
    dash = text.splitlines()[nodes[0].start_mark.line].find("-")
    return "".join(" " * max(dash, 0) + line[2:] for line in entry.splitlines(keepends=True))
