/* SPDX-License-Identifier: GPL-2.0-or-later */
/* incident-rows.h - what rows that show incidents ask for and select, and what Enter opens on one */
#ifndef RS_TUI_OVERVIEW_INCIDENT_ROWS_H
#define RS_TUI_OVERVIEW_INCIDENT_ROWS_H

#include "tui/app/question.h"
#include "tui/app/screen.h"

/* Asks for the incidents of the shown time that the filter leaves. Returns false if none holds for them. */
bool rs_incident_rows_ask(struct rs_app *app, struct rs_question *question);
/*
 * Selects its slowest wait, which the timeline and the tree open on, else its victim. Returns false if
 * neither is known, or i is NULL.
 */
bool rs_incident_rows_select(const struct rs_wire_incident *i, struct rs_screen_selection *out);
/* Draws "3.10s ago  4 times 300ms, every 5.00s: cart (811) waits 30 % for a user-space lock". */
void rs_incident_rows_draw(const struct rs_wire_incident *i, uint64_t now_ns, struct rs_canvas *c,
			   struct rs_area line);
/* Returns the screen of that wait, else of the evidence of its finding. */
struct rs_screen *rs_incident_rows_open(struct rs_app *app, const struct rs_wire_incident *i);

#endif
