"""An audit goes through every stream, tells each damage as it is found, and counts."""

import zlib
from hashlib import sha256

import pytest

from arborist_pipeline.core.documents.audit import BodyRow, Damage, LeafRow
from arborist_pipeline.core.documents.document import build_document_from_text
from arborist_pipeline.core.documents.site_tree import SiteState, hash_page
from arborist_pipeline.workflows.verify import Audit, verify_store

BODY = b"<p>Hello"
GOOD = BodyRow(sha256(BODY).digest(), len(BODY), zlib.compress(BODY))


class Streams:
    """An AuditStore over values."""

    def __init__(self, leaves=(), bodies=(), missing=(), users=(), mains=(), states=(), lost=(), versions=()):
        self.mains, self.states, self.lost, self.versions = mains, states, lost, versions
        self.leaves, self.bodies, self.missing, self.users = leaves, bodies, missing, users
        self.asked = []

    def leaf_rows(self, site_key):
        self.asked.append(site_key)
        yield from self.leaves

    def version_rows(self, site_key):
        self.asked.append(site_key)
        yield from self.versions

    def body_rows(self, site_key):
        self.asked.append(site_key)
        yield from self.bodies

    def urls_without_body(self, site_key):
        self.asked.append(site_key)
        yield from self.missing

    def main_rows(self, site_key):
        self.asked.append(site_key)
        yield from self.mains

    def site_states(self, site_key):
        self.asked.append(site_key)
        return self.states

    def compute_site(self, state):
        return hash_page("u", b"d" * 32), state.size

    def lost_pages(self, site_key):
        self.asked.append(site_key)
        yield from self.lost

    def urls_of_body(self, body_sha256):
        del body_sha256
        return self.users


def leaves(text, *, number=1, uri="https://a.example/"):
    document = build_document_from_text(uri, text)
    return [LeafRow(number, uri, document.recipe, document.document_root, len(document.chunks), place, chunk.leaf_hash,
                    chunk.text.encode()) for place, chunk in enumerate(document.chunks)]  # fmt: skip


def run(store, **options):
    found = []
    return verify_store(store, report=found.append, **options), found


def test_a_sound_store_is_counted_and_nothing_is_told():
    steps = []
    store = Streams(leaves=leaves("One.") + leaves("Two.", number=2), bodies=[GOOD])
    audit, found = run(store, site_key="shop", advance=lambda: steps.append(1))
    assert audit == Audit(documents=2, bodies=1, damages=0)
    assert found == []
    assert len(steps) == 3
    assert store.asked == ["shop"] * 7


def test_each_damage_is_told_once_with_every_page_that_has_it():
    broken = [row._replace(text=b"Other.") for row in leaves("One.")]
    store = Streams(leaves=broken, bodies=[GOOD._replace(size=3)], missing=["https://a.example/lost"],
                    users=("https://a.example/", "https://a.example/twin"))  # fmt: skip
    audit, found = run(store)
    assert audit == Audit(documents=1, bodies=1, damages=3)
    assert [damage.uri for damage in found] == [
        "https://a.example/", "https://a.example/", "https://a.example/twin", "https://a.example/lost",
    ]  # fmt: skip


def test_a_damaged_body_that_no_page_names_is_told_without_a_page():
    _, found = run(Streams(bodies=[GOOD._replace(content=None)]))
    assert found == [Damage(None, "its body has no content")]


def test_site_roots_and_lost_pages_are_told():
    sound = SiteState(1, 1, 1, hash_page("u", b"d" * 32), 1)
    audit, found = run(Streams(states=[sound, sound._replace(root=b"x" * 32)], lost=["https://a.example/"]))
    assert audit == Audit(site_roots=2, damages=2)
    assert [damage.uri for damage in found] == [None, "https://a.example/"]


def test_what_stops_an_audit_leaves_how_far_it_came():
    def stop():
        raise KeyboardInterrupt

    audit = Audit()
    with pytest.raises(KeyboardInterrupt):
        run(Streams(leaves=leaves("One."), bodies=[GOOD]), audit=audit, advance=stop)
    assert audit == Audit(documents=1)
