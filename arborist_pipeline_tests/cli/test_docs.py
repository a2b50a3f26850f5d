"""docs/commands.md is the help of every command, and cannot drift from it."""

import click
import pytest

from arborist_pipeline.cli import COMMANDS
from arborist_pipeline.cli.docs import iterate_commands, render_commands
from arborist_pipeline.cli.program import build_program
from arborist_pipeline_tests.cli.conftest import REPOSITORY


def test_the_page_of_commands_is_what_the_commands_say():
    written = (REPOSITORY / "docs/commands.md").read_text(encoding="utf-8")
    assert written == render_commands(), "regenerate it: python -m arborist_pipeline.cli.docs > docs/commands.md"


ALL = list(iterate_commands(build_program(COMMANDS)))


@pytest.mark.parametrize(("path", "command"), ALL, ids=[path for path, _ in ALL])
def test_every_command_says_what_it_does_and_every_option_what_it_means(path, command):
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help or isinstance(parameter.type, click.Choice), f"{path} {parameter.name}"
