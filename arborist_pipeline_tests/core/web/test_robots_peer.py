import base64
import json

import pytest
from protego import Protego

from arborist_pipeline.core.web.robots import parse_robots

# Where Protego and we differ on the real-world bodies, by what RFC 9309 says of it.
MERGES = "§2.2.4: other records neither begin nor end a group"
CUTS = "§2.2.1: a product token ends at the first character that none may have"
PATHS = "§2.2.2: a pattern that does not begin with a slash or wildcard matches no path"
RULES = ("user-agent", "allow", "disallow")


def records(shared, name):
    path = shared / "conformance" / "robots" / name
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def body_of(record):
    return base64.b64decode(record["robots_b64"]) if "robots_b64" in record else record["robots"].encode()


def explanations(body):
    """Which of Protego's known departures from the RFC a body gives room to."""
    lines = (line.partition("#")[0].strip() for line in body.decode("utf-8", "replace").replace("\r", "\n").split("\n"))
    pairs = [(key.strip().lower(), value.strip()) for key, _, value in (line.partition(":") for line in lines if line)]
    keys = ["", *(key for key, _ in pairs), ""]
    triples = zip(keys, keys[1:], keys[2:], strict=False)
    if any(key not in RULES and "user-agent" in (before, after) for before, key, after in triples):
        yield MERGES
    if any(
        key == "user-agent" and not set(value.lower()) <= set("abcdefghijklmnopqrstuvwxyz_-*") for key, value in pairs
    ):
        yield CUTS
    if any(key in RULES[1:] and value.startswith("http") for key, value in pairs):
        yield PATHS


@pytest.mark.shared
@pytest.mark.parametrize("name", ["generated-google-verdicts.jsonl", "realworld-google-verdicts.jsonl"])
def test_every_difference_from_protego_is_explained_by_the_rfc(shared, name):
    unexplained, differences = [], 0
    for case in records(shared, name):
        body = body_of(case).removeprefix(b"\xef\xbb\xbf")  # which Protego wants stripped
        peer = Protego.parse(body.decode("utf-8", "replace"))
        for agent, url, _ in case["queries"]:
            if parse_robots(body, agent).allows(url) is not peer.can_fetch(url, agent):
                differences += 1
                if not list(explanations(body)):
                    unexplained.append((case["id"], agent, url, body))
    assert unexplained == []
    assert 0 < differences < 50
