"""From a page to a product, by evidence. Reading order: product, prices, tier, tiers, platforms, merge, extract, kind."""
