"""Arborist: product catalogues kept fresh, and the truth about a site for its webmaster."""

__version__ = "0.1.0"
