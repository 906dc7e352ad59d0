/* The dice box's states, its button and its time. PROTOCOL, "Device states". */
#include "box.h"

#include <string.h>

enum {
    SILENCE = 3000, HELLO_EVERY = 1000, AGAIN_FAST = 300, AGAIN_SLOW = 1000, SPIN_MOST = 10000, LONG_PRESS = 2000,
    FACES_LEAST = 4000, FRAME_EVERY = 20, VCC_LOW = 4400, VCC_GOOD = 4600, BYTES_A_STEP = 32
};

static bool since(const struct box *box, uint32_t then) {
    return (int32_t)(box->now - then) >= 0;
}

enum state box_state(const struct box *box) {
    if (!box->ready)
        return BOOT;
    if (box->spinning)
        return SPIN;
    if (!box->linked)
        return ALONE;
    if (box->ring.open)
        return UNACKED;
    return box->arm.dice ? ARMED : LINKED;
}

void box_start(struct box *box, const struct board *board) {
    memset(box, 0, sizeof *box);
    box->board = board;
    box->now = box->hello_at = board->ms();
    line_start(&box->reader, LINE_MOST);
    chance_start(&box->chance);
    ring_load(&box->ring, board);
    box->worn = settings_load(box) != FINE;
    memset(box->wish.color, 64, sizeof box->wish.color);
    box->wish.scene = STEADY;
    board->put('\n'); /* ends the line that the start cut short, if one was under way */
}

/* --- what is heard --- */

static void typed(struct box *box) {
    static const FLASH char KEYS[] = "?itr";
    const char *text = box->reader.text;
    if (box->linked || !text[0] || text[1])
        return;
    for (uint8_t i = HELP; i <= FREE_ROLL; i++)
        if (text[0] == KEYS[i]) {
            box->note = i;
            box->due |= D_NOTE;
        }
    if (text[0] == KEYS[LAMP_TEST])
        box->trial_until = box->now + TRIAL_MOST;
}

static void spoiled(struct box *box, enum heard heard) {
    if (box->bad < UINT16_MAX)
        box->bad++;
    if (!box->linked)
        return;
    box->spoiled = heard == BAD_FORM ? E_ARG : (uint8_t)(heard - BAD_CRC + E_CRC);
    box->due |= D_SPOILED;
}

/* Reads on only when the last answer is said: the answers are as many as the requests. */
static void listen(struct box *box) {
    for (uint8_t i = 0; i < BYTES_A_STEP && !(box->due & D_REPLY); i++) {
        int16_t byte = box->board->get();
        if (byte < 0)
            return;
        enum heard heard = box->ready ? line_feed(&box->reader, (uint8_t)byte) : MORE;
        if (heard == LINE) {
            box->heard = box->now;
            box_request(box);
        } else if (heard == TYPED) {
            typed(box);
        } else if (heard != MORE && heard != COMMENT) {
            spoiled(box, heard);
        }
    }
}

/* --- the roll --- */

static void commit(struct box *box) {
    uint32_t ms = box->now - box->spin_at;
    struct roll roll = {.id = next_id(box->ring.last), .turn = box->arm.turn, .dice = box->arm.dice,
                        .ms = ms > UINT16_MAX ? UINT16_MAX : (uint16_t)ms};
    box->spinning = false;
    box->arm.dice = 0;
    if (!chance_fit(&box->chance)) {
        box->note = NO_CHANCE;
        box->due |= D_NOTE;
        return;
    }
    for (uint8_t i = 0; i < roll.dice; i++)
        roll.faces[i] = chance_face(&box->chance);
    chance_spend(&box->chance);
    if (!ring_put(&box->ring, &roll)) {
        box->worn = true;
        return;
    }
    box->again_times = 0;
    box->again_at = box->now;
}

static void pressed(struct box *box) {
    box->button.since = box->now;
    box->button.told_long = box->button.told_stuck = false;
    if (!box->linked || !box->ready)
        return;
    if (box->arm.dice && !box->ring.open) {
        box->spinning = true;
        box->spin_at = box->now;
        box->due |= D_SPIN;
    } else {
        box->due |= D_PRESS;
    }
}

static void held(struct box *box) {
    struct button *button = &box->button;
    if (box->spinning && since(box, box->spin_at + SPIN_MOST))
        commit(box);
    if (box->linked && !box->spinning && !button->told_long && since(box, button->since + LONG_PRESS)) {
        button->told_long = true;
        box->due |= D_LONG;
    }
    if (box->linked && !button->told_stuck && since(box, button->since + SPIN_MOST)) {
        button->told_stuck = true;
        box->due |= D_STUCK;
    }
}

/* A button is pressed while it is closed. A tilt switch is, while its contact closes and opens: however it rests. */
static bool is_down(struct button *button, bool edge, bool calm) {
#ifdef TILT
    button->edges = calm ? 0 : button->edges < SHAKEN ? button->edges + edge : SHAKEN;
    return button->edges == SHAKEN;
#else
    (void)edge;
    return calm ? button->raw : button->down;
#endif
}

static void feel(struct box *box) {
    struct button *button = &box->button;
    bool raw = box->board->down(), edge = raw != button->raw;
    if (edge) {
        button->raw = raw;
        button->at = box->now;
        chance_stir(&box->chance, (uint8_t)box->now);
    }
    bool down = is_down(button, edge, since(box, button->at + CALM_MS));
    if (down != button->down) {
        button->down = down;
        if (down)
            pressed(box);
        else if (box->spinning)
            commit(box);
    }
    if (button->down)
        held(box);
}

/* --- time --- */

static void watch_link(struct box *box) {
    if (box->linked && since(box, box->heard + SILENCE + 1)) {
        box->linked = false;
        box->hello_at = box->now;
    }
    if (!box->linked && !box->spinning)
        box->arm.dice = 0;
    if (box->arm.timed && !box->spinning && since(box, box->arm.until))
        box->arm.dice = 0;
}

static void repeat(struct box *box) {
    if (!box->linked && since(box, box->hello_at)) {
        box->hello_at = box->now + HELLO_EVERY;
        box->due |= D_HELLO;
    }
    if (box->linked && box->ring.open && since(box, box->again_at)) {
        box->again_times += box->again_times < 4;
        box->again_at = box->now + (box->again_times <= 3 ? AGAIN_FAST : AGAIN_SLOW);
        box->due |= D_ROLL;
    }
}

static void watch_supply(struct box *box) {
    uint16_t supply = box->board->supply();
    if (supply && supply < VCC_LOW && !box->low) {
        box->low = true;
        if (box->linked)
            box->due |= D_VCC;
    } else if (supply > VCC_GOOD) {
        box->low = false;
    }
}

static void gather(struct box *box) {
    for (uint8_t source = 0; source < SOURCES; source++) {
        int16_t sample = box->board->noise(source);
        if (sample >= 0)
            chance_add(&box->chance, source, (uint8_t)sample);
    }
}

/* --- lamps --- */

/* Faces stay for people to see until another throw is due, or LED and a little time say otherwise. */
static void note_faces(struct box *box) {
    struct roll roll;
    if (box_state(box) == UNACKED) {
        if ((box->lamps.scene != FACES || !box->showing) && ring_read(&box->ring, (uint8_t)box->ring.slot, &roll)) {
            box->lamps.dice = roll.dice;
            memcpy(box->lamps.faces, roll.faces, sizeof roll.faces);
            box->showing = true;
            box->unwanted = false;
            box->shown_at = box->now;
        }
    } else if (box->unwanted && since(box, box->shown_at + FACES_LEAST)) {
        box->showing = false;
    }
}

static uint8_t scene(const struct box *box) {
    enum state state = box_state(box);
    if (box->trial_until)
        return TRIAL;
    if (state == UNACKED && !box->worn)
        return FACES;
    if (box->worn || !chance_fit(&box->chance))
        return FAULT;
    if (state == LINKED)
        return box->showing ? FACES : box->wish.scene;
    return state == SPIN ? ROLLING : state == ARMED ? BREATHING : state == ALONE ? WAITING : DARK;
}

static void light(struct box *box) {
    uint8_t frame[FRAME];
    struct lamps *lamps = &box->lamps;
    if (!since(box, box->frame_at))
        return;
    box->frame_at = box->now + FRAME_EVERY;
    if (box->trial_until && since(box, box->trial_until))
        box->trial_until = 0;
    note_faces(box);
    lamps->scene = scene(box);
    lamps->level = lamps->scene == box->wish.scene && box->leveled ? box->wish.level : box->level;
    memcpy(lamps->color, box->wish.color, sizeof lamps->color);
    if (lamps->scene == FACES && !(lamps->color[0] | lamps->color[1] | lamps->color[2]))
        memset(lamps->color, 255, sizeof lamps->color);
    if (lamps->scene == ROLLING)
        lamps->dice = box->arm.dice;
    lamps_frame(lamps, lamps->scene == TRIAL ? box->now + TRIAL_MOST - box->trial_until : box->now, frame);
    if (memcmp(frame, box->frame, FRAME)) {
        memcpy(box->frame, frame, FRAME);
        box->board->show(frame, LAMPS);
    }
}

void box_step(struct box *box) {
    box->board->alive();
    box->now = box->board->ms();
    gather(box);
    box->ready = box->ready || settings_name(box);
    listen(box);
    if (box->ready) {
        watch_link(box);
        watch_supply(box);
        feel(box);
        repeat(box);
    }
    light(box);
    box_speak(box);
}
