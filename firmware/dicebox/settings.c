/* What the box keeps of itself in EEPROM: dev at 4 (four bytes), starts at 8 (two), dice at 10, level at 11.
   Address 0 is left alone: a failing supply may scribble there. */
#include "box.h"

enum { DEV = 4, STARTS = 8, DICE = 10, LEVEL = 11, LEVEL_USUAL = 40, NAME_BYTES = 4 };

static void save(struct box *box, uint16_t at, uint8_t byte) {
    if (box->board->load(at) != byte)
        box->board->save(at, byte);
}

enum error settings_load(struct box *box) {
    const struct board *board = box->board;
    uint8_t dice = board->load(DICE), level = board->load(LEVEL);
    for (uint8_t i = 0; i < NAME_BYTES; i++)
        box->dev = box->dev << 8 | board->load(DEV + i);
    box->boot = (uint16_t)(((uint16_t)board->load(STARTS) << 8 | board->load(STARTS + 1)) + 1U);
    save(box, STARTS, (uint8_t)(box->boot >> 8));
    save(box, STARTS + 1, (uint8_t)box->boot);
    box->most = dice >= 1 && dice <= 3 ? dice : 3;
    box->level = dice == 0xFF || level == 0 ? LEVEL_USUAL : level; /* a memory that was never written */
    return board->load(STARTS + 1) == (uint8_t)box->boot ? FINE : E_EE;
}

bool settings_name(struct box *box) {
    if (box->dev != UINT32_MAX)
        return true;
    if (box->chance.eighths < NAME_BITS * 8)
        return false;
    for (uint8_t i = 0; i < NAME_BYTES; i++)
        save(box, DEV + i, chance_byte(&box->chance) & 0x7F);
    chance_spend(&box->chance);
    box->dev = 0;
    for (uint8_t i = 0; i < NAME_BYTES; i++)
        box->dev = box->dev << 8 | box->board->load(DEV + i);
    return true;
}

enum error settings_keep(struct box *box) {
    save(box, DICE, box->most);
    save(box, LEVEL, box->level);
    return box->board->load(DICE) == box->most && box->board->load(LEVEL) == box->level ? FINE : E_EE;
}
