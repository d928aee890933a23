"""Models behind HTTP: JSON in, the results of `widl … --json` out. See docs/serving.md."""

from widl.serving.app import ServiceOptions, make_app, serve

__all__ = ["ServiceOptions", "make_app", "serve"]
