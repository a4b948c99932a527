/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * path-slices.h - critical paths as slices and flows: what the slowest calls and waits waited for
 *
 * Each link is a slice on the track of its task: the wait for the next link, or what the last one waited for.
 * A flow goes from the last link, whose work let the others go on, to the first. Each of its ends is in the
 * last nanosecond of a slice.
 */
#ifndef RS_EXPORT_PATH_SLICES_H
#define RS_EXPORT_PATH_SLICES_H

#include "ringside/plugin.h"

struct rs_path_slice {
	const struct rs_chain_link *link;
	uint64_t from_ns, to_ns;        /* to_ns - 1: the place of an end of a flow */
	unsigned int path, number;      /* of the path; of the link in it, from 1 */
	char name[64];
	char text[512];                 /* a sentence */
};

struct rs_path_slices_drawer {
	void (*slice)(void *arg, struct rs_ctx *c, const struct rs_path_slice *slice);
	/*
	 * After the slices of a path, from the last link to the first. Of a flow that begins and ends here
	 * there is nothing to draw
	 */
	void (*flow)(void *arg, struct rs_ctx *c, const struct rs_path_slice *slice, bool begins, bool ends);
	void *arg;
};

void rs_path_slices_draw(struct rs_ctx *c, const struct rs_chain_list *chains,
			 const struct rs_path_slices_drawer *drawer);

#endif
