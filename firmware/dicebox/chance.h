/* Chance: a pool that is stirred with noise, tests of that noise, and faces from bytes. */
#ifndef CHANCE_H
#define CHANCE_H

#include "board.h"

#define ROLL_BITS 64   /* fresh bits that a roll must find in the pool */
#define WARM_BITS 128  /* and the first after a start, or after noise that failed */
#define NAME_BITS 32   /* the box's number, which must be there before the host gives up: a second of jitter alone */
#define POOL_BITS 512
#define WINDOW 512     /* samples of the adaptive proportion test */

struct health { /* of one source; NIST SP 800-90B, 4.4 */
    uint16_t run, seen, same, fails;
    uint8_t last, first;
    bool failed;
};

struct chance {
    uint32_t pool[16];
    struct health health[SOURCES];
    uint32_t samples;
    uint16_t eighths; /* credited entropy, in eighths of a bit */
    uint8_t at, left;
    bool warm;
};

void chance_start(struct chance *chance);
void chance_add(struct chance *chance, uint8_t source, uint8_t sample);
void chance_stir(struct chance *chance, uint8_t byte); /* mixed in, credited nothing */
bool chance_fit(const struct chance *chance);          /* the health tests pass */
bool chance_ready(const struct chance *chance);        /* enough fresh bits for a roll */
void chance_spend(struct chance *chance);              /* they are used; what was drawn cannot be found again */
uint8_t chance_byte(struct chance *chance);
uint8_t face_of(uint8_t byte); /* 1 to 6, all equally likely; 0: rejected, draw again */
uint8_t chance_face(struct chance *chance);
bool health_add(struct health *health, uint8_t source, uint8_t sample);

#endif
