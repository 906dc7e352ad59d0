// The dice box of Companion. Everything is in the C files beside; main() is in board_avr.c.
// Choose "Arduino Nano" or "Arduino Uno" as the board; nothing else is needed.
