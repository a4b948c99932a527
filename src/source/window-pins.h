/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window-pins.h - pages of a window that stay while a client looks at their time
 *
 *	pinned = rs_window_pins_set(w, &(struct rs_window_pin){ client, uid, from_ns, to_ns }, &pin, &err);
 *	... pages are added; rs_window_open(w, source, pin.from_ns, pin.to_ns, ...) reads what is pinned ...
 *	rs_window_pins_clear(w, client);
 *
 * Pinned pages stay where they are in the window's memory, and the others share the rest of it: at most half
 * of the window is pinned. A client has one pin. If more is asked for than there is room, the users that have
 * pins get an equal part each, and so do the clients of a user: a new pin may shorten the others', from their
 * begin on. The latest part of a time is what is pinned if there is no room for all of it.
 *
 * Any thread. Adding a page costs a comparison for each pin more.
 */
#ifndef RS_SOURCE_WINDOW_PINS_H
#define RS_SOURCE_WINDOW_PINS_H

#include "source/window.h"

struct rs_window_pin {
	uint32_t client, uid;
	uint64_t from_ns, to_ns;    /* ends included */
	size_t bytes;               /* set on return: how much of the window it takes */
};

/*
 * rs_window_pins_set - pins, instead of the client's former pin, the pages with events of that time. *pin is
 * then what is pinned: it begins later than asked for if that is overwritten or too much. Returns -1 with err
 * if nothing of it can be pinned; the former pin is gone then, too.
 */
int rs_window_pins_set(struct rs_window *w, struct rs_window_pin *pin, struct rs_error *err);
/* Does nothing if it has none. */
void rs_window_pins_clear(struct rs_window *w, uint32_t client);
/* The client's pin as it is now; false: it has none (any more). */
bool rs_window_pins_find(const struct rs_window *w, uint32_t client, struct rs_window_pin *pin);
/* From the first to the last time that is pinned, by any client; false: nothing is. */
bool rs_window_pins_bounds(const struct rs_window *w, uint64_t *from_ns, uint64_t *to_ns);
/* Is any of that time pinned, ends included, by any client? */
bool rs_window_pins_touch(const struct rs_window *w, uint64_t from_ns, uint64_t to_ns);
/* Returns the time of the oldest event that a page may be read for: all before it may be forgotten. */
uint64_t rs_window_pins_oldest_ns(const struct rs_window *w);
/* How many bytes pages with events of that time take in the window, about; pages at its ends count whole. */
uint64_t rs_window_pins_estimate(const struct rs_window *w, uint64_t from_ns, uint64_t to_ns);

#endif
