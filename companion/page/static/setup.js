// Setting up the table: the health check, and a board of one's own by tapping on its photo.

import { whenAlone } from "./alone.js";
import { keep, recall, tell } from "./ask.js";
import { NOT_LAID, UNSEEN, anew, busy, late, laying, wishing } from "./wishing.js";
import { capital, el, fill, find, goTo, isKiosk, say, svg } from "./dom.js";
import { byKeypad } from "./keypad.js";
import { sure } from "./sheet.js";
import { Photo } from "./photo.js";
import { oneTapAtATime } from "./taps.js";

const layout = JSON.parse(find("#layout").textContent);
// The board in use, by which it is known whether what was tapped is of it; its colours are learnt while it is changed,
// and what its spaces are called changes with who plays.
const inUse = JSON.stringify({ ...layout, draft: null, labels: null, seats: layout.seats.map(([seat, name]) => [seat, name]) });
const CORNERS = ["Tap one corner of the board", "Tap the next corner, clockwise", "Tap the third corner, clockwise", "Tap the last corner"];
const LEAST = 4;
const inner = () => find("#shape").value === "inner";

const wish = wishing("/api/setup", (text) => capital(inWords(text)));

// --- the health check ---

async function check() {
  const found = await busy(find("#check"), "Looking …", () => wish("check"));
  if (!found) return;
  const box = find("#health");
  const kind = grade(found.playable ? found.score / 100 : 0);
  const words = { good: "Ready to play.", fair: "It will do; better is possible.", poor: "Not fit to play with yet." }[kind];
  const score = el("p", { class: `score ${kind}` }, el("b", {}, String(found.score), el("small", {}, " of 100")), words);
  fill(box, score, picture(`/setup/check.jpg?${Date.now()}`), el("ul", { class: "findings" }, found.findings.map(finding)));
  box.hidden = false;
  goTo("#check-title");
}

// A tap makes it as large as its pixels, and the spot that was tapped stays in view.
function picture(src) {
  const words = "What the camera sees, trouble spots in red";
  const image = el("img", { src, alt: words });
  const press = (event) => {
    const box = image.getBoundingClientRect();
    const at = (place, from, size) => (event.detail ? (place - from) / size : 0.5);
    const [x, y] = [at(event.clientX, box.left, box.width), at(event.clientY, box.top, box.height)];
    const large = frame.classList.toggle("large");
    made.setAttribute("aria-pressed", String(large));
    frame.scrollTo(x * image.offsetWidth - frame.clientWidth / 2, y * image.offsetHeight - frame.clientHeight / 2);
  };
  const look = { type: "button", class: "shot", "aria-label": `${words}: larger`, "aria-pressed": "false", onclick: press };
  const made = el("button", look, image);
  const frame = el("div", { class: "frame" }, made);
  return el("figure", { class: "checked" }, frame, el("figcaption", { class: "soft" }, "Tap the picture to see it larger."));
}

const grade = (score) => (score >= 0.85 ? "good" : score >= 0.5 ? "fair" : "poor");

function finding({ score, text, advice }) {
  return el("li", { class: grade(score) }, el("span", {}, text), advice ? el("span", { class: "advice" }, advice) : null);
}

find("#check").addEventListener("click", check);

// --- a board of one's own ---

// order: what was done since the corners were tapped, the newest last: {kind: "taps" or "moved", name, before, dragged},
// where `before` is the place that the space had, and `dragged` the one to which it had been dragged before it was tapped. photo: the name of the one on which all this was tapped.
const fresh = (photo = "") => ({ corners: [], taps: {}, moved: {}, order: [], photo });
let draft = fresh();
let next = "";
let photo = null;
const lay = laying("/api/setup", shown);

// --- the form ---

const fields = () => [...document.querySelectorAll("fieldset input, fieldset select")];

// A colour or a name that is as it was served: somebody else may learn another, or give one, meanwhile.
const served = ({ dataset, value, defaultValue }) => (dataset.color || dataset.name) && value === defaultValue;

// What was tapped and written is kept on this phone, as long as the same board is in use. untouched: the referee has all
// that was tapped.
function remember() {
  const form = fields().map((field) => (served(field) ? null : field.value));
  keep("board", JSON.stringify({ draft, form, inUse, untouched: Boolean(asUsed(draft)) }));
}

function recalled() {
  if (layout.draft) written(layout.draft);
  try {
    const kept = JSON.parse(recall("board") || "null");
    const here = document.body.dataset.photos.split(" ").includes(kept?.draft.photo);
    const same = kept?.inUse === inUse;
    if (here && same) draft = { ...fresh(), ...kept.draft };
    if (same) fields().forEach((field, i) => (field.value = kept.form[i] ?? field.value));
    const lost = kept?.draft.corners.length && !kept.untouched && !asUsed(kept.draft);
    if (lost && !(here && same)) drop();
  } catch {
    draft = fresh();
  }
}

// What was tapped on another photo is not laid over this one, and that is said, once.
function drop() {
  remember();
  const why = "What was tapped here belongs to another photo or board than is in use now, and is forgotten. Photograph the empty board again.";
  fill(find("#dropped"), el("li", {}, why));
}

// The size of the board in use; its pieces are written by the server.
function written({ size_mm: [width, height], inner: round }) {
  [find("#width").value, find("#height").value, find("#shape").value] = [width, height, round ? "inner" : ""];
}

// The board in use, as it was tapped.
function drafted({ corners, taps, moved, photo: name }) {
  const steps = (kind, places) => Object.keys(places).map((name) => ({ kind, name, before: null }));
  return { corners, taps, moved, order: [...steps("taps", taps), ...steps("moved", moved)], photo: name };
}

const asUsed = (some) => layout.draft && JSON.stringify(some) === JSON.stringify(drafted(layout.draft));

// Whether each player has a name of their own; the first that has not is shown.
function named() {
  const inputs = [...document.querySelectorAll("[data-name]")];
  const same = ({ value }) => value.trim().toLowerCase();
  for (const input of inputs) {
    const other = inputs.find((one) => one !== input && same(one) && same(one) === same(input));
    const whose = other ? `${capital(input.defaultValue)} and ${other.defaultValue} would both be called` : "";
    input.setCustomValidity(other ? `${whose} “${input.value.trim()}”. Please give one another name.` : "");
  }
  return inputs.every((input) => input.reportValidity());
}

function sent() {
  const number = (id) => Number(find(id).value.replace(",", "."));
  const changed = (kind) => [...document.querySelectorAll(`[data-${kind}]`)].filter((input) => !served(input));
  const all = (kind) => changed(kind).map((input) => [input.dataset[kind], input.value.trim()]);
  return {
    size_mm: [number("#width"), number("#height")],
    corners: draft.corners,
    inner: inner(),
    taps: draft.taps,
    moved: draft.moved,
    photo: draft.photo,
    piece: { kind: find("#kind").value, diameter_mm: number("#diameter"), height_mm: number("#tall") },
    colors: Object.fromEntries(all("color")),
    seats: Object.fromEntries(all("name")),
  };
}

// Whether numbers are as they must be; the first that is not is shown, with why.
const measured = (...ids) => ids.every((id) => find(id).reportValidity());

async function takePhoto() {
  if (!measured("#width", "#height")) return;
  if (draft.corners.length && !(await sure("Take another photo?", "What was tapped on the last one is forgotten.", "Yes, another"))) return;
  const taken = await busy(find("#photo"), "One moment …", () => wish("photo"));
  if (!taken) return;
  await tapOn(fresh(taken.photo));
}

async function change() {
  const begun = draft.corners.length && !asUsed(draft);
  const lost = "What was tapped since it was saved is forgotten.";
  if (begun && !(await sure("Change the board in use?", lost, "Yes, change it"))) return;
  written(layout.draft);
  await tapOn(drafted(layout.draft));
}

async function tapOn(begun) {
  draft = begun;
  fill(find("#dropped"));
  const seen = startTapping();
  goTo("#tapping");
  await seen;
  find("#view").focus({ preventScroll: true });
}

async function startTapping() {
  find("#tapping").hidden = false;
  photo = photo ?? new Photo(find("#view"), { onTap: tapped, onDrag: dragged, onLate: late });
  say(find("#asked"), UNSEEN);
  find("#save").disabled = true;
  await photo.load(`/setup/photo.jpg?name=${draft.photo}`);
  await refresh();
}

async function tapped(x, y) {
  if (draft.corners.length < 4) draft.corners.push([x, y]);
  else if (next) put("taps", next, [x, y]);
  await refresh();
}

async function dragged(name, x, y) {
  put(name in draft.taps ? "taps" : "moved", name, [x, y]);
  await refresh();
}

// The newest word counts: a space that was dragged, and is tapped now, lies where it is tapped.
function put(kind, name, at) {
  const dragged = kind === "taps" ? (draft.moved[name] ?? null) : null;
  draft.order.push({ kind, name, before: draft[kind][name] ?? null, dragged });
  if (dragged) delete draft.moved[name];
  draft[kind][name] = at;
}

async function undo() {
  const last = draft.order.pop();
  if (!last) draft.corners.pop();
  else if (last.before) draft[last.kind][last.name] = last.before;
  else delete draft[last.kind][last.name];
  if (last?.dragged) draft.moved[last.name] = last.dragged;
  await refresh();
}

async function startAgain() {
  if (!(await sure("Start again?", "All corners and spaces are tapped anew.", "Yes, start again"))) return;
  draft = fresh(draft.photo);
  await refresh();
}

async function refresh() {
  remember();
  if (photo.there) await lay(draft.corners.length === 4 ? { draft: sent() } : null);
}

function shown(laid, why) {
  const { spaces, at, doubts, tap_next: wanted } = laid ?? { spaces: {}, at: null, doubts: [], tap_next: "" };
  next = wanted;
  photo.show({ corners: draft.corners, spaces, taps: draft.taps, moved: draft.moved, next });
  say(find("#asked"), why ? NOT_LAID : question());
  showWhere(at);
  fill(find("#doubts"), (why ? [why] : doubts).map((text) => el("li", {}, capital(inWords(text)))));
  find("#save").disabled = Boolean(why) || !Object.keys(spaces).length;
}

// What was tapped stays; it is laid anew.
async function shaped() {
  find("#inner-hint").hidden = !inner();
  if (!find("#tapping").hidden) await refresh();
}

// Spaces are called as the page of the game calls them; one that begins a sentence is written large.
function inWords(text) {
  return text.replace(/\b[A-Za-z][a-z]*\d+(\.\d+)?\b/g, (name) => layout.labels[name.toLowerCase()] ?? name);
}

function question() {
  if (draft.corners.length < 4) return `${CORNERS[draft.corners.length].replace("the board", inner() ? "the rectangle" : "the board")}.`;
  const count = Object.keys(draft.taps).length;
  if (!next) return count ? "Every space is tapped." : "";
  const more = count < LEAST ? ` ${LEAST - count} more, then all are guessed.` : " Or drag what is off, and use the board.";
  return `Tap the middle of the space that blinks on the small board (${inWords(next)}).${more}`;
}

function showWhere(at) {
  const where = find("#where");
  where.toggleAttribute("hidden", !at);
  for (const ring of where.querySelectorAll("circle")) ring.remove();
  if (!at) return;
  const size = layout.size[0] / 24;
  where.append(svg("circle", { cx: at[0], cy: at[1], r: size, "stroke-width": size / 2 }));
}

async function save() {
  if (!measured("#width", "#height", "#diameter", "#tall") || !named()) return;
  const saved = async () => {
    const answer = await wish("save", { draft: sent() });
    if (answer) keep("board", "");
    return answer;
  };
  const home = () => location.assign(document.body.dataset.home);
  if (!(await busy(find("#save"), "One moment …", () => anew(saved, home)))) await refresh();
}

async function learnColors() {
  const found = await busy(find("#colors"), "Looking …", () => wish("colors"));
  if (!found) return;
  for (const [seat, color] of Object.entries(found.colors)) {
    const field = find(`[data-color="${seat}"]`);
    field.value = field.defaultValue = color;
  }
  if (recall("board")) remember();
  tell("The colours are learnt and kept.");
}

async function usePrinted() {
  const text = "Your own board is kept, with all that was tapped: on this page you can use it again.";
  if (!(await sure("Use the printed board?", text, "Yes, the printed one"))) return;
  await busy(find("#printed"), "One moment …", () => anew(() => wish("printed"), () => location.reload()));
}

async function useLast() {
  const text = `It is used as it was set up, and the game goes on.${layout.own ? " The one in use now is kept in its place." : ""}`;
  const seen = el("img", { src: `/setup/last.jpg?${Date.now()}`, alt: "The board and its spaces", onerror: ({ target }) => target.remove() });
  if (!(await sure("Use this board again?", text, "Yes, this one", seen))) return;
  await busy(find("#last"), "One moment …", () => anew(() => wish("last"), () => location.reload()));
}

// A phone that is turned goes on at the step that was touched last: its browser holds on to the head of the page, which
// scrolls away where it lies, and went to the top.
function keepPlace() {
  const lies = () => innerWidth > innerHeight;
  let [step, before] = [null, lies()];
  document.addEventListener("pointerdown", ({ target }) => (step = target.closest(".step") ?? step), true);
  addEventListener("resize", () => {
    if (lies() === before) return;
    before = lies();
    const writes = document.activeElement?.matches("input"); // then it may be the keyboard that came up
    if (!writes) requestAnimationFrame(() => step?.scrollIntoView());
  });
}

const on = (id, press) => find(id)?.addEventListener("click", press);
on("#photo", takePhoto);
on("#change", change);
on("#undo", undo);
on("#again", startAgain);
on("#save", save);
on("#colors", learnColors);
on("#printed", usePrinted);
on("#last", useLast);
for (const field of document.querySelectorAll(".size input, .size select")) field.addEventListener("change", shaped);
on("#larger", () => photo.zoom(1.6));
on("#smaller", () => photo.zoom(1 / 1.6));
oneTapAtATime();
keepPlace();
if (find("#tapping")) {
  recalled();
  for (const field of fields()) field.addEventListener("change", remember);
  if (isKiosk) document.querySelectorAll("input[type=number]").forEach(byKeypad);
  find("#inner-hint").hidden = !inner();
  if (draft.corners.length) startTapping();
}
whenAlone(30, () => location.assign(document.body.dataset.home));
document.body.classList.add("ready");
