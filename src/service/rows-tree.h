/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows-tree.h - rows of stacks as one tree of frames, in an answer: a screen of 4,000 stacks would need
 * megabytes of rows
 */
#ifndef RS_SERVICE_ROWS_TREE_H
#define RS_SERVICE_ROWS_TREE_H

#include "base/json.h"
#include "model/frame-tree.h"

/* Puts `frames` and `texts` into an open object. */
void rs_rows_tree_put(struct rs_frame_tree *tree, struct rs_json *j);

#endif
