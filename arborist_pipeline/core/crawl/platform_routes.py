"""The routes of shop platforms: which addresses are products, which lists of them, which neither.

A route is a path and, after a question mark, parameters that must be given. In a path `*` stands for some characters of
one segment, `**` for any, `/...` at the end for the path itself and all below it, `#` for digits, `(a|b)` for one or
the other, `[a-z]` and `{2,4}` for what they do in patterns. Up to three folders may stand before it, since shops are
installed below paths and put languages there. A parameter that ends in `=` must have some value; in values `*` stands
for any characters or none, in a name for all that begin so. A route without a path is one at any path.

The first route that fits decides.
"""

from collections.abc import Mapping

_MAGENTO = """
    product: /catalog/product/view/id/#/... /catalog/product/view?id=
    listing: /catalog/category/view/id/#/... /catalog/category/view/s/*/id/#
        /catalog/seo_sitemap/(product|category)
    other: /catalog/product_compare/** /catalog/product/(gallery|send)/** /review/** /wishlist/... /checkout/...
        /customer/** /sales/** /newsletter/** /catalogsearch/** /sendfriend/** /productalert/** /contacts
        /contact /downloadable/** /directory/** /loginascustomer/** /search/term/** /ajax/** /paypal/**
        /multishipping/**
"""
_OSCOMMERCE = """
    product: /product_info.php?products_id= /product_info.php?info=p* /product_info.php/products_id/**
        /product_info.php/info/** /*-p-#.html /*-p-#
    listing: /index.php?cpath= /index.php?manufacturers_id= /index.php?cat=c* /index.php/cpath/** /?cpath=
        ?cat=c* /products_new.php /specials.php /featured_products.php /*-c-#.html /*-c-#_**.html /*-m-#.html
    other: /(product_reviews|product_reviews_info|product_reviews_write|reviews|shopping_cart|wishlist).php
        /(wish_list|login|logoff|account|account_*|address_book|create_account|password_*|checkout_*).php
        /(tell_a_friend|advanced_search|advanced_search_result|contact_us|conditions|privacy).php
        /(shipping|shop_content|cookie_usage|popup_*|gv_*|newsletter|newsletters|info_shopping_cart).php
        /product_notifications.php /product_reviews*.php/** /*-pr-#.html /*-pri-#.html ?action=buy_now
        ?action=cust_order
"""

ROUTES: Mapping[str, str] = {
    "shopify": """
        other: /products/*.(js|json|oembed|atom|xml) /collections/*.(json|atom) /products/*/reviews
        product: /products/*
        listing: /collections /collections/* /collections/*/*
        other: /cart/... /cart.js /account/... /checkout/... /checkouts/** /search /policies/* /challenge /apps/**
            /tools/** /a/** /community/** /blogs/* /blogs/*/* /blogs/*/tagged/*
    """,
    "woocommerce": """
        other: ?add-to-cart= ?add_to_wishlist= ?remove_item= ?replytocom= ?action=yith-woocompare*
            /product/**/(feed|embed) /product/**/comment-page-# /wp-login.php /wp-admin/** /feed /comments/feed
        product: /product/* /product/*/* ?product= ?post_type=product&p=
        listing: /product-category/** /product-tag/** /product-brand/** /shop /shop/page/# ?product_cat=
            ?product_tag= ?post_type=product
        other: /cart /checkout/... /my-account/... /basket /wishlist/... /compare /order-received/** /author/*
            /author/*/page/# /[12][0-9][0-9][0-9]/[01][0-9]/...
    """,
    "magento-1": _MAGENTO,
    "magento-2": _MAGENTO,
    "bigcommerce": """
        product: /products.php?product= /products.php?productid= /products/*.html
        listing: /categories.php?category= /categories/** /brands.php?brand= /brands/... /shop-by-brand
        other: /(cart|account|login|compare|wishlist|search|giftcertificates|checkout|subscribe|orderstatus).php
            /cart /checkout/... /compare/... /wishlist/... /search /rss.php /blog/... ?action=add&product_id=
    """,
    "salesforce-commerce": """
        other: /on/demandware.static/** /**,pg.html
        product: /on/demandware.store/**/Product-(Show|Variation|ShowInCategory|Detail)?pid= /**.html?pid=
            /**.html?dwvar_*= /**,pd.html /*/[A-Z]{0,4}_{0,1}[A-Z]{0,2}[0-9]{3,}[A-Z0-9_-]{0,12}.html
        listing: /on/demandware.store/**/Search-Show?cgid= /search?cgid= /**,sc.html
        other: /on/demandware.store/** /cart /login /account/... /wishlist /checkout/... /search
    """,
    "prestashop": """
        other: ?controller=(cart|order|order-*|authentication|my-account|search|contact|cms|password|identity)
            ?controller=(history|guest-*)
            /(cart|order|quick-order|login|my-account|search|contact-us|identity|addresses|address)
            /(order-history|password-recovery|guest-tracking|registration|discount|order-slip|stores|sitemap)
            /(cart.php|order.php|my-account.php|authentication|authentication.php) /module/** /modules/**
            /content/** ?id_cms= /(blog|blogs|smartblog|stblog|news)/**
        product: ?controller=product&id_product= /product.php?id_product= /#-*.html
        listing: ?controller=(category|manufacturer|supplier|best-sales|new-products|prices-drop)
            /category.php?id_category= /manufacturer.php?id_manufacturer= /#-* /#__* /#_*
            /(category|brand|manufacturer|supplier)/#-* /brands /manufacturers /suppliers
            /(new-products|best-sales|best-sellers|prices-drop|nouveaux-produits|promotions)
    """,
    "opencart": """
        product: ?route=product/product&product_id=
        listing: ?route=product/category&path= ?route=product/manufacturer* ?route=product/special
            ?route=product/latest ?route=product/bestseller
        other: ?route=product/* ?route=account* ?route=affiliate* ?route=checkout* ?route=information*
            ?route=extension* ?route=error* ?route=blog* ?route=cms* ?route=api* ?route=tool* ?route=journal*
    """,
    "shopware-5": """
        other: /checkout/... /account/... /note/... /campaign/** /forms/** /compare/... /register/... /search/...
            /ticket/** /newsletter/... /widgets/** /tellafriend/** /custom/index/**
            /shopware.php?sviewport=(checkout|account|note|register|search|custom)
        product: /detail/index/sArticle/#/... /detail/index?sarticle= /detail?sarticle= ?sviewport=detail&sarticle=
        listing: /(listing|cat)/index/sCategory/#/... /(listing|cat)?scategory= ?sviewport=cat&scategory=
            /listing/manufacturer/sSupplier/#
        product: /*/#/* /*/*/*/*/#/*
    """,
    "shopware-6": """
        product: /detail/[0-9a-f]{32} /*/SW# /*/SW#.# /*/SWDEMO#
        listing: /navigation/[0-9a-f]{32}
        other: /checkout/... /account/... /wishlist/... /search /suggest /widgets/** /newsletter/... /contact
            /store-api/** /landingPage/* /maintenance
    """,
    "squarespace": """
        product: /p/*
        other: /cart /checkout/... /search /account/... /commerce/** ?format=* ?author= ?tag=
    """,
    "wix": """
        product: /product-page/*
        listing: /category/*
        other: /cart-page /cart /checkout/... /account/** /post/* /blog/... /profile/** /members/** /search-results
            /thank-you-page/**
    """,
    "zen-cart": """
        product: ?main_page=(product|product_music|product_free_shipping|document_product)_info&products_id=
        listing: ?main_page=index&cpath= ?main_page=index&manufacturers_id= ?main_page=index&music_genre_id=
            ?main_page=(products_new|products_all|featured_products|specials|best_sellers|featured_categories)
        other: ?main_page=index&action= ?main_page=[a-hj-z]* ?main_page=i[a-mo-z]*
        product: /product_info.php?products_id= /product_info.php?info=p* /product_info.php/products_id/**
            /product_info.php/info/** /*-p-#.html /*-p-#
        listing: /index.php?cpath= /index.php?manufacturers_id= /index.php?cat=c* /index.php/cpath/** /?cpath=
            ?cat=c* /products_new.php /specials.php /featured_products.php /*-c-#.html /*-c-#_**.html /*-m-#.html
    """,
    "gambio": _OSCOMMERCE,
    "oscommerce": _OSCOMMERCE,
    "django-oscar": """
        listing: /catalogue /catalogue/category/**_# /catalogue/ranges /catalogue/ranges/* /offers /offers/*
        product: /catalogue/*_#
        other: /catalogue/*_#/reviews/... /basket/... /accounts/... /checkout/... /search/... /wishlists/...
            /dashboard/...
    """,
    "cartridge": """
        product: /shop/product/* /product/*
        other: /shop/(cart|wishlist|checkout|invoice)/... /accounts/** /account/** /search /blog/... /admin/...
        listing: /shop/...
    """,
    "ecwid": """
        product: /*-p[0-9]# /p/#/*
        listing: /*-c[0-9]# /c/#/*
        other: /cart /checkout/... /account/... /search /signin
    """,
    "volusion": """
        product: /productdetails.asp?productcode= /product-p/*.htm /*-p/*.htm /*_p/*.htm
        listing: /searchresults.asp?cat= /*-s/#.htm /category_s/#.htm /category-s/#.htm
        other: /(shoppingcart|login|myaccount|orders|searchresults|reviewnew|emailafriend|help|articles).asp
            /(returns|wishlist|register).asp /*-a/#.htm /*-b/#.htm /mailinglist_*.asp /one-page-checkout.asp
    """,
    "shift4shop": """
        product: /product.asp?itemid= /*_p_#.html
        listing: /category.asp?catid= /*_c_#.html /*_c_#-#*.html /manufacturer.asp?manufacturer=
        other: /(view_cart|checkout|checkout_*|myaccount|search|wishlist|review|crm|recentlyviewed).asp
            /(giftregistry|add_cart|page|email_friend|product_question).asp /*_ep_#.html /*_bp_#.html
    """,
    "nopcommerce": """
        listing: /manufacturer/all /newproducts /producttag/all /vendor/all
        other: /cart /wishlist/... /login /logout /register /customer/** /compareproducts /productreviews/**
            /productemailafriend/** /search /recentlyviewedproducts /boards/... /blog/... /news/... /order/**
            /checkout/... /onepagecheckout /passwordrecovery /contactus /sitemap /shoppingcart/**
            /addproducttocart/** /changecurrency/** /changelanguage/**
    """,
    "cs-cart": """
        product: ?dispatch=products.view&product_id=
        listing: ?dispatch=categories.view&category_id= ?dispatch=categories.catalog ?dispatch=products.newest
            ?dispatch=products.bestsellers ?dispatch=product_features.view*
        other: ?dispatch= /cart /checkout /login /profiles-add /compare /wishlist /orders
    """,
    "x-cart": """
        product: /cart.php?target=product&product_id= /product.php?productid= ?target=product&product_id=
        listing: /cart.php?target=category&category_id= /home.php?cat= ?target=category&category_id=
            /manufacturers.php
        other: ?target=
            /(cart|register|login|orders|search|help|error_message|returns|comparison|wishlist|pages).php
            /send_to_friend.php
    """,
    "sylius": """
        other: /products/*/reviews/... /cart/... /login /register /account/... /checkout/... /forgotten-password
            /contact
        product: /products/*
        listing: /taxons/**
    """,
    "spree": """
        product: /products/*
        listing: /products /t/** /brands/*
        other: /cart/... /checkout/... /login /signup /account/... /wishlists/... /user/**
    """,
    "saleor": """
        product: /products/* /product/*
        listing: /categories/* /collections/* /category/* /collection/* /products
        other: /cart /checkout/... /login /account/... /orders/... /search /wishlist
    """,
    "drupal-commerce": """
        product: /product/#
        other: /cart /checkout/... /user/... /wishlist/... /comment/** /search/...
    """,
    "ubercart": """
        listing: /catalog/...
        other: /cart/... /user/... /comment/** /search/...
    """,
    "big-cartel": """
        product: /product/*
        listing: /products /category/* /artist/*
        other: /cart /checkout/... /contact /maintenance
    """,
    "lightspeed": """
        other: /account/... /cart/... /checkout/... /compare/... /service/... /blogs/... /search/... /sitemap
            /review/** /session/** /wishlist
        product: /*.html
        listing: /brands /brands/* /tags /tags/* /catalog /collection/...
    """,
    "jtl-shop": """
        product: /?a= /index.php?a=
        listing: /?k= /index.php?k= /?h= /index.php?h=
        other: /?s= /index.php?s= /(warenkorb|mein-konto|wunschliste|vergleichsliste|registrieren|bestellvorgang)
            /(passwort-vergessen|kontakt|newsletter|agb|datenschutz|impressum)
            /(warenkorb|jtl|wunschliste|vergleichsliste|bestellvorgang|registrieren|kontakt|newsletter|pass).php
    """,
    "oxid": """
        product: ?cl=details&anid=
        listing: ?cl=alist&cnid= ?cl=manufacturerlist* ?cl=vendorlist*
        other: ?cl=
    """,
    "odoo": """
        other: /shop/(cart|checkout|address|payment|confirmation|wishlist|compare|terms) /shop/(cart|wishlist)/**
            /web/... /my/... /blog/... /forum/... /contactus /jobs/... /slides/** /event/**
        listing: /shop /shop/page/# /shop/category/**
        product: /shop/product/*-# /shop/*-#
    """,
    "virtuemart": """
        product: ?option=com_virtuemart&view=productdetails&virtuemart_product_id=
        listing: ?option=com_virtuemart&view=category ?option=com_virtuemart&view=manufacturer
        other: ?option=com_virtuemart&view= ?option=com_users
    """,
    "sap-commerce": """
        other: /p/*/(reviewhtml|writereview|review)/** /cart/... /login/... /my-account/... /checkout/...
            /search/... /store-finder/... /register
        product: /p/* /**/p/*
        listing: /c/* /**/c/*
    """,
    "hcl-commerce": """
        product: /**/ProductDisplay?productid= /ProductDisplay?productid= /**/Product[0-9]_#_**
        listing: /**/CategoryDisplay?categoryid= /CategoryDisplay?categoryid=
        other: /**/(OrderItemDisplay|OrderCalculate|LogonForm|UserRegistrationForm|AjaxOrderItemDisplayView)
            /(OrderItemDisplay|OrderCalculate|LogonForm|ClickInfo)
    """,
    "bitrix": """
        other: /personal/... /auth/... /login/... /search/... /basket /compare ?action=*2basket ?backurl=
        product: /catalog/**?element_id= /catalog/detail.php?id=
        listing: /catalog
    """,
    "evershop": """
        other: /cart /checkout/... /account/... /search
    """,
}
"""By platform, `product`, `listing` or `other` before the routes of each kind."""
