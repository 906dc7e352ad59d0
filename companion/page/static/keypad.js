// Numbers by touch: a kiosk has no keyboard.

import { button, el } from "./dom.js";
import { open, shut } from "./sheet.js";

// Keys that write into an input; more: which there are beside the figures.
export function keypad(input, more = []) {
  const press = (key) => () => (input.value = key === "⌫" ? input.value.slice(0, -1) : input.value + key);
  const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", ...more].map((key) => button(key, press(key)));
  return el("div", { class: "keypad" }, keys);
}

// A number field asks for its number in a sheet when it is tapped.
export function byKeypad(field) {
  field.inputMode = "none";
  field.addEventListener("click", () => askNumber(field));
}

function askNumber(field) {
  const number = el("input", { id: "number", inputmode: "none", autocomplete: "off", placeholder: field.value });
  const enter = (event) => {
    event.preventDefault();
    if (number.value) field.value = number.value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    shut();
  };
  const title = field.labels[0].textContent.trim();
  number.setAttribute("aria-label", title);
  const keys = keypad(number, field.step === "any" ? ["."] : []);
  const form = el("form", { onsubmit: enter }, number, keys, el("button", { class: "main" }, "Go on"));
  open(title, form, [], { kind: "number" });
}
