// Numbers by touch: a kiosk has no keyboard.

import { button, el } from "./dom.js";
import { open, shut } from "./sheet.js";

// Keys that write into an input; more: which there are beside the figures.
export function keypad(input, more = []) {
  const after = (key, value) => (key === "." && value.includes(".") ? value : value + key);
  const press = (key) => () => (input.value = key === "⌫" ? input.value.slice(0, -1) : after(key, input.value));
  const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", ...more].map((key) => button(key, press(key)));
  return el("div", { class: "keypad" }, keys);
}

// A number field asks for its number in a sheet when it is tapped. Of a point alone, or at the end, it would keep nothing.
export function byKeypad(field) {
  field.inputMode = "none";
  field.addEventListener("click", () => askNumber(field));
}

function askNumber(field) {
  const number = el("input", { id: "number", inputmode: "none", autocomplete: "off", placeholder: field.value });
  const enter = (event) => {
    event.preventDefault();
    const given = Number.parseFloat(number.value);
    if (!Number.isNaN(given)) field.value = given;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    shut();
  };
  const title = field.labels[0].textContent.trim();
  number.setAttribute("aria-label", title);
  const keys = keypad(number, field.step === "any" ? ["."] : []);
  const form = el("form", { onsubmit: enter }, number, keys, el("button", { class: "main" }, "Go on"));
  open(title, form, [], { kind: "number" });
}
