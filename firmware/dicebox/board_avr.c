/* The board: an Arduino Nano or Uno (ATmega328P, 16 MHz). Button: D2 to ground. Lamps: data on D6. A0: left open. */
#ifdef __AVR__

#include "box.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#define BUTTON PD2
#define LAMP_PIN PD6
#define AIR_CHANNEL 0
#define BANDGAP 14
#define BANDGAP_MV 1100UL

enum {
    TICKS_TO_RESET = 31, /* watchdog ticks of 16 ms without a step: half a second */
    SUPPLY_EVERY = 1024, SUPPLY_SETTLE = 16, IN_MOST = 128
};

static uint8_t start_flags __attribute__((section(".noinit")));
static uint8_t loader_flags __attribute__((section(".noinit")));

/* The cause of the start, before the C library is up. A bootloader (optiboot) clears MCUSR and leaves it in r2. */
void keep_cause(void) __attribute__((naked, used, section(".init0")));
void keep_cause(void) {
    __asm__ volatile("sts %0, r2" : "=m"(loader_flags));
}

void calm_watchdog(void) __attribute__((naked, used, section(".init3")));
void calm_watchdog(void) {
    start_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

static uint8_t cause(void) {
    uint8_t flags = start_flags ? start_flags : loader_flags;
    return flags & _BV(PORF)    ? POWER_ON
           : flags & _BV(EXTRF) ? EXTERNAL
           : flags & _BV(BORF)  ? BROWN_OUT
           : flags & _BV(WDRF)  ? WATCHDOG
                                : POWER_ON;
}

/* --- time --- */

static volatile uint32_t milliseconds;

ISR(TIMER0_COMPA_vect) {
    milliseconds++;
}

static uint32_t now(void) {
    uint32_t copy;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        copy = milliseconds;
    }
    return copy;
}

static void start_time(void) {
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = F_CPU / 64 / 1000 - 1;
    TIMSK0 = _BV(OCIE0A);
    TCCR1A = 0;
    TCCR1B = _BV(CS10); /* runs free: the watchdog's jitter is read from it */
}

/* --- watchdog: a tick of 16 ms from an oscillator of its own --- */

static volatile uint8_t jitter, jitter_new, hungry;

/* The hardware takes WDIE away at each tick, and resets at the next one where it is not set again. */
ISR(WDT_vect) {
    jitter = TCNT1L;
    jitter_new = 1;
    if (++hungry < TICKS_TO_RESET)
        WDTCSR |= _BV(WDIE);
}

static void alive(void) {
    hungry = 0;
}

static void start_watchdog(void) {
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        wdt_reset();
        WDTCSR = _BV(WDCE) | _BV(WDE);
        WDTCSR = _BV(WDIE) | _BV(WDE);
    }
}

/* --- the line: 115200 8N1, a ring each way --- */

static volatile uint8_t in[IN_MOST], in_head, in_tail;
static volatile uint8_t out[256], out_head, out_tail;
static volatile uint16_t lost;

ISR(USART_RX_vect) {
    uint8_t status = UCSR0A, byte = UDR0, next = (in_head + 1) % IN_MOST;
    if (status & _BV(DOR0))
        lost++;
    if (next == in_tail) {
        lost++;
        return;
    }
    in[in_head] = byte;
    in_head = next;
}

ISR(USART_UDRE_vect) {
    UDR0 = out[out_tail++];
    if (out_tail == out_head)
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
}

static int16_t get(void) {
    if (in_tail == in_head)
        return -1;
    uint8_t byte = in[in_tail];
    in_tail = (in_tail + 1) % IN_MOST;
    return byte;
}

static uint8_t room(void) {
    return 255 - (uint8_t)(out_head - out_tail);
}

static void put(uint8_t byte) {
    out[out_head] = byte;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        out_head++;
        UCSR0B |= _BV(UDRIE0);
    }
}

static uint16_t overruns(void) {
    uint16_t copy;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        copy = lost;
    }
    return copy;
}

static void start_line(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = 16; /* 117647 baud, 2.1 % fast, as all these boards are */
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

/* --- memory and button --- */

static uint8_t load(uint16_t at) {
    return eeprom_read_byte((const uint8_t *)at);
}

static void save(uint16_t at, uint8_t byte) {
    eeprom_write_byte((uint8_t *)at, byte);
    eeprom_busy_wait();
}

static bool down(void) {
    return !(PIND & _BV(BUTTON));
}

/* --- noise and supply: one converter --- */

static uint16_t supply_mv, conversions;

static void start_converter(void) {
    ADMUX = _BV(REFS0) | AIR_CHANNEL;
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
}

/* Once in a while the reference is looked at instead of the open pin: the supply follows from it. */
static int16_t convert(void) {
    static uint8_t last;
    if ((uint8_t)now() == last || ADCSRA & _BV(ADSC))
        return -1;
    last = (uint8_t)now();
    uint16_t value = ADC;
    bool of_air = conversions >= SUPPLY_SETTLE;
    if (conversions == SUPPLY_SETTLE - 1 && value)
        supply_mv = (uint16_t)(BANDGAP_MV * 1024 / value);
    conversions = (conversions + 1) % SUPPLY_EVERY;
    ADMUX = _BV(REFS0) | (conversions < SUPPLY_SETTLE ? BANDGAP : AIR_CHANNEL);
    ADCSRA |= _BV(ADSC);
    return of_air ? (uint8_t)value : -1;
}

static int16_t noise(uint8_t source) {
    if (source == AIR)
        return convert();
    if (!jitter_new)
        return -1;
    jitter_new = 0;
    return jitter;
}

static uint16_t supply(void) {
    return supply_mv;
}

/* --- lamps --- */

/* A bit takes 20 cycles: high for 6 (a zero) or 13 (a one). */
static inline void send_byte(uint8_t byte, uint8_t high, uint8_t low) {
    uint8_t bits = 8;
    __asm__ volatile("1: out %[port], %[high]\n"
                     "   rjmp .+0\n"
                     "   rjmp .+0\n"
                     "   sbrs %[byte], 7\n"
                     "   out %[port], %[low]\n"
                     "   lsl %[byte]\n"
                     "   rjmp .+0\n"
                     "   rjmp .+0\n"
                     "   nop\n"
                     "   out %[port], %[low]\n"
                     "   rjmp .+0\n"
                     "   nop\n"
                     "   dec %[bits]\n"
                     "   brne 1b\n"
                     : [byte] "+r"(byte), [bits] "+r"(bits)
                     : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low));
}

/* Interrupts wait for one lamp (30 us), not for all: the UART holds two bytes, 170 us. */
static void show(const uint8_t *colors, uint8_t lamps) {
    while (lamps--) {
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
            uint8_t low = PORTD & (uint8_t)~_BV(LAMP_PIN), high = low | _BV(LAMP_PIN);
            for (uint8_t i = 0; i < 3; i++)
                send_byte(*colors++, high, low);
        }
    }
}

static const struct board board = {
    .ms = now, .get = get, .room = room, .put = put, .load = load, .save = save, .down = down, .noise = noise,
    .show = show, .alive = alive, .supply = supply, .overruns = overruns, .cause = cause,
};

int main(void) {
    static struct box box;
    PORTD = _BV(BUTTON); /* pulled up */
    DDRD = _BV(LAMP_PIN);
    DIDR0 = _BV(ADC0D);
    start_time();
    start_line();
    start_converter();
    start_watchdog();
    sei();
    box_start(&box, &board);
    for (;;)
        box_step(&box);
}

#endif
