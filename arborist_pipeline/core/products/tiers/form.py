"""The form that buys: what it lets a buyer choose, where the page has no list of variants of its own.

One select gives its values as variants. Of several only the names are known: which combinations exist is not said.
"""

import re

from arborist_pipeline.core.products.choices import Choice, read_selects
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.product import Variant
from arborist_pipeline.core.products.scan import OUTSIDE, Zone
from arborist_pipeline.core.products.tier import Draft, Found

TIER = "form"
MAX_VALUES = 80
_OPTION_NAME = re.compile(
    r"size|colou?r|größe|groesse|farbe|taille|couleur|taglia|colore|talla|tamaño|rozmiar|kolor|velikost|veľkosť|barva|farba"
    r"|méret|szín|mărime|culoare|maat|kleur|storlek|färg|størrelse|farve|koko|väri|размер|цвет|サイズ|カラー|사이즈|색상"
    r"|style|material|model|length|width|scent|fla?vou?r|option|variant|attr|group|fit|finish|pack|weight|edition|version"
)


def read_form(evidence: Evidence) -> Draft | None:
    """Return the choices of the page's form; None where there are none."""
    choices = _choices(evidence)
    if not choices:
        return None
    names = tuple(choice.name for choice in choices)
    variants = _variants(choices[0]) if len(choices) == 1 else ()
    return Draft(
        tier=TIER,
        options=Found(names, "select", ", ".join(names)),
        variants=Found(variants, f"select[name={choices[0].key}]", f"{len(variants)} options") if variants else None,
    )


def _choices(evidence: Evidence) -> list[Choice]:
    view, scan = evidence.view, evidence.scan
    found: dict[str, Choice] = {}
    for placed in scan.tagged("select"):
        parent = placed.element.getparent()
        if not view.start - 10 <= placed.at < view.related_at or parent is None:
            continue
        if scan.zone(parent) & (OUTSIDE | Zone.LINKED) or view.prices.is_in_card(parent):
            continue
        for choice in read_selects(parent, only=placed.element):
            if _OPTION_NAME.search(f"{choice.name} {choice.key}".lower()) and 2 <= len(choice.values) <= MAX_VALUES:
                found.setdefault(choice.key, choice)
    return list(found.values())[:6]


def _variants(choice: Choice) -> tuple[Variant, ...]:
    return tuple(
        Variant(
            title=label, options={choice.name: label}, availability="OutOfStock" if value in choice.sold_out else None
        )
        for value, label in choice.values.items()
    )
