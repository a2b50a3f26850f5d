"""The errors of Arborist: broken promises only; what a site may well do (404, timeout, refusal) is a value.

ArboristError
├── ConfigError      a setting, sites.yaml or argument that cannot be used; the text says what to do
├── InvalidUrl       a string that is no absolute http(s) URL
├── StoreError       the store cannot be opened, read or written
├── LeaseHeld        another crawl of this host is under way
├── LeaseLost        this crawl's lease went to another holder
├── NothingToResume  the last crawl of the site ran to its end
├── MerkleError
│   ├── MalformedProof   a proof that no tree can have
│   └── RootMismatch     a proof that leads to another root (both are named)
└── ReplyError       a model's answer that cannot be read
"""


class ArboristError(Exception):
    """Root of all errors that Arborist raises on purpose."""


class ConfigError(ArboristError):
    """A setting, site list or argument that cannot be used; the message says where and what to do."""


class InvalidUrl(ArboristError):
    """A string that is no absolute http or https URL by the WHATWG URL Standard."""


class StoreError(ArboristError):
    """The store cannot be opened, read or written."""


class LeaseHeld(ArboristError):
    """Another crawl of this host is under way; the message names its holder and since when."""


class LeaseLost(ArboristError):
    """This crawl's host lease was taken over; whoever notices stops at once."""


class NothingToResume(ArboristError):
    """The crawl that was to be resumed ran to its end; the message says when and what to do instead."""


class MerkleError(ArboristError):
    """Root of the errors about trees and proofs."""


class MalformedProof(MerkleError):
    """A proof whose index, size or path no tree can have."""


class RootMismatch(MerkleError):
    """A well-formed proof that leads to another root than the one expected."""

    def __init__(self, *, expected: bytes, computed: bytes) -> None:
        super().__init__(f"root mismatch: expected {expected.hex()}, computed {computed.hex()}")
        self.expected = expected
        self.computed = computed


class ReplyError(ArboristError):
    """A model's answer that cannot be read."""
