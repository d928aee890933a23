"""The errors that a user's input can cause.

The command line prints any of them as one line and exits with 2; everything else keeps its traceback.
"""

from widl._core import InputError, InternalError

__all__ = ["InputError", "InternalError"]
