/* The line as a pseudo-terminal, the memory as a file, commands on standard input. */
#define _GNU_SOURCE
#include "outside.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct {
    const char *link;
    int line, record;
    bool opened;
} outside = {.line = -1};

/* --- memory --- */

void outside_start(const char *link, const char *file, uint8_t *memory) {
    outside.link = link;
    outside.record = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    memset(memory, 0xFF, MEMORY);
    if (outside.record < 0 || pread(outside.record, memory, MEMORY, 0) < 0)
        exit(3);
    outside_keep(memory);
    fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
}

/* In one piece, so that whoever reads the file meanwhile finds it whole. */
void outside_keep(const uint8_t *memory) {
    if (pwrite(outside.record, memory, MEMORY, 0) != MEMORY)
        exit(3);
}

/* --- line --- */

void port_plug(void) {
    struct termios raw;
    outside.line = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (outside.line < 0 || grantpt(outside.line) || unlockpt(outside.line))
        exit(3);
    int slave = open(ptsname(outside.line), O_RDWR | O_NOCTTY);
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    close(slave);
    unlink(outside.link);
    if (symlink(ptsname(outside.line), outside.link))
        exit(3);
    outside.opened = false;
}

void port_pull(void) {
    if (outside.line >= 0)
        close(outside.line);
    outside.line = -1;
    unlink(outside.link);
}

/* A pseudo-terminal has no DTR: a hang-up that ends is a port that was opened. */
bool port_opens(void) {
    struct pollfd look = {.fd = outside.line};
    if (outside.line < 0)
        return false;
    poll(&look, 1, 0);
    bool before = outside.opened;
    outside.opened = !(look.revents & POLLHUP);
    return outside.opened && !before;
}

bool port_is_open(void) { return outside.opened; }
int port_number(void) { return outside.line; }

void port_say(uint8_t byte) {
    if (outside.line >= 0 && outside.opened && write(outside.line, &byte, 1) < 0)
        return; /* nobody reads: lost, as on a cable */
}

size_t port_hear(uint8_t *bytes, size_t most) {
    ssize_t got = outside.line >= 0 ? read(outside.line, bytes, most) : 0;
    return got > 0 ? (size_t)got : 0;
}

/* --- commands --- */

void obey_all(void (*obey)(const char *command), const bool *busy) {
    static char text[64];
    static size_t length;
    char c;
    ssize_t got = -1;
    while (!*busy && (got = read(0, &c, 1)) == 1) {
        if (c != '\n' && length < sizeof text - 1) {
            text[length++] = c;
            continue;
        }
        text[length] = 0;
        length = 0;
        obey(text);
    }
    if (got == 0)
        obey("quit");
}

void tell(const char *word) {
    puts(word);
    fflush(stdout);
}
