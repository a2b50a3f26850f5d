"""What a program prints in processes that hash text differently."""

import os
import subprocess
import sys


def outputs_of(program):
    """Run a program under three hash seeds; return the different outputs, one if all is well."""
    return {
        subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed},
                       capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
