/* The box as a program on this computer, for tests: its line is a pseudo-terminal, its EEPROM a file.

   dicebox LINK EEPROM   LINK becomes a symbolic link to the pseudo-terminal.
   Commands on standard input, each answered by "done": press, release, throw MS (press, and release after so many
   milliseconds), wait MS, unplug, plug, reset, hang, cut N (power fails at the Nth byte that is to be written), dead,
   alive (the noise), speed X (times real time, at most), quit. "cut" is said when the power failed. */
#define _GNU_SOURCE
#include "box.h"
#include "outside.h"

#include <poll.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HANG_MS = 500, TURN_MOST = 10 }; /* milliseconds of the box; of one turn at most */

static struct {
    bool powered, button, thrown, waits, dead, hung;
    uint32_t hung_at, release_at, wait_until, noise_at[SOURCES];
    double speed, now, seen; /* milliseconds: of the box; of this computer, when last looked */
    long cut; /* bytes until the power fails, -1 for never */
    uint8_t memory[MEMORY], cause;
} world = {.speed = 1, .cut = -1};
static struct box box;
static jmp_buf power_cut;

static uint32_t ms(void) { return (uint32_t)(uint64_t)world.now; }

/* The box's time stands still while this program does: a busy computer must not swallow a press of the button. */
static void pass(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    double seen = (double)time.tv_sec * 1000 + (double)time.tv_nsec / 1e6, passed = (seen - world.seen) * world.speed;
    world.seen = seen;
    world.now += passed < TURN_MOST ? passed : TURN_MOST;
}

static int16_t get(void) {
    uint8_t byte;
    return port_hear(&byte, 1) ? byte : -1;
}

static uint8_t room(void) { return 255; }

static uint8_t load(uint16_t at) { return world.memory[at]; }

static void save(uint16_t at, uint8_t byte) {
    if (world.cut == 0)
        longjmp(power_cut, 1);
    if (world.cut > 0)
        world.cut--;
    world.memory[at] = byte;
    outside_keep(world.memory);
}

static bool down(void) { return world.button; }

static int16_t noise(uint8_t source) {
    uint32_t every = source == JITTER ? 16 : 1, now = ms();
    if (now - world.noise_at[source] < every)
        return -1;
    world.noise_at[source] = now;
    return world.dead ? 7 : (int16_t)(random() & 255);
}

static void show(const uint8_t *colors, uint8_t lamps) { (void)colors, (void)lamps; }
static void alive(void) {}
static uint16_t supply(void) { return 4980; }
static uint16_t overruns(void) { return 0; }
static uint8_t cause(void) { return world.cause; }

static const struct board board = {
    .ms = ms, .get = get, .room = room, .put = port_say, .load = load, .save = save, .down = down, .noise = noise,
    .show = show, .alive = alive, .supply = supply, .overruns = overruns, .cause = cause,
};

static void power_on(uint8_t why) {
    world.cause = why;
    world.cut = -1;
    world.powered = true;
    world.hung = false;
    box_start(&box, &board);
}

static void plug(void) {
    port_plug();
    power_on(POWER_ON);
}

static void unplug(void) {
    world.powered = false;
    port_pull();
}

static void done(void) {
    world.waits = false;
    tell("done");
}

static void obey(const char *command) {
    if (!strcmp(command, "press") || !strcmp(command, "release"))
        world.button = command[0] == 'p';
    else if (!strncmp(command, "throw ", 6))
        world.button = world.thrown = true, world.release_at = ms() + (uint32_t)atol(command + 6);
    else if (!strncmp(command, "wait ", 5))
        world.waits = true, world.wait_until = ms() + (uint32_t)atol(command + 5);
    else if (!strcmp(command, "dead") || !strcmp(command, "alive"))
        world.dead = command[0] == 'd';
    else if (!strcmp(command, "unplug"))
        unplug();
    else if (!strcmp(command, "plug"))
        plug();
    else if (!strcmp(command, "reset"))
        power_on(EXTERNAL);
    else if (!strncmp(command, "cut ", 4))
        world.cut = atol(command + 4);
    else if (!strncmp(command, "speed ", 6))
        world.speed = atof(command + 6), power_on(POWER_ON);
    else if (!strcmp(command, "hang"))
        world.hung = true, world.hung_at = ms();
    else if (!strcmp(command, "quit"))
        unplug(), exit(0);
    if (!world.waits)
        done();
}

static void lose_power(void) {
    world.powered = false;
    world.cut = -1;
    tell("cut");
}

static void turn(void) {
    struct pollfd wait[2] = {{.fd = 0, .events = POLLIN}, {.fd = port_number(), .events = POLLIN}};
    poll(wait, port_is_open() ? 2 : 1, 1);
    pass();
    if (world.thrown && (int32_t)(ms() - world.release_at) >= 0)
        world.button = world.thrown = false;
    if (world.waits && (int32_t)(ms() - world.wait_until) >= 0)
        done();
    obey_all(obey, &world.waits);
    if (port_opens() && world.powered)
        power_on(EXTERNAL); /* as a board is reset when its port is opened */
    if (world.hung && ms() - world.hung_at >= HANG_MS)
        power_on(WATCHDOG);
    if (world.powered && !world.hung)
        box_step(&box);
}

int main(int count, char **words) {
    if (count != 3) {
        fputs("usage: dicebox LINK EEPROM\n", stderr);
        return 2;
    }
    outside_start(words[1], words[2], world.memory);
    pass();
    srandom((unsigned)world.seen ^ (unsigned)getpid());
    if (setjmp(power_cut))
        lose_power();
    else
        plug();
    for (;;)
        turn();
}
