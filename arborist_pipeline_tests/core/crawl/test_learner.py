"""What fetched pages teach: chances, lists that are worth it, and that the order of lessons is all that counts."""

import pytest

from arborist_pipeline.core.crawl.learner import FULL_LIST, PRODUCT_LIKE, Learner
from arborist_pipeline.core.crawl.lessons import Lesson, Told
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline_tests.core.crawl.conftest import at

CARD, MENU = "mi.0001", "n.0002"


def teach(learner, path, place, *, is_product, finds=None, parent="/", **more):
    """Let a learner know what the page at a path was; returns the number of its arm."""
    arm = learner.arms.number_for(at(path), place)
    learner.learn(Lesson(url=at(path), anchor="", parent=at(parent), arm=arm, is_product=is_product,
                         finds=finds or {}, **more))  # fmt: skip
    return arm


def chance(learner, path, place):
    arm = learner.arms.number_for(at(path), place)
    return learner.chance(arm, learner.arms.features_of(arm, at(path), ""))


def outlook(learner, path, place):
    arm = learner.arms.number_for(at(path), place)
    return learner.outlook(arm, learner.arms.features_of(arm, at(path), ""))


def test_pages_of_a_kind_that_were_products_make_the_next_one_likely():
    learner = Learner()
    before = chance(learner, "/x-1-y", CARD)
    for number in range(4):
        teach(learner, f"/blue-cup-{number}-a", CARD, is_product=True)
    assert before < PRODUCT_LIKE < 0.8 < chance(learner, "/old-plate-9-b", CARD)


def test_a_pattern_that_turns_out_to_be_a_blog_sinks_after_two_pages():
    learner = Learner()
    assert chance(learner, "/products/a-story", CARD) > 0.9
    for name in "ab":
        teach(learner, f"/products/{name}-tale", CARD, is_product=False)
    assert chance(learner, "/products/a-story", CARD) < PRODUCT_LIKE


def test_what_tells_products_from_posts_in_one_arm_is_learned_from_their_words():
    learner = Learner()
    for number in range(12):
        teach(learner, f"/oak-{number}-table", CARD, is_product=True)
        teach(learner, f"/how-{number}-story", CARD, is_product=False)
    arm = learner.arms.number_for(at("/oak-77-table"), CARD)
    guesses = [
        learner.guess(learner.arms.features_of(arm, at(path), "")) for path in ("/oak-77-table", "/how-77-story")
    ]
    assert guesses[0] > guesses[1] + 0.3


def test_a_product_under_another_address_is_no_new_one():
    learner = Learner()
    own = at("/cups/mug")
    assert learner.learn(Lesson(url=own, anchor="", parent=None, arm=Bucket.QUEUE, is_product=True)) is True
    again = Lesson(url=at("/sale/mug"), anchor="", parent=None, arm=Bucket.QUEUE, is_product=True, identity=own)
    assert learner.learn(again) is False
    assert learner.products == 1


def test_lists_are_worth_what_they_lead_to_and_no_more_than_their_links():
    learner = Learner()
    goods = teach(learner, "/goods/a-b", CARD, is_product=True)
    for number in range(6):
        teach(learner, f"/goods/blue-{number}-cup", CARD, is_product=True)
        teach(learner, f"/list-{number}-all", MENU, is_product=False, finds={goods: 20})
        teach(learner, f"/info/page-{number}", MENU, is_product=False)
    rich, poor = outlook(learner, "/list-9-all", MENU), outlook(learner, "/info/page-9", MENU)
    assert rich.behind > FULL_LIST / 2 > 3 > poor.behind
    assert poor.worth < rich.worth <= learner.arm_chance(goods)


def test_a_list_that_gave_nothing_new_twice_is_left():
    learner = Learner()
    goods = teach(learner, "/goods/blue-cup", CARD, is_product=True)
    teach(learner, "/all", MENU, is_product=False, finds={goods: 9})
    teach(learner, "/all?page=2", "p.0003", is_product=False, parent="/all")
    assert not learner.is_barren(at("/all"), {})
    assert learner.is_barren(at("/all?page=2"), {})
    assert not learner.is_barren(at("/all?page=2"), {goods: 4})
    assert not learner.is_barren(None, {})


@pytest.mark.parametrize("platform", ["shopify", "woocommerce"])
def test_a_platform_is_noted_once_and_changes_what_its_addresses_are_worth(platform):
    learner = Learner()
    before = chance(learner, "/cart/x-y", CARD)
    learner.note_platform(platform)
    epoch = learner.epoch
    learner.note_platform("magento-2")
    assert (learner.arms.platform, learner.epoch) == (platform, epoch)
    assert chance(learner, "/cart/x-y", CARD) <= before


def test_a_models_word_counts_as_some_pages_and_is_outweighed_by_more():
    learner = Learner()
    arm = learner.arms.number_for(at("/q-1-a"), CARD)
    told = tuple(Told(arm, at(f"/q-{number}-a"), "", True) for number in range(3))
    learner.learn(Lesson(url=at("/"), anchor="", parent=None, arm=Bucket.QUEUE, is_product=False, told=told))
    assert chance(learner, "/q-2-b", CARD) > PRODUCT_LIKE
    for number in range(8):
        teach(learner, f"/q-{number}-z", CARD, is_product=False)
    assert chance(learner, "/q-9-b", CARD) < PRODUCT_LIKE


def test_many_words_on_one_kind_of_link_are_outweighed_as_soon_as_a_few():
    learner = Learner()
    arm = learner.arms.number_for(at("/q-1-a"), CARD)
    told = tuple(Told(arm, at(f"/q-{number}-a"), "", False) for number in range(30))
    learner.learn(Lesson(url=at("/"), anchor="", parent=None, arm=Bucket.QUEUE, is_product=False, told=told))
    for number in range(12):
        teach(learner, f"/q-{number}-z", CARD, is_product=True)
    assert chance(learner, "/q-99-z", CARD) > PRODUCT_LIKE


def test_that_a_link_is_no_product_says_nothing_of_where_it_leads():
    learner = Learner()
    arm = learner.arms.number_for(at("/all-cups"), MENU)
    features = learner.arms.features_of(arm, at("/all-cups"), "")
    before = learner.guess_yield(features)
    told = tuple(Told(arm, at(f"/all-{name}"), "", False) for name in ("cups", "plates", "bowls"))
    learner.learn(Lesson(url=at("/"), anchor="", parent=None, arm=Bucket.QUEUE, is_product=None, finds={arm: 9},
                         told=told))  # fmt: skip
    for number in range(6):
        teach(learner, f"/a-{number}-tale", CARD, is_product=True)
    assert learner.guess_yield(features) > 0.7 * before


def test_the_same_lessons_in_the_same_order_make_the_same_knowledge_to_the_last_bit():
    learners = [Learner(), Learner()]
    for learner in learners:
        for number in range(40):
            arm = teach(learner, f"/w-{number % 7}-x", CARD, is_product=number % 3 == 0, finds={3: number % 5})
            learner.arm_chance(arm)  # asking between lessons changes nothing
            if learner is learners[0]:
                chance(learner, f"/other-{number}", MENU)
    paths = [("/w-3-y", CARD), ("/z/9", MENU), ("/products/a-b", CARD)]
    assert [chance(learners[0], *each) for each in paths] == [chance(learners[1], *each) for each in paths]
    assert [outlook(learners[0], *each) for each in paths] == [outlook(learners[1], *each) for each in paths]
