"""A question to a language model, as data."""
