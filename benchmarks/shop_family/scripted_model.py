"""A model that tells products' links from others by what is true of the shop, and is wrong about one in twenty."""

import json
import re

from arborist_pipeline.core.prompt import CallOutcome, Prompt, Reply
from arborist_pipeline.core.web.url import canonicalize
from benchmarks.shop_family.catalogue import dice_of
from benchmarks.shop_family.network import ShopSite
from benchmarks.shop_family.policies import RIGHT

_LINE = re.compile(r'^(\d+) (\[".*\])$', re.MULTILINE)


class ScriptedModel:
    """A LanguageModel for one shop. Its errors are of addresses: asked twice of one it says the same."""

    name = "scripted"

    def __init__(self, site: ShopSite) -> None:
        self.site = site
        self.prompts: list[Prompt] = []

    def ask(self, prompt: Prompt) -> Reply:
        """Answer a question that numbers links, a JSON list of address and text each, with those of products."""
        self.prompts.append(prompt)
        shown = [(int(number), str(json.loads(link)[0])) for number, link in _LINE.findall(prompt.user)]
        named = [number for number, url in shown if self._says_product(url)]
        return Reply(outcome=CallOutcome.OK, text=json.dumps({"product": named}))

    def _says_product(self, url: str) -> bool:
        is_right = dice_of(self.site.shop.name, "model", url).random() < RIGHT
        return (self.site.good_at(canonicalize(url)) is not None) is is_right
