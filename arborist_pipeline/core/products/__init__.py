"""A page to a product, by evidence. Read in order: product, prices, tier, tiers, platforms, merge, extract, kind."""
