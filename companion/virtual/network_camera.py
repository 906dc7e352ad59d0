"""A pretend camera on the network: a picture of any camera's table, as a stream of JPEGs that any program can open."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np

from companion.camera import Image

BOUNDARY = b"frame"
GREY = 128


class NetworkCamera:
    """Serves `picture` as an MJPEG stream at `url`, `fps` times a second, to any number of programs.

    picture: uint8 BGR of now. It can misbehave: `fault` is "", "unplugged" (nobody answers), "stalled" (the line is
    open and silent), "black", "frozen" (the same picture for ever) or "torn" (the lower half never came).
    """

    def __init__(self, picture: Callable[[], Image], fps: float = 8.0) -> None:
        self.picture, self.fps, self.fault = picture, fps, ""
        self._last: bytes = b""
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                camera._stream(self)

            def log_message(self, format: str, *args: object) -> None:
                """Nothing: the program under the camera says what is wrong."""

        self._ending = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, name="pretend network camera", daemon=True).start()

    @property
    def url(self) -> str:
        """What [camera] source calls it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/video"

    def close(self) -> None:
        """Serve no more."""
        self._ending.set()
        self._server.shutdown()
        self._server.server_close()

    def _stream(self, to: BaseHTTPRequestHandler) -> None:
        if self.fault == "unplugged":
            to.send_error(503)
            return
        to.send_response(200)
        to.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY.decode()}")
        to.end_headers()
        try:
            while self.fault != "unplugged" and not self._ending.is_set():
                if self.fault != "stalled":
                    jpeg = self._jpeg()
                    head = b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % (BOUNDARY, len(jpeg))
                    to.wfile.write(head + jpeg + b"\r\n")
                time.sleep(1 / self.fps)
        except OSError:
            return

    def _jpeg(self) -> bytes:
        if self.fault == "frozen" and self._last:
            return self._last
        image = self.picture()
        if self.fault == "black":
            image = np.zeros_like(image)
        if self.fault == "torn":
            image = image.copy()
            image[len(image) // 2 :] = GREY
        self._last = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
        return self._last
