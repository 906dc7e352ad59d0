"""A camera on the network that sends pictures as phones do: turned meanwhile, torn, of another kind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.camera import Image
from companion.camera.live import NetworkCapture

WIDE, TALL = (320, 240), (240, 320)


def picture(size: tuple[int, int]) -> Image:
    """A picture of (width, height) pixels with something in it."""
    small = np.random.default_rng(1).integers(60, 200, (size[1] // 8, size[0] // 8, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(small, size), np.uint8)


def encoded(size: tuple[int, int]) -> bytes:
    return bytes(cv2.imencode(".jpg", picture(size))[1])


class Phone(BaseHTTPRequestHandler):
    """Sends what its path names, one picture after the other, or a film. film: of another kind."""

    film = b""

    def log_message(self, *words: Any) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        self.send_response(200)
        if self.path == "/film":
            self.send_header("Content-Type", "video/x-msvideo")
            self.end_headers()
            self.wfile.write(self.film)
            return
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=part")
        self.end_headers()
        for number in range(200):
            sent = encoded(TALL if self.path == "/turned" and number > 20 else WIDE)
            if self.path == "/torn" and number % 3 == 2:
                sent = b"\xff\xd8" + bytes(2000)
            head = f"--part\r\nContent-Type: image/jpeg\r\nContent-Length: {len(sent)}\r\n\r\n".encode()
            try:
                self.wfile.write(head + sent + b"\r\n")
            except OSError:
                return


@pytest.fixture
def phone() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Phone)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def shapes(address: str, count: int) -> list[tuple[int, ...]]:
    """Of so many pictures: () where one could not be read."""
    capture = NetworkCapture(address)
    try:
        return [() if (image := capture.read()) is None else image.shape for _ in range(count)]
    finally:
        capture.release()


def test_the_pictures_of_a_phone_that_is_turned_are_not_squeezed_into_the_size_of_the_first(phone: str) -> None:
    """Its pictures stayed as wide as before, and the board was another one until the next start."""
    found = shapes(f"{phone}/turned", 60)
    assert found[0] == (240, 320, 3) and found[-1] == (320, 240, 3)


def test_a_torn_picture_is_left_out_and_the_next_one_taken(phone: str) -> None:
    found = shapes(f"{phone}/torn", 30)
    assert set(found) == {(), (240, 320, 3)} and found.count(()) < 15


def test_a_stream_of_another_kind_is_decoded_as_ever(
    phone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"XVID"), 10, WIDE)
    for _ in range(30):
        writer.write(picture(WIDE))
    writer.release()
    monkeypatch.setattr(Phone, "film", (tmp_path / "film.avi").read_bytes())
    assert set(shapes(f"{phone}/film", 10)) == {(240, 320, 3)}
