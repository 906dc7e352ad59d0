// Making elements: a word for each kind that the page is built of.

export const isKiosk = document.body.classList.contains("kiosk");

const SVG = "http://www.w3.org/2000/svg";

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const el = (name, attributes, ...children) => build(document.createElement(name), attributes, children);
export const svg = (name, attributes, ...children) => build(document.createElementNS(SVG, name), attributes, children);
export const find = (selector, within = document) => within.querySelector(selector);
export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

// Phones of 2020 have neither `replaceChildren` nor `at`, nor can they be asked for what is focused by keys.
export function put(node, ...children) {
  node.textContent = "";
  node.append(...children);
}

export const last = (list) => list[list.length - 1];

export function isOnByKeys(node) {
  try {
    return node.matches(":focus-visible");
  } catch {
    return false;
  }
}

export function fill(node, ...children) {
  const focus = document.activeElement;
  const held = node.contains(focus) && focus !== node ? wordsOf(focus) : null;
  put(node, ...children.flat().filter(Boolean));
  if (held !== null) keepFocus(node, held);
  return node;
}

// What a screen reader calls a button or a field.
export const wordsOf = (node) => node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent;

// Whoever plays by keys goes on from here, not from the top of the page; never on a button that does something else.
export function keepFocus(place, words) {
  const same = [...place.querySelectorAll("button, select, input, summary")].find((made) => wordsOf(made) === words);
  (same ?? place.closest("[tabindex='-1']") ?? find("#bar") ?? document.body).focus({ preventScroll: true });
}

// A live region is touched only when its words change, so that screen readers do not repeat them.
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const HEARD_FOR = 4000; // ms
let heard = 0;

// What is read out and seen nowhere. It is taken away once it was heard: the same words of another play are read again.
export function readOut(text) {
  clearTimeout(heard);
  find("#said").textContent = text;
  heard = setTimeout(() => say(find("#said"), ""), HEARD_FOR);
}

export function mark(shape) {
  return svg("svg", { "aria-hidden": "true" }, svg("use", { href: `#mark-${shape}` }));
}

export function badge(shape) {
  return el("span", { class: "badge" }, mark(shape));
}

export function die(value, played = false) {
  const label = played ? `${value}, played` : String(value);
  const words = { class: played ? "die played" : "die", role: "img", "aria-label": label };
  return svg("svg", words, svg("use", { href: `#die-${value}` }));
}

export function button(label, press, kind = "") {
  return el("button", { type: "button", class: kind, onclick: press }, label);
}

// Scrolls there: gently, unless people want nothing to move.
export function goTo(selector, block = "start") {
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  find(selector).scrollIntoView({ behavior, block });
}

// 5, 3 → "5 and 3"
export function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${last(words)}` : words.join("");
}
