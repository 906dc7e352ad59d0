// A kiosk belongs to all: what somebody opened there, and left, does not stay before the game.

import { isKiosk } from "./dom.js";

// Leaves once nobody has touched the kiosk for so many minutes.
export function whenAlone(minutes, leave) {
  let timer = 0;
  const touched = () => {
    clearTimeout(timer);
    timer = setTimeout(leave, minutes * 60000);
  };
  if (!isKiosk) return;
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, touched, true);
  touched();
}
