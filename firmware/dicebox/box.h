/* The dice box: one struct, one step that looks once, sends at most one line and waits only for the EEPROM. */
#ifndef BOX_H
#define BOX_H

#include "chance.h"
#include "lamps.h"
#include "line.h"
#include "ring.h"

#ifdef TILT /* a tilt switch rattles: it must be still for a while */
#define CALM_MS 250
#define SHAKEN 3 /* edges: one that is tilted, or set down hard, gives fewer */
#define SOURCE "tilt"
#else
#define CALM_MS 20
#define SOURCE "btn"
#endif

#define VERSION 1
#define FIRMWARE "0.1.0"
#define REPLY_MOST 112

enum state { BOOT, ALONE, LINKED, ARMED, SPIN, UNACKED };
enum error { FINE, E_CRC, E_LONG, E_CHAR, E_VERB, E_ARG, E_RANGE, E_VER, E_LINK, E_SEQ, E_OPEN, E_BUSY, E_RNG, E_EE };

struct button {
    uint32_t since, at; /* the press; the last bounce */
    bool raw, down, told_long, told_stuck;
    uint8_t edges; /* since it was calm, of a tilt switch */
};

struct arming {
    uint32_t until;
    uint16_t turn;
    uint8_t dice; /* 0: not armed */
    bool timed;
};

struct box {
    const struct board *board;
    struct line_reader reader;
    struct ring ring;
    struct chance chance;
    struct lamps lamps;
    struct button button;
    struct arming arm;
    struct lamps wish; /* what LED asked for */
    uint32_t now, heard, hello_at, again_at, spin_at, shown_at, trial_until, frame_at;
    uint32_t dev, log_from;
    uint16_t boot, answered, bad, due;
    uint8_t most, level, again_times, log_left, spoiled, note;
    uint8_t reply_length;
    bool ready, linked, spinning, worn, showing, unwanted, low, leveled; /* the last: LED told a brightness */
    char reply[REPLY_MOST];
    uint8_t frame[FRAME];
};

enum due { /* lines that wait to be said */
    D_REPLY = 1, D_HELLO = 2, D_SPOILED = 4, D_SPIN = 8, D_PRESS = 16, D_LONG = 32, D_STUCK = 64, D_VCC = 128,
    D_LOG = 256, D_ROLL = 512, D_NOTE = 1024
};
enum note { HELP, ABOUT, LAMP_TEST, FREE_ROLL, BUTTON, CHANCE, NO_CHANCE };

void box_start(struct box *box, const struct board *board);
void box_step(struct box *box);
enum state box_state(const struct box *box);

/* between the files of the box */
void box_request(struct box *box);             /* requests.c: the line in the reader */
void box_speak(struct box *box);               /* speech.c: the most urgent line that is due */
void box_pong(struct box *box, uint32_t n);    /* speech.c: into the memory of the last reply */
void box_reply(struct box *box, uint32_t n, enum error error);
enum error settings_load(struct box *box);     /* settings.c: counts the start; E_EE: cannot be written */
bool settings_name(struct box *box);           /* settings.c: a number of its own, once there is chance */
enum error settings_keep(struct box *box);

#endif
