"""How soon a crawl finds the products: a family of generated shops, orders to compare with, and a table of both."""
