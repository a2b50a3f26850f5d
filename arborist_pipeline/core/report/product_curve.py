"""How fast a crawl finds products: the products found against the pages asked for, drawn as an SVG.

Each rise has the colour of the tier that put its pages where they came. The picture stands on a ground of its own, so
that it can be read wherever it is shown; the ground is dark where the viewer asks for dark colours.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from arborist_pipeline.core.crawl.records import Tier

MAX_SPANS = 240
"""Parts of a curve: more could not be told apart in a picture of this width."""

COLOURS: Mapping[Tier | None, str] = {
    Tier.SEED: "#8a5be0",
    Tier.REGEX: "#2277dd",
    Tier.PLATFORM: "#c2298a",
    Tier.LEARNED: "#1e8f4e",
    Tier.LLM: "#d8500c",
    Tier.ORDER: "#a07a00",
    None: "#858b94",
}
"""Of what each tier found, None: of pages without a product. All stand out from both grounds (WCAG 2.2, 1.4.11)."""
LIGHT, DARK = "#ffffff", "#171b22"
"""The grounds."""

_WIDTH, _HEIGHT = 720, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 696, 66, 276
_STEPS = (1, 2, 5)


class Span(NamedTuple):
    """A part of the curve: from one order to the next drawn, the products found until each, what found most of them."""

    start: int
    end: int
    before: int
    after: int
    tier: Tier | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductCurve:
    """The curve and how many products each tier found, most first."""

    spans: tuple[Span, ...]
    by_tier: Mapping[Tier, int]


def build_curve(found: Mapping[int, Tier | None]) -> ProductCurve:
    """Build the curve of a crawl from its requests by order: the tier of a page with a product, None of another.

    Long crawls are drawn in 240 spans at most, each of which has the colour of the tier that found most of it.
    """
    orders = sorted(found)
    at_once = max(1, -(-len(orders) // MAX_SPANS))
    spans: list[Span] = []
    start, before = (orders[0] - 1 if orders else 0), 0
    for first in range(0, len(orders), at_once):
        part = orders[first : first + at_once]
        counts = Counter(tier for tier in map(found.__getitem__, part) if tier is not None)
        most = next(iter(counts.most_common(1)), (None, 0))[0]
        spans.append(Span(start, part[-1], before, before + counts.total(), most))
        start, before = part[-1], spans[-1].after
    totals = Counter(tier for tier in found.values() if tier is not None)
    return ProductCurve(spans=tuple(spans), by_tier=dict(totals.most_common()))


def draw_curve(curve: ProductCurve) -> str:
    """Return the curve as a whole SVG document with axes and legend; without spans the axes alone."""
    first = curve.spans[0].start if curve.spans else 0
    last = curve.spans[-1].end if curve.spans else 1
    most = max(1, curve.spans[-1].after if curve.spans else 0)
    scale = _Scale(first, last, most)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="12">'
        f"<style>.ground{{fill:{LIGHT};stroke:#d0d4da}}text{{fill:#2b3038}}.grid{{stroke:#e4e7eb}}"
        f"@media(prefers-color-scheme:dark){{.ground{{fill:{DARK};stroke:#3a414c}}text{{fill:#e3e6ea}}"
        f".grid{{stroke:#2c323c}}}}</style>"
        f'<rect class="ground" x=".5" y=".5" width="{_WIDTH - 1}" height="{_HEIGHT - 1}" rx="8"/>'
        f'<text x="{_LEFT}" y="24" font-size="14" font-weight="600">Products found against pages asked for</text>'
        f"{''.join(_legend(curve))}{''.join(_axes(scale))}{''.join(_lines(curve, scale))}</svg>"
    )


class _Scale(NamedTuple):
    """From orders and products to places in the picture."""

    first: int
    last: int
    most: int

    def x(self, order: int) -> str:
        return f"{_LEFT + (order - self.first) / (self.last - self.first) * (_RIGHT - _LEFT):.1f}"

    def y(self, products: int) -> str:
        return f"{_BOTTOM - products / self.most * (_BOTTOM - _TOP):.1f}"


def _legend(curve: ProductCurve) -> Iterator[str]:
    x = _LEFT
    for tier in (*curve.by_tier, None):
        words, colour = tier or "no product", COLOURS[tier]
        yield f'<rect x="{x}" y="38" width="14" height="10" rx="2" fill="{colour}"/>'
        yield f'<text x="{x + 19}" y="47">{words}</text>'
        x += 35 + 7 * len(words)


def _axes(scale: _Scale) -> Iterator[str]:
    for products in _ticks(0, scale.most):
        y = scale.y(products)
        yield f'<path class="grid" d="M{_LEFT} {y}H{_RIGHT}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y}" dy="4" text-anchor="end">{products:,}</text>'
    for order in _ticks(scale.first, scale.last):
        yield f'<text x="{scale.x(order)}" y="{_BOTTOM + 18}" text-anchor="middle">{order:,}</text>'
    yield f'<text x="{(_LEFT + _RIGHT) // 2}" y="{_BOTTOM + 36}" text-anchor="middle">pages asked for, in order</text>'
    middle = (_TOP + _BOTTOM) // 2
    yield f'<text transform="translate(16 {middle}) rotate(-90)" text-anchor="middle">products</text>'


def _ticks(first: int, last: int) -> Iterator[int]:
    """Yield round numbers from `first` to `last`, six at most."""
    steps = (step * 10**power for power in range(12) for step in _STEPS)
    size = next(step for step in steps if (last - first) // step <= 5)
    yield from range(-(-first // size) * size, last + 1, size)


def _lines(curve: ProductCurve, scale: _Scale) -> Iterator[str]:
    """Yield a line for each run of spans of one colour."""
    yield '<g fill="none" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">'
    for tier, run in groupby(curve.spans, key=lambda span: span.tier):
        spans = list(run)
        points = [(spans[0].start, spans[0].before), *((span.end, span.after) for span in spans)]
        path = " ".join(f"{scale.x(order)},{scale.y(products)}" for order, products in points)
        yield f'<polyline points="{path}" stroke="{COLOURS[tier]}"/>'
    yield "</g>"
