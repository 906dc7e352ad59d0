"""Cameras are found by names that stay, and one that comes later is taken when it does."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import cv2
import pytest

from companion.camera import LiveCamera, choose, open_camera
from companion.camera.finding import Plugged, plugged, the_camera
from companion.camera.live import NetworkCapture
from companion.model import DeviceError


def plug(root: Path, number: int, name: str, **links: str) -> None:
    """A video device as the kernel and udev show it. links: by_id, by_path."""
    device = root / f"dev/video{number}"
    device.parent.mkdir(parents=True, exist_ok=True)
    device.touch()
    about = root / f"sys/class/video4linux/video{number}/name"
    about.parent.mkdir(parents=True)
    about.write_text(f"{name}\n")
    for folder, link in links.items():
        path = root / "dev/v4l" / folder.replace("_", "-") / link
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(device)


def test_nothing_is_plugged_in(tmp_path: Path) -> None:
    assert plugged(tmp_path) == []
    with pytest.raises(DeviceError, match="no camera is plugged in"):
        the_camera(tmp_path)


def test_a_webcam_has_a_name_that_stays(tmp_path: Path) -> None:
    plug(tmp_path, 10, "bcm2835-codec-decode")
    plug(tmp_path, 0, "HD Webcam", by_id="usb-Maker_HD_Webcam_123-video-index0", by_path="p-usb-0:1:1.0-video-index0")
    plug(tmp_path, 1, "HD Webcam", by_id="usb-Maker_HD_Webcam_123-video-index1")
    found = [Plugged("/dev/v4l/by-id/usb-Maker_HD_Webcam_123-video-index0", "HD Webcam")]
    assert plugged(tmp_path) == found


def test_a_webcam_without_a_number_is_known_by_its_socket(tmp_path: Path) -> None:
    plug(tmp_path, 2, "Cheap Cam", by_path="platform-xhci-usb-0:1.2:1.0-video-index0")
    assert the_camera(tmp_path) == "/dev/v4l/by-path/platform-xhci-usb-0:1.2:1.0-video-index0"


def test_a_raspberry_pis_own_camera_comes_after_those_on_usb(tmp_path: Path) -> None:
    plug(tmp_path, 0, "rp1-cfe-csi2_ch0")
    assert the_camera(tmp_path) == "picamera"
    plug(tmp_path, 8, "HD Webcam", by_id="usb-Maker_HD_Webcam_123-video-index0")
    assert [camera.spec for camera in plugged(tmp_path)] == [
        "/dev/v4l/by-id/usb-Maker_HD_Webcam_123-video-index0",
        "picamera",
    ]


@pytest.mark.parametrize(
    ("spec", "there", "opened"),
    [
        ("0", "", ("V4L2Capture", "/dev/video0", (640, 480), 5)),
        (2, "", ("V4L2Capture", "/dev/video2", (640, 480), 5)),
        (" /dev/v4l/by-id/usb-cam ", "", ("V4L2Capture", "/dev/v4l/by-id/usb-cam", (640, 480), 5)),
        ("picamera", "", ("PicameraCapture", 0, (640, 480), 5)),
        ("picamera:1", "", ("PicameraCapture", 1, (640, 480), 5)),
        ("auto", "picamera", ("PicameraCapture", 0, (640, 480), 5)),
        ("auto", "/dev/v4l/by-id/usb-cam", ("V4L2Capture", "/dev/v4l/by-id/usb-cam", (640, 480), 5)),
        ("rtsp://cam.local/live", "", ("NetworkCapture", "rtsp://cam.local/live")),
    ],
)
def test_each_name_opens_its_camera(
    monkeypatch: pytest.MonkeyPatch, spec: str | int, there: str, opened: tuple[object, ...]
) -> None:
    for kind in ("V4L2Capture", "PicameraCapture", "NetworkCapture"):
        monkeypatch.setattr(choose, kind, lambda *what, kind=kind: (kind, *what))
    monkeypatch.setattr(choose, "LiveCamera", lambda name, opener, clock: opener())
    monkeypatch.setattr(choose, "the_camera", lambda: there)
    monkeypatch.setattr(choose, "Path", lambda device: SimpleNamespace(exists=lambda: True))
    monkeypatch.setattr(choose.os, "access", lambda *_: True)
    assert open_camera(spec, (640, 480), 5) == opened  # type: ignore[comparison-overlap]


def test_a_camera_that_this_user_may_not_open_is_said_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choose, "Path", lambda device: SimpleNamespace(exists=lambda: True))
    monkeypatch.setattr(choose.os, "access", lambda *_: False)
    monkeypatch.setattr(choose, "LiveCamera", lambda name, opener, clock: opener())
    with pytest.raises(DeviceError, match=r"may not open .*video0: sudo usermod -aG video"):
        open_camera("/dev/video0")


def test_what_is_no_number_of_a_camera_is_said() -> None:
    for spec in ("picamera:left", "picamera:-1"):
        with pytest.raises(DeviceError, match=f"no camera '{spec}': write picamera or picamera:1"):
            open_camera(spec)


def test_a_camera_without_a_name_is_called_by_its_device(tmp_path: Path) -> None:
    plug(tmp_path, 2, " ", by_path="platform-xhci-usb-0:1.2:1.0-video-index0")
    assert [camera.name for camera in plugged(tmp_path)] == ["video2"]
    (tmp_path / "sys/class/video4linux/video2/name").unlink()
    assert [camera.name for camera in plugged(tmp_path)] == ["video2"]


def none_yet() -> str:
    raise DeviceError("none yet")


def test_auto_waits_for_a_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.camera.choose.the_camera", none_yet)
    camera = open_camera("auto")
    try:
        for _ in range(200):
            if camera.state == "none yet":
                break
            time.sleep(0.01)
        assert camera.state == "none yet" and camera.newest() is None
    finally:
        camera.close()


ADDRESSES = {
    "rtsp://10.0.0.9:554/live": "rtsp://10.0.0.9:554",
    "rtsp://ann:s3cret@10.0.0.9:554/live?pwd=s3cret": "rtsp://10.0.0.9:554",
    "http://cam.local/s3cret/video": "http://cam.local",
    "http://cam.local?token=s3cret": "http://cam.local",
    "http://cam.local#s3cret": "http://cam.local",
    "https://ann:s3cr%40@[fe80::1]:8080/": "https://[fe80::1]:8080",
    "rtsp://ann:s3/cr@s3cret@10.0.0.9/": "rtsp://…",
    "rtsp://ann:my s3cret@10.0.0.9/": "rtsp://10.0.0.9",
    "rtsp://my s3cret": "rtsp://…",
    "http://10.0.0.9/?user=ann@s3cret": "http://…",
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_camera_is_named_without_its_login(address: str) -> None:
    """Neither before it was tried nor when it is off or OpenCV stumbles: a page or a log must not tell it."""
    place, asked = ADDRESSES[address], []

    class Off:
        def __init__(self, *words: object) -> None:
            asked.append(words[0])

        def isOpened(self) -> bool:
            return False

        def release(self) -> None:
            pass

    def stumbles(*words: object) -> None:
        raise cv2.error(f"cannot open {words[0]}")

    for make in (Off, stumbles):
        with pytest.raises(DeviceError) as caught:
            NetworkCapture(address, make)
        assert str(caught.value) == f"no pictures from {place}: is that camera on, and on this network?"
    assert asked == [address]


def test_what_a_camera_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    def off(address: str) -> None:
        raise DeviceError("off")

    monkeypatch.setattr("companion.camera.choose.NetworkCapture", off)
    camera = open_camera("rtsp://ann:s3cret@10.0.0.9:554/live")
    camera.close()
    assert isinstance(camera, LiveCamera) and camera.name == "camera rtsp://10.0.0.9:554"
    with pytest.raises(DeviceError) as caught:
        open_camera("ftp://ann:s3cret@10.0.0.9/s3cret")
    assert "no camera 'ftp://10.0.0.9'" in str(caught.value)
