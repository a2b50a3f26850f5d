"""Which addresses a crawl asks for again after a redirect that gave a cookie, or led to where one was given."""

from arborist_pipeline.core.crawl.cookie_walls import MAX_SENT, CookieWalls
from arborist_pipeline.core.web.url import Url

WALL, HOME, A, B = map(Url, ("s/wall", "s/", "s/a", "s/b"))


def redirect(walls, page, target, *, gives_cookie=False, moved=()):
    """What is named; those in `moved` have answered by a redirect, and are asked again."""
    named = list(walls.note_redirect(page, target, gives_cookie=gives_cookie))
    walls.asked_again.update(url for url in named if url in moved)
    return named


def cookie(walls, page, target, **given):
    return redirect(walls, page, target, gives_cookie=True, **given)


def test_who_was_sent_to_the_wall_is_asked_again_when_the_cookie_has_come():
    walls = CookieWalls()
    assert redirect(walls, A, WALL) == [WALL]  # nobody knows yet what it is; it waits in the queue by its own right
    assert redirect(walls, B, WALL) == [WALL]
    assert cookie(walls, WALL, HOME) == [A, B, HOME]


def test_a_page_that_gives_the_cookie_and_leads_to_itself_is_asked_again_once():
    walls = CookieWalls()
    assert cookie(walls, A, A, moved={A}) == [A]
    assert cookie(walls, A, A, moved={A}) == []


def test_a_wall_that_stands_there_again_is_asked_once_more_and_then_no_more():
    walls = CookieWalls()
    moved = {WALL, HOME, A, B}
    redirect(walls, HOME, WALL)
    assert cookie(walls, WALL, HOME, moved=moved) == [HOME]
    assert redirect(walls, A, WALL, moved=moved) == [WALL]
    assert cookie(walls, WALL, HOME, moved=moved) == [A]
    assert redirect(walls, B, WALL, moved=moved) == [B]  # it may have been under way since before the cookie
    assert redirect(walls, B, WALL, moved=moved) == []


def test_a_target_that_redirected_without_a_cookie_in_this_run_is_no_wall():
    walls = CookieWalls()
    assert redirect(walls, HOME, A) == [A]
    assert redirect(walls, WALL, HOME) == []


def test_pages_that_answer_are_no_walls_and_nobody_is_remembered_for_them():
    walls = CookieWalls()
    redirect(walls, A, HOME)
    walls.note_page(HOME)
    assert cookie(walls, HOME, B) == [B]


def test_of_a_wall_that_never_comes_no_more_than_some_pages_are_remembered():
    walls = CookieWalls()
    for number in range(2 * MAX_SENT):
        redirect(walls, Url(f"s/{number}"), WALL)
    assert len(cookie(walls, WALL, HOME)) == MAX_SENT + 1
