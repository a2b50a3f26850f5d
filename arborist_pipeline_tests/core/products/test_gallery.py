"""Pictures of the subject."""

import pytest

from arborist_pipeline.core.products.controls import find_controls
from arborist_pipeline.core.products.gallery import read_gallery
from arborist_pipeline.core.products.scan import scan_page
from arborist_pipeline.core.products.view import build_view


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ('<img src="/a.jpg" alt="White Mug"><img src="/b.jpg">', ["a.jpg"]),
        ('<img src="/b.jpg"><img src="/c.jpg">', ["b.jpg", "c.jpg"]),
        ('<img src="data:image/gif;base64,x" data-src="/lazy.jpg">', ["lazy.jpg"]),
        ('<img src="/logo.png"><img src="/icon-cart.png"><img src="/a.gif">', []),
        ('<nav><img src="/a.jpg"></nav><div class="related"><img src="/b.jpg"></div>', []),
        ('<img src="/a.jpg"><img src="/a.jpg">', ["a.jpg"]),
    ],
)
def test_pictures_near_the_heading_are_the_subjects(page_of, html, names):
    scan = scan_page(page_of("<h1>White Mug</h1>" + html))
    found = read_gallery(scan, build_view(scan, (), find_controls(scan)))
    assert [url.rsplit("/", 1)[1] for url in (found.value if found else ())] == names
