// Asking the referee for something: with the table's PIN, and with what it answers shown to people.

import { el, find, isKiosk, say } from "./dom.js";
import { keypad } from "./keypad.js";
import { patient } from "./live.js";
import { door } from "./sheet.js";

const toast = find("#toast");
const kept = new Map();
const underway = new Set();
const PATIENCE = 12; // seconds
export const SLOW = 800; // ms until people are told that the answer is on its way
const UNREACHED = "The referee cannot be reached just now. Please try again.";
const UNANSWERED = "The referee did not answer. Please look whether it was done before you try again.";
let fading = 0;
let marks = {};
// While the PIN is asked for one thing, others that need it wait: whether it was right.
let entering = null;

// What each action is about, as this page shows it: sent with the action, it tells whether somebody was quicker.
export const markOf = (action) => marks[action];
export const marksNow = () => {
  const shown = marks;
  return (action) => shown[action];
};
export const keepMarks = (newest) => (marks = newest ?? {});

// Some browsers keep nothing in private windows; the page then asks again after it was closed.
export function recall(key) {
  try {
    return kept.get(key) ?? localStorage.getItem(key) ?? "";
  } catch {
    return kept.get(key) ?? "";
  }
}

export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
    kept.delete(key);
  } catch {
    kept.set(key, value); // what is stored may be older, and cannot be taken away
  }
}

// What the stream brought first is read out already, but behind a sheet.
export function tell(text, ok = true, ms = ok ? 3500 : 8000) {
  clearTimeout(fading);
  const read = toast.parentNode === document.body && find("#said")?.textContent === text;
  toast.setAttribute("aria-live", read ? "off" : "polite");
  toast.className = `toast shown ${ok ? "" : "wrong"}`;
  say(toast, text);
  fading = setTimeout(hush, ms);
}

const hush = () => (toast.className = "toast");

// Posts the action; returns whether it was done. While that is on its way the same is not posted again.
export async function act(action, more = {}) {
  const asked = { action, mark: markOf(action), ...more };
  const same = JSON.stringify(asked);
  if (underway.has(same)) return false;
  underway.add(same);
  try {
    const wait = () => tell("One moment …", true, PATIENCE * 1000);
    const answer = await ask("/api/act", () => ({ by: recall("by") || "phone", ...asked }), PATIENCE, wait);
    if (answer) tell(answer.text, answer.ok);
    return Boolean(answer?.ok);
  } finally {
    underway.delete(same);
  }
}

// What the table answers to a player; asks for the PIN where the table does and it is missing, wrong, or not looked at
// for a while after many wrong ones; one that was right before is kept through that while. null: nobody entered it.
// data: makes what is sent, once the PIN and the name beside it are known. seconds: how long an answer is waited for.
// slow: called where it takes a while.
export async function ask(address, data, seconds = PATIENCE, slow = () => {}) {
  let tellOthers = null;
  try {
    for (;;) {
      const pin = recall("pin");
      const answer = await post(address, { pin, ...data() }, seconds, slow);
      if (!answer.asks_pin) {
        if (answer.status === 200) keep("let-in", pin);
        tellOthers?.(true);
        return answer;
      }
      if (answer.status === 429 && pin && pin === recall("let-in")) return answer;
      if (entering && !tellOthers) {
        if (!(await entering)) return null;
        continue;
      }
      if (!entering) entering = new Promise((tell) => (tellOthers = tell));
      keep("pin", "");
      const why = pin || answer.status === 429 ? answer.text : "";
      if (!(await askPin(why))) return null;
    }
  } finally {
    if (tellOthers) entering = null;
    tellOthers?.(false);
  }
}

async function post(address, data, seconds, slow) {
  const body = JSON.stringify(data);
  const headers = { "Content-Type": "application/json" };
  const waiting = setTimeout(slow, SLOW);
  try {
    const response = await patient(address, { method: "POST", headers, body }, seconds);
    return { status: response.status, ...(await response.json()) };
  } catch (error) {
    return { status: 0, ok: false, text: error.name === "AbortError" ? UNANSWERED : UNREACHED };
  } finally {
    clearTimeout(waiting);
  }
}

function askPin(why) {
  hush();
  return new Promise((decide) => {
    const told = { "aria-describedby": "door-why", "aria-invalid": why ? "true" : null };
    const pin = el("input", { id: "pin", inputmode: "numeric", autocomplete: "off", enterkeyhint: "go", required: true, ...told });
    const by = el("input", { id: "by", autocomplete: "nickname", maxlength: 24, value: recall("by") });
    const enter = (event) => {
      event.preventDefault();
      keep("pin", pin.value.trim());
      keep("by", by.value.trim());
      decide(Boolean(pin.value.trim()));
      door.shut();
    };
    const more = isKiosk ? [keypad(pin)] : [el("label", { for: "by" }, "Your name, if you like"), by];
    const form = el(
      "form",
      { onsubmit: enter },
      el("p", { id: "door-why", class: why ? "wrong" : "" }, why || "Players at this table know its PIN. It is asked only once."),
      el("label", { for: "pin" }, "PIN"),
      pin,
      more,
      el("button", { class: "main" }, "Go on"),
    );
    door.open("The table's PIN", form, [], { closed: () => decide(false), kind: "pin" });
    if (!isKiosk) pin.focus();
  });
}
