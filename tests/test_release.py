import importlib.util
import re
from pathlib import Path

import pytest

import widl

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / ".ci" / "release.py"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="the source archive has no .ci")


def release():
    spec = importlib.util.spec_from_file_location("release", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_files_name_the_same_version():
    assert set(release().versions().values()) == {widl.__version__}


def test_a_tag_of_another_version_is_refused(monkeypatch):
    module = release()
    monkeypatch.setattr(module.sys, "argv", ["release.py", "9.9.9"])
    with pytest.raises(SystemExit, match=re.escape(f"CHANGELOG.md names {widl.__version__}")):
        module.main()
