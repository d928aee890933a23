"""Models that an earlier version made, see data/models/README.md; tests must not change them."""

from pathlib import Path

OLD_MODELS = Path(__file__).parent / "data" / "models" / "0.1.0"
