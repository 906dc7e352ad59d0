/* Lines of DICE/1: framing, checksum, grammar. PROTOCOL, "Lines". */
#include "line.h"

#include <string.h>

uint16_t line_crc(const char *bytes, uint8_t length) {
    uint16_t crc = 0xFFFF;
    while (length--) {
        crc ^= (uint16_t)((uint16_t)(uint8_t)*bytes++ << 8); /* the chip's int has 16 bits */
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? (uint16_t)(crc << 1) ^ 0x1021 : crc << 1);
    }
    return crc;
}

void line_start(struct line_reader *reader, uint8_t limit) {
    reader->length = reader->size = reader->spoiled = 0;
    reader->limit = limit;
}

static char hex_digit(uint8_t value) {
    return (char)(value < 10 ? '0' + value : 'A' + value - 10);
}

static bool checked(const char *check, uint8_t length, uint16_t crc) {
    if (length != 4)
        return false;
    for (uint8_t i = 0; i < 4; i++)
        if (check[i] != hex_digit((uint8_t)(crc >> (12 - 4 * i)) & 15))
            return false;
    return true;
}

static bool upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool lower(char c) { return c >= 'a' && c <= 'z'; }
static bool digit(char c) { return c >= '0' && c <= '9'; }
static bool of_value(char c) {
    return upper(c) || lower(c) || digit(c) || c == ',' || c == '-' || c == '.' || c == ':' || c == '_';
}

/* Walks over 'least' to 'most' characters of a kind; NULL where there are fewer or more. */
static char *span(char *at, bool (*kind)(char), uint8_t least, uint8_t most) {
    uint8_t count = 0;
    for (; kind(*at); at++)
        count++;
    return count >= least && count <= most ? at : NULL;
}

/* Cuts the body into words ended by NUL. The body itself ends in NUL. */
static bool cut(char *at) {
    at = span(at, upper, 2, 8);
    while (at && *at == ' ') {
        *at++ = 0;
        at = span(at, lower, 1, 4);
        if (!at || *at != '=')
            return false;
        *at++ = 0;
        at = span(at, of_value, 1, LINE_MOST);
    }
    return at && !*at;
}

static enum heard understood(struct line_reader *reader, uint8_t length) {
    char *text = reader->text;
    text[length] = 0;
    if (text[0] == '#')
        return COMMENT;
    char *star = memchr(text, '*', length);
    if (!star)
        return TYPED;
    uint8_t size = (uint8_t)(star - text);
    if (!checked(star + 1, (uint8_t)(length - size - 1), line_crc(text, size)))
        return BAD_CRC;
    *star = 0;
    reader->size = size;
    return cut(text) ? LINE : BAD_FORM;
}

static void take(struct line_reader *reader, uint8_t byte) {
    if (reader->spoiled)
        return;
    bool ended = reader->length && reader->text[reader->length - 1] == '\r';
    if (ended || !((byte >= 0x20 && byte <= 0x7E) || byte == '\r'))
        reader->spoiled = BAD_CHAR; /* a CR counts as the line's end only where LF follows */
    else if (reader->length >= reader->limit - (byte != '\r'))
        reader->spoiled = BAD_LONG;
    else
        reader->text[reader->length++] = (char)byte;
}

enum heard line_feed(struct line_reader *reader, uint8_t byte) {
    if (byte != '\n') {
        take(reader, byte);
        return MORE;
    }
    uint8_t length = reader->length, spoiled = reader->spoiled;
    reader->length = reader->spoiled = 0;
    if (spoiled)
        return (enum heard)spoiled;
    if (length && reader->text[length - 1] == '\r')
        length--;
    return length ? understood(reader, length) : MORE;
}

bool line_is(const char *text, const FLASH char *word) {
    while (*word && *text == *word)
        text++, word++;
    return *text == *word;
}

const char *line_text(const struct line_reader *line, const FLASH char *key) {
    const char *at = line->text + strlen(line->text) + 1, *end = line->text + line->size;
    while (at < end) {
        const char *value = at + strlen(at) + 1;
        if (line_is(at, key))
            return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}

bool number_of(const char *digits, uint32_t *number) {
    uint32_t value = 0;
    uint8_t count = 0;
    for (; digit(*digits); digits++, count++) {
        uint8_t add = (uint8_t)(*digits - '0');
        if (count == 10 || value > (UINT32_MAX - add) / 10)
            return false;
        value = value * 10 + add;
    }
    *number = value;
    return count && !*digits;
}

bool line_number(const struct line_reader *line, const FLASH char *key, uint32_t *number) {
    const char *text = line_text(line, key);
    return text && number_of(text, number);
}

static void add(struct line_writer *line, char c) {
    if (line->length < line->most)
        line->text[line->length++] = c;
}

void write_chars(struct line_writer *line, const FLASH char *chars) {
    while (*chars)
        add(line, *chars++);
}

void write_digits(struct line_writer *line, uint32_t number) {
    char digits[10];
    uint8_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count)
        add(line, digits[--count]);
}

void write_hex(struct line_writer *line, uint32_t number, uint8_t digits) {
    while (digits--)
        add(line, hex_digit((uint8_t)(number >> 4 * digits) & 15));
}

void write_verb(struct line_writer *line, char *text, uint8_t most, const FLASH char *verb) {
    line->text = text;
    line->length = 0;
    line->most = most;
    write_chars(line, verb);
}

static void write_key(struct line_writer *line, const FLASH char *key) {
    add(line, ' ');
    write_chars(line, key);
    add(line, '=');
}

void write_word(struct line_writer *line, const FLASH char *key, const FLASH char *word) {
    write_key(line, key);
    write_chars(line, word);
}

void write_number(struct line_writer *line, const FLASH char *key, uint32_t number) {
    write_key(line, key);
    write_digits(line, number);
}

void write_seal(struct line_writer *line) {
    uint16_t crc = line_crc(line->text, line->length);
    add(line, '*');
    write_hex(line, crc, 4);
    write_end(line);
}

void write_end(struct line_writer *line) {
    add(line, '\n');
}
