import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.web.extensions import NO_PAGE_EXTENSIONS, looks_like_document

SITE = "https://example.com"


@pytest.mark.parametrize(
    "path",
    """/ /a /a/ /a.html /a.HTM /a.xhtml /a.shtml /a.php /a.php5 /a.aspx /a.jsp /a.cfm /a.do /v1.5 /openai.com /vue.ai
    /a.jpg/ /wiki/File:A.jpg /get.php?file=a.pdf /a.php;b=c.zip /a. /.well-known/x""".split(),
)
def test_pages_come_under_any_extension_or_none(path):
    assert looks_like_document(SITE + path)


@pytest.mark.parametrize(
    "path",
    "/a.jpg /A.PDF /a.tar.gz /a.js /a.css?v=1 /a.mp4 /a.woff2 /a.xml /a.zip;x=1 /.jpg /a.b.webp /feed.rss".split(),
)
def test_files_are_told_by_their_extension(path):
    assert not looks_like_document(SITE + path)


@given(st.text(max_size=30))
def test_any_path_gets_an_answer_and_a_folder_is_always_a_page(text):
    assert looks_like_document(f"{SITE}/{text}") in (True, False)
    assert looks_like_document(f"{SITE}/{text.replace('?', '')}/")


def test_no_extension_of_pages_is_listed():
    assert not NO_PAGE_EXTENSIONS & set(
        "htm html xhtml shtml php asp aspx jsp cfm cgi do com net org app ai md".split()
    )
