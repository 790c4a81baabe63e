from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from generator.press.sandbox import sandbox
from tests.press.kits import TEMPLATES


@pytest.fixture(scope="module", autouse=True)
def ours() -> Iterator[None]:
    """Trust the templates of these tests so that their sheets are rendered in this process."""
    strict = sandbox.run_confined

    def confined(print_options: Any, kind: Any, work: Any, *given: Any, progress: Any) -> Any:
        if print_options.templates == TEMPLATES:
            return work(*given, progress)
        return strict(print_options, kind, work, *given, progress=progress)

    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(sandbox, "run_confined", confined)
        yield
