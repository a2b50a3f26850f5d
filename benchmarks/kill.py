"""kill: crawls killed at a hundred random moments and resumed; says what was lost, repeated or changed: nothing."""

import random
import tempfile
from pathlib import Path

from arborist_pipeline_tests.faults.killing import IN_ORDER, WHATEVER_THE_ORDER, Story, faults_of, random_moment
from arborist_pipeline_tests.faults.small_shop import build_shop
from arborist_pipeline_tests.support.site_server import LocalSite
from benchmarks.measurement import print_table

_KILLS_A_STORY = 5
_WAYS = (  # options, requests at once, seconds an answer takes
    (("--fast", "--concurrency", "1", "--depth", "20"), 1, 0.01),
    (("--depth", "20"), 1, 0.01),
    (("--fast", "--concurrency", "4", "--depth", "20"), 4, 0.1),
    (("--fast", "--concurrency", "16", "--depth", "20"), 16, 0.4),
)


def measure(rounds: int, seed: int = 20261130) -> None:
    """Kill `rounds` times in all, and print how each way of crawling bore it."""
    draw = random.Random(seed)  # noqa: S311  # moments to be drawn again, no secret
    rows = []
    each_way = -(-rounds // len(_WAYS))
    for options, concurrency, delay_seconds in _WAYS:
        kills = pages = repeated = 0
        faults: list[str] = []
        with LocalSite(build_shop(delay_seconds=delay_seconds)) as site, tempfile.TemporaryDirectory() as folder:
            names = IN_ORDER if concurrency == 1 else WHATEVER_THE_ORDER
            whole = Story(site, Path(folder) / "whole", *options).run().ledger(names)
            while kills < each_way:
                moments = [random_moment(draw, 15) for _ in range(min(_KILLS_A_STORY, each_way - kills))]
                story = Story(site, Path(folder) / str(kills), *options).run(moments)
                kills += sum(leg.killed for leg in story.legs)
                asked = [target for leg in story.legs for target in leg.asked]
                pages, repeated = pages + len(set(asked)), repeated + len(asked) - len(set(asked))
                faults += [f"{moments}: {fault}" for fault in faults_of(story, whole, concurrency=concurrency)]
        for fault in faults:
            print(fault)
        rows.append((" ".join(options), kills, pages, repeated, f"{repeated / kills:.1f}", len(faults)))
    header = ("crawl", "kills", "pages", "asked again", "a kill", "lost, repeated or changed")
    print_table("kill", header, rows)
