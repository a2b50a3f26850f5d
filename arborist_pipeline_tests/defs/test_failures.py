"""Errors of ours become failures that say the mend; all others stay what they are."""

import dagster as dg
import pytest

from arborist_pipeline.core.errors import ArboristError, ConfigError, LeaseHeld, StoreError
from arborist_pipeline.defs.failures import explained_failures


@pytest.mark.parametrize("kind", [ArboristError, ConfigError, LeaseHeld, StoreError])
def test_an_error_of_ours_is_a_failure_in_its_own_words_and_is_not_retried(kind):
    with pytest.raises(dg.Failure) as caught, explained_failures():
        raise kind("what is wrong: what to do")
    assert caught.value.description == "what is wrong: what to do"
    assert not caught.value.allow_retries


def test_a_fault_of_ours_is_not_dressed_up():
    with pytest.raises(ZeroDivisionError), explained_failures():
        raise ZeroDivisionError
