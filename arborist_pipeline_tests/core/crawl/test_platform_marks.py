"""Which software made a page: told by what it writes, never by what is written about it."""

import gzip
import json
from html import escape

import pytest

from arborist_pipeline.core.crawl.platform_marks import PLATFORMS
from arborist_pipeline.core.crawl.platform_paths import find_platform
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline_tests.support.builders import make_page

BEGINNINGS = {  # of pages as the software makes them
    "shopify": '<script>var Shopify = Shopify || {};\nShopify.shop = "x.myshopify.com";</script>',
    "woocommerce": '<body class="home page theme-storefront woocommerce-no-js"><h1>Mugs</h1>',
    "magento-1": '<script src="https://shop.example/js/varien/form.js"></script>',
    "magento-2": "<script type=text/x-magento-init>{}</script>",
    "bigcommerce": '<script src="https://cdn11.bigcommerce.com/s-0a1b2c/stencil/x/dist/theme-bundle.main.js"></script>',
    "salesforce-commerce": '<form action="/on/demandware.store/Sites-X-Site/en_US/Cart-AddProduct"></form>',
    "prestashop": '<meta name="generator" content="PrestaShop"><p>Mugs',
    "opencart": '<link href="catalog/view/theme/default/stylesheet/stylesheet.css" rel="stylesheet">',
    "shopware-5": '<body class="is--ctl-index is--act-index">',
    "shopware-6": '<body class="is-ctl-navigation is-act-home">',
    "squarespace": "<script>Static.SQUARESPACE_CONTEXT = {};</script>",
    "wix": '<meta name="generator" content="Wix.com Website Builder">',
    "zen-cart": '<a href="index.php?main_page=login">Log In</a>',
    "gambio": '<script src="https://shop.example/GXEngine/Shop/x.js"></script>',
    "oscommerce": '<form action="https://shop.example/advanced_search_result.php" method="get"></form>',
    "django-oscar": '<link rel="stylesheet" href="/static/oscar/css/styles.css">',
    "cartridge": '<link rel="stylesheet" href="/static/css/cartridge.css">',
    "ecwid": '<script src="https://app.ecwid.com/script.js?123"></script>',
    "volusion": '<link rel="stylesheet" href="/v/vspfiles/templates/x/css/template.css">',
    "shift4shop": '<script src="/assets/templates/common-html5/js/jquery.js"></script>',
    "nopcommerce": '<meta name="generator" content="nopCommerce"><p>Mugs',
    "cs-cart": '<a href="index.php?dispatch=checkout.cart">Cart</a>',
    "x-cart": "<script>var xliteConfig = {};</script>",
    "sylius": '<form name="sylius_shop_add_to_cart" action="/ajax/cart/add"></form>',
    "spree": "<script>Spree.routes = {}</script>",
    "saleor": '<link rel="preload" as="image" href="https://x.saleor.cloud/media/mug.webp">',
    "drupal-commerce": '<meta name="Generator" content="Drupal 10 (https://www.drupal.org); Commerce 2">',
    "ubercart": '<link rel="stylesheet" href="/sites/all/modules/ubercart/uc_product/uc_product.css">',
    "big-cartel": '<meta name="generator" content="Big Cartel">',
    "lightspeed": '<script src="https://cdn.webshopapp.com/assets/gui.js"></script>',
    "jtl-shop": '<form><input type="hidden" class="jtl_token" name="jtl_token" value="x"></form>',
    "oxid": '<link rel="stylesheet" href="/out/wave/src/css/styles.min.css">',
    "odoo": '<meta name="generator" content="Odoo">',
    "virtuemart": '<link rel="stylesheet" href="/components/com_virtuemart/assets/css/vm-ltr.css">',
    "sap-commerce": '<link rel="stylesheet" href="/_ui/responsive/theme-alpha/css/style.css">',
    "hcl-commerce": '<script src="/wcsstore/Aurora/javascript/Common.js"></script>',
    "bitrix": '<script src="/bitrix/js/main/core/core.js?1"></script>',
    "evershop": '<body id="body" class="frontStore homepage">',
}  # fmt: skip
HEADERS = {
    "shopify": ({"x-shopid": "1"}, {"set-cookie": "a=1; path=/, _shopify_y=0; Expires=Wed, 02 Dec 2026 02:33:40 GMT"}),
    "woocommerce": ({"set-cookie": "wp_woocommerce_session_0a=1; path=/"},),
    "magento-2": ({"x-magento-cache-control": "max-age=86400"},),
    "opencart": ({"set-cookie": "OCSESSID=0a1b; path=/"},),
    "prestashop": ({"set-cookie": "PrestaShop-0a1b=def; httponly"},),
    "salesforce-commerce": ({"set-cookie": "dwac_0a=1; Path=/, dwsid=2; Path=/"},),
    "shift4shop": ({"x-powered-by": "3DCART"},),
    "zen-cart": ({"set-cookie": "zenid=0a; path=/"},),
}  # fmt: skip
ALL_MARKS = sorted(
    {mark for each in PLATFORMS for mark in (*each.assets, *each.scripts, *each.names, *each.targets, *each.generators)}
)


def test_there_is_a_beginning_of_a_page_of_each_platform():
    assert set(BEGINNINGS) == {marks.platform for marks in PLATFORMS}


@pytest.mark.parametrize(("platform", "html"), BEGINNINGS.items())
def test_a_platform_is_found_by_what_it_writes_into_its_pages(platform, html):
    assert find_platform(make_page(html), {}) == platform


@pytest.mark.parametrize(
    ("platform", "headers"), [(platform, given) for platform, several in HEADERS.items() for given in several]
)
def test_headers_and_cookies_tell_where_the_page_does_not(platform, headers):
    assert find_platform(make_page("<h1>Mugs</h1>"), headers) == platform


@pytest.mark.parametrize("html", ["", "<h1>Mugs</h1>", '<script src="/app.js"></script><body class="home">', "\x00<<"])
def test_a_page_that_gives_nothing_away_is_of_no_known_platform(html):
    assert find_platform(make_page(html), {"server": "nginx", "set-cookie": "sid=1; path=/"}) is None


@pytest.mark.parametrize("mark", ALL_MARKS)
def test_to_write_about_a_platform_is_no_mark_of_it(mark):
    said, elsewhere = escape(mark), f"https://docs.example/{escape(mark.strip())}"
    data = json.dumps({"articleBody": f"Look for {mark} in the page", "about": elsewhere})
    html = f"""<title>What {said} means</title><meta name="description" content="{said}">
        <meta name="keywords" content="{said}"><meta property="og:title" content="{said}">
        <link rel="canonical" href="{elsewhere}"><link rel="alternate" href="{elsewhere}">
        <script type="application/ld+json">{data}</script><script type="application/json">{data}</script>
        <script>self.__next_f.push([1,{json.dumps(data)}])</script>
        <article class="post"><h1>{said}</h1><p data-x="{said}">{said}</p><pre><code>{said}</code></pre>
        <a href="{elsewhere}">{said}</a><img src="{elsewhere}" alt="{said}"><textarea>{said}</textarea>
        <form action="{elsewhere}"></form></article>"""
    assert find_platform(make_page(html), {"set-cookie": f"note={said.replace('=', '')}; path=/"}) is None


def test_a_shop_put_into_another_systems_page_is_found_before_the_system():
    html = '<meta name="generator" content="Wix.com Website Builder">' + BEGINNINGS["ecwid"]
    assert find_platform(make_page(html), {}) == "ecwid"


@pytest.mark.parametrize("filler", ["<meta name=x content=y>", '<script src="/a.js"></script>'])
def test_a_bounded_part_of_a_page_is_read(filler):
    assert find_platform(make_page(filler * 2_000 + BEGINNINGS["bitrix"]), {}) is None


def test_a_mark_deep_in_a_long_program_is_not_looked_for():
    assert find_platform(make_page(f"<script>{'x' * 5_000} Shopify.shop</script>"), {}) is None


CALLED = {"sfcc": "salesforce-commerce", "zencart": "zen-cart", "hybris": "sap-commerce", "websphere": "hcl-commerce"}
HEADLESS = 2
"""Pages of the corpus that are drawn by software of the shop's own and show no trace of the platform behind it."""


@pytest.mark.shared
def test_saved_pages_of_real_shops_are_told_as_people_told_them(shared):
    found, missed = 0, []
    for line in (shared / "corpus" / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["platform"] == "custom" and entry["kind"] != "article":
            continue  # some of those are of platforms that those who judged did not name
        body = (shared / "corpus" / entry["file"]).read_bytes()
        body = gzip.decompress(body) if entry["file"].endswith(".gz") else body
        headers = {"content-type": f"text/html; charset={entry['charset']}"}
        platform = find_platform(parse_body(body, url=entry["url"] or "https://shop.example/", headers=headers), {})
        wanted = CALLED.get(entry["platform"], entry["platform"])
        if platform is None:
            missed += [] if wanted == "custom" else [entry["file"]]
        else:
            assert platform.removesuffix("-1").removesuffix("-2") == wanted, entry["file"]
            found += 1
    assert len(missed) <= HEADLESS, missed
    assert found > 50
