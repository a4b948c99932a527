// SPDX-License-Identifier: GPL-2.0-or-later
/* mouse.c - mouse reports of a terminal, character by character */
#include "tui/toolkit/mouse.h"

#define MOUSE_DIGITS 5 /* 99999: more than any terminal has columns */
#define MOUSE_X10_BASE 32

enum { MOUSE_CTRL = 16, MOUSE_MOTION = 32, MOUSE_WHEEL = 64, MOUSE_BUTTON = 3 };

void rs_mouse_begin(struct rs_mouse_parser *p, bool sgr)
{
	*p = (struct rs_mouse_parser){ .in = sgr ? RS_MOUSE_SGR : RS_MOUSE_X10 };
}

static enum rs_mouse_step mouse_end(struct rs_mouse_parser *p, bool released, struct rs_mouse_report *r)
{
	unsigned int bits = p->values[0];

	p->in = RS_MOUSE_IDLE;
	*r = (struct rs_mouse_report){
		.button = bits & (MOUSE_WHEEL | MOUSE_BUTTON),
		.released = released,
		.motion = bits & MOUSE_MOTION,
		.ctrl = bits & MOUSE_CTRL,
		.x = (int)p->values[1] - 1,
		.y = (int)p->values[2] - 1,
	};
	return RS_MOUSE_DONE;
}

static enum rs_mouse_step mouse_drop(struct rs_mouse_parser *p)
{
	p->in = RS_MOUSE_IDLE;
	return RS_MOUSE_DROPPED;
}

/* A number of each kind, with a digit at least, or it is no report. */
static enum rs_mouse_step mouse_feed_sgr(struct rs_mouse_parser *p, uint32_t ch, struct rs_mouse_report *r)
{
	if (ch >= '0' && ch <= '9' && p->nr_digits < MOUSE_DIGITS) {
		p->values[p->nr] = 10 * p->values[p->nr] + (ch - '0');
		p->nr_digits++;
		return RS_MOUSE_MORE;
	}
	if (!p->nr_digits)
		return mouse_drop(p);
	if (ch == ';' && p->nr < 2) {
		p->nr++;
		p->nr_digits = 0;
		return RS_MOUSE_MORE;
	}
	if ((ch == 'M' || ch == 'm') && p->nr == 2 && p->values[1] && p->values[2])
		return mouse_end(p, ch == 'm', r);
	return mouse_drop(p);
}

/* It does not say which button was released: that is button 3. */
static enum rs_mouse_step mouse_feed_x10(struct rs_mouse_parser *p, uint32_t ch, struct rs_mouse_report *r)
{
	if (ch < MOUSE_X10_BASE || (p->nr && ch == MOUSE_X10_BASE) || ch >= 0x110000)
		return mouse_drop(p);
	p->values[p->nr++] = ch - MOUSE_X10_BASE;
	if (p->nr < 3)
		return RS_MOUSE_MORE;
	return mouse_end(p, (p->values[0] & (MOUSE_WHEEL | MOUSE_BUTTON)) == MOUSE_BUTTON, r);
}

enum rs_mouse_step rs_mouse_feed(struct rs_mouse_parser *p, uint32_t ch, struct rs_mouse_report *report)
{
	return p->in == RS_MOUSE_SGR ? mouse_feed_sgr(p, ch, report) : mouse_feed_x10(p, ch, report);
}
