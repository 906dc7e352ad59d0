// What a page of steps asks for: buttons that work for some seconds, and answers that say what went wrong.

import { ask, tell } from "./ask.js";
import { patient } from "./live.js";

const AGAIN = 4; // seconds until a referee that was not reached is asked again
export const NOT_LAID = "Not laid yet: it says why below. Undo takes back what was tapped last.";
export const UNSEEN = "The picture is on its way …";
const LATE = "The picture did not come. It is asked for again.";
export const late = (again) => tell(again ? LATE : "The picture does not come. Please take another one.", false);
const PATIENCE = 45; // seconds: on a small computer that plays on, looking takes some

// Asks at an address for one thing to be done; null where that failed, which people are told. inWords: how they are told.
export const wishing = (address, inWords = (text) => text) => async (what, more = {}) => {
  const answer = await ask(address, () => ({ do: what, ...more }), PATIENCE);
  if (answer && !answer.ok) tell(inWords(answer.text), false);
  return answer?.ok ? answer : null;
};

// Lays what was tapped and shows it, the newest alone: show(laid, why). laid: what was laid last, which stays while
// what was tapped since on the same photo is refused, null: nothing. why: the reason for that, "" if there is none.
export function laying(address, show) {
  let [newest, soon, laid, on] = [0, 0, null, ""];
  return async function lay(tapped) {
    clearTimeout(soon);
    const mine = (newest += 1);
    const answer = tapped && (await ask(address, () => ({ do: "lay", ...tapped }), PATIENCE));
    if (mine !== newest) return;
    if (!tapped || tapped.draft?.photo !== on) laid = null;
    on = tapped?.draft?.photo;
    if (answer?.ok) laid = answer;
    if (answer?.status === 0) soon = setTimeout(() => lay(tapped), AGAIN * 1000);
    show(laid, !tapped || answer?.ok ? "" : reason(answer));
  };
}

function reason(answer) {
  if (!answer) return "Without the table's PIN nothing is laid. Undo, tap again, and you are asked for it.";
  if (answer.status === 0) return "The referee cannot be reached just now; it is asked again in some seconds.";
  return answer.text;
}

// Which run of the referee answers, "" while none does.
async function run() {
  try {
    return (await patient("/api/view", { method: "HEAD" })).headers.get("ETag").replace(/^(?:W\/)?"([^.]*).*$/, "$1");
  } catch {
    return "";
  }
}

const STILL_THERE = 4; // seconds: one that answers for so long does not begin anew

// Asks for what makes the referee begin anew, says what came of it, and goes on once it is there again: a page that is
// opened in between is none. Returns whether it was granted.
export async function anew(wish, go) {
  const before = await run();
  const answer = await wish();
  if (!answer) return false;
  tell(answer.text);
  const granted = performance.now();
  const since = () => (performance.now() - granted) / 1000;
  while (since() < PATIENCE) {
    await new Promise((soon) => setTimeout(soon, 500));
    const now = await run();
    if (now && (now !== before || since() > STILL_THERE)) return (go(), true);
  }
  tell("The referee is not back yet. Please open its page again in a while.", false);
  return true;
}

// A button that works says so, and is not pressed twice.
export async function busy(button, words, work) {
  const [usual, held] = [button.textContent, document.activeElement === button];
  button.disabled = true;
  button.textContent = words;
  try {
    return await work();
  } finally {
    button.disabled = false;
    button.textContent = usual;
    if (held) button.focus({ preventScroll: true });
  }
}
