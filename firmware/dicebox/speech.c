/* What the box says, a line at a time, the most urgent first. PROTOCOL, "Device to host". */
#include "box.h"

enum { ROLL_BELOW = 64 };

static const FLASH char CAUSES[][4] = {"por", "ext", "bor", "wdt"};
static const FLASH char STATES[][6] = {"idle", "idle", "idle", "armed", "spin", "open"};
static const FLASH char ERRORS[][6] = {"", "crc", "long", "char", "verb", "arg", "range", "ver", "link", "seq",
                                       "open", "busy", "rng", "ee"};

static void send(struct box *box, const char *text, uint8_t length) {
    while (length--)
        box->board->put((uint8_t)*text++);
}

static void seal_and_send(struct box *box, struct line_writer *line) {
    write_seal(line);
    send(box, line->text, line->length);
}

static void remember(struct box *box, struct line_writer *line, uint32_t n) {
    write_seal(line);
    box->reply_length = line->length;
    box->answered = (uint16_t)n;
    box->due |= D_REPLY;
}

void box_reply(struct box *box, uint32_t n, enum error error) {
    struct line_writer line;
    write_verb(&line, box->reply, REPLY_MOST, error ? TEXT("NO") : TEXT("OK"));
    write_number(&line, TEXT("n"), n);
    if (error)
        write_word(&line, TEXT("e"), ERRORS[error]);
    remember(box, &line, n);
}

void box_pong(struct box *box, uint32_t n) {
    struct line_writer line;
    write_verb(&line, box->reply, REPLY_MOST, TEXT("PONG"));
    write_number(&line, TEXT("n"), n);
    write_word(&line, TEXT("st"), STATES[box_state(box)]);
    write_number(&line, TEXT("open"), box->ring.open);
    write_number(&line, TEXT("last"), box->ring.last);
    write_number(&line, TEXT("vcc"), box->board->supply());
    write_number(&line, TEXT("bad"), box->bad);
    write_number(&line, TEXT("ovr"), box->board->overruns());
    write_number(&line, TEXT("up"), box->now / 1000);
    remember(box, &line, n);
}

static void hello(struct box *box, struct line_writer *line) {
    write_verb(line, line->text, LINE_OUT, TEXT("HELLO"));
    write_number(line, TEXT("v"), VERSION);
    write_word(line, TEXT("hw"), TEXT("nano"));
    write_word(line, TEXT("dev"), TEXT(""));
    write_hex(line, box->dev, 8);
    write_word(line, TEXT("fw"), TEXT(FIRMWARE));
    write_number(line, TEXT("boot"), box->boot);
    write_word(line, TEXT("why"), CAUSES[box->board->cause() & 3]);
    write_number(line, TEXT("max"), box->most);
    write_number(line, TEXT("last"), box->ring.last);
    write_number(line, TEXT("open"), box->ring.open);
}

static void tell_roll(struct line_writer *line, const struct roll *roll, bool old, bool ms, bool source) {
    write_verb(line, line->text, LINE_OUT, TEXT("ROLL"));
    write_number(line, TEXT("id"), roll->id);
    write_number(line, TEXT("turn"), roll->turn);
    write_number(line, TEXT("d"), roll->dice);
    write_chars(line, TEXT("d6"));
    for (uint8_t i = 0; i < roll->dice; i++) {
        write_chars(line, i ? TEXT(",") : TEXT(" f="));
        write_digits(line, roll->faces[i]);
    }
    if (old)
        write_number(line, TEXT("old"), 1);
    if (ms)
        write_number(line, TEXT("ms"), roll->ms);
    if (source)
        write_word(line, TEXT("src"), TEXT(SOURCE));
}

/* What is only for people is left out where it does not fit: the source, then the time. */
static void roll_line(struct line_writer *line, const struct roll *roll, bool old) {
    const uint8_t seal = 6;
    tell_roll(line, roll, old, true, true);
    if (line->length + seal >= ROLL_BELOW)
        tell_roll(line, roll, old, true, false);
    if (line->length + seal >= ROLL_BELOW)
        tell_roll(line, roll, old, false, false);
}

static void say_newest(struct box *box, struct line_writer *line) {
    struct roll roll;
    if (!box->ring.open || !ring_read(&box->ring, (uint8_t)box->ring.slot, &roll))
        return;
    roll_line(line, &roll, false);
    seal_and_send(box, line);
}

/* The next of the journalled rolls that LOG asked for; the open one is told by itself. */
static void say_logged(struct box *box, struct line_writer *line) {
    struct roll roll;
    bool found = box->log_left && ring_from(&box->ring, box->log_from, &roll);
    if (!found || (box->ring.open && roll.id == box->ring.last)) {
        box->due &= (uint16_t)~D_LOG;
        return;
    }
    box->log_from = next_id(roll.id);
    box->log_left--;
    roll_line(line, &roll, true);
    seal_and_send(box, line);
}

static void note_source(struct line_writer *line, const FLASH char *name, const struct health *health) {
    write_chars(line, name);
    write_chars(line, health->failed ? TEXT(" fails, ") : TEXT(" good, "));
    write_digits(line, health->fails);
    write_chars(line, TEXT(" failures; "));
}

static void note_chance(struct box *box, struct line_writer *line) {
    note_source(line, TEXT(" chance: watchdog jitter"), &box->chance.health[JITTER]);
    note_source(line, TEXT("open pin"), &box->chance.health[AIR]);
    write_digits(line, box->chance.samples);
    write_chars(line, TEXT(" samples; credited bits waiting: "));
    write_digits(line, box->chance.eighths / 8);
}

static void note_roll(struct box *box, struct line_writer *line) {
    if (!chance_ready(&box->chance)) {
        write_chars(line, TEXT(" no free roll: chance is still being gathered"));
        return;
    }
    write_chars(line, TEXT(" free roll "));
    write_digits(line, chance_face(&box->chance));
    write_chars(line, TEXT(" (it counts for nothing)"));
    chance_spend(&box->chance);
}

static void about(struct box *box, struct line_writer *line) {
    write_chars(line, TEXT(" dice box " FIRMWARE ", number "));
    write_hex(line, box->dev, 8);
    write_chars(line, TEXT(", last roll "));
    write_digits(line, box->ring.last);
    write_chars(line, TEXT(", supply mV "));
    write_digits(line, box->board->supply());
}

static void note(struct box *box, struct line_writer *line) {
    write_verb(line, line->text, LINE_OUT - 1, TEXT("#"));
    switch (box->note) {
    case HELP:
        write_chars(line, TEXT(" ? this help, i information, t lamp test, r a free roll"));
        break;
    case ABOUT:
        about(box, line);
        break;
    case LAMP_TEST:
        write_chars(line, TEXT(" lamps: each in turn, red, green, blue, white"));
        break;
    case FREE_ROLL:
        note_roll(box, line);
        break;
    case BUTTON:
        write_chars(line, box->button.down ? TEXT(" button: down") : TEXT(" button: up"));
        break;
    case CHANCE:
        note_chance(box, line);
        break;
    default:
        write_chars(line, TEXT(" no roll was made: the source of chance failed its test"));
    }
    line->most = LINE_OUT;
    write_end(line);
    send(box, line->text, line->length);
}

static bool event(struct box *box, struct line_writer *line, uint16_t due, const FLASH char *kind) {
    if (!(box->due & due))
        return false;
    box->due &= (uint16_t)~due;
    write_verb(line, line->text, LINE_OUT, TEXT("EVT"));
    write_word(line, TEXT("k"), kind);
    seal_and_send(box, line);
    return true;
}

static bool any_event(struct box *box, struct line_writer *line) {
    return event(box, line, D_SPIN, TEXT("spin")) || event(box, line, D_PRESS, TEXT("press")) ||
           event(box, line, D_LONG, TEXT("long")) || event(box, line, D_STUCK, TEXT("stuck")) ||
           event(box, line, D_VCC, TEXT("vcc"));
}

static bool take(struct box *box, uint16_t due) {
    bool taken = box->due & due;
    box->due &= (uint16_t)~due;
    return taken;
}

static void spoiled(struct box *box, struct line_writer *line) {
    write_verb(line, line->text, LINE_OUT, TEXT("NO"));
    write_number(line, TEXT("n"), 0);
    write_word(line, TEXT("e"), ERRORS[box->spoiled]);
    seal_and_send(box, line);
}

void box_speak(struct box *box) {
    char text[LINE_OUT];
    struct line_writer line = {text, 0, LINE_OUT};
    if (!box->due || box->board->room() < LINE_OUT)
        return;
    if (take(box, D_REPLY)) {
        send(box, box->reply, box->reply_length);
    } else if (take(box, D_HELLO)) {
        hello(box, &line);
        seal_and_send(box, &line);
    } else if (any_event(box, &line)) {
        return;
    } else if (take(box, D_ROLL)) {
        say_newest(box, &line);
    } else if (box->due & D_LOG) {
        say_logged(box, &line);
    } else if (take(box, D_SPOILED)) {
        spoiled(box, &line);
    } else if (take(box, D_NOTE)) {
        note(box, &line);
    }
}
