/* The journal of rolls. A record: id 4, turn 2, dice 1, faces 3, ms 2, checksum 2, acknowledged 1, committed 1;
   numbers with their highest byte first. PROTOCOL, "How a roll is made". */
#include "ring.h"

#include "line.h"

enum { BODY = 12, CHECK = 12, ACKED_AT = 14, COMMITTED_AT = 15, COMMITTED = 0x5A, ACKED = 0xAC };

static uint16_t place(uint8_t slot) {
    return RING_START + (uint16_t)slot * RING_SIZE;
}

uint32_t next_id(uint32_t id) {
    return id == UINT32_MAX ? 1 : id + 1;
}

/* How many rolls 'theirs' is ahead of 'ours', the shorter way round the wrap, which leaves 0 out. */
int32_t ahead(uint32_t theirs, uint32_t ours) {
    if (!theirs || !ours)
        return theirs ? 1 : ours ? -1 : 0;
    uint32_t gap = theirs >= ours ? theirs - ours : theirs - ours - 1;
    return gap < 0x80000000UL ? (int32_t)gap : -(int32_t)(UINT32_MAX - gap);
}

static uint16_t number16(const uint8_t *bytes) {
    return (uint16_t)((uint16_t)bytes[0] << 8 | bytes[1]);
}

bool ring_read(const struct ring *ring, uint8_t slot, struct roll *roll) {
    uint8_t record[RING_SIZE];
    for (uint8_t i = 0; i < RING_SIZE; i++)
        record[i] = ring->board->load(place(slot) + i);
    if (record[COMMITTED_AT] != COMMITTED || number16(record + CHECK) != line_crc((const char *)record, BODY))
        return false;
    roll->id = (uint32_t)number16(record) << 16 | number16(record + 2);
    roll->turn = number16(record + 4);
    roll->dice = record[6];
    for (uint8_t i = 0; i < 3; i++)
        roll->faces[i] = record[7 + i];
    roll->ms = number16(record + 10);
    return roll->dice >= 1 && roll->dice <= 3;
}

void ring_load(struct ring *ring, const struct board *board) {
    struct roll roll;
    ring->board = board;
    ring->slot = -1;
    ring->last = 0;
    ring->open = false;
    for (uint8_t slot = 0; slot < RING_SLOTS; slot++)
        if (ring_read(ring, slot, &roll) && (ring->slot < 0 || ahead(roll.id, ring->last) > 0)) {
            ring->slot = (int8_t)slot;
            ring->last = roll.id;
        }
    if (ring->slot >= 0)
        ring->open = board->load(place((uint8_t)ring->slot) + ACKED_AT) != ACKED;
}

static void record_of(const struct roll *roll, uint8_t *record) {
    uint16_t words[3] = {(uint16_t)(roll->id >> 16), (uint16_t)roll->id, roll->turn};
    for (uint8_t i = 0; i < 3; i++) {
        record[2 * i] = (uint8_t)(words[i] >> 8);
        record[2 * i + 1] = (uint8_t)words[i];
    }
    record[6] = roll->dice;
    for (uint8_t i = 0; i < 3; i++)
        record[7 + i] = i < roll->dice ? roll->faces[i] : 0;
    record[10] = (uint8_t)(roll->ms >> 8);
    record[11] = (uint8_t)roll->ms;
    uint16_t crc = line_crc((const char *)record, BODY);
    record[CHECK] = (uint8_t)(crc >> 8);
    record[CHECK + 1] = (uint8_t)crc;
    record[ACKED_AT] = 0;
}

bool ring_put(struct ring *ring, const struct roll *roll) {
    uint8_t slot = (uint8_t)((ring->slot + 1) % RING_SLOTS), record[RING_SIZE];
    struct roll kept;
    record_of(roll, record);
    ring->board->save(place(slot) + COMMITTED_AT, 0);
    for (uint8_t i = 0; i < COMMITTED_AT; i++)
        ring->board->save(place(slot) + i, record[i]);
    ring->board->save(place(slot) + COMMITTED_AT, COMMITTED);
    if (!ring_read(ring, slot, &kept) || kept.id != roll->id)
        return false;
    ring->slot = (int8_t)slot;
    ring->last = roll->id;
    ring->open = true;
    return true;
}

bool ring_acknowledge(struct ring *ring) {
    uint16_t at = place((uint8_t)ring->slot) + ACKED_AT;
    ring->board->save(at, ACKED);
    ring->open = ring->board->load(at) != ACKED;
    return !ring->open;
}

bool ring_from(const struct ring *ring, uint32_t id, struct roll *roll) {
    struct roll each;
    bool found = false;
    for (uint8_t slot = 0; slot < RING_SLOTS; slot++)
        if (ring_read(ring, slot, &each) && ahead(each.id, id) >= 0 && (!found || ahead(each.id, roll->id) < 0)) {
            *roll = each;
            found = true;
        }
    return found;
}
