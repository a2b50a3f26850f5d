"""All pages but those of products: home, listings, journal, the house, and what robots must not read."""

from html import escape

from examples.demo_shop.articles import POSTS, InfoPage, Post
from examples.demo_shop.catalogue import PAGE_SIZE, Catalogue, Collection
from examples.demo_shop.dice import Dice
from examples.demo_shop.faults import DUPLICATES, FEED, THIN, UNTITLED, Plan
from examples.demo_shop.layout import SHOP, breadcrumbs, cards, feed_discovery, link, mentions, money, page, prose
from examples.demo_shop.prose import HOUSE, JOURNAL, SHELVES, paragraphs

HOME = (("Home", "/"),)
POSTS_A_PAGE = 6


def home_page(dice: Dice, catalogue: Catalogue) -> str:
    """Return the home page; it links departments and the journal, and no product at all."""
    tops = [shelf for shelf in catalogue.collections if shelf.children]
    shelves = "\n".join(
        f'<li class="card"><h2>{link(top.path, top.title)}</h2>'
        f"{prose(paragraphs(dice, f'home{top.path}', SHELVES, 1, sentences=2, title=top.title))}</li>"
        for top in tops
    )
    news = "\n".join(f"<li>{link(post.path, post.title)}, {post.published:%d %B %Y}</li>" for post in POSTS[:3])
    main = (
        f"<main>\n<h1>Things that last, from people who make them</h1>\n"
        f"{prose(paragraphs(dice, 'home', HOUSE, 2))}\n"
        f'<ul class="grid">\n{shelves}\n</ul>\n<h2>From the journal</h2>\n<ul>{news}</ul>\n'
        f"<p>{link('/blog', 'All of the journal')} · {link('/pages/about', 'Who we are')}</p>\n</main>"
    )
    return page(catalogue, title="Things That Last", main=main, canonical="/", about="Goods for house and garden.")


def collection_page(dice: Dice, catalogue: Catalogue, plan: Plan, shelf: Collection, number: int) -> str:
    """Return one page of a listing, 1 <= number <= shelf.page_count."""
    titles = {each.path: each.title for each in catalogue.collections}
    trail = (*HOME, (titles[shelf.parent], shelf.parent)) if shelf.parent else HOME
    title = shelf.title if number == 1 else f"{shelf.title}, page {number}"
    items = shelf.items[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    listing = cards(items) if items else "\n".join(_child(dice, path, titles[path]) for path in shelf.children)
    count = f"<p>{len(shelf.items)} things</p>" if shelf.items and number == 1 else ""
    main = (
        f"<main>\n{breadcrumbs(trail, title)}\n<h1>{escape(title)}</h1>\n"
        f"{prose(paragraphs(dice, f'{shelf.path}/{number}', SHELVES, 3, title=shelf.title))}\n"
        f"{_mentioned(plan, shelf.path) if number == 1 else ''}\n{count}\n{listing}\n"
        f"{_pager(shelf.path, number, shelf.page_count)}\n</main>"
    )
    return page(catalogue, title=title, main=main, canonical=_numbered(shelf.path, number))


def journal_page(dice: Dice, catalogue: Catalogue, number: int) -> str:
    """Return one page of the journal's index, 1 <= number <= journal_page_count()."""
    posts = POSTS[(number - 1) * POSTS_A_PAGE : number * POSTS_A_PAGE]
    title = "Journal" if number == 1 else f"Journal, page {number}"
    teasers = "\n".join(
        f"<article><h2>{link(post.path, post.title)}</h2><p>{post.published:%d %B %Y}</p>"
        f"{prose(paragraphs(dice, f'teaser{post.path}', JOURNAL, 1, sentences=2))}</article>"
        for post in posts
    )
    main = (
        f"<main>\n{breadcrumbs(HOME, title)}\n<h1>{title}</h1>\n{teasers}\n"
        f"{_pager('/blog', number, journal_page_count())}\n<p>{link(FEED, 'Journal as a feed')}</p>\n</main>"
    )
    return page(catalogue, title=title, main=main, canonical=_numbered("/blog", number), head=feed_discovery())


def journal_page_count() -> int:
    """Return how many pages the journal's index has."""
    return -(-len(POSTS) // POSTS_A_PAGE)


def post_page(dice: Dice, catalogue: Catalogue, plan: Plan, post: Post, *, rewritten: bool) -> str:
    """Return a journal post; rewritten, its second paragraph is another one."""
    texts = post_paragraphs(dice, post, rewritten=rewritten)
    main = (
        f"<main>\n{breadcrumbs((*HOME, ('Journal', '/blog')), post.title)}\n<article>\n<h1>{escape(post.title)}</h1>\n"
        f'<p><time datetime="{post.published:%Y-%m-%d}">{post.published:%d %B %Y}</time></p>\n'
        f"{prose(texts)}\n{_mentioned(plan, post.path)}\n</article>\n</main>"
    )
    return page(catalogue, title=post.title, main=main, canonical=post.path, head=feed_discovery())


def post_paragraphs(dice: Dice, post: Post, *, rewritten: bool) -> tuple[str, ...]:
    """Return the text of a post, a paragraph each."""
    texts = paragraphs(dice, post.path, JOURNAL, 5)
    if rewritten:
        texts = (texts[0], *paragraphs(dice, f"again{post.path}", JOURNAL, 1), *texts[2:])
    return texts


def info_page(dice: Dice, catalogue: Catalogue, plan: Plan, info: InfoPage) -> str:
    """Return a page about the house; the thin one has its lead alone, the untitled one no title element."""
    texts = () if info.path == THIN else paragraphs(dice, info.path, HOUSE, 4)
    main = (
        f"<main>\n{breadcrumbs(HOME, info.title)}\n<h1>{escape(info.title)}</h1>\n<p>{escape(info.lead)}</p>\n"
        f"{prose(texts)}\n{_mentioned(plan, info.path)}\n</main>"
    )
    title = None if info.path == UNTITLED else info.title
    return page(catalogue, title=title, main=main, canonical=None if info.path in DUPLICATES else info.path)


def notice_page(catalogue: Catalogue, title: str, text: str) -> str:
    """Return a short page that is no part of the shop's content: account, basket, search, not found."""
    main = f"<main>\n<h1>{escape(title)}</h1>\n<p>{escape(text)}</p>\n</main>"
    return page(catalogue, title=title, main=main, head='<meta name="robots" content="noindex">')


def cheapest_page(catalogue: Catalogue) -> str:
    """Return the one sorted listing, which robots.txt forbids."""
    items = sorted(catalogue.items, key=lambda item: (item.price, item.number))
    rows = "\n".join(f"<li>{link(item.path, item.name)} {money(item.price)}</li>" for item in items)
    main = f"<main>\n<h1>Everything, cheapest first</h1>\n<ol>\n{rows}\n</ol>\n</main>"
    return page(catalogue, title=f"Cheapest First at {SHOP}", main=main, canonical="/collections/everything")


def _mentioned(plan: Plan, path: str) -> str:
    return mentions(tuple(each for each in plan.mentions if each.source == path))


def _child(dice: Dice, path: str, title: str) -> str:
    (text,) = paragraphs(dice, f"child{path}", SHELVES, 1, sentences=2, title=title)
    return f"<h2>{link(path, title)}</h2>\n<p>{escape(text)}</p>"


def _pager(path: str, number: int, count: int) -> str:
    if count == 1:
        return ""
    steps = " ".join(
        f"<b>{each}</b>" if each == number else link(_numbered(path, each), str(each)) for each in range(1, count + 1)
    )
    following = f' <a rel="next" href="{_numbered(path, number + 1)}">Next page</a>' if number < count else ""
    return f'<nav class="pager" aria-label="Pages">{steps}{following}</nav>'


def _numbered(path: str, number: int) -> str:
    return path if number == 1 else f"{path}?page={number}"
