"""A page to a product, by evidence.

Read in order: product, prices, scan, sightings, view, nodes, evidence, tier, tiers, platforms, merge, kind, extract.
"""
