// What the camera sees, with what was read drawn over it, looked at again and again.

import { tell } from "./ask.js";
import { el } from "./dom.js";
import { open } from "./sheet.js";

const LOOK_EVERY = 2000;

export function showLive() {
  const look = () => (picture.src = `/live.jpg?${Date.now()}`);
  const blind = () => tell("The camera shows nothing yet.", false);
  const picture = el("img", { alt: "What the camera sees now", onerror: blind });
  look();
  const timer = setInterval(look, LOOK_EVERY);
  open("What the camera sees", picture, [], { closed: () => clearInterval(timer), kind: "picture" });
}
