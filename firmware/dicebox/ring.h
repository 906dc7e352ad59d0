/* The journal of rolls in EEPROM: a ring of records; a roll exists from its last byte on. */
#ifndef RING_H
#define RING_H

#include "board.h"

#define RING_START 32
#define RING_SIZE 16
#define RING_SLOTS 32

struct roll {
    uint32_t id;
    uint16_t turn, ms;
    uint8_t dice, faces[3];
};

struct ring {
    const struct board *board;
    uint32_t last;
    int8_t slot; /* of the newest roll, -1 for none */
    bool open;   /* the newest roll waits for its acknowledgement */
};

void ring_load(struct ring *ring, const struct board *board);
bool ring_read(const struct ring *ring, uint8_t slot, struct roll *roll);
bool ring_put(struct ring *ring, const struct roll *roll); /* false: the memory is worn out */
bool ring_acknowledge(struct ring *ring);
bool ring_from(const struct ring *ring, uint32_t id, struct roll *roll); /* the first roll from `id` on */
uint32_t next_id(uint32_t id);
int32_t ahead(uint32_t theirs, uint32_t ours);

#endif
