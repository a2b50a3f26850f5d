"""Pictures, feed, PDF, robots.txt and sitemap: what a shop serves beside its HTML."""

import struct
import zlib
from datetime import datetime
from email.utils import format_datetime
from html import escape

from examples.demo_shop.articles import POSTS
from examples.demo_shop.catalogue import Item
from examples.demo_shop.dice import Dice
from examples.demo_shop.faults import FORBIDDEN_RULES
from examples.demo_shop.house_pages import post_paragraphs
from examples.demo_shop.layout import SHOP
from examples.demo_shop.markup import ORIGIN

_INKS = ("#2f5d46", "#a3402a", "#b98b2f", "#41607a", "#6b4a63", "#7a7059", "#8a9a5b", "#37474f")
_GROUNDS = ("#f1ece0", "#e8eee6", "#f3e7df", "#e6ebf0", "#efe8ef")


def product_picture(dice: Dice, item: Item) -> str:
    """Return a drawing of a product, an SVG of its own colours and shapes."""
    ask = f"picture/{item.number}"
    ink, second = dice.sample(f"{ask}/ink", _INKS, 2)
    ground = dice.pick(f"{ask}/ground", _GROUNDS)
    wide, tall = dice.number(f"{ask}/wide", 70, 150), dice.number(f"{ask}/tall", 70, 170)
    left, bend = 120 - wide // 2, dice.number(f"{ask}/bend", 4, 60)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" role="img"><title>{escape(item.name)}</title>'
        f'<rect width="240" height="240" fill="{ground}"/>'
        f'<ellipse cx="120" cy="206" rx="{wide // 2 + 14}" ry="9" fill="#00000018"/>'
        f'<rect x="{left}" y="{205 - tall}" width="{wide}" height="{tall}" rx="{bend}" fill="{ink}"/>'
        f'<rect x="{left}" y="{205 - tall * 2 // 3}" width="{wide}" height="{tall // 9}" fill="{second}"/>'
        f"</svg>"
    )


def detail_picture(dice: Dice, item: Item) -> bytes:
    """Return a small PNG of one colour (PNG specification, third edition: IHDR, IDAT, IEND)."""
    ink = dice.pick(f"picture/{item.number}/detail", _INKS)
    pixel = bytes.fromhex(ink[1:])
    rows = (b"\x00" + pixel * 8) * 8
    header = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def size_guide_pdf() -> bytes:
    """Return a PDF of one page that says what it is (ISO 32000-1 §7.5: body, cross-reference table, trailer)."""
    text = b"BT /F1 24 Tf 72 720 Td (Size guide) Tj ET"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 %s >> >> >>"
        % font,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text),
    )
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return body + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (size, table, size, len(body))
    )


def journal_feed(dice: Dice) -> str:
    """Return the journal as RSS 2.0."""
    items = "\n".join(
        f"<item><title>{escape(post.title)}</title><link>{ORIGIN}{post.path}</link><guid>{ORIGIN}{post.path}</guid>"
        f"<pubDate>{format_datetime(datetime.fromisoformat(f'{post.published}T08:00:00+00:00'))}</pubDate>"
        f"<description>{escape(post_paragraphs(dice, post, rewritten=False)[0])}</description></item>"
        for post in POSTS
    )
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>{SHOP} Journal</title>\n'
        f"<link>{ORIGIN}/blog</link><description>Notes from the counter</description>\n{items}\n</channel></rss>\n"
    )


def robots_txt() -> str:
    """Return the rules for all robots, and where the sitemap is. The short delay suits a shop on one's own machine."""
    rules = "\n".join(f"Disallow: {rule}" for rule in FORBIDDEN_RULES)
    return f"User-agent: *\n{rules}\nCrawl-delay: 0.1\n\nSitemap: {ORIGIN}/sitemap.xml\n"


def sitemap_xml(entries: tuple[tuple[str, datetime], ...]) -> str:
    """Return a sitemap (sitemaps.org 0.9) of (path and query, last change) entries."""
    urls = "\n".join(
        f"<url><loc>{ORIGIN}{escape(path)}</loc><lastmod>{changed:%Y-%m-%dT%H:%M:%SZ}</lastmod></url>"
        for path, changed in entries
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}\n</urlset>\n'
    )
