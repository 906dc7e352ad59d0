"""From a frame to what stands where."""

from companion.vision.draw import annotate
from companion.vision.health import health
from companion.vision.learning import learn
from companion.vision.looking import look_json
from companion.vision.memory import Memory
from companion.vision.scene import Scene, load_scene, make_scene, read_image
from companion.vision.sight import look

__all__ = [
    "Memory",
    "Scene",
    "annotate",
    "health",
    "learn",
    "load_scene",
    "look",
    "look_json",
    "make_scene",
    "read_image",
]
