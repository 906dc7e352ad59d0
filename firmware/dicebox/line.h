/* Lines of DICE/1: bytes in, checked words out; words in, a sealed line out. */
#ifndef LINE_H
#define LINE_H

#include "board.h"

#ifndef LINE_MOST
#define LINE_MOST 120 /* bytes of a line to the box, with its LF */
#endif
#define LINE_OUT 160

enum heard { MORE, LINE, BAD_CRC, BAD_LONG, BAD_CHAR, BAD_FORM, COMMENT, TYPED };

struct line_reader {
    char text[LINE_MOST + 1]; /* after LINE: verb, key, value, key, value ... each ended by NUL */
    uint8_t length, size, limit, spoiled;
};

struct line_writer {
    char *text;
    uint8_t length, most;
};

uint16_t line_crc(const char *bytes, uint8_t length);
void line_start(struct line_reader *reader, uint8_t limit);
enum heard line_feed(struct line_reader *reader, uint8_t byte);
bool line_is(const char *text, const FLASH char *word);
const char *line_text(const struct line_reader *line, const FLASH char *key); /* NULL where it is missing */
bool line_number(const struct line_reader *line, const FLASH char *key, uint32_t *number);
bool number_of(const char *digits, uint32_t *number);

void write_verb(struct line_writer *line, char *text, uint8_t most, const FLASH char *verb);
void write_word(struct line_writer *line, const FLASH char *key, const FLASH char *word);
void write_number(struct line_writer *line, const FLASH char *key, uint32_t number);
void write_chars(struct line_writer *line, const FLASH char *chars);
void write_digits(struct line_writer *line, uint32_t number);
void write_hex(struct line_writer *line, uint32_t number, uint8_t digits);
void write_seal(struct line_writer *line); /* checksum, LF */
void write_end(struct line_writer *line);  /* LF alone, of a comment */

#endif
