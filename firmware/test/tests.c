/* Tests of the core: golden lines, faces, health of the sources, the ring under power cuts, lamps. */
#include "box.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks, failures;

static void check(bool good, const char *what, long at) {
    checks++;
    if (!good) {
        failures++;
        fprintf(stderr, "FAILED: %s (%ld)\n", what, at);
    }
}

/* --- a board of memory alone --- */

static uint8_t memory[1024];
static long cut = -1, worn_at = -1; /* bytes until the power fails; the byte that takes nothing any more */
static jmp_buf power_cut;

static uint8_t load(uint16_t at) { return memory[at]; }
static void save(uint16_t at, uint8_t byte) {
    if (cut == 0)
        longjmp(power_cut, 1);
    if (cut > 0)
        cut--;
    if (at != worn_at)
        memory[at] = byte;
}
static uint32_t ms(void) {
    static uint32_t now;
    return now += 20;
}
static int16_t get(void) { return -1; }
static uint8_t room(void) { return 255; }
static void put(uint8_t byte) { (void)byte; }
static bool down(void) { return false; }
static uint16_t supply(void) { return 5000; }
static uint16_t overruns(void) { return 0; }
static uint8_t cause(void) { return POWER_ON; }
static int16_t noise(uint8_t source) {
    (void)source;
    return -1;
}
static void show(const uint8_t *colors, uint8_t lamps) { (void)colors, (void)lamps; }
static void alive(void) {}
static const struct board board = {.load = load, .save = save, .ms = ms, .get = get, .room = room, .put = put,
                                   .down = down, .noise = noise, .show = show, .alive = alive, .supply = supply,
                                   .overruns = overruns, .cause = cause};

/* --- golden lines --- */

static size_t unescaped(const char *text, char *bytes) {
    size_t length = 0;
    for (; *text; text++) {
        if (*text != '\\') {
            bytes[length++] = *text;
        } else if (*++text == 'x') {
            char digits[3] = {text[1], text[2], 0};
            bytes[length++] = (char)strtol(digits, NULL, 16);
            text += 2;
        } else {
            bytes[length++] = *text == 'n' ? '\n' : *text == 'r' ? '\r' : *text;
        }
    }
    return length;
}

/* The words in the order given, of a doubled key the first. */
static void describe(const struct line_reader *line, char *words) {
    const char *at = line->text + strlen(line->text) + 1, *end = line->text + line->size;
    strcpy(words, line->text);
    while (at < end) {
        const char *value = at + strlen(at) + 1;
        if (line_text(line, at) == value)
            sprintf(words + strlen(words), " %s=%s", at, value);
        at = value + strlen(value) + 1;
    }
}

static void golden_line(char *row, long number) {
    static const char *const NAMES[] = {"nothing", "line", "crc", "long", "char", "form", "comment", "typed"};
    char *limit = strtok(row, "\t"), *expected = strtok(NULL, "\t"), *text = strtok(NULL, "\t");
    char *meaning = strtok(NULL, "\t"), bytes[400], words[400] = "";
    size_t length = unescaped(text, bytes);
    struct line_reader reader;
    enum heard heard = MORE;
    line_start(&reader, (uint8_t)atoi(limit));
    for (size_t i = 0; i < length; i++)
        heard = line_feed(&reader, (uint8_t)bytes[i]);
    check(!strcmp(NAMES[heard], expected), "golden line: its kind", number);
    if (heard == LINE)
        describe(&reader, words);
    else if (heard == TYPED || heard == COMMENT)
        strcpy(words, reader.text + (heard == COMMENT));
    check(!strcmp(words, meaning ? meaning : ""), "golden line: its meaning", number);
}

static void golden_lines(const char *path) {
    char row[1000];
    long number = 0, lines = 0;
    FILE *file = fopen(path, "r");
    check(file, "the golden file is there", 0);
    while (file && fgets(row, sizeof row, file)) {
        number++;
        row[strcspn(row, "\n")] = 0;
        if (*row == '#' || !*row)
            continue;
        golden_line(row, number);
        lines++;
    }
    check(lines > 50, "the golden file is whole", lines);
    if (file)
        fclose(file);
    check(line_crc("123456789", 9) == 0x29B1, "the checksum is PROTOCOL's", 0);
}

/* --- chance --- */

static void faces_are_even(void) {
    int counts[7] = {0};
    for (int byte = 0; byte < 256; byte++)
        counts[face_of((uint8_t)byte)]++;
    check(counts[0] == 4, "four bytes are rejected", counts[0]);
    for (int face = 1; face <= 6; face++)
        check(counts[face] == 42, "each face has 42 bytes", face);
}

static uint8_t random_byte(uint32_t *seed) {
    *seed ^= *seed << 13, *seed ^= *seed >> 17, *seed ^= *seed << 5;
    return (uint8_t)(*seed >> 16);
}

static void a_dead_source_is_refused(void) {
    for (int value = 0; value < 256; value++) {
        struct chance chance;
        chance_start(&chance);
        for (int i = 0; i < 40; i++)
            chance_add(&chance, JITTER, (uint8_t)value);
        check(chance_fit(&chance), "40 alike may be", value);
        chance_add(&chance, JITTER, (uint8_t)value);
        check(!chance_fit(&chance), "41 alike may not", value);
        check(!chance_ready(&chance) && !chance.eighths, "nothing is credited", value);
    }
}

/* Never 41 in a row, but one value far too often. */
static void a_biased_source_is_refused(void) {
    struct chance chance;
    uint32_t seed = 5;
    chance_start(&chance);
    for (int i = 0; i < 2 * WINDOW; i++)
        chance_add(&chance, JITTER, i % 10 == 9 ? random_byte(&seed) : 7);
    check(chance.health[JITTER].fails > 0, "nine of ten alike: the proportion test", 0);
    chance_start(&chance);
    for (int i = 0; i < 2 * WINDOW; i++)
        chance_add(&chance, JITTER, i % 2 ? random_byte(&seed) : 7);
    check(!chance.health[JITTER].fails, "half of them alike may be", 0);
}

static void a_dead_source_is_refused_at_any_time(void) {
    for (int good = 0; good < 1200; good += 7) {
        struct chance chance;
        uint32_t seed = 77;
        chance_start(&chance);
        for (int i = 0; i < good; i++)
            chance_add(&chance, JITTER, random_byte(&seed));
        check(chance_fit(&chance), "good noise passes", good);
        for (int i = 0; i < 41; i++)
            chance_add(&chance, JITTER, 9);
        check(!chance_fit(&chance), "then it dies", good);
        for (int i = 0; i < 2 * WINDOW; i++)
            chance_add(&chance, JITTER, random_byte(&seed));
        check(chance_fit(&chance), "and comes back", good);
    }
}

static void good_noise_passes(void) {
    struct chance chance;
    uint32_t seed = 2026;
    chance_start(&chance);
    for (int i = 0; i < 2000000; i++)
        chance_add(&chance, (uint8_t)(i & 1), random_byte(&seed));
    check(!chance.health[JITTER].fails && !chance.health[AIR].fails, "two million good samples: no alarm", 0);
    check(chance_ready(&chance), "and ready", 0);
}

static void a_roll_takes_its_bits(void) {
    struct chance chance;
    uint32_t seed = 3;
    int needed = 0;
    chance_start(&chance);
    for (; !chance_ready(&chance); needed++)
        chance_add(&chance, JITTER, random_byte(&seed));
    check(needed == 2 * WARM_BITS, "half a bit a sample", needed);
    chance_spend(&chance);
    check(chance_ready(&chance), "a second roll", 0);
    chance_spend(&chance);
    check(!chance_ready(&chance), "no third one without more noise", 0);
    for (int i = 0; i < 5000; i++)
        chance_add(&chance, JITTER, random_byte(&seed));
    check(chance.eighths <= POOL_BITS * 8, "the pool holds no more than it can", chance.eighths);
}

/* Chi-square of many faces; of the mixing, not of any source. */
static void faces_of_the_pool_are_even(void) {
    struct chance chance;
    long counts[7] = {0}, draws = 600000;
    double square = 0;
    chance_start(&chance);
    chance_stir(&chance, 1);
    for (long i = 0; i < draws; i++)
        counts[chance_face(&chance)]++;
    for (int face = 1; face <= 6; face++) {
        double off = (double)counts[face] - (double)draws / 6;
        square += off * off / ((double)draws / 6);
    }
    check(square < 20.5, "chi-square of five degrees below 20.5 (one in a thousand)", (long)(square * 100));
}

/* --- the ring --- */

static struct roll some_roll(uint32_t id) {
    return (struct roll){.id = id, .turn = (uint16_t)(id * 7), .ms = 412, .dice = (uint8_t)(id % 3 + 1),
                         .faces = {(uint8_t)(id % 6 + 1), 3, 6}};
}

static void put_many(struct ring *ring, uint32_t first, int count) {
    memset(memory, 0xFF, sizeof memory);
    cut = -1;
    ring_load(ring, &board);
    for (; count--; first = next_id(first)) {
        struct roll roll = some_roll(first);
        check(ring_put(ring, &roll) && ring_acknowledge(ring), "on record", first);
    }
}

/* The power fails at each byte, at each place of the ring: the roll is there whole, or not at all. */
static void power_cut_at_each_byte(void) {
    static struct ring ring, again;
    static struct roll newest;
    for (volatile int before = 0; before <= 70; before++)
        for (volatile long bytes = 0; bytes <= 18; bytes++) {
            put_many(&ring, 1, before);
            cut = bytes;
            if (!setjmp(power_cut)) {
                struct roll roll = some_roll((uint32_t)before + 1);
                ring_put(&ring, &roll);
                ring_acknowledge(&ring);
            }
            cut = -1;
            ring_load(&again, &board);
            bool there = bytes >= 17;
            check(again.last == (uint32_t)(before + there), "the last roll", before * 100 + bytes);
            check(again.open == (bytes == 17), "waits for its acknowledgement", before * 100 + bytes);
            if (again.slot < 0)
                continue;
            struct roll wanted = some_roll(again.last);
            bool read = ring_read(&again, (uint8_t)again.slot, &newest);
            check(read && newest.turn == wanted.turn && newest.dice == wanted.dice, "its content", before);
            check(newest.faces[0] == wanted.faces[0] && newest.ms == wanted.ms, "its faces", before);
        }
}

static void numbers_wrap(void) {
    struct ring ring;
    struct roll roll;
    put_many(&ring, UINT32_MAX - 40, 100);
    check(ring.last == 59, "40 to the top, the top itself, then from 1", ring.last);
    check(ahead(1, UINT32_MAX) == 1 && ahead(UINT32_MAX, 1) == -1 && ahead(9, 9) == 0, "ahead", 0);
    put_many(&ring, UINT32_MAX - 4, 10);
    check(ring_from(&ring, UINT32_MAX, &roll) && roll.id == UINT32_MAX, "the top", 0);
    check(ring_from(&ring, next_id(roll.id), &roll) && roll.id == 1, "the one after it", roll.id);
    check(!ring_from(&ring, 6, &roll), "none after the last", 0);
}

static void a_worn_acknowledge_byte_is_told(void) {
    static struct box box = {.board = &board, .linked = true};
    struct roll roll = some_roll(1);
    char line[LINE_MOST];
    put_many(&box.ring, 1, 0);
    worn_at = 32 + 14;
    check(ring_put(&box.ring, &roll), "on record", roll.id);
    sprintf(line, "ACK n=2 id=1*%04X\n", line_crc("ACK n=2 id=1", 12));
    line_start(&box.reader, LINE_MOST);
    for (const char *byte = line; *byte; byte++)
        line_feed(&box.reader, (uint8_t)*byte);
    box_step(&box);
    check(box.lamps.scene == FACES, "the roll is shown", box.lamps.scene);
    box_request(&box);
    worn_at = -1;
    check(!strncmp(box.reply, "NO n=2 e=ee*", 12), "refused", 0);
    check(box.worn && box.ring.open, "and nothing more is rolled", 0);
    box_step(&box);
    check(box.lamps.scene == FAULT, "the lamps blink red", box.lamps.scene);
}

/* --- lamps --- */

static void lamps_stay_within_the_current(void) {
    uint8_t frame[FRAME];
    struct lamps lamps = {.level = 255, .dice = 3, .color = {255, 255, 255}, .faces = {6, 6, 6}};
    for (lamps.scene = DARK; lamps.scene <= TRIAL; lamps.scene++)
        for (uint32_t ms = 0; ms < 5000; ms += 20) {
            lamps_frame(&lamps, ms, frame);
            check(lamps_milliamps(frame) <= MILLIAMPS_MOST, "current", lamps.scene);
        }
    for (uint8_t face = 1; face <= 6; face++)
        check(__builtin_popcount(pips_of(face)) == face, "as many lamps as pips", face);
}

int main(int count, char **words) {
    golden_lines(count > 1 ? words[1] : "../tests/dice/lines.txt");
    faces_are_even();
    a_dead_source_is_refused();
    a_biased_source_is_refused();
    a_dead_source_is_refused_at_any_time();
    good_noise_passes();
    a_roll_takes_its_bits();
    faces_of_the_pool_are_even();
    power_cut_at_each_byte();
    numbers_wrap();
    a_worn_acknowledge_byte_is_told();
    lamps_stay_within_the_current();
    printf("%d checks, %d failed\n", checks, failures);
    return failures > 0;
}
