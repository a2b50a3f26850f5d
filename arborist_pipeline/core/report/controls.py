"""Characters that steer a terminal or turn the direction of a line, kept from doing so wherever a report is shown."""

import re

# C0 and C1 but tab and line ends, a lone carriage return, the separators of lines and paragraphs, and what embeds,
# overrides or isolates a direction (Unicode TR36 §2.6).
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\r(?!\n)")


def mask_controls(text: str) -> str:
    """Return a text for people with U+FFFD in place of each such character."""
    return _CONTROL.sub("\ufffd", text)


def escape_controls(json_text: str) -> str:
    """Return a JSON text that says the same (RFC 8259 §7), each such character written as an escape."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", json_text)
