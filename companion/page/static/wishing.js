// What a page of steps asks for: buttons that work for some seconds, and answers that say what went wrong.

import { ask, tell } from "./ask.js";

const PATIENCE = 45; // seconds: on a small computer that plays on, looking takes some

// Asks at an address for one thing to be done; null where that failed, which people are told.
export const wishing = (address) => async (what, more = {}) => {
  const answer = await ask(address, () => ({ do: what, ...more }), PATIENCE);
  if (answer && !answer.ok) tell(answer.text, false);
  return answer?.ok ? answer : null;
};

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
