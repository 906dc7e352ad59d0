/* The core as a library whose world belongs to the caller (Python, through ctypes): memory, time, bytes, noise. */
#include "../dicebox/box.h"

#include <setjmp.h>
#include <string.h>

enum { MOST = 4096 };

static struct {
    struct box box;
    uint8_t *memory;
    int32_t *writes_left; /* bytes until the power fails, -1 for never */
    uint32_t ms, noise_at[SOURCES], seed;
    uint8_t in[MOST], out[MOST], cause;
    size_t in_head, in_tail, out_length;
    bool button, dead, grounded; /* all noise; the pin that should be open */
    uint16_t supply;
    uint8_t forced[3], forced_count, forced_at;
    uint8_t shown[FRAME];
} world;
static jmp_buf power_cut;

static uint32_t ms(void) { return world.ms; }
static int16_t get(void) { return world.in_tail < world.in_head ? world.in[world.in_tail++] : -1; }
static uint8_t room(void) { return MOST - world.out_length > 255 ? 255 : 0; }
static void put(uint8_t byte) { world.out[world.out_length++] = byte; }
static uint8_t load(uint16_t at) { return world.memory[at]; }
static bool down(void) { return world.button; }
static void show(const uint8_t *colors, uint8_t lamps) { memcpy(world.shown, colors, (size_t)3 * lamps); }
static void alive(void) {}
static uint16_t supply(void) { return world.supply; }
static uint16_t overruns(void) { return 0; }
static uint8_t cause(void) { return world.cause; }

static void save(uint16_t at, uint8_t byte) {
    if (*world.writes_left == 0)
        longjmp(power_cut, 1);
    if (*world.writes_left > 0)
        --*world.writes_left;
    world.memory[at] = byte;
}

static int16_t noise(uint8_t source) {
    uint32_t every = source == JITTER ? 16 : 1;
    if (world.ms - world.noise_at[source] < every)
        return -1;
    world.noise_at[source] = world.ms;
    world.seed = world.seed * 1664525 + 1013904223;
    return world.dead || (world.grounded && source == AIR) ? 7 : (int16_t)(world.seed >> 24);
}

static const struct board board = {
    .ms = ms, .get = get, .room = room, .put = put, .load = load, .save = save, .down = down, .noise = noise,
    .show = show, .alive = alive, .supply = supply, .overruns = overruns, .cause = cause,
};

uint8_t __real_chance_face(struct chance *chance);
uint8_t __wrap_chance_face(struct chance *chance);

/* A test may say what the dice shall show; the linker puts this before the core's own function. */
uint8_t __wrap_chance_face(struct chance *chance) {
    return world.forced_at < world.forced_count ? world.forced[world.forced_at++] : __real_chance_face(chance);
}

/* Each returns false where the power failed meanwhile. */
bool core_start(uint8_t *memory, int32_t *writes_left, uint32_t at, uint8_t why, uint32_t seed);
bool core_step(uint32_t at);
void core_feed(const uint8_t *bytes, size_t count);
size_t core_take(uint8_t *bytes);
void core_button(bool is_down, const uint8_t *faces, uint8_t count);
void core_noise(bool dead);
void core_ground(void);
void core_supply(uint16_t millivolts);
void core_reload(void);
uint32_t core_last(void);
uint8_t core_state(void);
uint8_t core_asked(void);
uint16_t core_bad(void);
uint8_t core_scene(void);
void core_frame(uint8_t *frame);

bool core_start(uint8_t *memory, int32_t *writes_left, uint32_t at, uint8_t why, uint32_t seed) {
    world.memory = memory;
    world.writes_left = writes_left;
    world.ms = world.noise_at[JITTER] = world.noise_at[AIR] = at;
    world.cause = why;
    world.supply = 4980;
    world.seed = seed;
    world.grounded = false;
    world.in_head = world.in_tail = world.out_length = 0;
    if (setjmp(power_cut))
        return false;
    box_start(&world.box, &board);
    return true;
}

bool core_step(uint32_t at) {
    world.ms = at;
    if (setjmp(power_cut))
        return false;
    box_step(&world.box);
    return true;
}

void core_feed(const uint8_t *bytes, size_t count) {
    if (world.in_tail == world.in_head)
        world.in_head = world.in_tail = 0;
    for (; count && world.in_head < MOST; count--)
        world.in[world.in_head++] = *bytes++;
}

size_t core_take(uint8_t *bytes) {
    size_t count = world.out_length;
    memcpy(bytes, world.out, count);
    world.out_length = 0;
    return count;
}

void core_button(bool is_down, const uint8_t *faces, uint8_t count) {
    world.button = is_down;
    if (!faces)
        return;
    memcpy(world.forced, faces, count);
    world.forced_count = count;
    world.forced_at = 0;
}

void core_noise(bool dead) { world.dead = dead; }
void core_ground(void) { world.grounded = true; } /* until the next start */
void core_supply(uint16_t millivolts) { world.supply = millivolts; }
void core_reload(void) { ring_load(&world.box.ring, &board); }
uint8_t core_state(void) { return (uint8_t)box_state(&world.box); }
uint8_t core_asked(void) { return box_state(&world.box) == ARMED ? world.box.arm.dice : 0; }
uint16_t core_bad(void) { return world.box.bad; }
uint32_t core_last(void) { return world.box.ring.last; }
uint8_t core_scene(void) { return world.box.lamps.scene; }
void core_frame(uint8_t *frame) { memcpy(frame, world.shown, FRAME); }
