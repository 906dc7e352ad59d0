"""From a frame to what stands where."""

from companion.vision.board.memory import Memory
from companion.vision.draw import annotate
from companion.vision.learning import corrected, learn
from companion.vision.loading import load_scene, make_scene
from companion.vision.looking import look_json
from companion.vision.measuring import to_measure
from companion.vision.sight import check_frame, look
from companion.vision.view.health import health
from companion.vision.view.scene import Scene, read_image

__all__ = [
    "Memory",
    "Scene",
    "annotate",
    "check_frame",
    "corrected",
    "health",
    "learn",
    "load_scene",
    "look",
    "look_json",
    "make_scene",
    "read_image",
    "to_measure",
]
