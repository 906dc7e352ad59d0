/* What the host may ask, and what becomes of it. PROTOCOL, "Host to device". */
#include "box.h"

struct request {
    enum error (*action)(struct box *box, const struct line_reader *line);
    char verb[8];
};

static enum error open_link(struct box *box, const struct line_reader *line) {
    uint32_t version;
    if (!line_number(line, TEXT("v"), &version))
        return E_ARG;
    if (version != VERSION)
        return E_VER;
    box->linked = true;
    box->button.told_stuck = false; /* who opens the link does not know it */
    if (!box->spinning)
        box->arm.dice = 0;
    box->again_times = 0;
    box->again_at = box->now;
    box->due |= D_HELLO;
    return FINE;
}

static enum error ping(struct box *box, const struct line_reader *line) {
    (void)box, (void)line;
    return FINE;
}

static bool hex(const char *digits, uint8_t count, uint32_t *value) {
    *value = 0;
    for (; count--; digits++) {
        uint8_t c = (uint8_t)*digits, low = c | 0x20;
        if (c >= '0' && c <= '9')
            c -= '0';
        else if (low >= 'a' && low <= 'f')
            c = low - 'a' + 10;
        else
            return false;
        *value = *value << 4 | c;
    }
    return !*digits;
}

/* The colour of a line, if it gives one; false where it is none. */
static bool color(const struct line_reader *line, uint8_t *rgb) {
    const char *text = line_text(line, TEXT("rgb"));
    uint32_t value;
    if (!text)
        return true;
    if (!hex(text, 6, &value))
        return false;
    for (uint8_t i = 0; i < 3; i++)
        rgb[i] = (uint8_t)(value >> (16 - 8 * i));
    return true;
}

/* "2d6": 2. Zero where it is nothing of the kind. */
static uint8_t dice_of(const char *text) {
    uint16_t dice = 0;
    if (!text || *text < '0' || *text > '9')
        return 0;
    for (; *text >= '0' && *text <= '9'; text++)
        dice = dice < 100 ? dice * 10 + (uint8_t)(*text - '0') : 255;
    return line_is(text, TEXT("d6")) ? (uint8_t)(dice > 255 ? 255 : dice ? dice : 255) : 0;
}

static enum error fit_to_arm(const struct box *box) {
    if (box->spinning)
        return E_BUSY;
    if (box->ring.open)
        return E_OPEN;
    if (box->worn)
        return E_EE;
    if (!chance_fit(&box->chance))
        return E_RNG;
    return chance_ready(&box->chance) ? FINE : E_BUSY; /* still gathering: the host asks again */
}

static enum error arm(struct box *box, const struct line_reader *line) {
    uint32_t turn, ms = 0;
    uint8_t dice = dice_of(line_text(line, TEXT("d"))), rgb[3] = {box->wish.color[0], box->wish.color[1],
                                                                  box->wish.color[2]};
    bool timed = line_text(line, TEXT("ms"));
    if (!line_number(line, TEXT("turn"), &turn) || !turn || !dice || (timed && !line_number(line, TEXT("ms"), &ms)))
        return E_ARG;
    if (!color(line, rgb))
        return E_ARG;
    if (dice > box->most || turn > UINT16_MAX || ms > INT32_MAX)
        return E_RANGE;
    enum error error = fit_to_arm(box);
    if (error)
        return error;
    box->arm = (struct arming){.until = box->now + ms, .turn = (uint16_t)turn, .dice = dice, .timed = ms};
    for (uint8_t i = 0; i < 3; i++)
        box->wish.color[i] = rgb[i];
    box->showing = box->unwanted = false;
    return FINE;
}

static enum error disarm(struct box *box, const struct line_reader *line) {
    (void)line;
    if (box->spinning)
        return E_BUSY;
    box->arm.dice = 0;
    return FINE;
}

static enum error acknowledge(struct box *box, const struct line_reader *line) {
    uint32_t id;
    if (!line_number(line, TEXT("id"), &id))
        return E_ARG;
    if (id != box->ring.last)
        return E_SEQ;
    if (box->ring.open && !ring_acknowledge(&box->ring)) {
        box->worn = true;
        return E_EE;
    }
    box->due &= (uint16_t)~D_ROLL;
    return FINE;
}

static enum error say_again(struct box *box, const struct line_reader *line) {
    uint32_t from, most;
    if (!line_number(line, TEXT("from"), &from) || !line_number(line, TEXT("k"), &most))
        return E_ARG;
    if (most < 1 || most > 8)
        return E_RANGE;
    box->log_from = from;
    box->log_left = (uint8_t)most;
    box->due |= D_LOG;
    return FINE;
}

static bool effect(const char *text, uint8_t *scene) {
    if (!text || line_is(text, TEXT("on")))
        *scene = STEADY;
    else if (line_is(text, TEXT("blink")))
        *scene = BLINKING;
    else if (line_is(text, TEXT("pulse")))
        *scene = PULSING;
    else if (line_is(text, TEXT("off")))
        *scene = DARK;
    else
        return false;
    return true;
}

static enum error level_of(const struct line_reader *line, uint8_t *level) {
    uint32_t value;
    if (!line_text(line, TEXT("lvl")))
        return FINE;
    if (!line_number(line, TEXT("lvl"), &value))
        return E_ARG;
    if (value > 255)
        return E_RANGE;
    *level = (uint8_t)value;
    return FINE;
}

static enum error light(struct box *box, const struct line_reader *line) {
    struct lamps wish = box->wish;
    wish.level = 0;
    if (!effect(line_text(line, TEXT("fx")), &wish.scene) || !color(line, wish.color))
        return E_ARG;
    enum error error = level_of(line, &wish.level);
    if (error)
        return error;
    box->wish = wish;
    box->leveled = line_text(line, TEXT("lvl")) != 0;
    box->unwanted = true;
    return FINE;
}

static enum error show(struct box *box, const struct line_reader *line) {
    const char *text = line_text(line, TEXT("f"));
    uint8_t faces[3], dice = 0;
    if (!text)
        return E_ARG;
    for (; dice < 3; text++) {
        if (*text < '1' || *text > '6')
            return E_RANGE;
        faces[dice++] = (uint8_t)(*text++ - '0');
        if (*text != ',')
            break;
    }
    if (*text)
        return E_RANGE;
    box->lamps.dice = dice;
    for (uint8_t i = 0; i < dice; i++)
        box->lamps.faces[i] = faces[i];
    box->showing = true;
    box->unwanted = false;
    box->shown_at = box->now;
    return FINE;
}

static enum error set(struct box *box, const struct line_reader *line) {
    uint32_t dice = box->most;
    uint8_t level = box->level;
    if (line_text(line, TEXT("dice")) && !line_number(line, TEXT("dice"), &dice))
        return E_ARG;
    if (dice < 1 || dice > 3)
        return E_RANGE;
    enum error error = level_of(line, &level);
    if (error)
        return error;
    if (!level)
        return E_RANGE; /* dark for good: kept, it would pass for a memory that was never written */
    box->most = (uint8_t)dice;
    box->level = level;
    return settings_keep(box);
}

static enum error test(struct box *box, const struct line_reader *line) {
    const char *what = line_text(line, TEXT("k"));
    if (!what)
        return E_ARG;
    if (line_is(what, TEXT("led"))) {
        box->trial_until = box->now + TRIAL_MOST;
        box->note = LAMP_TEST;
    } else if (line_is(what, TEXT("btn"))) {
        box->note = BUTTON;
    } else if (line_is(what, TEXT("rng"))) {
        box->note = CHANCE;
    } else {
        return E_ARG;
    }
    box->due |= D_NOTE;
    if (box->note != CHANCE || (chance_fit(&box->chance) && box->chance.warm))
        return FINE;
    return chance_fit(&box->chance) ? E_BUSY : E_RNG; /* busy: too few samples to judge by */
}

static enum error bye(struct box *box, const struct line_reader *line) {
    (void)line;
    box->linked = false;
    if (!box->spinning)
        box->arm.dice = 0;
    box->hello_at = box->now + 1000;
    return FINE;
}

static const FLASH struct request REQUESTS[] = {
    {open_link, "OPEN"}, {ping, "PING"}, {arm, "ARM"},   {disarm, "DISARM"}, {acknowledge, "ACK"}, {say_again, "LOG"},
    {light, "LED"},      {show, "SHOW"}, {set, "SET"},   {test, "TEST"},     {bye, "BYE"},
};

static enum error act(struct box *box, const struct line_reader *line) {
    for (uint8_t i = 0; i < sizeof REQUESTS / sizeof *REQUESTS; i++)
        if (line_is(line->text, REQUESTS[i].verb))
            return box->linked || REQUESTS[i].action == open_link ? REQUESTS[i].action(box, line) : E_LINK;
    return E_VERB;
}

void box_request(struct box *box) {
    const struct line_reader *line = &box->reader;
    uint32_t n;
    if (!line_number(line, TEXT("n"), &n) || !n || n > UINT16_MAX) {
        box->spoiled = E_ARG;
        box->due |= D_SPOILED;
    } else if (n == box->answered) {
        box->due |= D_REPLY; /* the same number: the same answer, and no second action */
    } else {
        enum error error = act(box, line);
        if (!error && line_is(line->text, TEXT("PING")))
            box_pong(box, n);
        else
            box_reply(box, n, error);
    }
}
