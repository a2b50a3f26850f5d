"""Cookie walls: pages that send a visitor on to where a cookie is given, and from there back to where it came from.

A crawl passes one as a browser does, but asks for no address twice without reason: it has to be told which. The cookie
may be gone again later, since a resumed crawl begins with none and a site's own may expire: then the page that gives
it, asked for long ago, is asked once more.
"""

from collections.abc import Sequence

from arborist_pipeline.core.web.url import Url

MAX_SENT = 1_000  # pages remembered of one wall that waits to be asked


class CookieWalls:
    """What redirects of one run have told of walls.

    Not every address it names is to be asked for again: only one whose latest answer was a redirect. What was belongs
    into `asked_again`, and is named no more, so that no site is asked in vain.
    """

    def __init__(self) -> None:
        self._walls: set[Url] = set()
        self._spent: set[Url] = set()  # walls that gave a cookie when they were asked again: no third time
        self._plain: set[Url] = set()  # redirected in this run and gave no cookie
        self._sent: dict[Url, list[Url]] = {}  # where pages were sent to, until that has answered
        self.asked_again: set[Url] = set()

    def note_redirect(self, page: Url, target: Url, *, gives_cookie: bool) -> Sequence[Url]:
        """Take in a redirect; return what to ask for again if its latest answer was a redirect.

        Where a cookie came that is whoever was sent here, and where it leads to. Else it is the target: it may be a
        wall that was passed before, and its cookie is not there any more.
        """
        if gives_cookie:
            self._walls.add(page)
            if page in self.asked_again:
                self._spent.add(page)
            return self._name(*self._sent.pop(page, ()), target)
        self._plain.add(page)
        if target in self._spent:  # this answer may be older than the cookie
            return self._name(page)
        sent = self._sent.setdefault(target, [])
        if len(sent) < MAX_SENT:
            sent.append(page)
        return self._name(target) if target in self._walls or target not in self._plain else ()

    def note_page(self, page: Url) -> None:
        """Take in an answer that is no redirect: who was sent here came to the right place."""
        self._sent.pop(page, None)

    def _name(self, *urls: Url) -> Sequence[Url]:
        return [url for url in dict.fromkeys(urls) if url not in self.asked_again]
