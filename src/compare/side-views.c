// SPDX-License-Identifier: GPL-2.0-or-later
/* side-views - whose rows are compared, where nobody names any: each of other things than the others */
#include "compare/side-views.h"

struct side_views_row {
	const char *name, *by, *measure; /* by NULL: the view's own keys that last */
};

static const struct side_views_row side_views_process[] = {
	[RS_PROCESS_WHY] = { "why", RS_PROCESS_WHY_KEYS },
	[RS_PROCESS_CALLS] = { "syscall-latency", RS_PROCESS_CALLS_KEYS },
	[RS_PROCESS_ANSWERS] = { "connections", RS_PROCESS_ENDS_KEYS, RS_PROCESS_ANSWERS_MEASURE },
	[RS_PROCESS_SENDS] = { "connections", RS_PROCESS_ENDS_KEYS, RS_PROCESS_SENDS_MEASURE },
};

static const struct side_views_row side_views_default[] = {
	{ "syscall-latency" }, { "runqlat", "comm" }, { "biolatency", "dev,type" }, { "locks" }, { "futex" },
	{ "requests", "comm,side,server,server_port,peer_comm" },
	{ "connections", "comm,side,server,server_port" }, { "netlat" }, { "antagonists", "cgroup,part,dev" },
	{ "irqs" }, { "workqueues" },
};

#define SIDE_VIEWS_NR(rows) (sizeof(rows) / sizeof((rows)[0]))

_Static_assert(SIDE_VIEWS_NR(side_views_process) + SIDE_VIEWS_NR(side_views_default) <= RS_SIDE_VIEWS_MOST,
	       "there is room for all of them");

static int side_views_add(const struct side_views_row *rows, size_t nr_rows, struct rs_side_asked *asked,
			  size_t *nr, struct rs_error *err)
{
	for (size_t i = 0; i < nr_rows; i++) {
		struct rs_side_asked *to = &asked[*nr];

		if (!rs_requirements_find_view(rows[i].name, &to->ref, err))
			return -1;
		to->by = rows[i].by;
		to->measure = rows[i].measure;
		++*nr;
	}
	return 0;
}

int rs_side_views_add_process(struct rs_side_asked *asked, size_t *nr, struct rs_error *err)
{
	return side_views_add(side_views_process, SIDE_VIEWS_NR(side_views_process), asked, nr, err);
}

int rs_side_views_add_default(struct rs_side_asked *asked, size_t *nr, struct rs_error *err)
{
	return side_views_add(side_views_default, SIDE_VIEWS_NR(side_views_default), asked, nr, err);
}
