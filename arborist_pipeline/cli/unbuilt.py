"""Commands whose names are fixed and which do nothing so far; each says so."""

import click

from arborist_pipeline.cli.invocation import not_built_yet


def _unbuilt(name: str, does: str) -> click.Command:
    def refuse() -> None:
        raise not_built_yet(f"arborist {name}")

    return click.Command(
        name,
        callback=refuse,
        help=f"{does}\n\nNot built yet.",
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )


status = _unbuilt("status", "Show a line a site: last good run, age, products, what fails and why.")
changes = _unbuilt("changes", "Tell what is new, gone, or changed in price, stock or text.")
