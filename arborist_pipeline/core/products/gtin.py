"""Global trade item numbers, known by their check digit.

GTIN-8, -12 (UPC), -13 (EAN, ISBN-13) and -14 by GS1 General Specifications §7.9; an ISBN-10 (ISO 2108) stands for the
GTIN-13 with prefix 978.
"""

import re

_SEPARATORS = re.compile(r"[\s\-\u2010-\u2015]")


def parse_gtin(text: object) -> str | None:
    """Return the digits of a GTIN whose check digit is right; None for anything else. Total."""
    if isinstance(text, bool) or not isinstance(text, str | int):
        return None
    digits = _SEPARATORS.sub("", str(text)[:40]).upper().removeprefix("ISBN").removeprefix("EAN").lstrip(":")
    if len(digits) == 10 and digits[:9].isdecimal() and digits.isascii() and _is_isbn10(digits):
        body = "978" + digits[:9]
        return body + _check_digit(body)
    if not (digits.isascii() and digits.isdecimal()) or len(digits) not in (8, 12, 13, 14) or not digits.strip("0"):
        return None
    return digits if _check_digit(digits[:-1]) == digits[-1] else None


def _check_digit(body: str) -> str:
    total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(body)))
    return str(-total % 10)


def _is_isbn10(digits: str) -> bool:
    if digits[9] not in "0123456789X":
        return False
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum(value * (10 - place) for place, value in enumerate(values)) % 11 == 0
