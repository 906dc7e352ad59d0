// What the camera sees, with what was read drawn over it, looked at again and again.

import { capital, el, find, say } from "./dom.js";
import { open } from "./sheet.js";

const LOOK_EVERY = 2000;

const cameraOf = ({ devices }) => devices.find(({ name }) => name === "camera");

const isLost = () => document.body.classList.contains("offline");

// Without a camera there is nothing to look at.
export const hasCamera = (view) => cameraOf(view)?.state !== "off";

// Whether anything is to be made out in them: a camera whose pictures are black says so.
export const givesPictures = (view) => cameraOf(view)?.state === "ok";

export function showLive(view) {
  const camera = cameraOf(view);
  const why = camera && camera.state !== "ok" ? ` ${capital(camera.text).replace(/[^.?!]$/, "$&.")}` : "";
  const blind = el("p", { hidden: true, role: "status" });
  const told = el("p", { class: "told" }); // the picture says it, too, in letters too small for a phone
  let timer = 0;
  const look = () => (picture.src = `/live.jpg?${Date.now()}`);
  // A picture that is long on its way is waited for, or none would ever come.
  const seen = (there) => () => {
    [picture.hidden, blind.hidden] = [!there, there];
    say(told, there ? find("#trouble.lost .what")?.textContent ?? "" : "");
    say(blind, isLost() ? "The referee cannot be reached just now." : `The camera shows nothing just now.${why}`);
    if (picture.isConnected) timer = setTimeout(look, LOOK_EVERY);
  };
  const picture = el("img", { alt: "What the camera sees now", onload: seen(true), onerror: seen(false) });
  open("What the camera sees", [blind, picture, told], [], { closed: () => clearTimeout(timer), kind: "picture" });
  look();
}
