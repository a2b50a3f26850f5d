"""A page to a product, by evidence.

Read in order: product, prices, scan, sightings, controls, view, nodes, evidence, tier, tiers, platforms; then verdict,
traits, triage, kind, merge, extract.
"""
