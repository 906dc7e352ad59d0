// Earlier games on a kiosk: it comes home to the game by itself.

import { whenAlone } from "./alone.js";

whenAlone(5, () => location.replace("/kiosk"));
