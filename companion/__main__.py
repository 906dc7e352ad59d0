"""The program: `companion`, and `python -m companion`."""

import sys


def main() -> int:
    """Run one command. Ctrl-C ends it without a traceback also while the rest of the program is still being read."""
    try:
        from companion.service import cli

        return cli.main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
