// SPDX-License-Identifier: GPL-2.0-or-later
/* far-turns - what the task at the other end of a connection did while it had the turn */
#include "why/far-turns.h"

#include <string.h>

#include "base/vector.h"
#include "engine/internal.h"
#include "engine/net/machine-ends.h"
#include "engine/net/socket-table.h"

#define FAR_TURNS_MAX (1u << 16)
#define FAR_TURNS_RECEIVES (RS_CLASS_READ | RS_CLASS_RECEIVE)
#define FAR_TURNS_SENDS (RS_CLASS_WRITE | RS_CLASS_SEND | RS_CLASS_FILL)

/* Who received last on a connection, and has not sent since; number 0: nobody. */
struct far_turns_open {
	uint64_t number, from_ns;
	int32_t tid;
};

struct far_turns {
	struct far_turns_open open[RS_MAX_SOCKETS];
	struct rs_far_turn turn[FAR_TURNS_MAX];
	uint32_t nr;
};

static void far_turns_set_part(struct rs_ctx *c, const struct rs_task *t, struct rs_far_turn *turn)
{
	uint64_t ns[RS_NR_PARTS] = { 0 };
	struct rs_culprits all;

	rs_culprits_find(c, t, turn->from_ns, turn->to_ns, &all);
	turn->part = RS_PART_UNKNOWN;
	for (unsigned int i = 0; i < all.nr; i++) {
		ns[all.at[i].part] += all.at[i].ns;
		if (ns[all.at[i].part] > turn->part_ns) {
			turn->part = all.at[i].part;
			turn->part_ns = ns[all.at[i].part];
		}
	}
}

static void far_turns_end(struct rs_ctx *c, const struct rs_socket *k, const struct rs_call *call)
{
	struct far_turns *s = c->state;
	struct far_turns_open *open = &s->open[k->number % RS_MAX_SOCKETS];
	struct rs_far_turn *turn;

	if (open->number != k->number || open->tid != call->task->tid || open->from_ns >= call->enter_ns ||
	    s->nr == FAR_TURNS_MAX || rs_discarded(c, open->from_ns, call->enter_ns)) {
		open->number = 0;
		return;
	}
	turn = &s->turn[s->nr++];
	*turn = (struct rs_far_turn){ .local = k->local, .remote = k->remote, .from_ns = open->from_ns,
				      .to_ns = call->enter_ns };
	far_turns_set_part(c, call->task, turn);
	open->number = 0;
}

static void far_turns_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct far_turns *s = c->state;
	bool receives = rs_call_is(c, call->nr, FAR_TURNS_RECEIVES);
	const struct rs_socket *k;

	if ((!receives && !rs_call_is(c, call->nr, FAR_TURNS_SENDS)) || call->discarded || call->in_flight ||
	    !call->ret_known || call->ret <= 0)
		return;
	k = rs_call_socket(c, call);
	if (!k || !k->has_ends || k->is_unix)
		return;
	if (receives)
		s->open[k->number % RS_MAX_SOCKETS] =
			(struct far_turns_open){ k->number, call->exit_ns, call->task->tid };
	else
		far_turns_end(c, k, call);
}

const struct rs_analysis rs_far_turns_analysis = {
	.abi = RS_ABI,
	.name = "far-turns",
	.summary = "who has the turn on a connection, and what it does",
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = far_turns_on_call }),
	.requires_history = true,
	.requires_sockets = true,
	.state_size = sizeof(struct far_turns),
};

int rs_far_turns_collect(struct rs_machine_ends *ends, const struct rs_session *s)
{
	for (unsigned int i = 0; i < s->nr_analyses; i++) {
		const struct far_turns *turns = s->analyses[i].ctx.state;

		if (s->analyses[i].analysis != &rs_far_turns_analysis || s->analyses[i].disabled[0])
			continue;
		if (!rs_vector_reserve(&ends->far_turns, &ends->far_turns_room,
				       ends->nr_far_turns + turns->nr, sizeof *ends->far_turns))
			return -1;
		for (uint32_t at = 0; at < turns->nr; at++)
			ends->far_turns[ends->nr_far_turns++] = turns->turn[at];
	}
	return 0;
}

static uint64_t far_turns_overlap(const struct rs_far_turn *turn, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t from = turn->from_ns > from_ns ? turn->from_ns : from_ns,
		 to = turn->to_ns < to_ns ? turn->to_ns : to_ns;

	return to > from ? to - from : 0;
}

/* There are few nodes, and few turns: all are looked at. */
bool rs_far_turns_find(const struct rs_ctx *c, uint32_t name, uint64_t from_ns, uint64_t to_ns,
		       struct rs_far_share *share)
{
	const struct rs_machine_ends *ends = c->session->config.machine_ends;
	const char *text = ends && ends->nr_far_turns ? rs_socket_name(c, name) : NULL;
	struct rs_socket_end local, remote;

	*share = (struct rs_far_share){ NULL, 0 };
	if (!text || !rs_socket_read_ends(text, &local, &remote))
		return false;
	for (size_t i = 0; i < ends->nr_far_turns; i++) {
		const struct rs_far_turn *turn = &ends->far_turns[i];
		uint64_t ns = memcmp(&turn->local, &remote, sizeof remote) ||
					      memcmp(&turn->remote, &local, sizeof local) ?
				      0 :
				      far_turns_overlap(turn, from_ns, to_ns);

		if (ns > share->ns)
			*share = (struct rs_far_share){ turn, ns };
	}
	return share->turn;
}
