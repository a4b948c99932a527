/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call-letters.h - how to show the arguments of the best known system calls: one letter an argument
 *
 * f descriptor   D directory descriptor   p address   z size or count   d signed   i int   u unsigned int   x hex
 * o octal mode   O open flags   P protection   M mapping flags   F futex operation   C clone flags
 * W whence       S signal       A address family   E epoll operation   c clock id
 * . taken by the call, but not shown: it says little, or depends on the others
 */
#ifndef RS_ENGINE_CALL_LETTERS_H
#define RS_ENGINE_CALL_LETTERS_H

/* Returns NULL for a call without a row, and for NULL. */
const char *rs_call_letters(const char *name);

#endif
