// The kiosk's code to join: a screen that was on before the network, or stayed on while it changed, makes it anew.

import { find } from "./dom.js";
import { patient } from "./live.js";

const { address } = document.body.dataset;

export async function inviteAnew() {
  try {
    const now = await (await patient("/api/address")).json();
    if (now.address !== address && !find(".sheet[open]")) location.reload();
  } catch {
    /* asked again at the next heartbeat */
  }
}
