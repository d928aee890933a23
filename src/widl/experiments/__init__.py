"""The papers' experiments: what they measured, measured again and printed beside their figures."""
