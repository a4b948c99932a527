/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app-pin.h - the time that the engine keeps for the screens, from a pause until they are live again
 *
 * The window moves on while the screens are paused. What they show, and the waits that it tells of, stays in
 * the engine: its pages and spans are pinned.
 */
#ifndef RS_TUI_APP_APP_PIN_H
#define RS_TUI_APP_APP_PIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct rs_app;
struct rs_state_reply;

struct rs_app_pin {
	bool wanted;               /* asked for, and not given up */
	bool known;                /* the engine has answered: the three below are what it keeps */
	bool refused, expired;     /* it keeps nothing; or no longer: others pinned more, or it began anew */
	uint64_t from_ns, to_ns, bytes;
};

void rs_app_pin_begin(struct rs_app *app); /* from the begin of the shown time up to now */
void rs_app_pin_end(struct rs_app *app);
/* The engine may have shortened it since. */
void rs_app_pin_note_state(struct rs_app *app, const struct rs_state_reply *state);
bool rs_app_pin_has(const struct rs_app *app, uint64_t from_ns, uint64_t to_ns);
/* Returns the oldest time that there is data of; where the shown time is pinned, of the pin. */
uint64_t rs_app_pin_oldest_ns(const struct rs_app *app);
/* Writes for the header what becomes of the shown time: ", pinned", ", expired"; nothing of a file. */
void rs_app_pin_put(const struct rs_app *app, struct rs_buf *out);

#endif
