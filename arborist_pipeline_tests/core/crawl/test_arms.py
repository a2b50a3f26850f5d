"""Which links share an arm, how many arms a site gets, and that stored arms are the same arms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.arms import MAX_ARMS, MAX_LITERALS, Arm, Arms
from arborist_pipeline.core.crawl.platform_paths import PathKind
from arborist_pipeline.core.crawl.priority import FIRST_ARM, Bucket
from arborist_pipeline.core.web.url import canonicalize

PLACES = ["m.0001", "mic.0002", "n.0001", "s"]
PATHS = [
    "/", "/cups/", "/cups/blue-mug", "/cups/mug", "/plates/old-plate", "/products/blue-mug", "/product/7",
    "/index.php?route=product/product&product_id=3", "/de/cups/mug", "/EN/cups/mug", "/blog/2026/a-b-c",
    "/x/y/z?page=2",
]  # fmt: skip


def at(path):
    url = canonicalize(f"https://shop.example{path}")
    assert url is not None
    return url


def fill(arms):
    """Meet as many kinds of links as there may be arms."""
    for number in range(MAX_ARMS):
        arms.number_for(at(f"/a?k{number}=1"), "m.0001")
    return arms


def shown(arms):
    return {number: (arm.key, arm.example, arm.features, arm.is_regex, arm.path_kind)
            for number, arm in arms.by_number.items()}  # fmt: skip


def restored(*kept):
    arms = Arms()
    arms.load([row for rows in kept for row in rows])
    return arms


@pytest.mark.parametrize(
    ("one", "other", "is_shared"),
    [
        (("/cups/blue-mug", "m.1"), ("/cups/red-tea-pot", "m.1"), True),
        (("/cups/blue-mug", "m.1"), ("/cups/blue-mug", "m.1"), True),
        (("/cups/blue-mug", "m.1"), ("/cups/red-pot", "m.2"), False),
        (("/cups/blue-mug", "m.1"), ("/cups/red-pot", "mic.1"), False),
        (("/cups/blue-mug", "m.1"), ("/cups/mug", "m.1"), False),
        (("/cups/blue-mug", "m.1"), ("/plates/old-plate", "m.1"), False),
        (("/cups/blue-mug", "m.1"), ("/cups/red-pot?size=1", "m.1"), False),
    ],
)
def test_links_share_an_arm_where_the_shape_of_the_address_and_the_place_are_the_same(one, other, is_shared):
    arms = Arms()
    numbers = [arms.number_for(at(path), place) for path, place in (one, other)]
    assert min(numbers) >= FIRST_ARM
    assert (numbers[0] == numbers[1]) is is_shared


def test_the_queues_of_earlier_versions_are_arms_without_a_shape():
    arms = Arms()
    assert [arms.arm(number).is_regex for number in (Bucket.PRODUCT_SHAPED, Bucket.QUEUE, 77)] == [True, False, False]
    assert arms.take_new() == ()
    assert arms.arm(77) is arms.arm(77)


def test_a_site_gets_no_more_arms_than_the_bound_and_then_common_ones_by_what_cards_show():
    arms = fill(Arms())
    links = [(f"/{path}/{name}", f"{shown}.{number:04x}")
             for number, path in enumerate(("cups", "product", "blog", "x/y/z"))
             for name in ("mug", "blue-mug", "7") for shown in ("m", "mic", "n")]  # fmt: skip
    numbers = {(path.startswith("/product"), place[:-5]): arms.number_for(at(path), place) for path, place in links}
    assert len(set(numbers.values())) == len(numbers) == 6
    assert len(arms.by_number) <= MAX_ARMS + 6
    for (is_regex, _), number in numbers.items():
        assert (arms.arm(number).shape_text, arms.arm(number).is_regex) == ("*", is_regex)
    assert {arms.number_for(at(path), place) for path, place in links} == set(numbers.values())


def test_links_without_a_place_go_to_the_queues_of_earlier_versions_when_all_arms_are_given_away():
    arms = fill(Arms())
    assert [arms.number_for(at(path), "") for path in ("/cups/mug", "/product/mug")] == [
        Bucket.QUEUE, Bucket.PRODUCT_SHAPED,
    ]  # fmt: skip


def test_links_of_a_known_kind_go_to_its_arm_when_all_arms_are_given_away():
    arms = Arms()
    number = arms.number_for(at("/cups/blue-mug"), "mic.0001")
    assert fill(arms).number_for(at("/cups/red-pot"), "mic.0001") == number


def test_a_site_with_many_first_folders_has_names_for_the_first_of_them_and_one_arm_for_the_rest():
    arms = Arms()
    folders = [f"folder-{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    numbers = [arms.number_for(at(f"/{folder}/mug"), "m.0001") for folder in folders]
    assert len(set(numbers[:MAX_LITERALS])) == MAX_LITERALS
    assert set(numbers[MAX_LITERALS:]) == {numbers[-1]}
    assert arms.arm(numbers[0]).shape_text == "/folder-a/{word}"


@given(st.lists(st.tuples(st.sampled_from(PATHS), st.sampled_from(PLACES)), max_size=20), st.booleans(), st.data())
def test_stored_arms_are_those_that_made_them_with_the_same_numbers_and_features(links, is_full, data):
    arms = fill(Arms()) if is_full else Arms()
    cut = data.draw(st.integers(0, len(links)))
    numbers = [arms.number_for(at(path), place) for path, place in links[:cut]]
    first = arms.take_new()
    numbers += [arms.number_for(at(path), place) for path, place in links[cut:]]
    later = restored(data.draw(st.permutations(first)), arms.take_new())
    assert shown(later) == shown(arms)
    assert [later.number_for(at(path), place) for path, place in links] == numbers
    assert later.take_new() == ()
    for number, (path, _) in zip(numbers, links, strict=True):
        assert later.features_of(number, at(path), "Mug") == arms.features_of(number, at(path), "Mug")


def test_a_registry_goes_on_after_the_numbers_that_were_stored():
    arms = restored([(40, "/cups/{words} m.0001", at("/cups/blue-mug"))])
    assert arms.number_for(at("/cups/red-pot"), "m.0001") == 40
    assert arms.number_for(at("/cups/red-pot"), "m.0002") == 41
    assert arms.take_new() == ((41, "/cups/{words} m.0002", at("/cups/red-pot")),)


def test_new_arms_are_handed_over_once():
    arms = Arms()
    number = arms.number_for(at("/cups/blue-mug"), "m.0001")
    arms.number_for(at("/cups/red-pot"), "m.0001")
    assert arms.take_new() == ((number, "/cups/{words} m.0001", at("/cups/blue-mug")),)
    assert arms.take_new() == ()


def test_the_first_platform_that_is_noted_changes_what_is_known_of_arms_and_the_next_does_not():
    arms = Arms()
    product, other = arms.number_for(at("/product-page/mug"), "m.1"), arms.number_for(at("/mug-stories"), "m.1")
    before = shown(arms)
    arms.note_platform("wix")
    after = shown(arms)
    assert arms.arm(product).path_kind is PathKind.PRODUCT
    assert arms.arm(product).features.product > before[product][2].product + 3
    assert {number for number in before if before[number] != after[number]} == {product}
    assert (after[other], arms.version) == (before[other], 1)
    arms.note_platform("shopify")
    assert (arms.platform, arms.version, shown(arms)) == ("wix", 1, after)


def test_arms_that_are_made_after_the_platform_was_noted_know_it():
    before, after = Arms(), Arms()
    before.note_platform("wix")
    numbers = {arms.number_for(at("/product-page/mug"), "m.1") for arms in (before, after)}
    after.note_platform("wix")
    assert len(numbers) == 1
    assert shown(before) == shown(after)


@given(st.lists(st.dictionaries(st.integers(16, 20), st.integers(0, 10**9), max_size=3), max_size=60))
def test_what_an_arm_leads_to_fades_and_stays_bounded(pages):
    arm = Arm("/{word}", "m", at("/x"))
    for finds in pages:
        arm.note_finds(finds)
    assert arm.pages <= min(25, len(pages)) + 1e-6
    assert all(0 <= count <= 1e6 for count in arm.finds.values())


def test_the_last_pages_of_an_arm_tell_more_than_the_first():
    rich_then_poor, poor_then_rich = (Arm("/{word}", "m", at("/x")) for _ in range(2))
    for turn in range(40):
        rich_then_poor.note_finds({16: 9} if turn < 20 else {})
        poor_then_rich.note_finds({} if turn < 20 else {16: 9})
    assert rich_then_poor.finds[16] < poor_then_rich.finds[16] / 2
