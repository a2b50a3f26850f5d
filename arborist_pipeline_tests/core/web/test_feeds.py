import pytest

from arborist_pipeline.core.web.feeds import is_feed_type, looks_like_feed_url, looks_like_sitemap_url
from arborist_pipeline.core.web.url import canonicalize

SITE = "https://example.com"


@pytest.mark.parametrize(
    "path",
    """/blog.atom /collections/all.atom /news.rss /index.rdf /feed /feed/ /feeds /feeds/ /blog/feed/ /comments/feed/
    /2024/05/post/feed/ /feed/atom/ /feed/rss2 /FEED/ /rss /rss.xml /atom.xml /feed.xml /feed.json /index.xml
    /feeds/posts/default /?feed=rss2 /?p=7&feed=atom /?feed=comments-rss2 /a?format=feed&type=rss /news?alt=rss
    /wp-rss.php /wp-rss2.php /wp-rdf.php /wp-atom.php /wp-feed.php /wp-commentsrss2.php""".split(),
)
def test_feeds_are_told_by_their_usual_addresses(path):
    assert looks_like_feed_url(canonicalize(SITE + path))


@pytest.mark.parametrize(
    "path",
    """/ /feeds/autumn.html /feeder /feed-your-cat /products/feed-bucket /collections/feed /category/feed/
    /collections/feed/products/oats /feed/horses/oats.html /atoms /rss-explained.html /?feed=none /?q=feed=rss2x
    /index.php /index.html /page.xhtml /newsfeed/ /wp-content/feed.png""".split(),
)
def test_pages_that_only_sound_like_feeds_are_pages(path):
    assert not looks_like_feed_url(canonicalize(SITE + path))


@pytest.mark.parametrize(
    "path",
    """/sitemap.xml /sitemap_index.xml /sitemap-1.xml /product-sitemap2.xml /sitemap.xml.gz /sitemaps/a.xml
    /sitemaps/2024/b.xml.gz /Sitemap.XML /sitemap.txt /sitemap/en.xml /sitemap_products_1.xml?from=1&to=9""".split(),
)
def test_sitemaps_are_told_by_their_usual_addresses(path):
    assert looks_like_sitemap_url(canonicalize(SITE + path))


@pytest.mark.parametrize("path", "/ /sitemap /sitemap/ /sitemap.html /sitemap.php /site.xml /a?u=sitemap.xml".split())
def test_pages_for_people_are_no_sitemaps(path):
    assert not looks_like_sitemap_url(canonicalize(SITE + path))


@pytest.mark.parametrize(
    ("content_type", "is_feed"),
    [
        ("application/rss+xml", True),
        ("application/atom+xml; charset=utf-8", True),
        ("Text/XML", True),
        ("application/feed+json", True),
        ("application/xhtml+xml", False),
        ("text/html", False),
        ("", False),
    ],
)
def test_media_types_tell_feeds_and_xhtml_is_html(content_type, is_feed):
    assert is_feed_type(content_type) is is_feed
