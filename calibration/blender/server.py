"""Renders tables with Blender's Cycles: a scene of JSON in a line comes in, a picture of linear light goes to a file.

It runs in a Python that has `bpy` and knows nothing of Companion (see `studio`). A scene is in mm of the sheet, x
right, y down, z up from the board's face; colours are linear red, green, blue. What it holds is made in `scenes`.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

import bmesh  # isort: skip  # is there once bpy is

Told = dict[str, Any]
"""What JSON says of one thing."""
Point = tuple[float, float, float]
Faces = list[tuple[int, ...]]

MM = 0.01
"""Blender's units in a millimetre."""
ROUND = 48
"""Sides of what is turned on a lathe."""


def place(point: Any) -> Point:
    """Blender's axes are right-handed: y goes up the board."""
    return point[0] * MM, -point[1] * MM, point[2] * MM


def mesh_object(name: str, corners: list[Point], faces: Faces, stuff: Any) -> Any:
    """An object of polygons; corners (N, 3) in mm."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([place(corner) for corner in corners], [], faces)
    mesh.materials.append(stuff)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def lathe(outline: list[tuple[float, float]], sides: int = ROUND) -> tuple[list[Point], Faces]:
    """Corners and faces of an outline [(radius, height), …] turned about the upright axis, closed above and below."""
    angles = [2 * math.pi * k / sides for k in range(sides)]
    corners = [(r * math.cos(a), r * math.sin(a), z) for r, z in outline for a in angles]
    faces: Faces = []
    for ring in range(len(outline) - 1):
        low, high = ring * sides, (ring + 1) * sides
        faces += [(low + k, high + k, high + (k + 1) % sides, low + (k + 1) % sides) for k in range(sides)]
    last = (len(outline) - 1) * sides
    return corners, [*faces, tuple(range(sides)), tuple(last + k for k in reversed(range(sides)))]


def principled(name: str, surface: Told) -> tuple[Any, Any, Any]:
    """A material, its nodes, its shader. surface: color, roughness, coat (0 to 1: lacquer), coat_roughness, clear (0 to
    1: as glass)."""
    stuff = bpy.data.materials.new(name)
    stuff.use_nodes = True
    shader = stuff.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*surface.get("color", (0.5, 0.5, 0.5)), 1)
    shader.inputs["Roughness"].default_value = surface.get("roughness", 0.6)
    shader.inputs["Coat Weight"].default_value = surface.get("coat", 0.0)
    shader.inputs["Coat Roughness"].default_value = surface.get("coat_roughness", 0.05)
    shader.inputs["Transmission Weight"].default_value = surface.get("clear", 0.0)
    return stuff, stuff.node_tree, shader


def bumped(tree: Any, shader: Any, height: Any, deep: float) -> None:
    """Let `height`, an output between 0 and 1, shade the surface as if it were `deep` mm deep."""
    bump = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Distance"].default_value = deep * MM
    tree.links.new(height, bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], shader.inputs["Normal"])


def pattern(tree: Any, texture: Told) -> Any:
    """A pattern of Blender's own in mm of the table, 0 to 1. texture: kind, size (mm), turn, bend."""
    nodes = tree.nodes
    where, mapped = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    tree.links.new(where.outputs["Object"], mapped.inputs["Vector"])
    mapped.inputs["Rotation"].default_value = (0, 0, texture.get("turn", 0.0))
    kind, size = texture["kind"], texture["size"] * MM
    if kind == "planks":
        mapped.inputs["Scale"].default_value = (1 / size, 0.07 / size, 1 / size)
        node = nodes.new("ShaderNodeTexWave")
        node.inputs["Scale"].default_value = 0.35
        node.inputs["Distortion"].default_value = texture.get("bend", 6.0)
        node.inputs["Detail"].default_value = 6.0
    elif kind == "gingham":
        return gingham(tree, mapped, size)
    else:
        mapped.inputs["Scale"].default_value = (1 / size, 1 / size, 1 / size)
        node = nodes.new({"noise": "ShaderNodeTexNoise", "stones": "ShaderNodeTexVoronoi"}[kind])
    tree.links.new(mapped.outputs["Vector"], node.inputs["Vector"])
    return node.outputs["Fac"] if "Fac" in node.outputs else node.outputs["Distance"]


def gingham(tree: Any, mapped: Any, size: float) -> Any:
    """Stripes both ways, added: woven checks."""
    nodes, sums = tree.nodes, tree.nodes.new("ShaderNodeMath")
    apart = nodes.new("ShaderNodeSeparateXYZ")
    mapped.inputs["Scale"].default_value = (1 / size, 1 / size, 1 / size)
    tree.links.new(mapped.outputs["Vector"], apart.inputs["Vector"])
    for k, axis in enumerate("XY"):
        wave, above = nodes.new("ShaderNodeMath"), nodes.new("ShaderNodeMath")
        wave.operation, above.operation = "PINGPONG", "GREATER_THAN"
        wave.inputs[1].default_value, above.inputs[1].default_value = 1.0, 0.5
        tree.links.new(apart.outputs[axis], wave.inputs[0])
        tree.links.new(wave.outputs[0], above.inputs[0])
        half = nodes.new("ShaderNodeMath")
        half.operation, half.inputs[1].default_value = "MULTIPLY", 0.5
        tree.links.new(above.outputs[0], half.inputs[0])
        tree.links.new(half.outputs[0], sums.inputs[k])
    return sums.outputs[0]


def patterned(name: str, surface: Told) -> Any:
    """A material of two tones in a pattern."""
    stuff, tree, shader = principled(name, surface)
    if "texture" in surface:
        share, mixed = pattern(tree, surface["texture"]), tree.nodes.new("ShaderNodeMix")
        mixed.data_type = "RGBA"
        one, other = (socket for socket in mixed.inputs if socket.type == "RGBA")
        one.default_value, other.default_value = (*surface["color"], 1), (*surface["texture"]["color"], 1)
        tree.links.new(share, mixed.inputs[0])
        tree.links.new(next(o for o in mixed.outputs if o.type == "RGBA"), shader.inputs["Base Color"])
        if deep := surface["texture"].get("deep"):
            bumped(tree, shader, share, deep)
    return stuff


def painted(name: str, surface: Told) -> Any:
    """A material with a picture: `picture`, sRGB, and `relief`, grey, `deep` mm; both cover the board's face."""
    stuff, tree, shader = principled(name, surface)
    image = tree.nodes.new("ShaderNodeTexImage")
    image.image = bpy.data.images.load(surface["picture"])
    tree.links.new(image.outputs["Color"], shader.inputs["Base Color"])
    if surface.get("relief"):
        relief = tree.nodes.new("ShaderNodeTexImage")
        relief.image = bpy.data.images.load(surface["relief"])
        relief.image.colorspace_settings.name = "Non-Color"
        bumped(tree, shader, relief.outputs["Color"], surface["deep"])
    return stuff


def board(scene: Told) -> None:
    """A slab whose face lies at z = 0, or rises or sinks `ridge` mm to a fold across the middle."""
    of = scene["board"]
    wide, high, thick, ridge = of["width"], of["height"], of["thick"], of["ridge"]
    columns = ((0.0, max(0.0, -ridge)), (wide / 2, max(0.0, ridge)), (wide, max(0.0, -ridge)))
    top = [(x, y, z) for x, z in columns for y in (0.0, high)]
    under = [(x, y, -thick) for x in (0.0, wide) for y in (0.0, high)]
    face = mesh_object("face", top, [(0, 1, 3, 2), (2, 3, 5, 4)], painted("print", of))
    layer = face.data.uv_layers.new()
    for loop, corner in zip(layer.data, face.data.loops, strict=True):
        x, y, _ = top[corner.vertex_index]
        loop.uv = (x / wide, 1 - y / high)
    sides = [(0, 1, 7, 6), (4, 5, 9, 8), (0, 2, 4, 8, 6), (1, 3, 5, 9, 7)]
    mesh_object("edge", top + under, sides, principled("edge", of["edge"])[0])


def table(scene: Told) -> None:
    """A large level top below the board."""
    low, far = -scene["board"]["thick"] - 0.05, 2500.0
    corners = [(-far, -far, low), (far, -far, low), (far, far, low), (-far, far, low)]
    mesh_object("table", corners, [(0, 1, 2, 3)], patterned("table", scene["table"]))


def box(thing: Told) -> None:
    """A box: middle, size (mm), turn about the upright axis (radians)."""
    cos, sin = math.cos(thing.get("turn", 0.0)), math.sin(thing.get("turn", 0.0))
    (mx, my, mz), (sx, sy, sz) = thing["middle"], thing["size"]
    corners = [
        (mx + (cos * dx * sx - sin * dy * sy) / 2, my + (sin * dx * sx + cos * dy * sy) / 2, mz + dz * sz / 2)
        for dx in (-1, 1) for dy in (-1, 1) for dz in (-1, 1)
    ]  # fmt: skip
    faces: Faces = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
    mesh_object("box", corners, faces, patterned("box", thing["surface"]))


def light(of: Told) -> None:
    """A lamp (round, `wide` mm), a window (`wide` × `high`) or the sun. color: its light in the board's middle."""
    at, home = np.array(place(of["at"])), np.array(place(of["home"]))
    far, color = float(np.linalg.norm(at - home)), np.array(of["color"])
    kind = "SUN" if of["kind"] == "sun" else "AREA"
    lamp = bpy.data.lights.new("light", kind)
    lamp.color = (color / color.max()).tolist()
    if kind == "SUN":
        lamp.energy, lamp.angle = float(color.max()), math.radians(of.get("wide", 0.6))
    else:
        lamp.energy = float(color.max()) * math.pi * far**2
        lamp.shape = "DISK" if of["kind"] == "lamp" else "RECTANGLE"
        lamp.size, lamp.size_y = of["wide"] * MM, (of.get("high") or of["wide"]) * MM
    thing = bpy.data.objects.new("light", lamp)
    bpy.context.scene.collection.objects.link(thing)
    thing.matrix_world = looking(at, home)


def looking(at: Any, home: Any) -> Any:
    """The matrix of something at `at` whose −z looks to `home`."""
    turn = (Vector(home) - Vector(at)).to_track_quat("-Z", "Y").to_matrix().to_4x4()
    return Matrix.Translation(Vector(at)) @ turn


def camera(scene: Told) -> None:
    """A camera without a lens's bend. axes: rows right, down, depth; focal in pixels."""
    of, (width, _) = scene["camera"], scene["size"]
    right, down, depth = (np.array(place(axis)) / MM for axis in of["axes"])
    eye = place(of["eye"])
    rows = [[right[k], -down[k], -depth[k], eye[k]] for k in range(3)]
    seen = bpy.data.cameras.new("camera")
    seen.sensor_fit, seen.sensor_width, seen.lens = "HORIZONTAL", 36.0, of["focal"] * 36.0 / width
    seen.clip_start, seen.clip_end = 0.1, 1000.0
    thing = bpy.data.objects.new("camera", seen)
    bpy.context.scene.collection.objects.link(thing)
    thing.matrix_world = Matrix([*rows, [0, 0, 0, 1]])
    bpy.context.scene.camera = thing


def sky(colors: list[list[float]]) -> None:
    """Light from everywhere: [below the horizon and at it, straight above]."""
    world = bpy.data.worlds.new("sky")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.cycles.sampling_method = "NONE"  # so even a sky needs no map of where it is bright
    tree = world.node_tree
    where, apart, ramp = (
        tree.nodes.new(f"ShaderNode{kind}") for kind in ("TexCoord", "SeparateXYZ", "ValToRGB")
    )  # fmt: skip
    tree.links.new(where.outputs["Generated"], apart.inputs["Vector"])
    tree.links.new(apart.outputs["Z"], ramp.inputs["Fac"])
    for stop, color in zip(ramp.color_ramp.elements, colors, strict=True):
        stop.color = (*color, 1)
    tree.links.new(ramp.outputs["Color"], tree.nodes["Background"].inputs["Color"])


def room(of: Told) -> None:
    """Light from a room: file, an equirectangular picture of linear light; turn, from x towards y; gain."""
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 512  # by its own choice it is slower
    tree = world.node_tree
    where, mapped, seen = (tree.nodes.new(f"ShaderNode{kind}") for kind in ("TexCoord", "Mapping", "TexEnvironment"))
    mapped.inputs["Rotation"].default_value = (0, 0, of["turn"])
    seen.image = bpy.data.images.load(of["file"])
    tree.links.new(where.outputs["Generated"], mapped.inputs["Vector"])
    tree.links.new(mapped.outputs["Vector"], seen.inputs["Vector"])
    tree.links.new(seen.outputs["Color"], tree.nodes["Background"].inputs["Color"])
    tree.nodes["Background"].inputs["Strength"].default_value = of["gain"]


def stage(scene: Told) -> None:
    """All but the pieces."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    board(scene)
    table(scene)
    camera(scene)
    if "room" in scene:
        room(scene["room"])
    else:
        sky(scene["sky"])
    for thing in scene["boxes"]:
        box(thing)
    for one in scene["lights"]:
        light(one)


def put(pieces: list[Told]) -> None:
    """The pieces, those of before taken away. A piece: outline, at (its foot), turn, surface; `flat` mm if it is sawn
    out of a board of that thickness and not turned; `axes`, (3, 3), which way its own x, y and height go, if it does
    not stand; `unseen` if it only casts shadows and is mirrored; or a `die`."""
    for thing in [thing for thing in bpy.data.objects if thing.name.startswith("piece")]:
        bpy.data.objects.remove(thing, do_unlink=True)
    stuffs: dict[str, Any] = {}
    for one in pieces:
        if "die" in one:
            die(one["die"])
            continue
        key = json.dumps(one["surface"], sort_keys=True)
        stuff = stuffs.setdefault(key, None) or patterned("piece", one["surface"])
        stuffs[key] = stuff
        corners, faces = sawn(one["outline"], one["flat"]) if one.get("flat") else lathe(one["outline"])
        cos, sin = math.cos(one["turn"]), math.sin(one["turn"])
        across, aside, up = one.get("axes", ((cos, sin, 0.0), (-sin, cos, 0.0), (0.0, 0.0, 1.0)))
        ways = list(zip(one["at"], across, aside, up, strict=True))
        turned = [tuple(foot + i * a + j * b + k * c for foot, i, j, k in ways) for a, b, c in corners]
        thing = mesh_object("piece", turned, faces, stuff)
        thing.visible_camera = not one.get("unseen", False)
        mesh = thing.data
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
        mesh.set_sharp_from_angle(angle=0.7)


def sawn(outline: list[tuple[float, float]], thick: float) -> tuple[list[Point], Faces]:
    """A figure standing upright: its outline [(x, height), …] `thick` mm deep."""
    count = len(outline)
    corners = [(x, side * thick / 2, z) for side in (-1, 1) for x, z in outline]
    walls = [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    return corners, [tuple(range(count)), tuple(reversed(range(count, 2 * count))), *walls]


def die(of: Told) -> None:
    """A die. middle, axes (its directions, rows), edge, corner (its edges' radius), ball (that of a ball which cuts its
    corners; 0: none), surface; pips: at, out (a unit), wide (radius), surface; deep: mm sunk, 0 if painted on."""
    looks = [json.loads(text) for text in sorted({json.dumps(pip["surface"]) for pip in of["pips"]})]
    stuffs = [patterned("piece", of["surface"]), *(principled("piece", look)[0] for look in looks)]
    body = solid("piece die", rounded(of["edge"], of["corner"]), stuffs)
    columns = [Vector(place(axis)).normalized() for axis in of["axes"]]
    if Matrix(columns).determinant() < 0:  # a cube is the same in a mirror
        columns[2].negate()
    body.matrix_world = Matrix.Translation(place(of["middle"])) @ Matrix(columns).transposed().to_4x4()
    if of["ball"]:
        cut(body, solid("piece ball", balls([(of["middle"], of["ball"], 0)], finely=4), stuffs), "INTERSECT")
    numbered = [(pip, 1 + looks.index(pip["surface"])) for pip in of["pips"]]
    if not of["deep"]:
        solid("piece pips", disks(numbered), stuffs)
        return
    around = [(*cap(pip, of["deep"]), look) for pip, look in numbered]
    cut(body, solid("piece pips", balls(around, finely=3), stuffs), "DIFFERENCE")


def solid(name: str, shape: Any, stuffs: list[Any]) -> Any:
    """An object of a bmesh, of these materials."""
    mesh = bpy.data.meshes.new(name)
    shape.to_mesh(mesh)
    shape.free()
    for stuff in stuffs:
        mesh.materials.append(stuff)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def rounded(edge: float, corner: float) -> Any:
    """A cube with round edges about the origin."""
    shape = bmesh.new()
    bmesh.ops.create_cube(shape, size=edge * MM)
    bmesh.ops.bevel(shape, geom=shape.edges[:], offset=corner * MM, segments=6, profile=0.5, affect="EDGES")
    return shape


def balls(around: list[tuple[Any, float, int]], finely: int) -> Any:
    """Balls about points of the table, with these radii, each of the material of that number."""
    shape = bmesh.new()
    for middle, radius, look in around:
        where = Matrix.Translation(place(middle))
        made = bmesh.ops.create_icosphere(shape, subdivisions=finely, radius=radius * MM, matrix=where)
        for face in {face for vertex in made["verts"] for face in vertex.link_faces}:
            face.material_index = look
    return shape


def cap(pip: Told, deep: float) -> tuple[list[float], float]:
    """The ball that sinks a pip `deep` mm: its middle and radius."""
    radius = (pip["wide"] ** 2 + deep**2) / (2 * deep)
    return [at + (radius - deep) * out for at, out in zip(pip["at"], pip["out"], strict=True)], radius


def disks(numbered: list[tuple[Told, int]]) -> Any:
    """Pips that are painted on: disks just above the face."""
    shape = bmesh.new()
    for pip, look in numbered:
        out = Vector(place(pip["out"])).normalized()
        turn = out.to_track_quat("Z", "Y").to_matrix().to_4x4()
        where = Matrix.Translation(Vector(place(pip["at"])) + 0.02 * MM * out) @ turn
        made = bmesh.ops.create_circle(shape, cap_ends=True, segments=32, radius=pip["wide"] * MM, matrix=where)
        for face in {face for vertex in made["verts"] for face in vertex.link_faces}:
            face.material_index = look
    return shape


def cut(body: Any, cutter: Any, how: str) -> None:
    """Cut an object with another, which is seen no more; the cut is of the cutter's material."""
    modifier = body.modifiers.new("cut", "BOOLEAN")
    modifier.operation, modifier.solver, modifier.object = how, "EXACT", cutter
    modifier.use_self = True  # the balls of pips that are near each other overlap
    cutter.hide_render = True


def settings(scene: Told) -> None:
    """Cycles on one core: few rays a pixel, and its noise taken out."""
    of = bpy.context.scene
    of.render.engine = "CYCLES"
    of.render.threads_mode, of.render.threads = "FIXED", 1
    of.render.resolution_x, of.render.resolution_y = scene["size"]
    of.render.resolution_percentage = 100
    of.render.use_persistent_data = True
    of.cycles.device, of.cycles.seed = "CPU", 1
    of.cycles.samples, of.cycles.use_adaptive_sampling = scene["samples"], False
    of.cycles.use_denoising, of.cycles.denoiser, of.cycles.denoising_prefilter = True, "OPENIMAGEDENOISE", "FAST"
    of.cycles.max_bounces, of.cycles.diffuse_bounces, of.cycles.glossy_bounces = 4, 2, 3
    of.cycles.caustics_reflective = of.cycles.caustics_refractive = False
    of.render.image_settings.file_format, of.render.image_settings.color_depth = "OPEN_EXR", "16"


def cropped(scene: Told, part: list[int]) -> None:
    """Render only a part of the picture: left, top, right, bottom, pixels."""
    of, (width, height) = bpy.context.scene.render, scene["size"]
    left, top, right, bottom = part
    of.use_border = of.use_crop_to_border = True
    of.border_min_x, of.border_max_x = left / width + 1e-5, right / width + 1e-5
    of.border_min_y, of.border_max_y = 1 - bottom / height + 1e-5, 1 - top / height + 1e-5


def rendered(scene: Told, part: list[int]) -> Any:
    """The part of the picture: float16, rows × cols × 3, blue, green, red."""
    settings(scene)
    cropped(scene, part)
    with tempfile.TemporaryDirectory() as folder:
        bpy.context.scene.render.filepath = os.path.join(folder, "light.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(bpy.context.scene.render.filepath)
        width, height = image.size
        flat = np.empty(4 * width * height, np.float32)
        image.pixels.foreach_get(flat)
        bpy.data.images.remove(image)
    return np.clip(flat.reshape(height, width, 4)[::-1, :, 2::-1], 0, 60000).astype(np.float16)


def main() -> None:
    """Until stdin ends: one scene a line; the path of the picture that is ready is answered, or what went wrong."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Blender itself says there how far it is
    before = None
    for line in sys.stdin:
        scene = json.loads(line)
        to, pieces, part = scene.pop("to"), scene.pop("pieces"), scene.pop("part")
        if scene != before:
            stage(scene)
        before = scene
        put(pieces)
        np.save(to, rendered(scene, part))
        answers.write(json.dumps({"done": to}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
