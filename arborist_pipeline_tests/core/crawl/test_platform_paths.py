"""What the addresses of shop platforms say, and where they say nothing."""

import pytest

from arborist_pipeline.core.crawl.platform_marks import PLATFORMS
from arborist_pipeline.core.crawl.platform_paths import PathKind, judge_path
from arborist_pipeline.core.crawl.platform_routes import ROUTES
from arborist_pipeline.core.web.url import canonicalize

SHOP = "https://shop.example"
NAMES = [marks.platform for marks in PLATFORMS]

PRODUCTS = {
    "shopify": (
        "/products/mug /en-us/products/mug"
        " /collections/cups/products/mug /fr/collections/cups/products/mug?variant=7"
    ),
    "woocommerce": "/product/mug/ /en/product/mug/ /product/cups/mug/ /?product=mug",
    "magento-1": "/catalog/product/view/id/34 /index.php/catalog/product/view/id/34/s/mug/category/5/",
    "magento-2": "/catalog/product/view/id/34/ /uk/catalog/product/view/id/34/category/5/",
    "bigcommerce": "/products.php?product=Mug /products.php?productId=34 /products/mug.html",
    "salesforce-commerce": (
        "/on/demandware.store/Sites-X-Site/en_US/Product-Show?pid=34 /cups/mug.html?pid=34 /mug/APB364US.html"
        " /mug/YLS0030.html?dwvar_YLS0030_color=020&cgid=cups /cups/NI_AT3484-623.html /mug/34,default,pd.html"
    ),
    "prestashop": (
        "/34-mug.html /cups/34-mug.html /en/cups/34-56-blue-mug-1234567890128.html /product.php?id_product=34"
        " /index.php?controller=product&id_product=34&id_lang=1"
    ),
    "opencart": (
        "/index.php?route=product/product&product_id=34 /shop/index.php?path=20_27&product_id=34&route=product/product"
        " /index.php?route=product%2Fproduct&product_id=34"
    ),
    "shopware-5": "/detail/index/sArticle/34 /shopware.php?sViewport=detail&sArticle=34 /Home/Cups/34/Mug",
    "shopware-6": "/detail/0f1e2d3c4b5a69788796a5b4c3d2e1f0 /Mug/SW10034 /Mug/SW10034.2",
    "squarespace": "/store/p/mug /p/mug",
    "wix": "/product-page/mug /en/product-page/mug",
    "zen-cart": (
        "/index.php?main_page=product_info&products_id=34 /x/index.php?cPath=3_5&main_page=product_info&products_id=34"
        " /index.php?main_page=document_product_info&products_id=34 /mug-p-34.html"
    ),
    "gambio": "/product_info.php?info=p34_Mug.html /shop/product_info.php?products_id=34",
    "oscommerce": (
        "/product_info.php?products_id=34 /catalog/product_info.php?cPath=3_5&products_id=34 /mug-p-34.html"
        " /product_info.php/products_id/34 /product_info.php/info/p34_Mug.html"
    ),
    "django-oscar": "/catalogue/mug_34/ /en-gb/catalogue/mug_34/",
    "cartridge": "/shop/product/mug/",
    "ecwid": "/store/Mug-p123456 /Mug-p123456",
    "volusion": "/ProductDetails.asp?ProductCode=M34 /Mug-p/m34.htm /product-p/m34.htm",
    "shift4shop": "/product.asp?itemid=34 /Mug_p_34.html",
    "cs-cart": "/index.php?dispatch=products.view&product_id=34 /?dispatch=products.view&product_id=34",
    "x-cart": "/cart.php?target=product&product_id=34 /product.php?productid=34",
    "sylius": "/en_US/products/mug /products/mug",
    "spree": "/products/mug /de/products/mug",
    "saleor": "/default-channel/products/mug /products/mug",
    "drupal-commerce": "/product/34",
    "big-cartel": "/product/mug",
    "lightspeed": "/mug.html /nl/mug.html?id=34",
    "jtl-shop": "/?a=34 /index.php?a=34",
    "oxid": "/index.php?cl=details&anid=a34",
    "odoo": "/shop/mug-34 /shop/product/mug-34 /de/shop/mug-34?category=2",
    "virtuemart": "/index.php?option=com_virtuemart&view=productdetails&virtuemart_product_id=34",
    "sap-commerce": "/Cups/Mug/p/34 /en/p/34",
    "hcl-commerce": "/webapp/wcs/stores/servlet/ProductDisplay?catalogId=1&productId=34 /ProductDisplay?productId=34",
    "bitrix": "/catalog/detail.php?ID=34 /catalog/cups/?ELEMENT_ID=34",
}  # fmt: skip
LISTINGS = {
    "shopify": "/collections /collections/cups /collections/cups/blue /de-de/collections/all?page=2",
    "woocommerce": (
        "/product-category/cups/ /product-category/cups/mugs/page/2/ /product-tag/blue/"
        " /shop/page/2/ /?product_cat=x"
    ),
    "magento-1": "/catalog/category/view/id/5 /catalog/seo_sitemap/category/",
    "magento-2": "/catalog/category/view/s/cups/id/5/ /catalog/category/view/id/5",
    "bigcommerce": "/categories.php?category=Cups /brands/Acme /categories/cups",
    "salesforce-commerce": "/on/demandware.store/Sites-X-Site/default/Search-Show?cgid=cups /search?cgid=cups",
    "prestashop": (
        "/12-category /en/12-cups /index.php?controller=category&id_category=12 /brand/3-acme /new-products /3_acme"
        " /category.php?id_category=12"
    ),
    "opencart": (
        "/index.php?route=product/category&path=20_27 /index.php?path=20&route=product/category&page=2"
        " /index.php?route=product/manufacturer/info&manufacturer_id=8 /index.php?route=product/special"
    ),
    "shopware-5": "/cat/index/sCategory/5 /listing/index/sCategory/5 /shopware.php?sViewport=cat&sCategory=5",
    "shopware-6": "/navigation/0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "wix": "/category/cups",
    "zen-cart": "/index.php?main_page=index&cPath=3_5 /index.php?main_page=products_new /cups-c-3_5.html",
    "gambio": "/index.php?cat=c5_Cups.html",
    "oscommerce": "/index.php?cPath=3_5 /products_new.php /cups-c-3.html /cups-c-3_5.html /acme-m-3.html",
    "django-oscar": "/catalogue/ /catalogue/category/cups_3/ /catalogue/category/kitchen/cups_3/?page=2 /offers/",
    "cartridge": "/shop/ /shop/cups/ /shop/cups/mugs/?page=2",
    "ecwid": "/store/Cups-c12345",
    "volusion": "/Cups-s/12.htm /category-s/12.htm /SearchResults.asp?Cat=12",
    "shift4shop": "/Cups_c_12.html /category.asp?catid=12",
    "nopcommerce": "/newproducts /manufacturer/all",
    "cs-cart": "/index.php?dispatch=categories.view&category_id=5",
    "x-cart": "/cart.php?target=category&category_id=5 /home.php?cat=5",
    "sylius": "/en_US/taxons/cups/mugs",
    "spree": "/products /t/categories/cups",
    "saleor": "/default-channel/categories/cups /collections/summer",
    "ubercart": "/catalog/cups",
    "big-cartel": "/products /category/cups",
    "lightspeed": "/brands/acme/ /en/collection/",
    "jtl-shop": "/?k=5",
    "oxid": "/index.php?cl=alist&cnid=c5",
    "odoo": "/shop /shop/page/2 /shop/category/cups-5 /shop/category/cups-5/page/2",
    "virtuemart": "/index.php?option=com_virtuemart&view=category&virtuemart_category_id=5",
    "sap-commerce": "/Kitchen/Cups/c/5",
    "hcl-commerce": "/webapp/wcs/stores/servlet/CategoryDisplay?categoryId=5",
    "bitrix": "/catalog/",
}  # fmt: skip
OTHERS = {
    "shopify": "/cart /account/login /search?q=mug /blogs/news/a-mug /products/mug.json /policies/refund-policy",
    "woocommerce": (
        "/cart/ /my-account/orders/ /product/mug/?add-to-cart=34 /product/mug/feed/"
        " /2024/05/a-mug/ /wishlist/"
    ),
    "magento-1": (
        "/checkout/cart/ /customer/account/login/"
        " /review/product/list/id/34 /catalog/product_compare/add/product/34"
    ),
    "magento-2": "/wishlist/index/add/product/34 /sendfriend/product/send/id/34 /catalogsearch/result/?q=mug",
    "bigcommerce": "/cart.php /compare /wishlist.php?action=add&product_id=34 /login.php?action=create_account",
    "salesforce-commerce": (
        "/on/demandware.store/Sites-X-Site/en_US/Cart-Show"
        " /on/demandware.store/S/default/Wishlist-Add?pid=34"
    ),
    "prestashop": (
        "/cart?add=1&id_product=34&token=0a1b /content/4-about-us"
        " /my-account /index.php?controller=cart&id_product=34"
    ),
    "opencart": (
        "/index.php?route=checkout/cart /index.php?route=account/wishlist /index.php?route=product/compare"
        " /index.php?route=product/product/review&product_id=34 /index.php?route=information/contact"
    ),
    "shopware-5": "/checkout/cart /account /note/add/ordernumber/SW34 /compare/add_article/articleID/34",
    "shopware-6": "/checkout/cart /account/login /wishlist /search?search=mug",
    "squarespace": "/cart /store?format=rss",
    "wix": "/cart-page /post/a-mug",
    "zen-cart": (
        "/index.php?main_page=shopping_cart /index.php?main_page=product_reviews_write&products_id=34"
        " /index.php?main_page=login /index.php?main_page=tell_a_friend&products_id=34"
    ),
    "gambio": "/shop_content.php?coID=7 /wish_list.php",
    "oscommerce": (
        "/shopping_cart.php /product_reviews.php?products_id=34"
        " /login.php /index.php?action=buy_now&products_id=34"
    ),
    "django-oscar": "/basket/ /accounts/login/?next=/ /catalogue/mug_34/reviews/add/ /search/?q=mug",
    "cartridge": "/shop/cart/ /shop/wishlist/ /blog/a-mug/",
    "ecwid": "/store/cart",
    "volusion": "/ShoppingCart.asp?ProductCode=M34 /login.asp /About-a/12.htm",
    "shift4shop": "/view_cart.asp /review.asp?itemid=34",
    "nopcommerce": "/cart /wishlist /compareproducts /productreviews/34 /customer/info",
    "cs-cart": "/index.php?dispatch=checkout.cart /index.php?dispatch=product_features.compare",
    "x-cart": "/cart.php?target=cart /cart.php?target=login",
    "sylius": "/en_US/cart/ /en_US/products/mug/reviews/new",
    "spree": "/cart /account",
    "saleor": "/default-channel/cart /checkout?id=1",
    "drupal-commerce": "/cart /user/login",
    "ubercart": "/cart",
    "big-cartel": "/cart",
    "lightspeed": "/cart/ /service/about/ /blogs/news/a-mug/ /compare/add/34/",
    "jtl-shop": "/Warenkorb /?s=12",
    "oxid": "/index.php?cl=basket",
    "odoo": "/shop/cart /my/home /web/login",
    "virtuemart": "/index.php?option=com_virtuemart&view=cart",
    "sap-commerce": "/cart /Cups/Mug/p/34/writeReview/new",
    "hcl-commerce": "/webapp/wcs/stores/servlet/OrderItemDisplay?orderId=1",
    "bitrix": "/personal/cart/ /catalog/?action=ADD2BASKET&id=34",
    "evershop": "/cart /account/login",
}  # fmt: skip
UNTOLD = {
    "shopify": "/ /products /products/ /pages/about /mug",
    "woocommerce": "/ /product/ /mug/ /about-us/ /cups/mug/",
    "magento-1": "/ /mug.html /cups.html /cups/mug.html /catalog/product/view /catalog/product/view/id/",
    "magento-2": "/ /mug.html /cups /cups/mugs.html /catalog/product/view",
    "bigcommerce": "/ /mug/ /cups/ /products.php /products/",
    "salesforce-commerce": "/ /cups/mugs/ /mug.html /library/the-mug.html /sale/summer-2024.html /search.html",
    "prestashop": "/ /mug.html /index.php?controller=product /cups/",
    "opencart": "/ /mug /index.php?route=common/home",
    "shopware-5": "/ /cups/ /detail",
    "shopware-6": "/ /cups/mugs/ /mug /detail",
    "squarespace": "/ /store /store/mug /store/p",
    "wix": "/ /shop /product-page",
    "zen-cart": "/ /index.php?main_page=index",
    "oscommerce": "/ /index.php /mug.html",
    "cartridge": "/ /delivery/",
    "nopcommerce": "/ /mug /cups",
    "sylius": "/ /en_US/ /products",
    "drupal-commerce": "/ /product /product/mug",
    "ubercart": "/ /node/34",
    "jtl-shop": "/ /mug",
    "sap-commerce": "/ /p /Kitchen",
    "evershop": "/ /cups /cups/mug",
    "bitrix": "/ /catalog/cups/mug/",
}  # fmt: skip


def rows(table):
    return [(platform, path) for platform, paths in table.items() for path in paths.split()]


def judge(platform, path):
    return judge_path(platform, canonicalize(SHOP + path))


@pytest.mark.parametrize(("platform", "path"), rows(PRODUCTS))
def test_product_addresses_are_told_by_their_platform(platform, path):
    assert judge(platform, path) is PathKind.PRODUCT


@pytest.mark.parametrize(("platform", "path"), rows(LISTINGS))
def test_addresses_of_lists_are_told_by_their_platform(platform, path):
    assert judge(platform, path) is PathKind.LISTING


@pytest.mark.parametrize(("platform", "path"), rows(OTHERS))
def test_baskets_accounts_comparisons_reviews_and_posts_are_neither(platform, path):
    assert judge(platform, path) is PathKind.OTHER


@pytest.mark.parametrize(("platform", "path"), rows(UNTOLD))
def test_index_pages_and_addresses_that_the_merchant_makes_have_no_verdict(platform, path):
    assert judge(platform, path) is None


@pytest.mark.parametrize("path", ["/products/mug", "/cart"])
def test_a_platform_that_is_not_known_has_no_verdict(path):
    assert judge("pencil-and-paper", path) is None


def test_each_platform_that_can_be_found_has_routes_and_rows_in_the_tables():
    assert len(set(NAMES)) == len(NAMES)
    assert set(NAMES) == set(ROUTES)
    assert set(NAMES) == {*PRODUCTS, *LISTINGS, *OTHERS}
