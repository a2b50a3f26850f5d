"""What gives shop software away in the pages that it makes: nothing that a page about the software would hold.

Marks are literal text that the software or its own asset host writes. They are held against addresses of assets, the
beginnings of programs, names of elements and fields, addresses on the own site, and names of headers and cookies; never
against what a page says to its readers.
"""

from dataclasses import dataclass

from arborist_pipeline.core.products.platforms.shopify import ASSET_MARKS, SCRIPT_MARKS


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The marks of one platform; one of them is enough. `generators`, `headers` and `cookies` are in lower case.

    `generators` stand in a meta generator or platform, `assets` in the address of a script, style or image that the
    head names, `scripts` at the beginning of a program, `names` in classes and attributes of html and body or in the
    names of metas and of fields, `targets` in path and query of the site's own links and forms. `headers` are names
    with what their value begins with, `cookies` beginnings of names.
    """

    platform: str
    generators: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    cookies: tuple[str, ...] = ()


PLATFORMS: tuple[Marks, ...] = (
    # A shop put into the pages of another system comes before that system.
    Marks(
        platform="ecwid", assets=("app.ecwid.com/", "/ecwid-shopping-cart/"),
        scripts=("ecwid_script_defer", "xProductBrowser(", "Ecwid.init("),
    ),
    Marks(
        platform="woocommerce", generators=("woocommerce",), assets=("/plugins/woocommerce/",),
        scripts=("wc_add_to_cart_params", "woocommerce_params", "wc_cart_fragments_params"),
        names=(" woocommerce-no-js", " woocommerce-js", " woocommerce-page"),
        cookies=("wp_woocommerce_session", "woocommerce_"),
    ),
    Marks(
        platform="shopify", assets=(*ASSET_MARKS, "/cdn/shopifycloud/"), scripts=SCRIPT_MARKS,
        names=(" shopify-digital-wallet", " shopify-checkout-api-token"),
        headers=("x-shopid", "x-shopify-stage", "powered-by: shopify"), cookies=("_shopify_",),
    ),
    Marks(
        platform="magento-2", assets=("/static/version1", "/static/_cache/merged/"),
        scripts=("text/x-magento-init",), names=(" data-mage-init",), headers=("x-magento-",), cookies=("mage-cache-",),
    ),
    Marks(
        platform="magento-1", assets=("/skin/frontend/", "/js/mage/", "/js/varien/"),
        scripts=("Mage.Cookies.", "new VarienForm("),
    ),
    Marks(
        platform="bigcommerce", generators=("bigcommerce.stencil",), assets=("bigcommerce.com/s-",),
        scripts=("BCData", "stencilBootstrap("), headers=("x-bc-",),
        cookies=("shop_session_token", "fornax_anonymousid"),
    ),
    Marks(
        platform="salesforce-commerce", assets=("/on/demandware.static/", "demandware.edgesuite.net/"),
        targets=("/on/demandware.store/",), cookies=("dwsid", "dwanonymous_", "dwac_"),
    ),
    Marks(
        platform="prestashop", generators=("prestashop",), assets=("/modules/ps_", "/modules/blockcart/"),
        scripts=("var prestashop =",), headers=("powered-by: prestashop",), cookies=("prestashop-",),
    ),
    Marks(
        platform="opencart",
        assets=("catalog/view/theme/", "catalog/view/javascript/", "catalog/view/stylesheet/"),
        targets=("route=common/home", "route=product/", "route=checkout/"), cookies=("ocsessid",),
    ),
    Marks(
        platform="shopware-6", assets=("/bundles/storefront/", "/js/storefront/storefront.js"),
        scripts=("window.themeAssetsPublicPath", "window.themeJsPublicPath"), names=(" is-ctl-",),
        headers=("sw-context-token", "sw-version-id"), cookies=("sw-cache-hash", "sw-states"),
    ),
    Marks(
        platform="shopware-5", assets=("/themes/Frontend/", "/engine/Shopware/"), names=(" is--ctl-",),
        headers=("x-shopware-",),
    ),
    Marks(
        platform="squarespace", assets=("static1.squarespace.com/", "assets.squarespace.com/"),
        scripts=("Static.SQUARESPACE_CONTEXT",), headers=("server: squarespace",),
    ),
    Marks(
        platform="wix", generators=("wix.com",), assets=("static.parastorage.com/", "static.wixstatic.com/"),
        headers=("x-wix-",),
    ),
    Marks(
        platform="zen-cart", generators=("zen cart", "zen-cart"),
        targets=("main_page=index", "main_page=product_info", "main_page=login"),
        cookies=("zenid",),
    ),
    Marks(platform="gambio", assets=("/GXModules/", "/GXEngine/", "gm_javascript.js.php", "/templates/gambio")),
    Marks(
        platform="oscommerce",
        generators=("oscommerce", "loaded commerce", "cre loaded", "xt:commerce", "modified ecommerce"),
        targets=("/product_info.php", "/advanced_search_result.php"), cookies=("oscsid",),
    ),
    Marks(platform="django-oscar", assets=("/static/oscar/",), scripts=("oscar.init(",), cookies=("oscar_",)),
    Marks(platform="cartridge", assets=("/css/cartridge.", "/cartridge/js/", "/cartridge/css/")),
    Marks(platform="volusion", assets=("/v/vspfiles/",), targets=("/ShoppingCart.asp",)),
    Marks(
        platform="shift4shop", assets=("3dcartstores.com/", "/assets/templates/common-html5/", "/3d_upsell.js"),
        headers=("x-powered-by: 3dcart",), cookies=("3dvisit",),
    ),
    Marks(
        platform="nopcommerce", generators=("nopcommerce",), assets=("/Plugins/Nop.", "/js/public.ajaxcart.js"),
        cookies=(".nop.customer", "nop.customer"),
    ),
    Marks(
        platform="cs-cart", assets=("/design/themes/", "/js/tygh/"), scripts=("Tygh.",),
        targets=("dispatch=products.", "dispatch=categories.", "dispatch=checkout.", "dispatch=auth."),
        cookies=("sid_customer_",),
    ),
    Marks(
        platform="x-cart", generators=("x-cart",), assets=("/skin/common_files/", "/skins/common/js/core.js"),
        scripts=("xliteConfig", "xcart_web_dir"), targets=("/cart.php?target=",),
    ),
    Marks(platform="sylius", assets=("/bundles/syliusshop/", "/syliusshop/"), names=(" sylius_", " sylius-")),
    Marks(
        platform="spree", assets=("/assets/spree/", "/spree/frontend/"), cookies=("_spree_",),
        scripts=("SpreePaths", "Spree.api_key", "Spree.routes", "Spree.mounted", "Solidus.routes"),
    ),
    Marks(platform="saleor", assets=(".saleor.cloud/",)),
    Marks(
        platform="drupal-commerce", generators=("; commerce",), assets=("/modules/commerce/", "/contrib/commerce/"),
        headers=("x-commerce-core",),
    ),
    Marks(platform="ubercart", assets=("/ubercart/uc_", "/ubercart/shipping/")),
    Marks(platform="big-cartel", generators=("big cartel",), assets=("assets.bigcartel.com/", "files.bigcartel.com/")),
    Marks(platform="lightspeed", generators=("lightspeed",), assets=("cdn.webshopapp.com/", "static.webshopapp.com/")),
    Marks(
        platform="jtl-shop", generators=("jtl-shop",), assets=("/templates/NOVA/", "/jtl3.js"),
        names=(" jtl_token",), cookies=("jtlshop",),
    ),
    Marks(platform="oxid", generators=("oxid",), assets=("/out/azure/", "/out/flow/", "/out/wave/", "/out/apex/")),
    Marks(platform="odoo", generators=("odoo",), assets=("/website_sale/static/",)),
    Marks(platform="virtuemart", assets=("/components/com_virtuemart/",), targets=("option=com_virtuemart",)),
    Marks(
        platform="sap-commerce", assets=("/_ui/responsive/", "/_ui/desktop/", "/yacceleratorstorefront"),
        scripts=("ACC.config",), cookies=("acceleratorsecureguid",),
    ),
    Marks(
        platform="hcl-commerce", assets=("/wcsstore/",), targets=("/webapp/wcs/stores/",), cookies=("wc_persistent",),
    ),
    Marks(
        platform="bitrix", assets=("/bitrix/js/", "/bitrix/cache/", "/bitrix/templates/"),
        headers=("x-powered-cms: bitrix",), cookies=("bitrix_sm_",),
    ),
    Marks(platform="evershop", scripts=("var eContext =",), names=(" frontStore",)),
)  # fmt: skip
"""Each platform once, with the names that `core.crawl.platform_paths` knows the addresses of."""
