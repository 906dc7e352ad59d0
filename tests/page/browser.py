"""A real browser at one table: what tests do with it, and what they measure on the page."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Sequence
from typing import Any

import fakehub

from companion.model.table import Action
from companion.page import PageServer

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
SOON = 8.0
PHONE, KIOSK, LARGE = (360, 640), (1024, 600), (1920, 1080)
SMALL_PHONE, LYING_PHONE, PANEL = (320, 568), (844, 390), (800, 480)
CONTRASTS = """
const ink = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
  .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (node) => {
  for (; node; node = node.parentElement) {
    const color = ink(getComputedStyle(node).backgroundColor);
    if (color.length < 4 || color[3] > 0.99) return color;
  }
  return [255, 255, 255];
};
const texts = [...document.querySelectorAll("h1, h2, h3, p, li, time, button, small, span, b")].filter((node) =>
  node.checkVisibility() && !node.closest(".unseen, .toast, .symbols, .skip") &&
  [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()));
return texts.map((node) => {
  const [a, b] = [light(ink(getComputedStyle(node).color)), light(ground(node))].sort((x, y) => x - y);
  return [(b + 0.05) / (a + 0.05), node.textContent.trim().slice(0, 30)];
});
"""
DOUBLE_TAP, SAME_SPOT = 0.45, 30.0
"""Seconds and pixels: a little more than the page's own."""
SEEN = 350
"""Milliseconds, likewise: what came up later is not pressed by a finger that was on its way."""
SPOT = """
arguments[0].scrollIntoView({ block: "center" });
const box = arguments[0].getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];
"""
PLACE = """
const view = document.querySelector(arguments[0]);
view.scrollIntoView({ block: "center" });
const at = new DOMPoint(arguments[1], arguments[2]).matrixTransform(view.querySelector("svg").getScreenCTM());
return [at.x, at.y];
"""
SMALL_TARGETS = """
return [...document.querySelectorAll("button, input, a:not(.skip)")].filter((node) => node.checkVisibility())
  .map((node) => [node.closest("label.row") ?? node, node]).map(([box, node]) => [box.getBoundingClientRect(), node])
  .filter(([box]) => box.width < 44 || box.height < 44).map(([box, node]) => node.outerHTML.slice(0, 80));
"""


class Page:
    """A browser at one table, with a fake hub behind it."""

    def __init__(self, driver: Any, server: PageServer, hub: fakehub.FakeHub) -> None:
        self.driver, self.server, self.hub = driver, server, hub
        self._tapped: tuple[float, list[float]] = (0.0, [-1e3, -1e3])

    def open(self, path: str = "", size: tuple[int, int] = PHONE, scheme: str = "light", touch: bool = True) -> None:
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": touch}
        scheme_of = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme_of)
        self.driver.get(self.server.url + path)
        self.until("document.body.classList.contains('ready')")

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def until(self, condition: str) -> None:
        end = time.monotonic() + SOON
        while not self.run(f"return Boolean({condition})"):
            assert time.monotonic() < end, f"in vain waited for {condition}"
            time.sleep(0.05)

    def _until_seen(self, selector: str) -> None:
        """It is there, and so long that somebody has seen what it asks."""
        self.until(f"document.querySelector({selector!r})?.checkVisibility()")
        asks = f"document.querySelector({selector!r})?.closest('[data-since]')"
        self.until(f"!({asks}?.dataset.since > performance.now() - {SEEN})")

    def tap(self, selector: str) -> None:
        self._until_seen(selector)
        target = self.driver.find_element("css selector", selector)
        spot = self.run(SPOT, target)
        self._let_go_by(spot)
        target.click()
        self._tapped = (time.monotonic(), spot)

    def _let_go_by(self, spot: list[float]) -> None:
        """Wait where a tap now were the second half of a double tap."""
        if math.dist(spot, self._tapped[1]) < SAME_SPOT:
            time.sleep(max(0.0, self._tapped[0] + DOUBLE_TAP - time.monotonic()))

    def tap_twice(self, selector: str, between: Callable[[], None] = lambda: None) -> None:
        """As a finger that taps a second time, 0.2 s after the first however long this takes, before it has seen what
        came."""
        self._until_seen(selector)
        self._twice(self.run(SPOT, self.driver.find_element("css selector", selector)), between)

    def tap_twice_at(self, view: str, x: float, y: float, between: Callable[[], None] = lambda: None) -> None:
        """The same on a picture, in its own pixels."""
        at = self.run(PLACE, view, x, y)
        self._let_go_by(at)
        self._twice(at, between)

    def _twice(self, spot: list[float], between: Callable[[], None]) -> None:
        began = time.time()
        for at in (began, began + 0.2):
            for kind in ("mousePressed", "mouseReleased"):
                mouse = {"type": kind, "x": spot[0], "y": spot[1], "button": "left", "clickCount": 1, "timestamp": at}
                self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", mouse)
            if at == began:
                between()
        self._tapped = (time.monotonic() + 0.2, spot)

    def tap_at(self, view: str, x: float, y: float) -> None:
        """Tap a picture that can be tapped on, in its own pixels."""
        at = self.run(PLACE, view, x, y)
        self._let_go_by(at)
        self._press(at)

    def tap_as_it_changes(self, selector: str, change: Callable[[], None]) -> None:
        """As a finger on its way to something while `change` comes, before anybody can have seen that."""
        self._until_seen(selector)
        spot = self.run(SPOT, self.driver.find_element("css selector", selector))
        self._let_go_by(spot)
        self.run("const at = performance.now(); performance.now = () => at")  # however slow the machine is
        change()
        self._press(spot)
        self.run("delete performance.now")

    def _press(self, spot: list[float]) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            mouse = {"type": kind, "x": spot[0], "y": spot[1], "button": "left", "clickCount": 1}
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", mouse)
        self._tapped = (time.monotonic(), spot)

    def touch(self, kind: str, fingers: Sequence[Sequence[float]]) -> None:
        """What fingers do at once: touchStart, touchMove or touchEnd, at places of the screen."""
        points = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(fingers)]
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def write(self, selector: str, text: str) -> None:
        self.until(f"document.querySelector({selector!r})?.checkVisibility()")
        self.driver.find_element("css selector", selector).send_keys(text)

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def show(self, view: Any) -> None:
        self.hub.show(view)
        self.until(f"document.body.dataset.version === '{self.hub.view().version}'")

    def complaints(self) -> list[str]:
        """What the browser's log holds against the page."""
        return [line["message"] for line in self.driver.get_log("browser") if line["source"] != "network"]

    def more(self, action: str) -> None:
        self.tap("#bar .more")
        self.tap(f"#sheet [data-action={action}]")

    def until_acted(self) -> Action:
        end = time.monotonic() + SOON
        while not self.hub.actions and time.monotonic() < end:
            time.sleep(0.02)
        return self.hub.actions.pop()
