// SPDX-License-Identifier: GPL-2.0-or-later
/* connection-groups - TCP connections by process and address, as rules judge them */
#include "why/cases/connection-groups.h"

#include <string.h>

#include "why/blame.h"

static bool connection_group_is_same_end(const struct rs_socket_end *a, const struct rs_socket_end *b)
{
	return a->port == b->port && !memcmp(a->addr, b->addr, sizeof a->addr);
}

bool rs_connection_group_is_client(const struct rs_socket *k)
{
	return k->side == RS_SIDE_CLIENT || (k->side == RS_SIDE_UNKNOWN && k->remote.port < k->local.port);
}

/* What a group of the socket has for a key. Returns false: it has no peer. */
static bool connection_group_key(const struct rs_socket *k, struct rs_connection_group *key)
{
	*key = (struct rs_connection_group){ .pid = k->pid, .local = k->local, .remote = k->remote };
	*(rs_connection_group_is_client(k) ? &key->local.port : &key->remote.port) = 0;
	return k->side != RS_SIDE_LISTENS && k->remote.port;
}

/* NULL: there is none. One of nobody becomes that of the first whose it turns out to be. */
static struct rs_connection_group *connection_group_get(struct rs_connection_groups *s,
							const struct rs_connection_group *key)
{
	struct rs_connection_group *of_nobody = NULL;

	for (struct rs_connection_group *g = s->at; g < s->at + s->nr; g++) {
		if (!connection_group_is_same_end(&g->local, &key->local) ||
		    !connection_group_is_same_end(&g->remote, &key->remote))
			continue;
		if (g->pid == key->pid)
			return g;
		of_nobody = g->pid ? of_nobody : g;
	}
	if (of_nobody)
		of_nobody->pid = key->pid;
	return of_nobody;
}

struct rs_connection_group *rs_connection_group_find(struct rs_connection_groups *s,
						     const struct rs_socket *k)
{
	struct rs_connection_group key;

	return connection_group_key(k, &key) ? connection_group_get(s, &key) : NULL;
}

struct rs_connection_group *rs_connection_group_add(struct rs_connection_groups *s,
						    const struct rs_socket *k)
{
	struct rs_connection_group key, *g;

	if (!connection_group_key(k, &key))
		return NULL;
	g = connection_group_get(s, &key);
	if (g || s->nr == RS_CONNECTION_GROUPS)
		return g;
	s->at[s->nr] = key;
	return &s->at[s->nr++];
}

bool rs_connection_group_has_server(const struct rs_connection_groups *s,
				    const struct rs_connection_group *g)
{
	for (unsigned int i = 0; i < s->nr; i++)
		if (s->at[i].local.port && connection_group_is_same_end(&s->at[i].local, &g->remote))
			return true;
	return false;
}

int32_t rs_connection_group_owner(struct rs_ctx *c, const struct rs_connection_groups *s,
				  const struct rs_connection_group *g)
{
	const char *name = NULL;
	int32_t pid = g->pid;

	for (unsigned int i = 0; i < s->nr && !g->pid && g->remote.port; i++) {
		const struct rs_connection_group *of = &s->at[i];
		const char *comm;

		if (!of->pid || !connection_group_is_same_end(&of->remote, &g->remote))
			continue;
		comm = rs_api_process_comm(c, of->pid);
		if (!comm || (name && (strcmp(name, comm) != 0 ||
				       rs_blame_program(c, pid) != rs_blame_program(c, of->pid))))
			return 0;
		name = comm;
		pid = of->pid;
	}
	return pid;
}

uint64_t rs_connection_group_dropped(const struct rs_connection_groups *s,
				     const struct rs_connection_group *g)
{
	if (!rs_connection_group_has_server(s, g))
		return g->nr_syn;
	return g->nr_syn + g->nr_half + (s->nr_overflows ? g->nr_maybe_half : 0);
}

bool rs_connection_group_queue_is_full(const struct rs_connection_groups *s,
				       const struct rs_connection_group *g)
{
	uint64_t nr = 0;

	for (unsigned int i = 0; i < s->nr; i++)
		if (connection_group_is_same_end(&s->at[i].remote, &g->remote))
			nr += rs_connection_group_dropped(s, &s->at[i]);
	return g->remote.port && nr >= RS_CONNECTION_DROPS_LEAST && rs_connection_group_has_server(s, g);
}
