"""Checks that a tag, the package, CITATION.cff and CHANGELOG.md name one version: python .ci/release.py 0.2.0."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def versions(root: Path = ROOT) -> dict[str, str]:
    """The version that each file names; empty if it names none."""

    def found(pattern: str, name: str) -> str:
        match = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        return match[1] if match else ""

    return {
        "pyproject.toml": tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"],
        "CITATION.cff": found(r"^version: *\"?([^\"\s]+)", "CITATION.cff"),
        "CHANGELOG.md": found(r"^## *v?([0-9][^\s(]*)", "CHANGELOG.md"),
    }


def main() -> None:
    """Compare with the argument."""
    wrong = {name: version for name, version in versions().items() if version != sys.argv[1]}
    if wrong:
        named = ", ".join(f"{name} names {version or 'no version'}" for name, version in wrong.items())
        sys.exit(f"The tag is {sys.argv[1]}, but {named}; change them, and tag again.")


if __name__ == "__main__":
    main()
