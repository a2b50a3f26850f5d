"""What a form lets a buyer choose: its selects and radio groups, with the names a reader sees."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from arborist_pipeline.core.products.availability import parse_stock_words
from arborist_pipeline.core.products.text import fold_text
from arborist_pipeline.core.web.html import inline_text

MAX_OPTIONS = 300
_NOT_A_CHOICE = re.compile(
    r"qty|quantit|menge|country|currency|language|sort|page|search|rating|wishlist|store|state|month|year|day"
)
_PROMPT = re.compile(
    r"^(?:-+|select|choose|please|wähle|bitte|choisi|seleziona|scegli|selec|elige|wybierz|vyber|zvol|välj|vælg|velg|kies|valitse|выбер"
    r"|выбер|option wählen|auswahl|pick|none$|--)"
)
_STOCK_TAIL = re.compile(r"\s*(?:[\[(][^\[\]()]{0,40}[\])]|-\s[^-]{0,40})$")
_NAMING = frozenset(("h3", "h4", "h5", "h6", "p", "span", "b", "strong", "div", "dt", "th", "td", "legend"))
_PRICE_TAIL = re.compile(r"\s*[\[(]?\s*[+\-]\s?[^\w\s]?\s?\d[\d.,]*[^\w\s]?\s*\w{0,3}[\])]?\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One thing to choose: the key the form sends, the name a reader sees, values by what is sent, the selected one."""

    key: str
    name: str
    values: dict[str, str]
    selected: str | None = None
    sold_out: frozenset[str] = frozenset()


def read_selects(root: etree._Element, *, only: etree._Element | None = None) -> list[Choice]:
    """Return the selects below an element (or the one given) that choose between forms of a product.

    Selects of quantities, countries and the like are left out.
    """
    found: list[Choice] = []
    for select in root.iter("select") if only is None else (only,):
        key = select.get("name") or select.get("id") or ""
        key = re.split(r"[$:.]", key)[-1]
        name = _label(select) or _plain_name(key)
        if _NOT_A_CHOICE.search(key.lower()) or _NOT_A_CHOICE.search(name.lower()):
            continue
        values: dict[str, str] = {}
        selected: str | None = None
        sold_out: set[str] = set()
        for option in list(select.iter("option"))[:MAX_OPTIONS]:
            text = inline_text(option)
            value = (option.get("value") if option.get("value") is not None else text) or ""
            if not value or not text or _PROMPT.match(text.lower()):
                continue
            plain = _STOCK_TAIL.sub("", _PRICE_TAIL.sub("", text)) or text
            values[value] = plain
            if parse_stock_words(text[len(plain) :]) == "OutOfStock":
                sold_out.add(value)
            if option.get("selected") is not None:
                selected = value
            if option.get("disabled") is not None:
                sold_out.add(value)
        if values:
            found.append(Choice(key=key, name=name, values=values, selected=selected, sold_out=frozenset(sold_out)))
    return found


def _label(element: etree._Element) -> str:
    """Return the label of a control: by `for`, around it, by aria-label, or the label that stands before it."""
    identity = element.get("id")
    said = element.get("aria-label") or element.get("data-attribute_label") or ""
    node = element.getparent()
    for _ in range(4):
        if node is None or said:
            break
        for label in _labels(node):
            if (identity and label.get("for") == identity) or not label.get("for"):
                said = said or _label_text(label)
        node = node.getparent()
    return fold_text(said or _text_before(element)).strip(" :*")[:60]


def _label_text(label: etree._Element) -> str:
    """Return what a label says before the control that it may hold."""
    held = next(label.iter("select", "input"), None)
    if held is None:
        return inline_text(label)
    pieces: list[str] = []
    for event, element in etree.iterwalk(label, events=("start", "end")):
        if element is held:
            break
        pieces.append((element.text if event == "start" else element.tail) or "")
    return " ".join("".join(pieces).split())


def _text_before(element: etree._Element) -> str:
    """Return the short text of the element that stands before a control or before the boxes around it."""
    node: etree._Element | None = element
    for _ in range(4):
        previous = node.getprevious() if node is not None else None
        if previous is not None and isinstance(previous.tag, str):
            text = inline_text(previous) if previous.tag in _NAMING else ""
            return text if 2 <= len(text) <= 30 else ""
        node = node.getparent() if node is not None else None
    return ""


def _labels(node: etree._Element) -> Iterator[etree._Element]:
    for place, label in enumerate(node.iter("label", "dt", "th")):
        if place > 12:
            return
        yield label


def _plain_name(key: str) -> str:
    name = re.sub(r"^(?:attribute_(?:pa_)?|id\[|options?\[|group\[|super_attribute\[)|\]$", "", key)
    return name.replace("_", " ").replace("-", " ").strip()
