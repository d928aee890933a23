"""Models whose files changed without changing their sizes."""

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.phrase_table.lmdb_image import hurt_table
from tests.warm import warm_widl
from widl import InputError, MissingFileError, Translator, check
from widl.headline import Headliner
from widl.manifests import CHECKED, MANIFEST
from widl.stamps import stamp_of


def damage(path: Path) -> None:
    """Change one byte in the middle, as a bad disk does."""
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


def test_a_damaged_file_is_found_when_the_model_is_opened(model: Path) -> None:
    Translator(model).close()
    for name in names_of(model):
        if name == "weights.toml":
            continue
        path = model / name
        shutil.copy2(path, model.parent / "whole")
        damage(path)
        with pytest.raises(InputError, match=f"{path}: damaged or changed"):
            Translator(model)
        with pytest.raises(InputError, match=f"{path}: damaged or changed"):
            list(check(model))
        shutil.copy2(model.parent / "whole", path)
        Translator(model).close()


def test_damage_behind_the_time_stamps_is_found_by_check_only(model: Path) -> None:
    path = model / "alignment.gz"  # which translating does not read
    old = 1_600_000_000_000_000_000
    os.utime(path, ns=(old, old))
    Translator(model).close()
    known = json.loads((model / CHECKED).read_text())
    with path.open("r+b") as file:  # the same inode, size and time of its content
        first = file.read(1)
        file.seek(0)
        file.write(bytes([first[0] ^ 1]))
    os.utime(path, ns=(old, old))
    with pytest.raises(InputError, match=f"{path}: damaged or changed"):
        Translator(model)
    known[str(path)][:-1] = stamp_of(path.stat())  # as if the disk had changed it
    (model / CHECKED).write_text(json.dumps(known))
    Translator(model).close()
    with pytest.raises(InputError, match=f"{path}: damaged or changed"):
        list(check(model))


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', '{"/x": [1, 2]}', "\0"])
def test_what_is_remembered_may_be_damaged_itself(model: Path, content: str) -> None:
    (model / CHECKED).write_text(content)
    Translator(model).close()


def test_a_model_that_cant_be_written(model: Path) -> None:
    (model / CHECKED).unlink(missing_ok=True)
    (model / CHECKED).mkdir()  # as good as a directory without permission, which root has
    Translator(model).close()


def test_edited_weights_are_fine(model: Path) -> None:
    path = model / "weights.toml"
    path.write_text(path.read_text().replace("0.45", "0.46"))
    assert list(check(model))[-1].checked == "opened"


def test_an_earlier_format_has_no_hashes(model: Path) -> None:
    manifest = json.loads((model / MANIFEST).read_text())
    del manifest["sha256"]
    (model / MANIFEST).write_text(json.dumps(manifest | {"version": 3}))
    assert "earlier format" in list(check(model))[-1].checked
    damage(model / "phrase-table.lmdb")
    with pytest.raises(InputError, match="phrase-table"):
        list(check(model))


def test_pages_that_were_made_to_hurt(model: Path) -> None:
    """The sums are right: who made the model made them, too."""
    table = model / "phrase-table.lmdb"
    hurt_table(table, lambda image: image.put(image.nodes(image.root("phrases"))[0] + 6, "H", 60_000))
    manifest = json.loads((model / "manifest.json").read_text())
    manifest["sha256"][table.name] = hashlib.sha256(table.read_bytes()).hexdigest()
    (model / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match=r"phrase-table.lmdb: damaged phrase table: page \d+: a key lies outside"):
        list(check(model))


def test_a_headline_model(headlines: Path, tmp_path: Path) -> None:
    model = Path(shutil.copytree(headlines, tmp_path / "model"))
    assert list(check(model))[-1].checked == "opened"
    damage(model / "general.binary")
    with pytest.raises(InputError, match=r"general.binary: damaged or changed"):
        Headliner(model)


def test_files_alone(model: Path, tmp_path: Path) -> None:
    for name, what in (("lm0.binary", "binary"), ("phrase-table.lmdb", "checksum")):
        [checked] = check(model / name)
        assert what in checked.checked
    damage(model / "phrase-table.lmdb")
    with pytest.raises(InputError, match="damaged phrase table"):
        list(check(model / "phrase-table.lmdb"))
    (tmp_path / "text").write_text("no model")
    with pytest.raises(InputError, match="neither a language model nor a phrase table"):
        list(check(tmp_path / "text"))
    with pytest.raises(MissingFileError, match="no such file; name a model directory"):
        list(check(tmp_path / "none"))


def test_the_command(model: Path) -> None:
    def run() -> "subprocess.CompletedProcess[str]":
        command = [*warm_widl(), "check", str(model)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{model / 'lm0.binary'}: ok (SHA-256)\n" in done.stdout
    assert done.stdout.endswith(f"{model}: ok (opened)\n")
    damage(model / "lm0.binary")
    done = run()
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {model / 'lm0.binary'}: damaged or changed")
    assert done.stderr.count("\n") == 1
