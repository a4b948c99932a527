/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * greeting.h - what two sides say before bytes of a link, or a command's output, pass between them: lines
 *
 *	here: rs_greeting_expect(in, &err);             // "ringside-link 2 0.1.0": the other's version
 *	      rs_greeting_ask_clock(in, out, &clock, &err);
 *	      rs_greeting_begin(out, words);            // "begin WORDS"
 *	there: rs_greeting_serve(in, out, words, sizeof words);
 *
 * The other side is not trusted: its lines have limits, and who does not answer is given up.
 */
#ifndef RS_LINK_GREETING_H
#define RS_LINK_GREETING_H

#include <stddef.h>

#include "base/error.h"
#include "base/host-clock.h"

#define RS_GREETING_LINE_BYTES 512

/*
 * The server's side: the line by which it begins, so that what a login shell prints before is no part of it;
 * then answers until the client begins. words: what came with that. -1: the client has gone, or says what
 * this version does not know.
 */
int rs_greeting_serve(int in_fd, int out_fd, char *words, size_t size_bytes);

/* Reads up to the other side's line. -1 with err set: it has ended, or is of another version. */
int rs_greeting_expect(int in_fd, struct rs_error *err);
/* Asks for its clocks several times, and takes the shortest round trip. -1 with err set */
int rs_greeting_ask_clock(int in_fd, int out_fd, struct rs_host_clock *clock, struct rs_error *err);
/* words: one line, may be "". What is lost with the connection, its end says. */
void rs_greeting_begin(int out_fd, const char *words);

#endif
