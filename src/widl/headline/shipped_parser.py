"""The English pipeline that comes with this package, and the check that its files are those it was made of."""

import hashlib
from pathlib import Path

from widl.common.errors import InputError

SHIPPED = Path(__file__).with_name("english")
SUMS = "SHA256SUMS"


def check_shipped(folder: Path = SHIPPED) -> None:
    """Compare the pipeline's files with their SHA-256 sums; the models of the tagger and parser are the release's own.

    Raises:
        InputError: A file is absent, damaged or another one.
    """
    for name, expected in sums_of(folder / SUMS).items():
        try:
            content = (folder / name).read_bytes()
        except OSError as error:
            raise InputError(f"{folder / name}: {error.strerror or error}; install widl again") from None
        if hashlib.sha256(content).hexdigest() != expected:
            raise InputError(f"{folder / name}: not the file that belongs to this package; install widl again")


def sums_of(path: Path) -> dict[str, str]:
    """SHA-256 by file name, of a file as ``sha256sum`` writes it."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        pairs = [line.split("  ", 1) for line in lines if line]
        return {name: expected for expected, name in pairs}
    except (OSError, ValueError) as error:
        reason = f"the sums of the pipeline's files can't be read ({error}); install widl again"
        raise InputError(f"{path}: {reason}") from None
