"""The status page for phones and the kiosk."""

from companion.page.app import create_app
from companion.page.server import PageServer

__all__ = ["PageServer", "create_app"]
