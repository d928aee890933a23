"""Moses' outputs on a real bitext, where they are at hand."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def moses() -> Path:
    """The folder shared/reference/extract beside the repository, or beside the folder of its worktree."""
    for parent in REPOSITORY.parents:
        folder = parent / "shared" / "reference" / "extract"
        if folder.is_dir():
            return folder
    pytest.skip("needs ../shared/reference/extract")
