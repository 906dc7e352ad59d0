/* The compiled firmware in an emulated ATmega328P (libsimavr), its line a pseudo-terminal, its EEPROM a file.

   simbox HEX LINK EEPROM [BOOTLOADER.hex]   LINK becomes a symbolic link to the pseudo-terminal.
   Commands on standard input, each answered by a line that ends in "done": press, release, throw MS (press, and
   release after so many emulated milliseconds), wait MS (answered after them), unplug, plug, reset, hang (the program
   stands still where it is), cut N (power fails at the Nth byte written to EEPROM), cutat N (in N cycles), speed X
   (times real time, at most), lamps, cycles, drops, quit. "cut" is said when the power failed.

   What it cannot show: entropy (it is made here), the EEPROM's 3.4 ms, the real oscillators, brown-outs. */
#define _GNU_SOURCE
#include "outside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "avr_adc.h"
#include "avr_eeprom.h"
#include "avr_ioport.h"
#include "avr_uart.h"
#include "sim_avr.h"
#include "sim_hex.h"
#include "sim_interrupts.h"
#include "sim_io.h"

enum {
    HERTZ = 16000000, SLICE = 4000, BYTE_CYCLES = 1500, FIFO_MOST = 3, LAMP_BYTES = 63,
    LATCH = 800, WDT_VECTOR = 6, EECR_AT = 0x3F, MCUSR_AT = 0x54, UCSR0A_AT = 0xC0, DOR = 1 << 3, EEPE = 1 << 1
};
enum { PORF = 1, EXTRF = 2 };

static avr_t *avr;
static avr_uart_t *uart;
static struct {
    bool powered, wrote, hangs, waits;
    long cut; /* bytes of EEPROM until the power fails, -1 for never */
    avr_cycle_count_t cut_at, release_at, wait_until, next_in, pace_from;
    struct timespec pace_start;
    double speed;
    uint8_t kept[MEMORY], in[4096];
    size_t in_head, in_tail;
    unsigned long drops;
    uint32_t hung_at;
    uint16_t hung_code;
} world = {.cut = -1, .speed = 1, .hung_at = UINT32_MAX};

/* --- lamps: pulses on D6, measured --- */

static struct {
    uint8_t now[LAMP_BYTES], last[LAMP_BYTES];
    unsigned bits;
    avr_cycle_count_t rose, fell;
    unsigned zero_least, zero_most, one_least, one_most, gap_most;
    unsigned long frames;
} lamps = {.zero_least = 999, .one_least = 999};

static void widen(unsigned width, unsigned *least, unsigned *most) {
    if (width < *least)
        *least = width;
    if (width > *most)
        *most = width;
}

static void lamp_edge(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    if (value) {
        unsigned gap = (unsigned)(avr->cycle - lamps.fell);
        if (lamps.bits && avr->cycle - lamps.fell > LATCH)
            lamps.bits = 0;
        if (lamps.bits && gap > lamps.gap_most)
            lamps.gap_most = gap;
        lamps.rose = avr->cycle;
        return;
    }
    unsigned width = (unsigned)(avr->cycle - lamps.rose);
    bool one = width > 9;
    lamps.fell = avr->cycle;
    if (!lamps.rose || lamps.bits >= 8 * LAMP_BYTES)
        return;
    lamps.rose = 0;
    if (one)
        widen(width, &lamps.one_least, &lamps.one_most);
    else
        widen(width, &lamps.zero_least, &lamps.zero_most);
    uint8_t *byte = &lamps.now[lamps.bits / 8];
    *byte = (uint8_t)(*byte << 1 | one);
    if (++lamps.bits == 8 * LAMP_BYTES) {
        memcpy(lamps.last, lamps.now, LAMP_BYTES);
        lamps.frames++;
    }
}

static void tell_lamps(void) {
    for (int i = 0; i < LAMP_BYTES; i++)
        printf("%02X", lamps.last[i]);
    printf(" frames=%lu zero=%u-%u one=%u-%u gap=%u ", lamps.frames, lamps.zero_least, lamps.zero_most, lamps.one_least,
           lamps.one_most, lamps.gap_most);
}

/* --- noise: made here, it proves nothing --- */

static void converter_starts(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)value, (void)param;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0), (uint32_t)(random() % 5000));
}

static void watchdog_ticks(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    if (value)
        avr->cycle += (avr_cycle_count_t)(random() & 255);
}

/* --- line --- */

static void said(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    port_say((uint8_t)value);
}

/* One byte each 94 us (87 on the wire, but simavr takes 11 bits a byte). The hardware holds two and one that is
   arriving, then loses. */
static void deliver(void) {
    if (world.in_head == world.in_tail || avr->cycle < world.next_in)
        return;
    world.next_in = avr->cycle + BYTE_CYCLES;
    uint8_t byte = world.in[world.in_tail++];
    if ((uint8_t)(uart->input.write - uart->input.read) % 64 >= FIFO_MOST) {
        world.drops++;
        avr->data[UCSR0A_AT] |= DOR;
        return;
    }
    avr->data[UCSR0A_AT] &= (uint8_t)~DOR;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
}

static void read_line(void) {
    if (world.in_head == world.in_tail)
        world.in_head = world.in_tail = 0;
    world.in_head += port_hear(world.in + world.in_head, sizeof world.in - world.in_head);
}

/* --- memory --- */

static uint8_t *eeprom(void) {
    avr_eeprom_desc_t all = {.ee = NULL, .offset = 0, .size = MEMORY};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
    return all.ee;
}

static void control_written(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    world.wrote |= (value & EEPE) != 0;
}

static void power_fails(void) {
    memcpy(eeprom(), world.kept, MEMORY);
    world.powered = false;
    world.cut = -1;
    world.cut_at = 0;
    tell("cut");
}

static void byte_written(void) {
    world.wrote = false;
    if (world.cut == 0) {
        power_fails();
        return;
    }
    if (world.cut > 0)
        world.cut--;
    memcpy(world.kept, eeprom(), MEMORY);
    outside_keep(world.kept);
}

/* --- power --- */

/* Also told as an outer pull: else every write to the port (the lamps') lets the inner pull-up win. */
static void button(bool down) {
    avr_ioport_external_t pull = {.name = 'D', .mask = 1 << 2, .value = down ? 0 : 1 << 2};
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &pull);
    for (int change = 0; change < 2; change++) /* a pin that seems unchanged is not heard after a reset */
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 2), change ? !down : down);
}

static void heal(void) {
    if (world.hung_at != UINT32_MAX)
        memcpy(avr->flash + world.hung_at, &world.hung_code, 2);
    world.hung_at = UINT32_MAX;
}

static void pace_anew(void) {
    world.pace_from = avr->cycle;
    clock_gettime(CLOCK_MONOTONIC, &world.pace_start);
}

static void power_on(uint8_t flags) {
    heal();
    avr_reset(avr);
    avr->data[MCUSR_AT] = flags;
    world.powered = true;
    world.cut = -1;
    world.cut_at = 0;
    world.in_head = world.in_tail = 0;
    world.wrote = false;
    world.release_at = 0;
    lamps.rose = lamps.bits = 0;
    button(false);
    pace_anew();
}

static void plug(void) {
    port_plug();
    power_on(PORF);
}

static void unplug(void) {
    world.powered = false;
    port_pull();
}

/* The program stands still where it next has interrupts open; they go on: only the watchdog helps. */
static void hang(void) {
    const uint16_t jump_here = 0xCFFF;
    world.hangs = false;
    world.hung_at = avr->pc;
    memcpy(&world.hung_code, avr->flash + avr->pc, 2);
    memcpy(avr->flash + avr->pc, &jump_here, 2);
}

static avr_cycle_count_t in_ms(const char *digits) {
    return avr->cycle + (avr_cycle_count_t)atol(digits) * (HERTZ / 1000);
}

static void done(void) {
    world.waits = false;
    tell("done");
}

static void obey(const char *command) {
    if (!strcmp(command, "press") || !strcmp(command, "release"))
        button(command[0] == 'p');
    else if (!strncmp(command, "throw ", 6))
        button(true), world.release_at = in_ms(command + 6);
    else if (!strncmp(command, "wait ", 5) && world.powered)
        world.waits = true, world.wait_until = in_ms(command + 5);
    else if (!strcmp(command, "unplug"))
        unplug();
    else if (!strcmp(command, "plug"))
        plug();
    else if (!strcmp(command, "reset"))
        power_on(EXTRF);
    else if (!strncmp(command, "cut ", 4))
        world.cut = atol(command + 4);
    else if (!strncmp(command, "cutat ", 6))
        world.cut_at = avr->cycle + (avr_cycle_count_t)atol(command + 6);
    else if (!strcmp(command, "hang"))
        world.hangs = true;
    else if (!strncmp(command, "speed ", 6))
        world.speed = atof(command + 6), pace_anew();
    else if (!strcmp(command, "lamps"))
        tell_lamps();
    else if (!strcmp(command, "cycles"))
        printf("%llu ", (unsigned long long)avr->cycle);
    else if (!strcmp(command, "drops"))
        printf("%lu ", world.drops);
    else if (!strcmp(command, "quit"))
        unplug(), exit(0);
    if (!world.waits)
        done();
}

/* --- time --- */

static void pace(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double real = (double)(now.tv_sec - world.pace_start.tv_sec);
    real += (double)(now.tv_nsec - world.pace_start.tv_nsec) / 1e9;
    double ahead = (double)(avr->cycle - world.pace_from) / HERTZ / world.speed - real;
    if (ahead > 0.0003)
        usleep((useconds_t)(ahead * 1e6));
    else if (ahead < -0.25)
        pace_anew(); /* this computer is too slow: time is not caught up */
}

static void run_slice(void) {
    avr_cycle_count_t end = avr->cycle + SLICE;
    while (world.powered && avr->cycle < end) {
        deliver();
        avr_run(avr);
        if (world.hangs && avr->sreg[S_I])
            hang();
        if (world.wrote)
            byte_written();
        if (avr->pc == avr->reset_pc)
            heal(), button(false); /* the watchdog started it */
        if (world.cut_at && avr->cycle >= world.cut_at)
            power_fails();
        if (world.release_at && avr->cycle >= world.release_at)
            button(false), world.release_at = 0;
    }
    if (world.waits && (!world.powered || avr->cycle >= world.wait_until))
        done();
}

static void no_sleep(avr_t *of, avr_cycle_count_t how_long) { (void)of, (void)how_long; }

static void load_hex(const char *path, bool boots) {
    ihex_chunk_p chunks;
    int count = read_ihex_chunks(path, &chunks);
    if (count <= 0)
        exit(2);
    for (int i = 0; i < count; i++) {
        if (chunks[i].baseaddr + chunks[i].size > avr->flashend + 1)
            continue;
        memcpy(avr->flash + chunks[i].baseaddr, chunks[i].data, chunks[i].size);
        if (boots && chunks[i].baseaddr && (i == 0 || chunks[i].baseaddr < avr->reset_pc))
            avr->reset_pc = chunks[i].baseaddr;
    }
    free_ihex_chunks(chunks);
}

static void find_uart(void) {
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
}

static void wire(void) {
    uint32_t none = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &none);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), said, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 6), lamp_edge, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), converter_starts, NULL);
    avr_irq_register_notify(avr_get_interrupt_irq(avr, WDT_VECTOR) + AVR_INT_IRQ_RUNNING, watchdog_ticks, NULL);
    avr_irq_register_notify(avr_iomem_getirq(avr, EECR_AT, NULL, AVR_IOMEM_IRQ_ALL), control_written, NULL);
}

int main(int count, char **words) {
    if (count < 4) {
        fputs("usage: simbox HEX LINK EEPROM [BOOTLOADER.hex]\n", stderr);
        return 2;
    }
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->frequency = HERTZ;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->sleep = no_sleep;
    avr->log = LOG_NONE;
    avr->codeend = avr->flashend;
    load_hex(words[1], false);
    if (count > 4)
        load_hex(words[4], true);
    outside_start(words[2], words[3], world.kept);
    memcpy(eeprom(), world.kept, MEMORY);
    srandom((unsigned)time(NULL) ^ (unsigned)getpid());
    find_uart();
    wire();
    plug();
    for (;;) {
        obey_all(obey, &world.waits);
        if (port_opens() && world.powered)
            power_on(EXTRF); /* as a board is reset when its port is opened */
        read_line();
        if (world.powered)
            run_slice(), pace();
        else
            usleep(1000);
    }
}
