// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process-answers - who asks over the network for each unit of its work, and waits longer for the answers
 *
 * Such a wait ends with a packet, and nothing tells whether the network or the server took longer; but
 * neither is it a wait for something to do, whose length says nothing. Who only receives may wait for that.
 */
#include "compare/process-parts.h"

#include <math.h>
#include <string.h>

#define ANSWERS_LEAST_SENDS 0.5 /* for a unit of work: fewer, and it does not ask for each */
#define ANSWERS_SERVERS_SHARE 0.1
#define ANSWERS_LEAST_SHARE 0.5 /* of the change of a part, which may have other waits */

enum answers_key { ANSWERS_COMM, ANSWERS_SIDE, ANSWERS_SERVER, ANSWERS_PORT };

static bool answers_is(const struct rs_side_row *row, const char *side)
{
	return !strcmp(rs_side_key(row, ANSWERS_SIDE), side) && strcmp(rs_side_key(row, ANSWERS_SERVER), "-");
}

static struct rs_estimate answers_sum(const struct rs_side *side, const struct rs_side_row *row,
				      const double *units)
{
	double ns[RS_SIDE_MAX_BLOCKS];

	for (unsigned int i = 0; i < side->nr_blocks; i++)
		ns[i] = (double)row->block_sum[i];
	return rs_estimate_ratio(ns, units, side->nr_blocks);
}

static bool answers_asks(const struct rs_side *side, const struct rs_side_row *row, double units)
{
	const struct rs_side_row *sends =
		rs_side_find(&side->views[RS_PROCESS_SENDS], row->key, row->key_bytes);

	return sends && (double)sends->nr >= ANSWERS_LEAST_SENDS * units;
}

/* The connections to one server, over which it waits for answers: the change of that for a unit. */
static struct rs_estimate answers_change(const struct rs_process_change *p,
					 const struct rs_process_sides *sides, const struct rs_side_row *a)
{
	const struct rs_side_row *b =
		rs_side_find(&sides->b->views[RS_PROCESS_ANSWERS], a->key, a->key_bytes);

	if (!answers_is(a, "client") || !b || !answers_asks(sides->a, a, p->work.all_a) ||
	    !answers_asks(sides->b, b, p->work.all_b))
		return (struct rs_estimate){ 0, INFINITY };
	return rs_estimate_change(answers_sum(sides->a, a, p->work.a), answers_sum(sides->b, b, p->work.b));
}

/* That server whose answers changed most, if that is certain; NULL: there is none. */
static const struct rs_side_row *answers_find_server(const struct rs_process_change *p,
						     const struct rs_process_sides *sides,
						     struct rs_estimate *change)
{
	struct rs_side_rows rows = rs_row_index_find(&sides->answers_a, p->comm);
	const struct rs_side_row *found = NULL;

	for (size_t i = 0; i < rows.nr; i++) {
		struct rs_estimate of_row = answers_change(p, sides, rows.at[i]);

		if (!rs_process_judge_is_told(of_row, rs_process_blocks(sides)) ||
		    (found && fabs(of_row.value) <= fabs(change->value)))
			continue;
		found = rows.at[i];
		*change = of_row;
	}
	return found;
}

/* A part whose waits ended with packets, and which changed as the answers did. */
static bool answers_is_part(const struct rs_process_part *part, struct rs_estimate change)
{
	return !part->counts && part->is_told && part->part == RS_PART_SOCKET &&
	       !rs_process_is_somebody(part->culprit) && part->change.value * change.value > 0 &&
	       fabs(change.value) >= ANSWERS_LEAST_SHARE * fabs(part->change.value);
}

void rs_process_answers_find(struct rs_process_change *p, const struct rs_process_sides *sides)
{
	struct rs_estimate change = { 0 };
	const struct rs_side_row *server = NULL;

	if (p->work.call && !p->work.is_mixed)
		server = answers_find_server(p, sides, &change);
	for (size_t i = 0; server && i < p->nr_parts; i++)
		if (answers_is_part(&p->parts[i], change)) {
			p->parts[i].counts = true;
			p->parts[i].asked = server;
		}
}

/* ---- is the server here ---- */

/* Whose connections are the other ends of these; NULL: it is elsewhere, or not known. */
static const char *answers_server_of(const struct rs_process_sides *sides, const struct rs_side_row *asked)
{
	const struct rs_side_view *view = &sides->b->views[RS_PROCESS_ANSWERS];

	for (size_t i = 0; i < view->nr_rows; i++)
		if (answers_is(view->rows[i], "server") &&
		    !strcmp(rs_side_key(view->rows[i], ANSWERS_SERVER), rs_side_key(asked, ANSWERS_SERVER)) &&
		    !strcmp(rs_side_key(view->rows[i], ANSWERS_PORT), rs_side_key(asked, ANSWERS_PORT)))
			return rs_side_key(view->rows[i], ANSWERS_COMM);
	return NULL;
}

/*
 * By itself, or for others than the one that asks it: in all, as a good part of what that one waits longer.
 * Each has a unit of its own.
 */
static bool answers_takes_longer(const struct rs_process_list *list, const char *server,
				 const struct rs_process_change *client, const struct rs_process_part *part)
{
	const struct rs_process_change *p = NULL;
	double own = 0;

	for (size_t i = 0; i < list->nr && !p; i++)
		p = strcmp(list->at[i].comm, server) != 0 ? NULL : &list->at[i];
	if (!p || !rs_process_has_verdict(p))
		return false;
	for (size_t i = 0; i < p->nr_parts; i++)
		if (rs_process_judge_is_sure(&p->parts[i]) && strcmp(p->parts[i].culprit, client->comm) != 0)
			own += p->parts[i].change.value * p->work.all_b;
	return own > ANSWERS_SERVERS_SHARE * part->change.value * client->work.all_b;
}

void rs_process_answers_name(struct rs_process_list *list, const struct rs_process_sides *sides)
{
	for (size_t i = 0; i < list->nr; i++)
		for (size_t n = 0; n < list->at[i].nr_parts; n++) {
			struct rs_process_part *part = &list->at[i].parts[n];
			const char *server = part->asked ? answers_server_of(sides, part->asked) : NULL;

			if (server && !answers_takes_longer(list, server, &list->at[i], part))
				part->server = server;
		}
}

bool rs_process_answers_asks(const struct rs_process_sides *sides, const char *client, const char *server)
{
	struct rs_side_rows rows = rs_row_index_find(&sides->answers_b, client);
	const char *comm;

	for (size_t i = 0; i < rows.nr; i++) {
		comm = answers_is(rows.at[i], "client") ? answers_server_of(sides, rows.at[i]) : NULL;
		if (comm && !strcmp(comm, server))
			return true;
	}
	return false;
}
