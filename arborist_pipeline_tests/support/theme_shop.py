"""A shop whose theme names the options of a product and leaves its variants to the platform's Ajax endpoint."""

import json

from arborist_pipeline_tests.support.site_server import Reply, html

HEAD = (
    '<script src="//shop.example/cdn/shop/t/3/assets/theme.js" defer></script>'
    '<script>var Shopify = Shopify || {}; Shopify.shop = "lamp.example"; '
    'Shopify.currency = {"active":"AUD","rate":"1.0"};</script>'
)
BASKET = "/products/reed-basket"
ENDPOINT = f"{BASKET}.js"


def theme_page(name="Reed Basket", *, head=HEAD, form=""):
    """A product page with two options to choose from, and no list of what there is."""
    selects = form or (
        '<label for="size">Size</label><select id="size" name="options[Size]"><option>Small</option>'
        '<option>Large</option></select><label for="lining">Lining</label><select id="lining" name="options[Lining]">'
        "<option>None</option><option>Linen</option></select>"
    )
    return html(
        f"{name} - Lamp",
        f'<main><h1>{name}</h1><div class="price">$39.00</div><form action="/cart/add">{selects}'
        "<button>Add to cart</button></form></main>",
        head=head,
    )


def told(name="Reed Basket", handle="reed-basket", *, price=3900, available=True):
    """What the endpoint says, in the shape that Shopify documents: prices are whole cents."""
    common = {"requires_shipping": True, "taxable": True, "featured_image": None, "weight": 500,
              "inventory_management": "shopify", "options": []}  # fmt: skip
    variants = [
        {"id": 771, "title": "Small / None", "option1": "Small", "option2": "None", "option3": None, "sku": "RB-S",
         "available": available, "name": f"{name} - Small / None", "public_title": "Small / None", "price": price,
         "compare_at_price": 4500, "barcode": "4006381333931"} | common,
        {"id": 772, "title": "Large / Linen", "option1": "Large", "option2": "Linen", "option3": None, "sku": "RB-L",
         "available": False, "name": f"{name} - Large / Linen", "public_title": "Large / Linen", "price": 5900,
         "compare_at_price": None, "barcode": ""} | common,
    ]  # fmt: skip
    return {"id": 77, "title": name, "handle": handle, "description": "<p>Woven by hand.</p>",
            "published_at": "2026-01-02T03:04:05+11:00", "created_at": "2026-01-02T03:04:05+11:00", "vendor": "Fen",
            "type": "Basket", "tags": ["reed"], "price": price, "price_min": price, "price_max": 5900,
            "available": available, "price_varies": True, "compare_at_price": 4500, "compare_at_price_min": 4500,
            "compare_at_price_max": 4500, "compare_at_price_varies": False, "variants": variants,
            "images": ["//cdn.shopify.com/s/files/1/r.jpg"], "featured_image": "//cdn.shopify.com/s/files/1/r.jpg",
            "options": [{"name": "Size", "position": 1, "values": ["Small", "Large"]},
                        {"name": "Lining", "position": 2, "values": ["None", "Linen"]}],
            "url": f"/products/{handle}"}  # fmt: skip


def answer(**values):
    """The endpoint's answer as it is served."""
    return Reply(body=json.dumps(told(**values)).encode(), headers={"content-type": "text/javascript; charset=utf-8"})


def theme_shop():
    """A home page, a product page and its endpoint."""
    return {"/": html("Lamp", links=[BASKET]), BASKET: theme_page(), ENDPOINT: answer()}
