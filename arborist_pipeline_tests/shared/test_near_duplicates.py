"""Labelled pairs of pages, told apart by the store's hashes alone: equal roots, equal main roots, shared leaves."""

import json
from collections import Counter, defaultdict

import pytest

from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.report.overlap import content_characters, frame_lines
from arborist_pipeline_tests.adapters.stores.conftest import SITE, rows, visit
from arborist_pipeline_tests.support.builders import NOON

EXCERPTS_OF_NO_WHOLE_LEAF = {"d03-excerpt", "d11-excerpt", "d13-excerpt"}
"""Such an excerpt begins and ends within leaves: only a look at its lines would tell it."""


@pytest.mark.shared
def test_every_pair_has_its_relation_or_is_listed(shared):
    folder = shared / "conformance" / "near-duplicates"
    pages = [json.loads(line) for line in (folder / "pages.jsonl").read_text().splitlines()]
    pairs = [json.loads(line) for line in (folder / "pairs.jsonl").read_text().splitlines()]
    store = open_store("sqlite://")
    store.sites.put_site(SITE, NOON)
    visit(store, {f"/{page['id']}": page["html"] for page in pages}, ingest=True)
    found = rows(store, "SELECT document_uri, document_root, main_root FROM documents")
    roots = {uri.rsplit("/", 1)[1]: (root, main_root) for uri, root, main_root in found}
    leaves = defaultdict(set)
    for root, text in rows(store, "SELECT document_root, text FROM document_chunks NATURAL JOIN chunks"):
        leaves[root].add(text)
    store.close()
    frame = frame_lines(["\n".join(sorted(leaves[roots[name][0]])) for name in roots if name.endswith("-base")])

    def relation(one, other):
        if roots[one][0] == roots[other][0]:
            return "same root"
        if roots[one][1] == roots[other][1]:
            return "same main root"
        shared_leaves = leaves[roots[one][0]] & leaves[roots[other][0]]
        return "shared leaf" if any(content_characters(text, frame) for text in shared_leaves) else "nothing"

    counts = defaultdict(Counter)
    for pair in pairs:
        told = relation(pair["a"], pair["b"])
        if pair["b"] in EXCERPTS_OF_NO_WHOLE_LEAF:
            assert told == "nothing", pair
            continue
        counts[pair["relation"], "chrome" in pair["b"]][told] += 1
    assert counts == {
        ("same_root", False): {"same root": 96},
        ("same_root", True): {"same main root": 16},
        ("near", False): {"shared leaf": 48},
        ("partial", False): {"shared leaf": 29},
        ("different_root", False): {"nothing": 16},
        ("distinct", False): {"nothing": 28},
    }
