"""Reports as files below ARBORIST_HOME, one folder a site, the latest in the place of the one before."""

from collections.abc import Mapping
from pathlib import Path

from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.report.render import RENDERERS
from arborist_pipeline.core.report.report import WebmasterReport

FILE_FORMATS = ("md", "html", "json")


def write_report_files(report: WebmasterReport, folder: str) -> Mapping[str, Path]:
    """Write the report in each format, whole or not at all; return the paths. Raises ConfigError."""
    name = f"_{report.site}" if report.site.startswith(".") else report.site  # `..` is a key, and no folder for it
    home = Path(folder).expanduser().resolve() / name
    paths = {form: home / f"report.{form}" for form in FILE_FORMATS}
    try:
        home.mkdir(parents=True, exist_ok=True)
        for form, path in paths.items():
            part = path.with_name(f"{path.name}.part")
            part.write_text(RENDERERS[form](report), encoding="utf-8", errors="backslashreplace")
            part.replace(path)
    except OSError as error:
        raise ConfigError(f"the report cannot be written below {home}: {error.strerror}") from error
    return paths
