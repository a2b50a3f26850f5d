"""Feeds and sitemaps, told by URL and by media type: they serve readers and crawlers, and are no pages."""

import re

from arborist_pipeline.core.web.url import path_and_query

FEED_TYPES = frozenset({
    "application/atom+xml", "application/rss+xml", "application/rdf+xml", "application/feed+json", "application/rdf",
    "application/x-rss+xml", "application/xml", "text/xml", "text/rss", "text/rss+xml", "text/atom",
})  # fmt: skip

_FORMS = "(?:atom|rdf|rss|rss2|json)"
_FEED_PATH = re.compile(
    rf"""
    \.(?:atom|rss|rss2|rdf)$                                     # Shopify, MediaWiki, forums
    | /feeds?/?$ | /feeds?/{_FORMS}/?$ | /(?:rss2?|atom)/?$      # WordPress, Ghost, Drupal
    | /feeds/(?:posts|comments)/                                 # Blogger
    | /(?:feed|rss2?|atom)\.(?:xml|json|php)$ | /index\.(?:xml|rdf)$   # static site generators
    | /wp-(?:rss2?|rdf|atom|feed|commentsrss2)\.php$             # WordPress before permalinks
    """,
    re.VERBOSE,
)
# `feed` as the name of a category is a page, say, in a shop for farmers.
_CATEGORY_PATH = re.compile(
    r"/(?:c|category|categories|collections?|departments?|products?|product-category|shop)/[^/]+/?$"
)
_FEED_QUERY = re.compile(rf"[?&](?:feed=(?:comments-)?{_FORMS}|format=feed|(?:alt|format)=(?:rss|atom))(?:&|$)")
_SITEMAP_NAME = re.compile(r"/[^/]*sitemap[^/]*\.(?:xml|txt)(?:\.gz)?$|/sitemaps?/[^?]*\.(?:xml|txt)(?:\.gz)?$")


def looks_like_feed_url(url: str) -> bool:
    """Whether a canonical URL names an Atom, RSS, RDF or JSON feed, by the conventions of common software."""
    target = path_and_query(url).lower()
    has_part = "feed" in target or "rss" in target or "atom" in target or "rdf" in target or "index.xml" in target
    if not has_part:  # nearly every URL: each of the patterns has one of these
        return False
    path, mark, query = target.partition("?")
    if mark and _FEED_QUERY.search(mark + query):
        return True
    if _FEED_PATH.search(path) is None:
        return False
    return "." in path.rsplit("/", 1)[1] or _CATEGORY_PATH.search(path) is None


def looks_like_sitemap_url(url: str) -> bool:
    """Whether a canonical URL names a sitemap file: sitemap*.xml, sitemaps/*.xml, .txt and .gz forms of them."""
    target = path_and_query(url).lower()
    return "sitemap" in target and _SITEMAP_NAME.search(target.split("?", 1)[0]) is not None


def is_feed_type(content_type: str) -> bool:
    """Whether a media type (with or without parameters) is that of a feed or of XML that is no page; XHTML is HTML."""
    return content_type.split(";", 1)[0].strip().lower() in FEED_TYPES
