/* Chance. The sources' entropy is assumed, not measured on silicon: low, and tested against all the time.

   A sample of the watchdog's jitter counts half a bit, one of the open pin an eighth. The cutoffs are those of
   NIST SP 800-90B, 4.4, for these and a false alarm in 2^20: repetition 1 + 20/H, proportion from the binomial.
   The pool is a sponge of 64 bytes over ChaCha's permutation, 12 rounds, 16 bytes of it open. */
#include "chance.h"

enum { OPEN = 16, ROUNDS = 6 };

static const FLASH uint16_t REPEATS[SOURCES] = {41, 161};
static const FLASH uint16_t PROPORTION[SOURCES] = {410, 497};
static const FLASH uint8_t EIGHTHS[SOURCES] = {4, 1};

static uint32_t turned(uint32_t word, uint8_t bits) {
    return word << bits | word >> (32 - bits);
}

static void quarter(uint32_t *s, uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
    s[a] += s[b], s[d] = turned(s[d] ^ s[a], 16);
    s[c] += s[d], s[b] = turned(s[b] ^ s[c], 12);
    s[a] += s[b], s[d] = turned(s[d] ^ s[a], 8);
    s[c] += s[d], s[b] = turned(s[b] ^ s[c], 7);
}

static void permute(struct chance *chance) {
    uint32_t *s = chance->pool;
    for (uint8_t round = 0; round < ROUNDS; round++) {
        for (uint8_t i = 0; i < 4; i++)
            quarter(s, i, 4 + i, 8 + i, 12 + i);
        for (uint8_t i = 0; i < 4; i++)
            quarter(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
    chance->at = 0;
}

static void health_start(struct health *health) {
    *health = (struct health){0};
}

void chance_start(struct chance *chance) {
    *chance = (struct chance){.pool = {[4] = 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}};
    for (uint8_t source = 0; source < SOURCES; source++)
        health_start(&chance->health[source]);
}

void chance_stir(struct chance *chance, uint8_t byte) {
    chance->left = 0;
    ((uint8_t *)chance->pool)[chance->at++] ^= byte;
    if (chance->at == OPEN)
        permute(chance);
}

/* A new window; a source that failed is trusted again after a whole window without complaint. */
static void window_start(struct health *health, uint8_t sample) {
    if (health->seen == WINDOW)
        health->failed = false;
    health->first = sample;
    health->seen = health->same = 1;
}

static void fail(struct health *health) {
    if (!health->failed && health->fails < UINT16_MAX)
        health->fails++;
    health->failed = true;
    health->run = 1;
    health->seen = 0;
}

/* Whether the source may be credited for this sample. */
bool health_add(struct health *health, uint8_t source, uint8_t sample) {
    health->run = health->run && sample == health->last ? health->run + 1 : 1;
    health->last = sample;
    if (!health->seen || health->seen == WINDOW) {
        window_start(health, sample);
    } else {
        health->seen++;
        health->same += sample == health->first;
    }
    if (health->run >= REPEATS[source] || health->same >= PROPORTION[source])
        fail(health);
    return !health->failed;
}

void chance_add(struct chance *chance, uint8_t source, uint8_t sample) {
    chance->samples++;
    chance_stir(chance, sample);
    bool good = health_add(&chance->health[source], source, sample);
    if (!chance_fit(chance)) {
        chance->eighths = 0;
        chance->warm = false;
    } else if (good && chance->eighths < POOL_BITS * 8) {
        chance->eighths += EIGHTHS[source];
        chance->warm |= chance->eighths >= WARM_BITS * 8;
    }
}

/* The jitter is the source that is relied upon; the open pin may fail, and is then not credited. */
bool chance_fit(const struct chance *chance) {
    return !chance->health[JITTER].failed;
}

bool chance_ready(const struct chance *chance) {
    return chance_fit(chance) && chance->warm && chance->eighths >= ROLL_BITS * 8;
}

void chance_spend(struct chance *chance) {
    uint16_t used = ROLL_BITS * 8;
    chance->eighths = chance->eighths > used ? chance->eighths - used : 0;
    for (uint8_t i = 0; i < OPEN / 4; i++)
        chance->pool[i] = 0;
    permute(chance);
    chance->left = 0;
}

uint8_t chance_byte(struct chance *chance) {
    if (!chance->left) {
        permute(chance);
        chance->left = OPEN;
    }
    return ((const uint8_t *)chance->pool)[OPEN - chance->left--];
}

uint8_t face_of(uint8_t byte) {
    return byte < 252 ? byte % 6 + 1 : 0; /* 252 = 42 * 6: no face is likelier than another */
}

uint8_t chance_face(struct chance *chance) {
    uint8_t face;
    do
        face = face_of(chance_byte(chance));
    while (!face);
    return face;
}
