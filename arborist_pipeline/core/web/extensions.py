"""Which URLs can be pages at all, judged by the extension of their last path segment before anything is fetched."""

from arborist_pipeline.core.web.url import path_and_query

# Only extensions that never name a page. Left out on purpose: what is as well the end of a page's name
# (`.ai`, `.app`, `.com`, `.key`, `.net`, `.so`) and whatever a server may make a page of (`.php`, `.cfm`, `.do`).
_IMAGES = "apng avif bmp eps gif heic heif ico indd jfif jpe jpeg jpg jxl png psd svg svgz tif tiff webp wmf"
_MEDIA = "3gp aac aif aiff avi flac flv m3u m3u8 m4a m4v mid midi mkv mov mp2 mp3 mp4 mpeg mpg oga ogg ogv opus wav weba webm wma wmv"  # noqa: E501  # one kind, one line
_FONTS = "eot otf ttf woff woff2"
_CODE = "css js jsm map mjs wasm"
_ARCHIVES = "7z bz2 cab gz iso jar lzma rar tar tbz2 tgz txz war xz z zip zst"
_PROGRAMS = "apk bin deb dll dmg exe ipa msi pkg rpm"
_PAPERS = "doc docm docx dot dotx epub mobi odp ods odt pdf pps ppsx ppt pptx rtf xls xlsb xlsm xlsx"
_DATA = "atom csv dwg dxf geojson gpx ics json jsonl jsonld kml kmz log ndjson parquet rdf rss sql sqlite stl tsv txt vcf webmanifest xml xsd xsl yaml yml"  # noqa: E501  # one kind, one line

NO_PAGE_EXTENSIONS = frozenset(f"{_IMAGES} {_MEDIA} {_FONTS} {_CODE} {_ARCHIVES} {_PROGRAMS} {_PAPERS} {_DATA}".split())


def looks_like_document(url: str) -> bool:
    """Whether a canonical URL may be a page: no extension, or any but those of images, scripts, archives and the like.

    A name with a namespace (`/wiki/File:Lamp.jpg`, as MediaWiki has them) is the page about a file, not the file.
    """
    name = path_and_query(url).split("?", 1)[0].rsplit("/", 1)[1].split(";", 1)[0]
    stem, dot, extension = name.rpartition(".")
    return not dot or ":" in stem or extension.lower() not in NO_PAGE_EXTENSIONS
