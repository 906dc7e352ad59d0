"""The status page for phones and the kiosk."""

from companion.page.app import create_app
from companion.page.server import PageServer, address_of
from companion.page.streams import GOODBYE

__all__ = ["GOODBYE", "PageServer", "address_of", "create_app"]
