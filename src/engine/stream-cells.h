/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream-cells.h - the last columns of a stream, RS_STREAM_CGROUP_COLUMNS: the engine knows the row's task */
#ifndef RS_ENGINE_STREAM_CELLS_H
#define RS_ENGINE_STREAM_CELLS_H

struct rs_ctx;
struct rs_sink;
struct rs_value;
struct rs_view;

/* Hands the row of a stream to the sink, with what the engine fills in behind the analysis' own values. */
void rs_stream_cells_put(struct rs_ctx *c, const struct rs_view *view, const struct rs_value *values,
			 struct rs_sink *sink);

#endif
