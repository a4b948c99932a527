/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latency-command.h - the command that prints the spans of a latency screen: of the view whose durations they
 * are, by what the catalogue declares (.latencies of ringside/table.h), not by name
 */
#ifndef RS_TUI_LATENCY_COMMAND_H
#define RS_TUI_LATENCY_COMMAND_H

#include "tui/latency/latency.h"

/*
 * Writes it as Markdown, of a time range of the machine; to_ns 0: of all time. As each span where that is
 * asked for and a view lists them, else as a distribution. Writes nothing if no view has these spans alone.
 */
void rs_latency_put_command(const struct rs_tui_machine *machine, const struct rs_latency_of *of,
			    const struct rs_asked_time *time, bool each, struct rs_buf *out);

#endif
