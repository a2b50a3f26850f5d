"""arborist prove and verify-proof: a proof travels without the store."""

import json

import pytest

from arborist_pipeline.core.documents.document import build_document_from_text
from arborist_pipeline.core.documents.proof import build_proof
from arborist_pipeline_tests.support.site_server import LocalSite, html

TEXT = "".join(
    f"<p>Paragraph {number} tells at some length of lamp number {number} and its shade.</p>" for number in range(40)
)


@pytest.fixture
def page(arborist):
    with LocalSite({"/": html("Lamps", TEXT), "/empty": html("Empty")}) as site:
        arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest")
        arborist("crawl", "--seed-url", site.url("/empty"), "--fast", "--ingest")
        yield site


def proof_of(arborist, page, chunk=0):
    return json.loads(arborist("prove", page.url(), "--chunk", chunk).stdout)


def test_every_chunk_has_a_proof_that_holds_without_a_store(arborist, page, tmp_path):
    size = proof_of(arborist, page)["tree_size"]
    assert size > 3
    for chunk in range(size):
        proof = proof_of(arborist, page, chunk)
        assert (proof["url"], proof["leaf_index"]) == (page.url(), chunk)
        (tmp_path / "proof.json").write_text(json.dumps(proof))
        result = arborist("--db", tmp_path / "none.db", "verify-proof", "proof.json")
        assert result.exit_code == 0
        assert proof["root"] in result.stdout
    assert not (tmp_path / "none.db").exists()


def test_a_proof_is_read_from_stdin_too(arborist, page):
    proof = arborist("prove", page.url()).stdout
    assert arborist("verify-proof", "-", stdin=proof).exit_code == 0


def changed(**values):
    return lambda proof: json.dumps(proof | values)


FORGERIES = [
    ("another text", changed(chunk="Paragraph 0 tells nothing.")),
    ("another place", lambda proof: json.dumps(proof | {"leaf_index": proof["leaf_index"] + 1})),
    ("another size", lambda proof: json.dumps(proof | {"tree_size": 10**6})),
    ("another root", changed(root="0" * 64)),
    ("another recipe", changed(recipe="norm-v9")),
    ("no path", changed(path=[])),
    ("a path of words", changed(path="none")),
    ("a number for the text", changed(chunk=3)),
    ("a huge index", changed(leaf_index=10**400)),
    ("a list", lambda _: "[]"),
    ("no JSON", lambda _: "proof"),
    ("nothing", lambda _: ""),
    ("deep JSON", lambda _: "[" * 100_000),
    ("bytes that are no text", lambda _: "\udcff"),
]


@pytest.mark.parametrize("forge", [case[1] for case in FORGERIES], ids=[case[0] for case in FORGERIES])
def test_a_proof_that_does_not_hold_ends_with_1(arborist, tmp_path, forge):
    lines = "\n".join(f"Line {number} of a text that is long enough for several chunks." for number in range(60))
    proof = build_proof(build_document_from_text("https://a.example/", lines), 1).to_json()
    (tmp_path / "proof.json").write_text(json.dumps(proof))
    assert arborist("verify-proof", "proof.json").exit_code == 0
    (tmp_path / "proof.json").write_text(forge(proof), errors="surrogateescape")
    result = arborist("verify-proof", "proof.json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1


def test_a_root_that_is_trusted_must_be_the_proofs_and_without_one_the_line_says_whose_root_it_is(
    arborist, page, tmp_path
):
    proof = proof_of(arborist, page)
    (tmp_path / "proof.json").write_text(json.dumps(proof))
    alone = arborist("verify-proof", "proof.json")
    assert "taken from the proof itself" in alone.stdout
    assert "--root" in alone.stderr
    trusted = arborist("verify-proof", "proof.json", "--root", proof["root"].upper())
    assert (trusted.exit_code, trusted.stderr) == (0, "")
    assert f"the root that you gave: {proof['root']}" in trusted.stdout
    assert arborist("verify-proof", "proof.json", "--root", "0" * 64).exit_code == 1


@pytest.mark.parametrize("root", ["", "12", "0" * 63, "z" * 64, "0" * 66])
def test_what_cannot_be_a_root_is_wrong_use(arborist, root):
    result = arborist("verify-proof", "missing.json", "--root", root)
    assert result.exit_code == 2
    assert "64 hexadecimal digits" in result.stderr


def test_a_file_that_is_not_there_ends_with_2(arborist):
    assert arborist("verify-proof", "missing.json").exit_code == 2


def test_what_cannot_be_proven_ends_with_2(arborist, page):
    size = proof_of(arborist, page)["tree_size"]
    for arguments in ((page.url("/nothing"),), (page.url(), "--chunk", size), (page.url("/empty"),), ("nonsense",)):
        result = arborist("prove", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")


def test_a_page_is_proven_to_stand_in_its_site_without_a_store(arborist, page, tmp_path):
    claim = arborist("prove", page.url(), "--in-site").stdout
    (tmp_path / "proof.json").write_text(claim)
    result = arborist("--db", tmp_path / "none.db", "verify-proof", "proof.json")
    assert (result.exit_code, page.url() in result.stdout) == (0, True)
    chunk = proof_of(arborist, page)
    assert json.loads(claim)["document_root"] == chunk["root"]  # the two proofs make a chain from text to site
    (tmp_path / "proof.json").write_text(json.dumps(json.loads(claim) | {"url": page.url("/other")}))
    result = arborist("verify-proof", "proof.json")
    assert (result.exit_code, result.stdout) == (1, "")


def test_a_page_without_a_place_in_its_site_ends_with_2(arborist, page):
    for arguments in (("/empty", "--in-site"), ("/", "--in-site", "--crawl", "99"), ("/", "--crawl", "1")):
        result = arborist("prove", page.url(arguments[0]), *arguments[1:])
        assert (result.exit_code, result.stdout) == (2, "")
