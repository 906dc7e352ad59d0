// What the camera sees, with what was read drawn over it, looked at again and again.

import { capital, el } from "./dom.js";
import { open } from "./sheet.js";

const LOOK_EVERY = 2000;

const cameraOf = ({ devices }) => devices.find(({ name }) => name === "camera");

// Without a camera there is nothing to look at.
export const hasCamera = (view) => cameraOf(view)?.state !== "off";

export function showLive(view) {
  const camera = cameraOf(view);
  const why = camera && camera.state !== "ok" ? ` ${capital(camera.text).replace(/\.?$/, ".")}` : "";
  const blind = el("p", { hidden: true, role: "status" }, `The camera shows nothing just now.${why}`);
  const look = () => (picture.src = `/live.jpg?${Date.now()}`);
  const seen = (there) => () => ([picture.hidden, blind.hidden] = [!there, there]);
  const picture = el("img", { alt: "What the camera sees now", onload: seen(true), onerror: seen(false) });
  look();
  const timer = setInterval(look, LOOK_EVERY);
  open("What the camera sees", [blind, picture], [], { closed: () => clearInterval(timer), kind: "picture" });
}
