/* What the lamps show, as values: a state and a time give the colours of all lamps. */
#ifndef LAMPS_H
#define LAMPS_H

#include "board.h"

#define LAMPS 21 /* seven a die */
#define FRAME (3 * LAMPS)
#define TRIAL_EACH 100 /* ms a lamp, one after the other: all in red, then in green, blue and white */
#define TRIAL_ROUND (TRIAL_EACH * LAMPS)
#define TRIAL_MOST (4 * TRIAL_ROUND)
#define MILLIAMPS_MOST 400 /* of a USB port's 500 */

enum scene { DARK, WAITING, STEADY, BREATHING, BLINKING, PULSING, ROLLING, FACES, FAULT, TRIAL };

struct lamps {
    uint8_t scene, level, dice;
    uint8_t color[3]; /* red, green, blue */
    uint8_t faces[3];
};

/* FRAME bytes: green, red, blue. ms: of a clock; for TRIAL since it began. */
void lamps_frame(const struct lamps *lamps, uint32_t ms, uint8_t *frame);
uint16_t lamps_milliamps(const uint8_t *frame);
uint8_t pips_of(uint8_t face); /* which of a die's seven lamps, the first in bit 0 */

#endif
