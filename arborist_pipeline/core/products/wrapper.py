"""A wrapper learned from a site's own pages: where its templates show which fact, told by the pages that are sure.

On a sure page sources agree: mark-up names a value and the page shows it, or the visible reader alone finds it on many
pages in one place. Where most sure pages of a template show a fact in the same place, that place is read on pages of
the template that lack the fact, or that only a weak source has it from. A wrapper says nothing of what a page is: no
page without a product gets one, and what mark-up says stands, with the disagreement noted as a conflict.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from arborist_pipeline.core.products.availability import find_stock_words
from arborist_pipeline.core.products.extract import Reading
from arborist_pipeline.core.products.model_lesson import Lesson, Place, apply_lesson, build_lesson
from arborist_pipeline.core.products.model_question import element_path, subject_places
from arborist_pipeline.core.products.product import Conflict, FieldSource, Product
from arborist_pipeline.core.products.text import is_alike, words_of
from arborist_pipeline.core.products.tier import Draft, Found

WRAPPER = "wrapper-v1"
"""Names the rules by which places are learned; a change of what they give is a new name."""
TIER = "wrapper"
FIELDS = ("name", "price", "availability", "sku", "brand")
MAX_PAGES = 40
MAX_TEMPLATES = 60
_ENOUGH = 6
_MARKED, _SEEN = 2, 1  # points of a page where mark-up agrees with what is shown, and of one that only shows it
_SHARE = 0.9
_WEAK = frozenset(("visible", "embedded", "address", "prose"))
_MAX_STOCK_TEXT = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What one page teaches: its template, where it shows which value, and how many points speak for each."""

    template: str
    lesson: Lesson
    values: Mapping[str, str]
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """The places of a template; of each field on how many pages it was seen there, and whether mark-up bore it out."""

    lesson: Lesson
    pages: Mapping[str, int]
    proven: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapper:
    """What is known of the templates of one site, by their names."""

    templates: Mapping[str, Template]
    version: str = WRAPPER


def leaves_open(product: Product | None) -> bool:
    """Whether a wrapper might add to a product: a fact is lacking, or only the visible reader has it."""
    return product is not None and any(
        getattr(product, name) is None or _is_weak(product, name) for name in FIELDS if name != "name"
    )


def build_sample(reading: Reading) -> Sample | None:
    """Return what a page teaches; None for one that is no product's page or shows no value that is sure."""
    product = reading.product
    if product is None:
        return None
    disputed = {conflict.field for conflict in product.conflicts}
    found: dict[str, Any] = {}
    for name in FIELDS:
        shown = _shown(name, product, reading) if name not in disputed else None
        if shown is not None:
            found[name] = shown
    if not found:
        return None
    points = {name: _SEEN if _is_weak(product, name) else _MARKED for name in found}
    return Sample(
        template=_template_of(reading),
        lesson=build_lesson(Draft(tier=TIER, **found), reading.evidence),
        values={name: str(each.value) for name, each in found.items()},
        points=points,
    )


def _template_of(reading: Reading) -> str:
    """Return what pages of one template have in common: the path of the element that names the subject."""
    heading = reading.evidence.view.heading
    return element_path(heading.element) if heading is not None else ""


def _shown(name: str, product: Product, reading: Reading) -> Found[Any] | None:
    """Return a value of a product with the text of the page that shows it; None where none does."""
    value, evidence = getattr(product, name), reading.evidence
    if value is None:
        return None
    if name == "price":
        seen = (each for each in evidence.view.own if each.money.amount == value and not each.is_struck)
        return next((Found(value, "", each.text) for each in seen), None)
    texts = [evidence.scan.texts[at] for at in subject_places(evidence)]
    if name == "availability":
        said = find_stock_words([text if len(text) <= _MAX_STOCK_TEXT else "" for text in texts])
        return next((Found(value, "", texts[place]) for place, stock in said if stock == value), None)
    return Found(value, "", value) if any(value in text for text in texts) else None


def build_wrapper(samples: Iterable[Sample]) -> Wrapper:
    """Build the wrapper of a site from what its pages teach, in their order; templates with no sure place are left out.

    Of a template the first 40 pages count, of a site the first 60 templates.
    """
    by_template: defaultdict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.template in by_template or len(by_template) < MAX_TEMPLATES:
            by_template[sample.template].append(sample)
    built = ((name, _build_template(found[:MAX_PAGES])) for name, found in by_template.items())
    return Wrapper(templates={name: template for name, template in built if template is not None})


def _build_template(samples: list[Sample]) -> Template | None:
    places: dict[str, Place] = {}
    pages: dict[str, int] = {}
    for field in FIELDS:
        having = [sample for sample in samples if field in sample.lesson.places]
        most = Counter(sample.lesson.places[field] for sample in having).most_common(1)
        if not most or most[0][1] < _SHARE * len(having):
            continue
        same = [sample for sample in having if sample.lesson.places[field] == most[0][0]]
        is_told_apart = field == "availability" or len({sample.values[field] for sample in same}) > 1
        if is_told_apart and sum(sample.points[field] for sample in same) >= _ENOUGH:
            places[field], pages[field] = most[0][0], len(same)
    if not places:
        return None
    marked = Counter(field for sample in samples for field, points in sample.points.items() if points == _MARKED)
    proven = {field for field in places if marked[field] * 2 > pages[field]}
    lesson = Lesson(is_product_page=True, places=places, meanings=_meanings(samples))
    return Template(lesson=lesson, pages=pages, proven=frozenset(proven))


def _meanings(samples: Iterable[Sample]) -> dict[str, str]:
    """Return what words mean on all pages that have them."""
    said: defaultdict[str, set[str]] = defaultdict(set)
    for sample in samples:
        for words, value in sample.lesson.meanings.items():
            said[words].add(value)
    return {words: next(iter(values)) for words, values in said.items() if len(values) == 1}


def apply_wrapper(wrapper: Wrapper, reading: Reading) -> Product | None:
    """Return the product of a page, completed by what its template shows in known places; None where it has none.

    A fact from mark-up stands; one that only a weak source has gives way where mark-up bore the place out on others.
    """
    product = reading.product
    template = wrapper.templates.get(_template_of(reading)) if product is not None else None
    draft = apply_lesson(template.lesson, reading.evidence) if template is not None else None
    if product is None or template is None or draft is None:
        return product
    values: dict[str, Any] = {}
    sources, conflicts = dict(product.sources), list(product.conflicts)
    for name in (*FIELDS, "currency"):
        found, held = getattr(draft, name), getattr(product, name)
        if found is None or (name == "currency" and values.get("price") is None):
            continue
        if held is not None and _is_same(found.value, held):
            continue
        if held is not None and not (name in template.proven and _is_weak(product, name)):
            conflicts.append(_conflict(name, taken=held, other=found.value, tier=TIER))
            continue
        if held is not None:
            conflicts.append(_conflict(name, taken=found.value, other=held, tier=product.sources[name].tier))
        values[name] = found.value
        seen = template.pages.get(name, template.pages.get("price", 0))
        sources[name] = FieldSource(tier=TIER, where=f"{found.where} ({WRAPPER}, {seen} pages)", raw=found.raw[:200])
    return replace(product, **values, sources=sources, conflicts=tuple(conflicts))


def _conflict(name: str, *, taken: object, other: object, tier: str) -> Conflict:
    return Conflict(field=name, taken=str(taken)[:200], other=str(other)[:200], tier=tier)


def _is_weak(product: Product, name: str) -> bool:
    return name not in product.sources or product.sources[name].tier in _WEAK


def _is_same(one: object, two: object) -> bool:
    if isinstance(one, str) and isinstance(two, str):
        return words_of(one) == words_of(two) or is_alike(one, two)
    return one == two
