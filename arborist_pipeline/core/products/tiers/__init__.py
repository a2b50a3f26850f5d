"""The kinds of evidence, in reading order. A new one is a new file and a line here."""

from arborist_pipeline.core.products.tier import Tier
from arborist_pipeline.core.products.tiers.address import read_address
from arborist_pipeline.core.products.tiers.embedded import read_embedded
from arborist_pipeline.core.products.tiers.form import read_form
from arborist_pipeline.core.products.tiers.jsonld import read_jsonld
from arborist_pipeline.core.products.tiers.microdata import read_microdata
from arborist_pipeline.core.products.tiers.opengraph import read_opengraph
from arborist_pipeline.core.products.tiers.prose import read_prose
from arborist_pipeline.core.products.tiers.siblings import read_siblings
from arborist_pipeline.core.products.tiers.visible import read_visible

TELLING: tuple[Tier, ...] = (read_jsonld, read_microdata, read_opengraph, read_visible)
"""Those that the kind of a page is judged by; the others are asked of product pages alone."""

TIERS: tuple[Tier, ...] = (*TELLING, read_form, read_siblings, read_embedded, read_address, read_prose)
