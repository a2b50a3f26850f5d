"""Trade item numbers by their check digit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products.gtin import parse_gtin


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("4006381333931", "4006381333931"),
        ("400-638-133-3931", "4006381333931"),
        (4006381333931, "4006381333931"),
        ("036000291452", "036000291452"),
        ("96385074", "96385074"),
        ("00012345600012", "00012345600012"),
        ("ISBN 0-306-40615-2", "9780306406157"),
        ("080442957X", "9780804429573"),
        ("978-0-306-40615-7", "9780306406157"),
    ],
)
def test_a_number_with_a_right_check_digit_is_read(text, digits):
    assert parse_gtin(text) == digits


@pytest.mark.parametrize(
    "text",
    [
        "4006381333932",
        "036000291453",
        "0306406153",
        "00000000",
        "0000000000000",
        "123",
        "",
        "SKU-1",
        None,
        True,
        1.5,
        "\uff14\uff10\uff10\uff16381333931",
    ],
)
def test_any_other_text_is_no_trade_item_number(text):
    assert parse_gtin(text) is None


@given(st.from_regex(r"[1-9][0-9]{11}", fullmatch=True), st.integers(0, 9))
def test_one_check_digit_of_ten_is_right(body, wrong):
    good = [digit for digit in "0123456789" if parse_gtin(body + digit)]
    assert len(good) == 1
    assert (parse_gtin(body + str(wrong)) is None) == (str(wrong) != good[0])


@given(st.text(max_size=60))
def test_reading_is_total(text):
    assert parse_gtin(text) is None or parse_gtin(text).isdecimal()
