// A board that the camera does not find: somebody taps its corners in today's picture.

import { tell } from "./ask.js";
import { el, fill, find, goTo, say, svg } from "./dom.js";
import { Photo } from "./photo.js";
import { sure } from "./sheet.js";
import { NOT_LAID, UNSEEN, busy, late, laying, wishing } from "./wishing.js";

const wish = wishing("/api/pointing");
const known = JSON.parse(find("#known").textContent);
const ORDER = ["Tap the corner that is marked in the small picture", "Tap the next corner, clockwise", "Tap the third corner, clockwise", "Tap the last corner"];

let corners = [];
let picture = ""; // the name of the one in which the corners are tapped: other phones take others
let doubt = "";
let photo = null;
const lay = laying("/api/pointing", shown);

async function takePicture(button) {
  const taken = await busy(button, "One moment …", () => wish("picture"));
  if (!taken) return;
  picture = taken.picture;
  find("#placing").hidden = false;
  find("#guide image").setAttribute("href", "/setup/guide.jpg");
  photo = photo ?? new Photo(find("#place-view"), { onTap: tapped, onCorner: dragged, onLate: late, label: "What the camera sees" });
  corners = [];
  say(find("#place-asked"), UNSEEN);
  find("#here").disabled = true;
  goTo("#placing");
  await photo.load(`/setup/now.jpg?name=${picture}`);
  await refresh();
  find("#place-view").focus({ preventScroll: true });
}

async function tapped(x, y) {
  if (corners.length === 4) return;
  corners.push([x, y]);
  await refresh();
}

async function dragged(index, x, y) {
  corners[index] = [x, y];
  await refresh();
}

async function undo() {
  corners.pop();
  await refresh();
}

async function startAgain() {
  corners = [];
  await refresh();
}

async function refresh() {
  if (photo.there) await lay(corners.length === 4 ? { corners, picture } : null);
}

function shown(laid, why) {
  doubt = laid?.doubt ?? "";
  photo.show({ corners, spaces: laid?.spaces ?? {}, taps: {}, moved: {}, next: "" });
  const asked = why ? NOT_LAID : "Do the rings lie on the spaces?";
  say(find("#place-asked"), corners.length < 4 ? `${ORDER[corners.length]}.` : asked);
  showCorner(why || doubt ? 0 : corners.length);
  find("#place-anew").hidden = !(why || doubt);
  fill(find("#place-doubts"), why || doubt ? el("li", {}, why || doubt) : null);
  find("#here").disabled = Boolean(why) || !laid;
}

// The small picture shows the board and little else. Where the corners may be wrong it marks the first again, as the reason
// speaks of it.
function showCorner(index) {
  const guide = find("#guide");
  for (const ring of guide.querySelectorAll("circle")) ring.remove();
  const [left, top, right, bottom] = [Math.min, Math.max].flatMap((most) => [0, 1].map((k) => most(...known.corners.map((at) => at[k]))));
  const size = Math.max(right - left, bottom - top) / 10;
  guide.setAttribute("viewBox", `${left - size} ${top - size} ${right - left + 2 * size} ${bottom - top + 2 * size}`);
  const [cx, cy] = known.corners[index] ?? [];
  if (cx !== undefined) guide.append(svg("circle", { cx, cy, r: 0.8 * size, "stroke-width": size / 3 }));
}

async function here() {
  if (doubt && !(await sure("Does the board lie like this?", doubt, "Yes, it lies like this"))) return;
  const answer = await busy(find("#here"), "One moment …", () => wish("here", { corners, picture, sure: Boolean(doubt) }));
  if (!answer) return;
  tell(answer.text);
  setTimeout(() => location.assign(document.body.dataset.home), 2500);
}

async function forget() {
  const answer = await busy(find("#forget"), "One moment …", () => wish("forget"));
  if (!answer) return;
  find("#forget").hidden = true;
  tell(answer.text);
}

const on = (id, press) => find(id).addEventListener("click", press);
on("#point", () => takePicture(find("#point")));
on("#place-again", () => takePicture(find("#place-again")));
on("#place-undo", undo);
on("#place-anew", startAgain);
on("#place-smaller", () => photo.zoom(1 / 1.6));
on("#place-larger", () => photo.zoom(1.6));
on("#here", here);
on("#forget", forget);
