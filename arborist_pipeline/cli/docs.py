"""docs/commands.md from the commands themselves: python -m arborist_pipeline.cli.docs > docs/commands.md."""

import sys
from collections.abc import Iterator

import click

from arborist_pipeline.cli import COMMANDS
from arborist_pipeline.cli.program import build_program

_WIDTH = 100
_HEAD = """# Commands

Generated from the commands' own help: `python -m arborist_pipeline.cli.docs > docs/commands.md`.
`sites.yaml` is described in [sites-yaml.md](sites-yaml.md), the environment in [settings.md](settings.md).
"""


def iterate_commands(
    command: click.Command, parent: click.Context | None = None
) -> Iterator[tuple[str, click.Command]]:
    """Yield the path of a command and of all below it ("arborist sites add"), each with the command."""
    for context in _contexts(command, parent):
        yield context.command_path, context.command


def render_commands() -> str:
    """Return the whole page as Markdown."""
    sections = [
        f"## {context.command_path}\n\n```text\n{context.get_help()}\n```\n"
        for context in _contexts(build_program(COMMANDS), None)
    ]
    return "\n".join([_HEAD, *sections])


def _contexts(command: click.Command, parent: click.Context | None) -> Iterator[click.Context]:
    context = click.Context(
        command, info_name=command.name, parent=parent, terminal_width=_WIDTH, max_content_width=_WIDTH
    )
    yield context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from _contexts(below, context)


if __name__ == "__main__":
    sys.stdout.write(render_commands())
