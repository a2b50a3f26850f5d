"""Two shops of others' software pass a trial, each found to be what it is."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.shared


def test_both_shops_pass_and_their_software_is_named(oscar, cartridge, tmp_path):
    listed = tmp_path / "shops.yaml"
    entries = [{"key": key, "seed_url": url} for key, (url, _) in (("oscar", oscar), ("cartridge", cartridge))]
    listed.write_text(json.dumps({"defaults": {"mode": "fast", "concurrency": 1}, "sites": entries}))
    environment = {**os.environ, "ARBORIST_HOME": str(tmp_path / "home"), "ARBORIST_ALLOW_PRIVATE": "1"}
    command = [sys.executable, "-m", "arborist_pipeline", "validate", str(listed), "--json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-2_000:] + done.stdout
    *trials, _ = map(json.loads, done.stdout.splitlines())
    assert {trial["key"]: trial["platform"] for trial in trials} == {"oscar": "django-oscar", "cartridge": "cartridge"}
    assert all(trial["passed"] and trial["pages"] == 60 for trial in trials)
    assert all(trial["products"] >= 25 and trial["first_product_at"] <= 10 for trial in trials)
