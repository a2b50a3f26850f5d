"""kill: crawls killed at a hundred random moments and resumed; says what was lost, repeated or changed: nothing.

First crawls of a site, and second ones of a site that has changed meanwhile.
"""

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from arborist_pipeline_tests.faults.killing import IN_ORDER, WHATEVER_THE_ORDER, Story, faults_of, random_moment
from arborist_pipeline_tests.faults.small_shop import build_shop
from arborist_pipeline_tests.support.site_server import LocalSite
from benchmarks.measurement import print_table

_KILLS_A_STORY = 5
_WAYS = (  # options, requests at once, seconds an answer takes, whether it is the second crawl
    (("--fast", "--concurrency", "1", "--depth", "20"), 1, 0.01, False),
    (("--fast", "--concurrency", "1", "--depth", "20"), 1, 0.01, True),
    (("--depth", "20"), 1, 0.01, False),
    (("--fast", "--concurrency", "4", "--depth", "20"), 4, 0.1, False),
    (("--fast", "--concurrency", "6", "--depth", "20"), 6, 0.15, True),
    (("--fast", "--concurrency", "16", "--depth", "20"), 16, 0.4, False),
)


def measure(rounds: int, seed: int = 20261130) -> None:
    """Kill `rounds` times in all, and print how each way of crawling bore it."""
    draw = random.Random(seed)  # noqa: S311  # moments to be drawn again, no secret
    rows = []
    each_way = -(-rounds // len(_WAYS))
    for options, concurrency, delay_seconds, is_second in _WAYS:
        kills = pages = repeated = 0
        faults: list[str] = []
        with LocalSite(build_shop(delay_seconds=delay_seconds)) as site, tempfile.TemporaryDirectory() as folder:
            names = IN_ORDER if concurrency == 1 else WHATEVER_THE_ORDER
            whole = (
                _begin(site, Path(folder) / "whole", options, delay_seconds, is_second=is_second).run().ledger(names)
            )
            while kills < each_way:
                moments = [random_moment(draw, 15) for _ in range(min(_KILLS_A_STORY, each_way - kills))]
                home = Path(folder) / str(kills)
                story = _begin(site, home, options, delay_seconds, is_second=is_second).run(moments)
                kills += sum(leg.killed for leg in story.legs)
                asked = [target for leg in story.legs for target in leg.asked]
                pages, repeated = pages + len(set(asked)), repeated + len(asked) - len(set(asked))
                faults += [f"{moments}: {fault}" for fault in faults_of(story, whole, concurrency=concurrency)]
        for fault in faults:
            print(fault)
        rows.append(
            (
                " ".join(options) + (", second crawl" if is_second else ""),
                kills,
                pages,
                repeated,
                f"{repeated / kills:.1f}",
                len(faults),
            )
        )
    header = ("crawl", "kills", "pages", "asked again", "a kill", "lost, repeated or changed")
    print_table("kill", header, rows)


def _begin(site: LocalSite, home: Path, options: Sequence[str], delay_seconds: float, *, is_second: bool) -> Story:
    """Return the story of a first crawl, or of a second one after the first is done and the site has changed."""
    if not is_second:
        return Story(site, home, *options)
    site.routes.update(build_shop(delay_seconds=0.0))
    Story(site, home, "--fast", "--concurrency", "1", "--depth", "20").run()
    site.routes.update(build_shop(delay_seconds=delay_seconds, edition=2))
    return Story(site, home, *options, crawl_id=2)
