"""A shop whose pages say all to a reader and little to a parser: what the last tier is for."""

SHOP = "https://shy.example"


LONG = "The workshop asks {} euro for it, and brings it to your door in the week after you have paid for all of it."


def shy_page(name, *, amount="39", code="KX-100", maker="Holm & Sons", stock="Ready to leave the workshop", ask=LONG,
             aside=""):  # fmt: skip
    """A product page without mark-up: price, number and maker stand in sentences and words of the shop's own."""
    return f"""<!doctype html><html lang="en"><head><title>{name} | Shy shop</title></head><body>
<nav><a href="/">Home</a> <a href="/things/a">Another thing</a></nav>
<main class="thing"><h1 class="thing-name">{name}</h1>
<div class="thing-ask">{ask.format(amount)}</div>
<ul class="thing-facts"><li><b class="k">Reference code</b> <i class="v">{code}</i></li>
<li><b class="k">Made at</b> <i class="v">{maker}</i></li></ul>
<p class="thing-state">{stock}</p>{aside}
<button type="submit">Add to cart</button></main></body></html>"""


ANSWER = {"name": "Oak stool", "price": "39 euro", "currency": "euro", "brand": "Holm & Sons", "sku": "KX-100",
          "stock": ("Ready to leave the workshop", "InStock")}  # fmt: skip
"""What a good model says of `shy_page("Oak stool")`."""
