// The position of a game that this page knows nothing of: a piece may be put on every space, and the referee says what cannot be.

import { plan } from "./plan.js";
import { RaceEditor } from "./race.js";
import { standing } from "./state.js";

export class AnyEditor extends RaceEditor {
  constructor(state) {
    super({ ...state, pieces: {} }, standing(state.stands));
  }

  startOf() {
    return undefined;
  }

  reach() {
    return Object.keys(plan.spaces);
  }

  // Of several places that are one area to the game, the area.
  state() {
    const stands = {};
    for (const [place, content] of Object.entries(this.position)) {
      const name = place.replace(/^(base\d+)\.\d+$/, "$1");
      if (content.length) stands[name] = [...(stands[name] ?? []), ...content];
    }
    return { due: this.due, stands };
  }
}
