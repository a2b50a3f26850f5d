"""A whole shop made from a seed: some three hundred pages, known goods, known faults, no network, no dependencies."""
