/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flame-svg.h - a tree of frames as a flame graph in SVG: of one profile, or of two as their difference */
#ifndef RS_VIEW_FLAME_SVG_H
#define RS_VIEW_FLAME_SVG_H

#include "base/buf.h"
#include "model/frame-tree.h"

struct rs_flame_svg {
	const struct rs_frame_tree *tree; /* finished */
	const char *title;
	bool is_time;             /* weights are ns, else a number */
	unsigned int most_frames; /* the widest; 0: all that can be seen */
	/*
	 * The tree has two sides, which are compared by their shares: a frame is as wide as the mean of both,
	 * red where its share is larger on the shown side, blue where it is less
	 */
	bool is_difference;
};

void rs_flame_svg_put(struct rs_buf *out, const struct rs_flame_svg *svg);

#endif
