"""What a form lets a buyer choose."""

import pytest

from arborist_pipeline.core.products.choices import read_selects


def choices(page_of, html):
    return [
        (choice.key, choice.name, list(choice.values.values()), choice.selected, sorted(choice.sold_out))
        for root in page_of(html).tree.roots
        for choice in read_selects(root)
    ]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (
            '<label for="s">Size:</label><select id="s" name="size"><option>S<option selected>M</select>',
            [("size", "Size", ["S", "M"], "M", [])],
        ),
        (
            '<h4>Size:</h4><div><select name="a$b$Choices"><option value="1">S</select></div>',
            [("Choices", "Size", ["S"], None, [])],
        ),
        (
            '<select name="attribute_pa_shoe-size"><option>41</select>',
            [("attribute_pa_shoe-size", "shoe size", ["41"], None, [])],
        ),
        (
            '<select name="size"><option value="">Choose<option value="0">Select a size<option>S</select>',
            [("size", "size", ["S"], None, [])],
        ),
        (
            '<select name="size"><option>S (+ $2)<option>M [Low Stock]<option>L - sold out<option disabled>X</select>',
            [("size", "size", ["S", "M", "L", "X"], None, ["L - sold out", "X"])],
        ),
        (
            "<label>Fit: <select name=fit><option>S<option>M</select></label>",
            [("fit", "Fit", ["S", "M"], None, [])],
        ),
        (
            "<label><b>Shoe</b> size <select name=a><option>41</select> (EU)</label>",
            [("a", "Shoe size", ["41"], None, [])],
        ),
        ('<select name="qty"><option>1<option>2</select>', []),
        ('<select name="country"><option>Chad</select>', []),
        ('<select name="size"></select>', []),
    ],
)
def test_a_select_gives_its_name_and_values(page_of, html, found):
    assert choices(page_of, html) == found
