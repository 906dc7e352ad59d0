// A double tap is one tap, and a key held down one press: nothing is done twice, nor what came up under a finger that was
// on its way.

const SECOND = 400; // ms
const NEAR = 24; // px
const ON_ITS_WAY = 300; // ms

let last = { at: -Infinity, x: 0, y: 0, target: null };

// Taps on what stays there count all, as on figures of a PIN; but for those on what is chosen, which would be left again,
// on a photo, where the next one is another corner, or another space, and on a board, where it puts down what was just
// taken up. Keys are pressed at no place (detail 0).
function isSecond({ timeStamp, clientX, clientY, detail, target: on }, target) {
  const soon = timeStamp - last.at < SECOND && Math.hypot(clientX - last.x, clientY - last.y) < NEAR;
  return detail > 0 && soon && (target !== last.target || Boolean(on.closest("#bar, .rolls, .view, .board, [aria-pressed]")));
}

// A tap on a label is followed at once by the browser's own on what it labels.
function targetOf(event) {
  const found = event.target.closest("button, label, summary, select, input");
  return found?.control ?? found;
}

// What is asked at a place, or of whom, may change just before a finger comes there, which meant what was asked before.
export const asksAnew = (place) => (place.dataset.since = performance.now());

function isTooSoon({ detail, target }) {
  const since = target.closest("[data-since]")?.dataset.since;
  return detail > 0 && since !== undefined && performance.now() - since < ON_ITS_WAY;
}

export function oneTapAtATime() {
  const hear = (event) => {
    const target = targetOf(event);
    const second = isSecond(event, target) || isTooSoon(event);
    last = { at: event.timeStamp, x: event.clientX, y: event.clientY, target };
    if (!second) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("click", hear, true);
  // A key that is held down is one press.
  document.addEventListener("keydown", (event) => event.repeat && event.key === "Enter" && event.preventDefault());
}
