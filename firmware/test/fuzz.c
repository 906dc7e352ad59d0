/* Fuzzing of all that comes over the line: by mutated lines at random (make fuzz), or by libFuzzer (make fuzz-clang).

   Of a libFuzzer's input, which begins with a new box, three bytes are no bytes of the line: SEALED puts a true
   checksum where it stands, WAIT lets as many milliseconds pass as eight times the byte after it says, BUTTON_EDGE
   presses or releases. */
#include "box.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEALED = 0xFC, WAIT = 0xFD, BUTTON_EDGE = 0xFE, IN_MOST = 8192 };

static struct {
    const uint8_t *in;
    size_t left;
    uint8_t memory[1024];
    uint32_t ms, seed;
    bool down;
    char line[LINE_OUT];
    uint8_t length;
    long lines;
} world;
static struct box box;

static uint32_t ms(void) { return world.ms; }
static int16_t get(void) { return world.left ? (world.left--, *world.in++) : -1; }
static uint8_t room(void) { return 255; }
static uint8_t load(uint16_t at) { return world.memory[at]; }
static void save(uint16_t at, uint8_t byte) { world.memory[at] = byte; }
static bool down(void) { return world.down; }
static int16_t noise(uint8_t source) { return (int16_t)((world.seed = world.seed * 69069 + 1) >> 24 ^ source); }
static void show(const uint8_t *colors, uint8_t lamps) { (void)colors, (void)lamps; }
static void alive(void) {}
static uint16_t supply(void) { return 4980; }
static uint16_t overruns(void) { return 0; }
static uint8_t cause(void) { return POWER_ON; }

/* Whatever comes in: what goes out is whole lines, sealed, printable, not too long. */
static void put(uint8_t byte) {
    if (byte == '\n' && !world.length)
        return; /* ends what was cut short by the start */
    if (byte != '\n') {
        if (byte < 0x20 || byte > 0x7E || world.length + 1 >= LINE_OUT)
            abort();
        world.line[world.length++] = (char)byte;
        return;
    }
    world.line[world.length] = 0;
    char check[5], *star = strchr(world.line, '*');
    if (world.line[0] != '#') {
        if (!star)
            abort();
        sprintf(check, "%04X", line_crc(world.line, (uint8_t)(star - world.line)));
        if (strcmp(check, star + 1) || (!strncmp(world.line, "ROLL", 4) && world.length + 1 >= 64))
            abort();
    }
    world.length = 0;
    world.lines++;
}

static const struct board board = {
    .ms = ms, .get = get, .room = room, .put = put, .load = load, .save = save, .down = down, .noise = noise,
    .show = show, .alive = alive, .supply = supply, .overruns = overruns, .cause = cause,
};

static void step(uint32_t ms) {
    uint32_t last = box.ring.last;
    bool armed = box_state(&box) == ARMED || box_state(&box) == SPIN;
    world.ms += ms;
    box_step(&box);
    if (box.ring.last != last && !armed)
        abort(); /* a roll that nobody armed */
}

static void new_box(void) {
    memset(world.memory, 0xFF, sizeof world.memory);
    world.left = world.length = 0;
    world.down = false;
    box_start(&box, &board);
}

#ifdef LIBFUZZER
static void hear(const uint8_t *bytes, size_t count) {
    world.in = bytes;
    for (world.left = count; world.left;)
        step(1);
}

/* Time in steps as the box makes them, and the dice as slow as they are. */
static void let_pass(uint32_t ms) {
    for (; ms >= 8; ms -= 8)
        step(8);
}

/* A box that has its first number, and chance; made once, as that takes it a while. */
static void warm_box(void) {
    static struct box warm;
    static uint8_t memory[sizeof world.memory];
    world.ms = world.seed = 0;
    new_box();
    if (!warm.board) {
        let_pass(1500);
        warm = box;
        memcpy(memory, world.memory, sizeof memory);
    }
    world.ms = 1500;
    box = warm;
    memcpy(world.memory, memory, sizeof memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static char line[IN_MOST];
    size_t length = 0;
    warm_box();
    for (size_t i = 0; i < count && length < IN_MOST - 8; i++) {
        if (bytes[i] == WAIT && i + 1 < count) {
            let_pass(8U * bytes[++i]);
        } else if (bytes[i] == BUTTON_EDGE) {
            world.down = !world.down;
            let_pass(40);
        } else if (bytes[i] == SEALED) {
            length += (size_t)sprintf(line + length, "*%04X", line_crc(line, (uint8_t)length));
        } else {
            line[length++] = (char)bytes[i];
        }
        if (length && line[length - 1] == '\n') {
            hear((const uint8_t *)line, length);
            length = 0;
        }
    }
    hear((const uint8_t *)line, length);
    step(1000);
    return 0;
}
#else
static uint32_t chance_state = 12345;
static uint32_t pick(uint32_t below) {
    chance_state ^= chance_state << 13, chance_state ^= chance_state >> 17, chance_state ^= chance_state << 5;
    return chance_state % below;
}

static size_t some_line(char *text) {
    static const char *const VERBS[] = {"OPEN", "PING", "ARM", "DISARM", "ACK", "LOG", "LED", "SHOW", "SET",
                                        "TEST", "BYE", "XX", "?", "i", "t", "r", "AT", "#"};
    static const char *const KEYS[] = {
        "v=1", "s=9", "turn=7", "d=2d6", "d=3d6", "d=9d6", "ms=100", "rgb=00ff00", "id=1", "from=1", "k=8",
        "k=led", "k=rng", "f=1,2,3", "f=7", "fx=blink", "lvl=9", "dice=2", "dice=3", "id=4294967296",
        "turn=99999", "zzzz=-:_.,"};
    int length = sprintf(text, "%s n=%u", VERBS[pick(18)], (unsigned)pick(70000));
    for (uint32_t keys = pick(5); keys--;)
        length += sprintf(text + length, " %s", KEYS[pick(22)]);
    if (pick(4) == 0)
        length += sprintf(text + length, " id=%u", (unsigned)box.ring.last);
    if (pick(20))
        length += sprintf(text + length, "*%04X", line_crc(text, (uint8_t)length));
    text[length++] = '\n';
    for (uint32_t damage = pick(8) ? 0 : pick(4); damage--;)
        text[pick((uint32_t)length)] = (char)pick(256);
    return (size_t)length;
}

static void hear(const char *text, size_t count) {
    world.in = (const uint8_t *)text;
    world.left = count;
    for (int steps = 0; steps < 4 || world.left; steps++) {
        world.down = (world.ms >> 7) & 1;
        step(7 + (count & 31));
    }
}

int main(int count, char **words) {
    char text[400];
    long most = count > 1 ? atol(words[1]) : 1000000;
    new_box();
    for (long i = 0; i < most; i++)
        hear(text, some_line(text));
    printf("%ld lines in, %ld lines out, %lu rolls: no fault\n", most, world.lines, (unsigned long)box.ring.last);
    return 0;
}
#endif
