/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * path.h - a critical path: what a call or a wait waited for, link by link, as links that can be selected
 */
#ifndef RS_TUI_PATH_H
#define RS_TUI_PATH_H

#include "tui/app/question.h"

#define RS_PATH_LINKS 10

/* Texts live as long as the answer; unknown ones are "". */
struct rs_path_link {
	const char *comm, *syscall, *part, *dev, *culprit, *text;
	int64_t pid, tid;
	/* the first link: the call or wait; each other: the longest wait for it, which it ended */
	uint64_t instance, from_ns, to_ns;
	uint64_t took_ns, part_ns;
};

struct rs_path {
	struct rs_question question;       /* .answered calls rs_path_read */
	struct rs_path_link links[RS_PATH_LINKS];
	unsigned int nr;
};

/*
 * Asks for what the thread waited for in that time; tid 0: for the slowest call or wait of the process.
 * False: this engine has no paths.
 */
bool rs_path_ask(struct rs_path *p, int64_t pid, int64_t tid, uint64_t from_ns, uint64_t to_ns);
/* Reads the links of the answer; none without one. */
void rs_path_read(struct rs_path *p);
void rs_path_done(struct rs_path *p);
/*
 * Returns the index after the links, from this one on, that are threads of one process and have one name:
 * they are named once, as "java x7".
 */
unsigned int rs_path_same_until(const struct rs_path *p, unsigned int from);
/* Writes that name. */
void rs_path_put_name(const struct rs_path *p, unsigned int from, char *text, size_t size);

#endif
