/* The lamps: seven a die, laid as "0 1 / 2 3 4 / 5 6". The frame's current is kept below what USB gives. */
#include "lamps.h"

static const FLASH uint8_t PIPS[7] = {0x00, 0x08, 0x41, 0x49, 0x63, 0x6B, 0x77};

uint8_t pips_of(uint8_t face) {
    return face <= 6 ? PIPS[face] : 0;
}

/* Up and down again once each period: 0 to 255. */
static uint8_t wave(uint32_t ms, uint16_t period) {
    uint16_t at = (uint16_t)(ms % period), half = period / 2;
    if (at >= half)
        at = period - 1 - at;
    return (uint8_t)((uint32_t)at * 255 / half);
}

/* Brightness of all lamps of a scene, 0 to 255. */
static uint8_t brightness(const struct lamps *lamps, uint32_t ms) {
    switch (lamps->scene) {
    case DARK:
        return 0;
    case WAITING:
        return wave(ms, 4000) / 4;
    case BREATHING:
        return 40 + (uint8_t)((uint16_t)wave(ms, 2000) * 215 / 255);
    case BLINKING:
    case FAULT:
        return ms % 1000 < 500 ? 255 : 0;
    case PULSING:
        return ms % 2000 < 150 ? 255 : 0;
    default:
        return 255;
    }
}

/* A look that tumbles; it has nothing to do with the faces to come. */
static uint8_t tumbling(uint32_t ms, uint8_t die) {
    uint16_t step = (uint16_t)(ms / 80) * 3 + die;
    return (uint8_t)((step * 40503U >> 7) % 6 + 1);
}

static bool lit(const struct lamps *lamps, uint32_t ms, uint8_t lamp) {
    uint8_t die = lamp / 7, pip = (uint8_t)(1 << lamp % 7);
    if (lamps->scene == TRIAL)
        return ms / TRIAL_EACH % LAMPS == lamp;
    if (lamps->scene == FACES)
        return die < lamps->dice && pips_of(lamps->faces[die]) & pip;
    if (lamps->scene == ROLLING)
        return die < lamps->dice && pips_of(tumbling(ms, die)) & pip;
    return true;
}

static void color_of(const struct lamps *lamps, uint32_t ms, uint8_t *rgb) {
    for (uint8_t i = 0; i < 3; i++)
        rgb[i] = lamps->scene == WAITING ? 255 : lamps->scene == FAULT ? (i ? 0 : 255) : lamps->color[i];
    if (lamps->scene == TRIAL)
        for (uint8_t i = 0; i < 3; i++)
            rgb[i] = ms / TRIAL_ROUND % 4 == 3 || ms / TRIAL_ROUND % 4 == i ? 255 : 0;
}

static uint8_t part(uint8_t value, uint8_t of) {
    return (uint8_t)(((uint16_t)value * of + 127) / 255);
}

static uint16_t sum_of(const uint8_t *frame) {
    uint16_t sum = 0;
    for (uint8_t i = 0; i < FRAME; i++)
        sum += frame[i];
    return sum;
}

/* A WS2812 draws 20 mA a colour at 255, and 1 mA for itself. */
uint16_t lamps_milliamps(const uint8_t *frame) {
    return LAMPS + (uint16_t)((uint32_t)sum_of(frame) * 20 / 255);
}

static void spare(uint8_t *frame) {
    const uint16_t most = (uint16_t)((MILLIAMPS_MOST - LAMPS) * 255UL / 20);
    uint16_t sum = sum_of(frame);
    if (sum > most)
        for (uint8_t i = 0; i < FRAME; i++)
            frame[i] = (uint8_t)((uint32_t)frame[i] * most / sum);
}

void lamps_frame(const struct lamps *lamps, uint32_t ms, uint8_t *frame) {
    uint8_t rgb[3], level = part(brightness(lamps, ms), lamps->level);
    color_of(lamps, ms, rgb);
    for (uint8_t lamp = 0; lamp < LAMPS; lamp++) {
        bool on = lit(lamps, ms, lamp);
        frame[3 * lamp] = on ? part(rgb[1], level) : 0;
        frame[3 * lamp + 1] = on ? part(rgb[0], level) : 0;
        frame[3 * lamp + 2] = on ? part(rgb[2], level) : 0;
    }
    spare(frame);
}
