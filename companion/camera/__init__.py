"""Where frames come from: each camera a source of timed frames, the newest wins."""

from companion.camera.choose import open_camera
from companion.camera.frame import BLACK, FROZEN, OK, Camera, Frame, Health, Image, is_black
from companion.camera.live import Capture, LiveCamera
from companion.camera.recorded import PictureFolder, VideoFile

__all__ = [
    "BLACK",
    "FROZEN",
    "OK",
    "Camera",
    "Capture",
    "Frame",
    "Health",
    "Image",
    "LiveCamera",
    "PictureFolder",
    "VideoFile",
    "is_black",
    "open_camera",
]
