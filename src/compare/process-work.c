// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process-work - whose calls are the work of a process: a server's work is what its client asks for
 *
 * Two processes that wait for each other are a client and a server: the client is the one that waits longer.
 * A server that now asks another one makes more calls for the same work; its client's calls tell.
 */
#include "compare/process-parts.h"

#include <string.h>

#define WORK_CLIENTS 4u /* of clients: so far the search goes */

static double process_waited(const struct rs_row_index *why, const char *comm, const char *for_whom)
{
	struct rs_side_rows rows = rs_row_index_find(why, comm);
	double ns = 0;

	for (size_t i = 0; i < rows.nr; i++)
		if (!strcmp(rs_side_key(rows.at[i], RS_PROCESS_CULPRIT), for_whom) &&
		    rs_process_part_is_input(rs_process_part_of(rows.at[i])))
			ns += (double)rows.at[i]->sum;
	return ns;
}

/* Who waits longest for this one, and longer than this one for it, on both sides; NULL: nobody. */
static const char *process_client(const struct rs_process_sides *sides, const char *comm)
{
	struct rs_side_rows rows = rs_row_index_find(&sides->for_a, comm);
	const char *client = NULL, *before = comm;
	double most = 0;

	for (size_t i = 0; i < rows.nr; i++) {
		const char *other = rs_side_key(rows.at[i], RS_PROCESS_COMM);
		double waited;

		/* those of one process stand together: by all of their keys where the culprit is one */
		if (!strcmp(other, before) || !strcmp(other, comm))
			continue;
		before = other;
		waited = process_waited(&sides->why_a, other, comm);
		if (waited > most && waited > process_waited(&sides->why_a, comm, other) &&
		    process_waited(&sides->why_b, other, comm) > process_waited(&sides->why_b, comm, other)) {
			most = waited;
			client = other;
		}
	}
	return client;
}

static void process_find_workload(struct rs_process_change *p, const struct rs_process_sides *sides,
				  const char *comm)
{
	rs_workload_find(sides->a, sides->b, RS_PROCESS_CALLS, rs_row_index_find(&sides->calls_a, comm),
			 sides->per, &p->work);
}

void rs_process_work_find(struct rs_process_change *p, const struct rs_process_sides *sides)
{
	const char *comm = p->comm;

	p->worker = p->comm;
	for (unsigned int i = 0; !sides->per && !sides->a->of_runs && i < WORK_CLIENTS; i++) {
		comm = process_client(sides, comm);
		if (!comm || !strcmp(comm, p->comm))
			break;
		process_find_workload(p, sides, comm);
		if (p->work.call && !p->work.is_mixed)
			p->worker = comm;
	}
	process_find_workload(p, sides, p->worker);
}
