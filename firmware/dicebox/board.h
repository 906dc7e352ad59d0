/* The whole outside world of the dice box, as one struct of functions. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __FLASH
#define FLASH __flash /* texts and tables stay out of the 2 kB of RAM */
#else
#define FLASH
#endif
#define TEXT(words) (__extension__({ static const FLASH char text_[] = words; text_; }))

enum source { JITTER, AIR, SOURCES }; /* watchdog against crystal; the noise of an open analogue pin */
enum cause { POWER_ON, EXTERNAL, BROWN_OUT, WATCHDOG };

struct board {
    uint32_t (*ms)(void);                                 /* milliseconds since the start; wraps */
    int16_t (*get)(void);                                 /* the next byte of the host, -1 for none */
    uint8_t (*room)(void);                                /* how many bytes `put` takes now */
    void (*put)(uint8_t byte);                            /* a byte to the host */
    uint8_t (*load)(uint16_t at);                         /* a byte of the EEPROM */
    void (*save)(uint16_t at, uint8_t byte);              /* returns once it is written (3.4 ms) */
    bool (*down)(void);                                   /* the button as it is now, bouncing */
    int16_t (*noise)(uint8_t source);                     /* a raw sample, -1 while there is none */
    void (*show)(const uint8_t *colors, uint8_t lamps);   /* three bytes a lamp: green, red, blue */
    void (*alive)(void);                                  /* half a second without it: the board starts anew */
    uint16_t (*supply)(void);                             /* millivolts, 0 while unknown */
    uint16_t (*overruns)(void);                           /* bytes of the host that were lost */
    uint8_t (*cause)(void);                               /* of the start */
};

#endif
