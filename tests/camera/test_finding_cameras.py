"""Cameras are found by names that stay, and one that comes later is taken when it does."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from companion.camera import open_camera
from companion.camera.finding import Plugged, plugged, the_camera
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


@pytest.mark.parametrize("login", ["ann:s3cret@", "ann:s3/cr@et@"])
def test_a_camera_is_named_without_its_login(monkeypatch: pytest.MonkeyPatch, login: str) -> None:
    asked = []

    def off(address: str) -> None:
        asked.append(address)
        raise DeviceError(f"no pictures from {address}: is that camera on?")

    monkeypatch.setattr("companion.camera.choose.NetworkCapture", off)
    address = f"rtsp://{login}10.0.0.9:554/live?pwd=s3cret"
    camera = open_camera(address)
    try:
        assert "camera rtsp://10.0.0.9:554/live has not" in camera.state or "no pictures from rtsp://10" in camera.state
        for _ in range(200):
            if "no pictures" in camera.state:
                break
            time.sleep(0.01)
        assert camera.state == "no pictures from rtsp://10.0.0.9:554/live: is that camera on?"
        assert asked[0] == address
    finally:
        camera.close()
    with pytest.raises(DeviceError) as caught:
        open_camera(f"ftp://{login}10.0.0.9/")
    assert "no camera 'ftp://10.0.0.9/'" in str(caught.value)
