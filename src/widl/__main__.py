"""``python -m widl``: the command line."""

from widl.cli import main

if __name__ == "__main__":
    main()
