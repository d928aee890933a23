"""What a model's parser may name, if it is a folder."""

import json
import shutil
from pathlib import Path

import pytest

from widl.common.errors import InputError
from widl.headline import Headliner
from widl.headline.parsing import SHIPPED


@pytest.fixture
def model(headlines: Path, tmp_path: Path) -> Path:
    """A model whose parser is a folder: the pipeline that comes with the package."""
    model = Path(shutil.copytree(headlines, tmp_path / "model"))
    shutil.copytree(SHIPPED, tmp_path / "parser")
    manifest = json.loads((model / "manifest.json").read_text())
    (model / "manifest.json").write_text(json.dumps(manifest | {"parser": str(tmp_path / "parser")}))
    return model


def test_a_folder_of_spacys_own_parts(model: Path) -> None:
    with Headliner(model) as headliner:
        assert headliner.parser.path == model.parent / "parser"


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('"spacy.Tok2Vec.v2"', '"friends.Tok2Vec.v2"', "@architectures = 'friends.Tok2Vec.v2'"),
        ('"spacy.Tok2Vec.v2"', '"PyTorchWrapper.v1"', "@architectures = 'PyTorchWrapper.v1'"),
        ('"spacy.Tok2Vec.v2"', '"spacy.TorchBiLSTMEncoder.v1"', "@architectures = 'spacy.TorchBiLSTMEncoder.v1'"),
        ("before_creation = null", 'before_creation = {"@callbacks": "spacy.copy_from_base_model.v1"}', "@callbacks"),
        ('factory = "tagger"', 'factory = "widl_headline"', "factory = 'widl_headline'"),  # of an entry point
        ('factory = "tagger"', 'source = "en_other"', "source = 'en_other'"),
        ('"spacy.Tokenizer.v1"', '["spacy.Tokenizer.v1"]', "@tokenizers"),
    ],
)
def test_parts_of_others(model: Path, old: str, new: str, named: str) -> None:
    path = model.parent / "parser" / "config.cfg"
    content = path.read_text()
    assert old in content
    path.write_text(content.replace(old, new, 1))
    with pytest.raises(InputError, match="which is not spaCy's own; give the parser yourself") as caught:
        Headliner(model)
    assert named in str(caught.value)
    Headliner(model, parser=path.parent).close()  # who names it trusts it


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff", "no configuration of a spaCy pipeline"),
        (b"[nlp]\nx = ${nlp.y}", "no configuration of a spaCy pipeline"),
    ],
)
def test_a_configuration_that_is_none(model: Path, content: bytes, message: str) -> None:
    path = model.parent / "parser" / "config.cfg"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        Headliner(model)
    assert "\n" not in str(caught.value)
    path.unlink()
    with pytest.raises(InputError, match=r"parser/config\.cfg"):
        Headliner(model)
