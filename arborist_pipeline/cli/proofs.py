"""arborist prove and verify-proof: a piece of text stands in a page, shown to somebody without the store."""

import json
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import Failure, Invocation, Misuse
from arborist_pipeline.cli.output import emit, json_line, printable, say
from arborist_pipeline.core.crawl.lines import timestamp
from arborist_pipeline.core.documents.merkle import HASH_BYTES, build_tree, hash_leaf
from arborist_pipeline.core.documents.proof import (
    InclusionProof,
    PageProof,
    is_page_proof,
    parse_page_proof,
    parse_proof,
    verify_inclusion,
    verify_page,
)
from arborist_pipeline.core.documents.site_tree import SiteState
from arborist_pipeline.core.errors import MerkleError
from arborist_pipeline.core.web.url import Url, canonicalize


@click.command("prove")
@click.argument("url")
@click.option("--chunk", type=click.IntRange(min=0), default=0, show_default=True, help="Which piece, counted from 0.")
@click.option("--in-site", is_flag=True, help="Prove that the page stands in the site's root, not a piece in the page.")
@click.option("--crawl", type=click.IntRange(min=1), metavar="N", help="With --in-site: the root after that crawl.")
@click.pass_obj
def prove(invocation: Invocation, url: str, chunk: int, *, in_site: bool, crawl: int | None) -> None:
    """Print a proof, as one JSON object, that a piece of text stands in the stored page of a URL.

    The proof needs no store: arborist verify-proof checks it, and any verifier of RFC 9162 inclusion proofs can. It
    binds the text and its place to the root; the title and time beside it are told, not proven. With --in-site it
    binds the URL and the page's root to the root of the whole site, as the newest crawl (or --crawl) left it.
    """
    uri = canonicalize(url)
    if crawl is not None and not in_site:
        raise Misuse("--crawl names the root of a site: use it with --in-site")
    with wiring.opened_store(wiring.load_settings(invocation.db), read_only=True) as store:
        if in_site:
            site = wiring.lookup_in(store).find_site(uri)
            trees = wiring.site_trees_in(store)
            states = trees.load_states(site.key) if site else ()
            emit(json_line(_prove_page(uri, crawl, states, trees.prove)))
            return
        stored = wiring.lookup_in(store).load_text(uri)
    if stored is None:
        raise Misuse(f"the store has no document of {uri}: crawl it with arborist crawl --seed-url {uri} --ingest")
    if chunk >= len(stored.chunks):
        raise Misuse(f"{uri} has {len(stored.chunks)} chunks, counted from 0: there is no chunk {chunk}")
    tree = build_tree(hash_leaf(text.encode()) for text in stored.chunks)
    proof = InclusionProof(
        recipe=stored.recipe,
        root=stored.root,
        tree_size=tree.size,
        leaf_index=chunk,
        chunk=stored.chunks[chunk],
        path=tree.inclusion_path(chunk),
    )
    if tree.root != stored.root:
        raise Failure(f"the stored text of {uri} does not lead to its root: run arborist verify")
    told = {"url": uri, "title": stored.title, "observed_at": timestamp(stored.observed_at)}
    emit(json_line({**told, **proof.to_json()}))


def _prove_page(
    uri: Url,
    crawl: int | None,
    states: Sequence[tuple[SiteState, datetime]],
    prove_in: Callable[[SiteState, str], PageProof | None],
) -> dict[str, object]:
    found = [(state, taken_at) for state, taken_at in states if crawl in (None, state.crawl_id)]
    if not found:
        raise Misuse(f"the store has no site root for {uri}{f' after crawl {crawl}' if crawl else ''}: "
                     "crawl it with --ingest; arborist history --site KEY lists the roots")  # fmt: skip
    state, taken_at = found[-1]
    proof = prove_in(state, uri)
    if proof is None:
        raise Misuse(f"{uri} does not stand in the site's root of {timestamp(taken_at)}: it had no text then")
    if proof.root != state.root:
        raise Failure(f"the stored pages of the site do not lead to its root {state.root.hex()}: run arborist verify")
    return {"crawl": state.crawl_id, "taken_at": timestamp(taken_at), **proof.to_json()}


@click.command("verify-proof")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--root", metavar="HEX", help="The root that you trust.  [default: the one in the proof]")
def verify_proof(file: Path, root: str | None) -> None:
    """Check a proof that `arborist prove` printed (- reads stdin); no store is needed.

    Without --root the root is taken from the proof: then it holds together, but whoever wrote it chose the root. With
    --root it is held against a root that you had from somewhere else. The exit code is 1 where it does not hold.
    """
    trusted = None if root is None else _root(root)
    try:
        text = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise Misuse(f"{file} cannot be read: {error.strerror}") from error
    try:
        proof = _checked(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise Failure(f"{file} holds no proof: it is no JSON") from error
    except MerkleError as error:
        raise Failure(f"the proof does not hold: {error}") from error
    if trusted not in (None, proof.root):
        raise Failure(f"the proof holds for another root than yours: {proof.root.hex()}")
    source = "the root taken from the proof itself" if trusted is None else "the root that you gave"
    what = f"{proof.url} is page" if isinstance(proof, PageProof) else "chunk"
    emit(
        f"the proof holds: {printable(what)} {proof.leaf_index} of {proof.tree_size} under {source}: {proof.root.hex()}"
    )
    if trusted is None:
        say("text, place and root fit together; that the root is the page's is told, not shown: hold it against one "
            "that you trust with --root HEX")  # fmt: skip


def _checked(claim: object) -> InclusionProof | PageProof:
    """Return the proof that JSON values hold; raises MerkleError where it is none or does not hold."""
    if is_page_proof(claim):
        page = parse_page_proof(claim)
        verify_page(page)
        return page
    proof = parse_proof(claim)
    verify_inclusion(proof)
    return proof


def _root(text: str) -> bytes:
    try:
        root = bytes.fromhex(text)
    except ValueError:
        root = b""
    if len(root) != HASH_BYTES:
        raise Misuse(f"--root {text!r}: a root is {2 * HASH_BYTES} hexadecimal digits")
    return root
