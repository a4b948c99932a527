/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mouse.h - mouse reports of a terminal, character by character
 *
 * SGR (mode 1006): ESC [ < button ; column ; row M, with m at its end for a release. X10, of terminals that
 * do not know it: ESC [ M and three characters. The caller has seen the introducer. Anything may come from a
 * terminal: a report that is malformed, too long or cut by another key is dropped.
 */
#ifndef RS_TUI_MOUSE_H
#define RS_TUI_MOUSE_H

#include <stdbool.h>
#include <stdint.h>

struct rs_mouse_report {
	unsigned int button;     /* 0 to 2, 3: none; 64 and 65: wheel up and down */
	bool released, motion, ctrl;
	int y, x;                /* from 0 */
};

struct rs_mouse_parser {
	enum { RS_MOUSE_IDLE, RS_MOUSE_SGR, RS_MOUSE_X10 } in;
	unsigned int values[3], nr, nr_digits;
};

enum rs_mouse_step {
	RS_MOUSE_MORE,           /* the character belongs to a report that goes on */
	RS_MOUSE_DONE,           /* ... that ends with it */
	RS_MOUSE_DROPPED,        /* no report; the character is a key of its own */
};

void rs_mouse_begin(struct rs_mouse_parser *p, bool sgr);
/* Takes the next character; only while p->in is not RS_MOUSE_IDLE. Fills report if it is done. */
enum rs_mouse_step rs_mouse_feed(struct rs_mouse_parser *p, uint32_t ch, struct rs_mouse_report *report);

#endif
