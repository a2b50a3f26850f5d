"""Descriptions are grouped by what they say; variants of one product, short ones and lone ones make no group."""

import pytest

from arborist_pipeline.core.report.descriptions import MIN_CHARACTERS, group_descriptions

LONG = "A kettle of enamelled steel for two litres, made to whistle once and then to keep quiet about it for long."


@pytest.mark.parametrize(
    ("products", "groups"),
    [
        ([("/a", "", LONG), ("/b", "", LONG)], (("/a", "/b"),)),
        ([("/b", "", LONG.replace(" ", "\n ")), ("/a", "", LONG)], (("/a", "/b"),)),
        ([("/a", "", LONG), ("/b", "", LONG + " Red.")], ()),
        ([("/a", "", LONG)], ()),
        ([("/a", "g", LONG), ("/b", "g", LONG)], ()),
        ([("/a", "g", LONG), ("/b", "g", LONG), ("/c", "", LONG)], (("/a", "/c"),)),
        ([("/a", "", "x" * (MIN_CHARACTERS - 1)), ("/b", "", "x" * (MIN_CHARACTERS - 1))], ()),
        ([("/a", "", None), ("/b", "", None)], ()),
    ],
)
def test_products_are_grouped_by_description(products, groups):
    assert len(LONG) >= MIN_CHARACTERS
    assert group_descriptions(products) == groups
