"""Find a Chromium for the browser tests, or have Playwright bring one; say plainly where there is neither."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")


def find_chromium() -> str | None:
    """Return the path of a browser: ARBORIST_CHROMIUM, one on the PATH, else the one Playwright installed."""
    named = os.environ.get("ARBORIST_CHROMIUM")
    if named:
        return named if Path(named).is_file() else None
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # half a second; only where nothing else is found

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).is_file() else None


def main() -> int:
    """Make sure there is a browser if there can be one; never fails, since all but the browser tests works without."""
    if find_chromium() is None:
        print("no Chromium on this machine: asking Playwright for one")
        command = [sys.executable, "-m", "playwright", "install", "chromium"]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            print("Playwright could not bring one either. Install Chromium (Debian: apt-get install chromium) or name "
                  "one with ARBORIST_CHROMIUM. Until then the browser tests skip; all else works.")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
