"""Models whose files changed without changing their sizes."""

import json
import shutil
from pathlib import Path

import pytest

from tests.command import refused, widl
from widl import InputError, MissingFileError, Translator, check
from widl.common.manifests import MANIFEST
from widl.headline import Headliner


def damage(path: Path) -> None:
    """Change one byte in the middle, like a bad disk."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x40
    path.write_bytes(content)


def names_of(model: Path) -> list[str]:
    return sorted(json.loads((model / MANIFEST).read_text())["sha256"])


def test_a_sound_model(model: Path) -> None:
    checked = list(check(model))
    assert [file.path.name for file in checked if file.checked == "SHA-256"] == [
        name for name in names_of(model) if name != "weights.toml"
    ]
    assert (checked[-1].path, checked[-1].checked) == (model, "opened")


def test_a_damaged_file_is_found(model: Path) -> None:
    for name in names_of(model):
        if name == "weights.toml":
            continue
        path = model / name
        shutil.copy2(path, model.parent / "whole")
        damage(path)
        with pytest.raises(InputError, match=f"{path}: damaged or changed"):
            list(check(model))
        path.write_bytes(path.read_bytes()[:-1])
        with pytest.raises(InputError, match=f"{path}: truncated or changed"):
            Translator(model)
        shutil.copy2(model.parent / "whole", path)
    Translator(model)


def test_edited_weights_are_fine(model: Path) -> None:
    path = model / "weights.toml"
    path.write_text(path.read_text().replace("0.45", "0.46"))
    assert list(check(model))[-1].checked == "opened"


def test_a_model_of_another_version_is_refused(model: Path, headlines: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(headlines, tmp_path / "headlines"))
    kinds = (model, "widl train", Translator), (other, "widl headline train", Headliner)
    for directory, command, open_model in kinds:
        manifest = json.loads((directory / MANIFEST).read_text())
        (directory / MANIFEST).write_text(json.dumps(manifest | {"version": 1}))
        with pytest.raises(InputError, match=f"made by another version of widl .*; make it anew with '{command}'$"):
            open_model(directory)


def test_files_alone(model: Path, tmp_path: Path) -> None:
    for name, what in (("lm0.binary", "binary"), ("phrase-table.binary", "entries")):
        [checked] = check(model / name)
        assert what in checked.checked
    content = (model / "phrase-table.binary").read_bytes()
    (model / "phrase-table.binary").write_bytes(content[:-8])
    with pytest.raises(InputError, match="truncated phrase table"):
        list(check(model / "phrase-table.binary"))
    (tmp_path / "text").write_text("no model")
    with pytest.raises(InputError, match="neither a language model nor a phrase table"):
        list(check(tmp_path / "text"))
    with pytest.raises(MissingFileError, match="no such file; name a model directory"):
        list(check(tmp_path / "none"))


def test_the_command(model: Path) -> None:
    done = widl("check", model)
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"{model / 'lm0.binary'}: ok (SHA-256)\n" in done.stdout.decode()
    assert done.stdout.decode().endswith(f"{model}: ok (opened)\n")
    damage(model / "lm0.binary")
    assert refused(widl("check", model)).startswith(f"{model / 'lm0.binary'}: damaged or changed")
