/* What the box's programs on this computer share: the line as a pseudo-terminal, the memory as a file, commands. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMORY = 1024 };

/* link: the name under which the pseudo-terminal is found. file: holds the memory, which is filled from it. */
void outside_start(const char *link, const char *file, uint8_t *memory);
void outside_keep(const uint8_t *memory);

void port_plug(void);
void port_pull(void);
bool port_opens(void); /* whether the port was opened just now */
bool port_is_open(void);
int port_number(void); /* for poll; -1 while it is unplugged */
void port_say(uint8_t byte);
size_t port_hear(uint8_t *bytes, size_t most);

/* Obeys the commands that have come on standard input, until one makes `busy` true; their end is "quit". */
void obey_all(void (*obey)(const char *command), const bool *busy);
void tell(const char *word);

#endif
