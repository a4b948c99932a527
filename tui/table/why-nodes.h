/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why-nodes.h - the tree of a wait, as the engine answers it: where all of its time went
 *
 * The first node is the wait itself; below a node is what its time went to, the largest first.
 */
#ifndef RS_TUI_WHY_NODES_H
#define RS_TUI_WHY_NODES_H

#include "tui/app/question.h"

#define RS_WHY_NODES 48

/* Texts live as long as the answer; unknown ones are "". */
struct rs_why_node {
	const char *kind, *role, *comm, *syscall, *part, *dev, *disk, *text;
	uint64_t depth, ns, instance;
	int64_t pid, tid;          /* 0: unknown, or no task */
	const char *socket;        /* that was waited on; "": none, or unknown */
	uint64_t connection;       /* its number; 0: none, or unknown */
	int64_t cpu;               /* -1: none, or unknown */
	uint64_t from_ns, to_ns;   /* of its longest piece; to_ns 0: unknown */
	bool on_path;
	uint64_t
		before_ns; /* when it is drawn to scale: of those before it in the node around, and of that */
};

struct rs_why_nodes {
	struct rs_question question;  /* .answered calls rs_why_nodes_read */
	struct rs_why_node at[RS_WHY_NODES];
	size_t nr;
};

/*
 * Asks for the wait of the thread in that time; tid 0: for the slowest call or wait of the process, pid 0
 * too: of all. False: this engine has no such trees.
 */
bool rs_why_nodes_ask(struct rs_why_nodes *n, int64_t pid, int64_t tid, const struct rs_asked_time *time);
/* Reads the nodes of the answer; none without one. */
void rs_why_nodes_read(struct rs_why_nodes *n);
void rs_why_nodes_done(struct rs_why_nodes *n);

#endif
