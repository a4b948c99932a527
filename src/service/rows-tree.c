// SPDX-License-Identifier: GPL-2.0-or-later
/* rows-tree - rows of stacks as one tree of frames, in an answer */
#include "service/rows-tree.h"

#include "rpc/protocol.h"

/* The root is not sent; the tree's numbers are those of the answer. */
void rs_rows_tree_put(struct rs_frame_tree *tree, struct rs_json *j)
{
	rs_message_open_list(j, "frames");
	for (uint32_t i = RS_FRAME_ROOT + 1; i < rs_frame_tree_nr(tree); i++) {
		const struct rs_frame_node *n = rs_frame_tree_node(tree, i);

		rs_message_put(j, &rs_wire_frame_message, &(struct rs_wire_frame){
			.caller = n->caller, .function = rs_frame_tree_text_number(n->function),
			.module = rs_frame_tree_text_number(n->module),
			.cause = rs_frame_tree_text_number(n->cause), .self = n->self[RS_FRAME_SHOWN],
		});
	}
	rs_json_close(j, ']');
	rs_message_open_list(j, "texts");
	for (uint32_t i = 0; i < rs_frame_tree_nr_texts(tree); i++)
		rs_json_str(j, rs_frame_tree_text(tree, i));
	rs_json_close(j, ']');
}
