// SPDX-License-Identifier: GPL-2.0-or-later
/* terminals - finds the reads in flight from a terminal, which wait for a person */
#include "engine/files/terminals.h"

#include <stdlib.h>

#include "ringside/event.h"
#include "base/terminal-path.h"
#include "engine/files/fd-paths.h"
#include "engine/internal.h"
#include "engine/observer.h"

#define NR_READS 64u      /* a power of two; of two in one place the later one is known */
#define MAX_SAMPLES 3u     /* without a reply: the requester is gone, or too busy */

enum answer { AWAITED, TERMINAL, OTHER };

struct read_call {
	int32_t tid, pid, fd;    /* tid 0: empty */
	uint64_t enter_ns;
	unsigned int nr_samples;
	enum answer answer;
};

struct rs_terminals {
	struct rs_fd_requester requester;
	bool reads_replies;      /* else the observer of descriptors does, and hands them on */
	struct read_call reads[NR_READS];
	struct rs_fd_reply reply;
};

struct rs_terminals *rs_terminals_of(const struct rs_session *s)
{
	return rs_observer_state(s, RS_OBSERVER_TERMINALS);
}

/* Without memory descriptors of terminals are not known. */
static int terminals_begin(struct rs_session *s)
{
	bool asks = s->config.for_viewers && s->config.fd_requester.ask;
	struct rs_terminals *t = asks ? calloc(1, sizeof *t) : NULL;

	if (t) {
		t->requester = s->config.fd_requester;
		t->reads_replies = !rs_fd_paths_of(s);
	}
	rs_observer_set(s, RS_OBSERVER_TERMINALS, t);
	return 0;
}

const struct rs_observer rs_observer_terminals = { .name = "terminals", .begin = terminals_begin };

/* A reply from before the call may be about another file. */
void rs_terminals_reply(struct rs_terminals *t, const struct rs_fd_reply *r)
{
	for (unsigned int i = 0; i < NR_READS; i++) {
		struct read_call *read = &t->reads[i];

		if (read->tid && read->answer == AWAITED && read->pid == r->pid && read->fd == r->fd &&
		    r->read_ns >= read->enter_ns)
			read->answer =
				r->len > 0 && rs_is_terminal_path(r->path, (size_t)r->len) ? TERMINAL : OTHER;
	}
}

static void terminals_read_replies(struct rs_terminals *t)
{
	while (t->requester.answer(t->requester.arg, &t->reply))
		rs_terminals_reply(t, &t->reply);
}

bool rs_terminals_has(struct rs_terminals *t, const struct rs_task *task, uint64_t enter_ns, int32_t fd,
		      bool in_flight)
{
	struct read_call *read = &t->reads[rs_hash_u64((uint32_t)task->tid) % NR_READS];

	if (t->reads_replies)
		terminals_read_replies(t);
	if (read->tid != task->tid || read->enter_ns != enter_ns) {
		if (!in_flight || task->pid <= 0 || fd < 0 || !t->requester.ask(t->requester.arg, task->pid,
										fd))
			return false;
		*read = (struct read_call){ .tid = task->tid, .pid = task->pid, .fd = fd,
					    .enter_ns = enter_ns };
	}
	if (read->answer == AWAITED)
		return in_flight && read->nr_samples++ < MAX_SAMPLES;
	return read->answer == TERMINAL;
}
