"""A queue is named by what it holds."""

import pytest

from arborist_pipeline.core.crawl.priority import FIRST_ARM, Bucket
from arborist_pipeline.core.report.queue_names import queue_name
from arborist_pipeline.core.report.url_record import QueueArm, QueuePlace
from arborist_pipeline.core.web.url import Url

EXAMPLE = Url("https://shop.example/goods/blue-cup-1")


def named(key):
    return queue_name(QueuePlace(FIRST_ARM + 4, 0, 1, QueueArm(key, EXAMPLE)))


def test_every_bucket_that_all_sites_have_has_a_name_of_its_own():
    names = {queue_name(QueuePlace(bucket, 0, 1)) for bucket in Bucket}
    assert len(names) == len(Bucket)
    assert not any(char.isdigit() for char in "".join(names))


@pytest.mark.parametrize(("key", "words"), [
    ("/{words-n} mic.3f0a.listing", "links like /{words-n} beside a picture and a price in the content of lists"),
    ("/goods/{words-n} mt.3f0a.article", "links like /goods/{words-n} in the content of articles"),
    ("/{word} n.00aa.", "links like /{word} in menus"),
    ("/{word} f.00aa.home", "links like /{word} in the footer of the home page"),
    ("/p/{words} s", "links like /p/{words} of the sitemap"),
    ("/{word}?page&view ", "links like /{word}?page&view"),
    ("* m", "links of many kinds in the content"),
    ("* mr", "product-shaped links of many kinds in the content"),
    ("* r", "product-shaped links of many kinds"),
])  # fmt: skip
def test_an_arm_is_named_by_what_its_links_have_in_common_and_one_of_them(key, words):
    assert named(key) == f"{words}, such as {EXAMPLE}"


def test_secrets_in_the_example_are_masked():
    place = QueuePlace(FIRST_ARM, 0, 1, QueueArm("/{word} m", Url("https://shop.example/a?token=abc")))
    assert "abc" not in queue_name(place)
