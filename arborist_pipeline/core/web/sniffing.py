"""The media type of a body that came without one, from its first bytes (MIME Sniffing Standard §7.1, in spirit)."""

SNIFFED_BYTES = 512
"""So many bytes decide; more may be given and are not looked at."""

_SIGNATURES = (
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"ID3", "audio/mpeg"),
    (b"OggS\x00", "application/ogg"),
)
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_BLANKS = b"\t\n\x0c\r "
_BINARY = bytes([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])  # §3, binary data byte


def sniff_type(start: bytes) -> str:
    """Return the media type that the start of a body gives away, "" where it may be an HTML page; total.

    Mark-up gets the benefit of the doubt, and so does text. XML that shows no html element early on is a feed or data.
    """
    start = start[:SNIFFED_BYTES]
    for magic, media_type in _SIGNATURES:
        if start.startswith(magic):
            return media_type
    marked = start.startswith(_BYTE_ORDER_MARKS)
    plain = start.removeprefix(_BYTE_ORDER_MARKS[0]).lstrip(_BLANKS) if marked else start.lstrip(_BLANKS)
    if plain.startswith(b"<?xml"):
        return "" if b"<html" in plain.lower() or b"<!doctype html" in plain.lower() else "text/xml"
    if marked or plain.startswith((b"<", b"\x00<")):  # UTF-16 without a mark begins with one or the other
        return ""
    return "application/octet-stream" if len(start.translate(None, _BINARY)) < len(start) else ""
