/* Fuzzing of all that comes over the line: by libFuzzer where there is clang, else by mutated lines at random. */
#include "box.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    if (!box.board) {
        memset(world.memory, 0xFF, sizeof world.memory);
        box_start(&box, &board);
    }
    world.in = bytes;
    world.left = count;
    for (int step = 0; step < 4 || world.left; step++) {
        uint32_t last = box.ring.last;
        bool armed = box_state(&box) == ARMED || box_state(&box) == SPIN;
        world.ms += 7 + (count & 31);
        world.down = (world.ms >> 7) & 1;
        box_step(&box);
        if (box.ring.last != last && !armed)
            abort(); /* a roll that nobody armed */
    }
    return 0;
}

#ifndef LIBFUZZER
static uint32_t chance_state = 12345;
static uint32_t pick(uint32_t below) {
    chance_state ^= chance_state << 13, chance_state ^= chance_state >> 17, chance_state ^= chance_state << 5;
    return chance_state % below;
}

static size_t some_line(char *text) {
    static const char *const VERBS[] = {"OPEN", "PING", "ARM", "DISARM", "ACK", "LOG", "LED", "SHOW", "SET",
                                        "TEST", "BYE", "XX", "?", "i", "t", "r", "AT", "#"};
    static const char *const KEYS[] = {"v=1", "s=9", "turn=7", "d=2d6", "d=3d6", "d=9d6", "ms=100", "rgb=00ff00", "id=1",
                                       "from=1", "k=8", "k=led", "k=rng", "f=1,2,3", "f=7", "fx=blink", "lvl=9", "dice=2",
                                       "dice=3", "id=4294967296", "turn=99999", "zzzz=-:_.,"};
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

int main(int count, char **words) {
    char text[400];
    long most = count > 1 ? atol(words[1]) : 1000000;
    for (long i = 0; i < most; i++)
        LLVMFuzzerTestOneInput((const uint8_t *)text, some_line(text));
    printf("%ld lines in, %ld lines out, %lu rolls: no fault\n", most, world.lines, (unsigned long)box.ring.last);
    return 0;
}
#endif
