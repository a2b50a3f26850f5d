"""Which addresses look like a product's before anything is fetched."""

import pytest

from arborist_pipeline.core.crawl.priority import FIRST_ARM, Bucket, looks_like_product_url, product_tail

SHAPED = """
/products/lamp /products/lamp/ /product/lamp /product/lamp/ /p/lamp /p/123456 /item/lamp /item/98-x
/collections/all/products/lamp /collections/desk-lamps/products/lamp /en/products/lamp /en-au/p/lamp
/shop/product/lamp /store/item/lamp.html /products/lamp.html /Products/Lamp /PRODUCT/LAMP
/products/lamp?variant=1 /products/lamp?page=2 /p/lamp?utm=x /products/lamp/red /product/lamp/12 /p/lamp/sku-1
/products/%C3%A4pfel /products/lamp%20two /products/new-lamp /products/all-day-lamp /product/sale-lamp
/a/b/c/d/products/lamp /products/products/lamp /products/lamp-2-pack
""".split()
UNSHAPED = """
/ /products /products/ /products?page=2 /product /p /p/ /item /item/ /items/lamp /productions/lamp /p-lamp
/products/all /products/new /products/sale /products/search /products/page /products/category /products/tags
/product/index /products/cart /products/compare /products/wishlist /products/reviews /products/ALL
/products/page/2 /products/lamp/page/2 /products/lamp/reviews /products/lamp/review/3 /products/lamp/feed
/products/lamp/questions /products/lamp/edit /products/lamp/a/b /products/all/page/3
/collections/desk-lamps /collections/products /category/product-lamps /blog/products-we-love /news/p
/product-category/lamps /shop/lamp /lamp /dp/B000 /pages/product /about?next=/products/lamp /x?p=/p/lamp
/stop/lamp /app/lamp /group/lamp /shopping/lamp
""".split()


@pytest.mark.parametrize("path", SHAPED)
@pytest.mark.parametrize("origin", ["https://shop.example", "http://shop.example:8080"])
def test_a_product_segment_before_a_slug_is_the_shape_of_a_product(origin, path):
    assert looks_like_product_url(origin + path)


@pytest.mark.parametrize("path", UNSHAPED)
def test_lists_index_pages_and_everything_else_are_not(path):
    assert not looks_like_product_url("https://shop.example" + path)
    assert product_tail("https://shop.example" + path) is None


@pytest.mark.parametrize("host", ["products.example", "p.example", "item.products.example"])
def test_a_host_name_is_no_path(host):
    assert not looks_like_product_url(f"https://{host}/lamp")
    assert not looks_like_product_url(f"https://{host}/")


def test_the_buckets_stand_in_the_order_of_the_contract():
    assert list(Bucket) == [Bucket.DUE_PRODUCT, Bucket.PRODUCT_SHAPED, Bucket.DUE_OTHER, Bucket.QUEUE,
                            Bucket.LAST, Bucket.BEHIND]  # fmt: skip
    assert max(Bucket) < FIRST_ARM


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("/products/lamp", "/collections/desk/products/lamp", True),
        ("/products/lamp/", "/de/products/lamp", True),
        ("/products/lamp?variant=1", "/products/lamp", False),
        ("/products/lamp", "/products/lamps", False),
        ("/products/lamp", "/product/lamp", False),
    ],
)
def test_two_addresses_of_one_product_end_alike(one, other, is_same):
    tails = [product_tail(f"https://shop.example{path}") for path in (one, other)]
    assert None not in tails
    assert (tails[0] == tails[1]) == is_same


def test_a_hostile_path_is_judged_in_linear_time():
    assert not looks_like_product_url("https://shop.example" + "/p/x/y/z" * 40_000)
    assert not looks_like_product_url("https://shop.example/products/" + "a/" * 40_000)
