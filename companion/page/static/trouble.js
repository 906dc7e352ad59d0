// What is wrong or asked, calmly: one sentence, the rule, the way to put it right, the pictures.

import { act } from "./ask.js";
import { givesPictures, hasCamera, showLive } from "./camera.js";
import { button, die, el, fill, find, goTo, last, listed } from "./dom.js";
import { editPosition } from "./editor.js";
import { label, MOST_ARROWS, nouns, seatOf } from "./plan.js";
import { open, shut, topic } from "./sheet.js";
import { asksAnew } from "./taps.js";

const panel = find("#trouble");
const evidence = find("#evidence");
const TITLES = { illegal: "Something to put right", unclear: "A question", lost: "The board cannot be seen" };
const MOST_PLAYS = 3;
const LARGE = "picture foul";

let latest = null;
let shown = "";
let told = "";
let suggested = null;
let pictured = "";

// What the board should point at now: [arrows, kind, odd spaces]; nothing where it shows how it should be.
export function pointers(trouble) {
  const odd = Object.keys(trouble.seen);
  if (suggested) return [suggested.map(([from, to]) => [null, from, to]), "right", []];
  if (trouble.put_right.length > MOST_ARROWS) return [[], "ask", []];
  return [trouble.put_right, trouble.kind === "illegal" ? "mend" : "ask", odd];
}

export function showTrouble(view, refresh) {
  const { trouble } = view;
  latest = view;
  const words = JSON.stringify([trouble, view.dice, view.actions, waysOut(view)]);
  if (words === shown) return;
  shown = words;
  suggested = trouble && onlyWay(trouble);
  panel.hidden = !trouble;
  panel.className = `trouble ${trouble?.kind ?? ""}`;
  tellOnce(view);
  leaveOld(trouble);
  const parts = trouble ? [mending(trouble), rightPlays(trouble, refresh), pictures(trouble)].filter(Boolean) : [];
  evidence.hidden = !parts.length;
  fill(evidence, parts);
}

// A picture that is looked at large is of what is wrong now: no other foul is hidden by it, and "Now" is not a while ago.
function leaveOld(trouble) {
  const names = JSON.stringify([trouble?.before, trouble?.after]);
  if (names !== pictured && topic() === LARGE) shut();
  pictured = names;
}

// The one play that would be right, where nothing else is to be pointed at: who cannot tap a kiosk sees it, too.
function onlyWay(trouble) {
  return standsRight(trouble) && trouble.legal.length === 1 ? trouble.legal[0] : null;
}

const standsRight = ({ put_right: wrong, seen }) => !wrong.length && !Object.keys(seen).length;

// What a screen reader has read it reads again where it is written anew: so it stays, with its buttons, while it says
// the same.
function tellOnce(view) {
  const { trouble } = view;
  const words = JSON.stringify(trouble && [trouble.kind, trouble.text, trouble.rules, trouble.rolls, waysOut(view)]);
  if (words === told) return;
  const opening = told === "";
  told = words;
  asksAnew(panel);
  fill(panel, trouble ? [...sentences(trouble), rollButtons(trouble), cameraButton(view)] : []);
  // Whoever read the story below is shown what is asked; a board that is lost for a moment takes nobody away.
  const asks = ["illegal", "unclear"].includes(trouble?.kind);
  if (asks && !opening) requestAnimationFrame(() => goTo("#trouble", "nearest"));
}

function sentences(trouble) {
  const rules = trouble.rules.map(([id, words]) => el("p", { class: "rule" }, words, " ", el("small", {}, id)));
  return [el("h2", {}, titleOf(trouble)), el("p", { class: "what" }, trouble.text), ...rules];
}

// What asks for no answer, as a board that is to be set up, is no question; and where all stands right nothing is to be
// put right.
function titleOf(trouble) {
  const { kind, text } = trouble;
  if (kind === "illegal" && standsRight(trouble)) return "Not done yet";
  return kind === "unclear" && !text.includes("?") ? "Please look" : TITLES[kind] ?? "Please look";
}

function rollButtons(trouble) {
  if (!trouble.rolls.length || (trouble.told && !latest.actions.includes("correct"))) return null;
  // What was told already is corrected: a roll that is due now is the next player's.
  const due = (dice) => !trouble.told && latest.actions.includes("roll") && latest.dice.includes(dice.length);
  const buttons = trouble.rolls.map((dice) => {
    const made = button("", () => act(due(dice) ? "roll" : "correct", { dice }), "roll-choice");
    made.setAttribute("aria-label", `The dice showed ${listed(dice)}`);
    return fill(made, dice.map((value) => die(value)));
  });
  return el("div", { class: "rolls" }, buttons);
}

// What of the camera decides what is offered where the board is lost.
const waysOut = (view) => (view.trouble?.kind === "lost" ? [hasCamera(view), givesPictures(view), maySet(view)] : []);

const maySet = ({ actions }) => actions.includes("position");

// Where there is no picture to point at, players say how the board stands.
function cameraButton(view) {
  if (view.trouble.kind !== "lost" || !hasCamera(view)) return null;
  const { setup, own } = document.body.dataset;
  const inSetup = (words, part) => (setup ? button(words, () => location.assign(`${setup}#${part}`)) : null);
  const show = [inSetup("Show where the board lies", "pointing"), own ? inSetup("A board of your own", "own") : null];
  const set = maySet(view) ? [button("Set the position", () => editPosition(latest))] : [];
  const ways = givesPictures(view) ? show : set;
  return el("div", { class: "rolls" }, button("What the camera sees", () => showLive(latest)), ...ways);
}

function mending(trouble) {
  if (!trouble.put_right.length) return null;
  const more = trouble.put_right.length - MOST_ARROWS;
  const steps = trouble.put_right.slice(0, MOST_ARROWS).map(([seat, from, to]) => {
    const words = `The ${seatOf(seat).name} ${nouns.piece} goes ${wayWords(from, to)}.`;
    return el("li", { "data-seat": seat }, el("span", { class: "dot" }), words);
  });
  const rest = more > 0 ? el("li", { class: "rest" }, `… and ${more} more: the picture shows how all stand.`) : null;
  return el("div", { class: "mending" }, el("h3", {}, "Put it right"), el("ul", {}, steps, rest));
}

function wayWords(from, to) {
  if (to === "") return `off the board, from ${label(from)}`;
  return from === "" ? `to ${label(to)}` : `from ${label(from)} to ${label(to)}`;
}

function rightPlays(trouble, refresh) {
  if (!trouble.legal.length) return null;
  const chips = trouble.legal.slice(0, MOST_PLAYS).map((play) => {
    const made = button(playWords(play), () => {
      suggested = suggested === play ? null : play;
      for (const chip of chips) chip.setAttribute("aria-pressed", chip === made && suggested === play);
      refresh();
      find("#board").scrollIntoView({ block: "nearest" });
    }, "chip");
    made.setAttribute("aria-pressed", suggested === play);
    return made;
  });
  const more = trouble.legal.length > MOST_PLAYS ? ", among others" : "";
  const title = chips.length === 1 ? "This would be right" : `These would be right${more}`;
  return el("div", { class: "right-plays" }, el("h3", {}, title), el("div", { class: "chips" }, chips));
}

// "red's circle → space 0 → space 2" where one piece goes on, ", then" before another's way.
function playWords(play) {
  const ways = [];
  for (const [from, to] of play) {
    const way = last(ways) ?? [];
    if (last(way) === from) way.push(to);
    else ways.push([from, to]);
  }
  return ways.map((way) => way.map(label).join(" → ")).join(", then ");
}

function pictures(trouble) {
  const both = [["Before", trouble.before], ["Now", trouble.after]].filter(([, name]) => name);
  if (!both.length) return null;
  const figures = both.map(([title, name]) => {
    const alt = `The board, ${title.toLowerCase()}`;
    const large = () => open(title, el("img", { src: `/picture/${name}`, alt }), [], { kind: LARGE });
    const shot = button("", large, "shot");
    const shape = ({ target }) => (shot.style.aspectRatio = `${target.naturalWidth} / ${target.naturalHeight}`);
    fill(shot, el("img", { src: `/picture/${name}`, alt, loading: "lazy", onload: shape }));
    return el("figure", {}, shot, el("figcaption", {}, title));
  });
  return el("div", { class: "pictures" }, figures, codeBeside());
}

// A low kiosk has no room for the code to join but beside the pictures.
function codeBeside() {
  const code = find(".join .code");
  return code && el("figure", { class: "with-code" }, code.cloneNode(true), el("figcaption", {}, "Join"));
}
