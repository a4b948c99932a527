// SPDX-License-Identifier: GPL-2.0-or-later
/* machine-ends - the ends of the connections of several machines, by their addresses */
#include "engine/net/machine-ends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "engine/internal.h"
#include "engine/net/socket-table.h"
#include "engine/net/sockets.h"

static int machine_ends_compare_ends(const struct rs_machine_end *a, const struct rs_socket_end *local,
				     const struct rs_socket_end *remote)
{
	int by_local = memcmp(a->local.addr, local->addr, sizeof local->addr),
	    by_remote = memcmp(a->remote.addr, remote->addr, sizeof remote->addr);

	if (by_local || by_remote)
		return by_local ? by_local : by_remote;
	if (a->local.port != local->port)
		return a->local.port < local->port ? -1 : 1;
	return (a->remote.port > remote->port) - (a->remote.port < remote->port);
}

static int machine_ends_compare(const void *a, const void *b)
{
	const struct rs_machine_end *of = b;

	return machine_ends_compare_ends(a, &of->local, &of->remote);
}

/* 127.0.0.0/8, ::1: each machine has them. */
static bool machine_ends_is_loopback(const struct rs_socket_end *end)
{
	static const uint8_t mapped[13] = { [10] = 0xff, [11] = 0xff, [12] = 127 }, v6[16] = { [15] = 1 };

	return !memcmp(end->addr, mapped, sizeof mapped) || !memcmp(end->addr, v6, sizeof v6);
}

int rs_machine_ends_collect(struct rs_machine_ends *ends, const struct rs_session *s, const char *machine)
{
	const struct rs_socket_table *t = rs_sockets_table(&s->parts[RS_ENGINE_SOCKETS].ctx);

	for (uint32_t i = 0; t && i < t->nr_used; i++) {
		const struct rs_socket *k = &t->entries[i].socket;
		struct rs_machine_end *row;

		if (!k->number || !k->has_ends || k->is_unix || !k->tid ||
		    machine_ends_is_loopback(&k->remote))
			continue;
		row = RS_VECTOR_ADD(&ends->row, &ends->nr, &ends->room);
		if (!row)
			return -1;
		*row = (struct rs_machine_end){ .local = k->local, .remote = k->remote,
						.task = { .pid = k->pid, .machine = machine } };
		memcpy(row->task.comm, k->comm, sizeof row->task.comm);
	}
	return 0;
}

void rs_machine_ends_sort(struct rs_machine_ends *ends)
{
	if (ends->nr)
		qsort(ends->row, ends->nr, sizeof *ends->row, machine_ends_compare);
}

static size_t machine_ends_first(const struct rs_machine_ends *ends, const struct rs_socket_end *local,
				 const struct rs_socket_end *remote)
{
	size_t from = 0, to = ends->nr;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (machine_ends_compare_ends(&ends->row[middle], local, remote) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static bool machine_ends_is_same(const struct rs_far_task *a, const struct rs_far_task *b)
{
	return a->machine == b->machine && a->pid == b->pid;
}

const struct rs_far_task *rs_machine_ends_find(const struct rs_machine_ends *ends, const char *machine,
					       const struct rs_socket_end *local,
					       const struct rs_socket_end *remote)
{
	const struct rs_far_task *found = NULL;

	for (size_t i = machine_ends_first(ends, local, remote);
	     i < ends->nr && !machine_ends_compare_ends(&ends->row[i], local, remote); i++) {
		const struct rs_far_task *task = &ends->row[i].task;

		if (machine && !strcmp(task->machine, machine))
			continue;
		if (found && !machine_ends_is_same(found, task))
			return NULL;
		found = task;
	}
	return found;
}

void rs_machine_ends_done(struct rs_machine_ends *ends)
{
	free(ends->row);
	free(ends->far_turns);
	*ends = (struct rs_machine_ends){ 0 };
}

/* ---- what analyses ask ---- */

static const struct rs_far_task *machine_ends_ask(const struct rs_ctx *c, const struct rs_socket_end *local,
						  const struct rs_socket_end *remote)
{
	const struct rs_session_config *config = &c->session->config;

	/* what is local there is remote here */
	return config->machine_ends ?
		       rs_machine_ends_find(config->machine_ends, config->machine, remote, local) :
		       NULL;
}

const struct rs_far_task *rs_socket_far_task(const struct rs_ctx *c, const struct rs_socket *socket)
{
	if (!c->session->config.machine_ends || !socket->has_ends || socket->is_unix ||
	    rs_socket_peer(c, socket))
		return NULL;
	return machine_ends_ask(c, &socket->local, &socket->remote);
}

const struct rs_far_task *rs_socket_far_task_of_name(const struct rs_ctx *c, uint32_t name)
{
	const char *text = c->session->config.machine_ends ? rs_socket_name(c, name) : NULL;
	struct rs_socket_end local, remote;

	return text && rs_socket_read_ends(text, &local, &remote) ? machine_ends_ask(c, &local, &remote) :
								     NULL;
}

const char *rs_far_task_text(const struct rs_far_task *task, char *buf)
{
	if (!task)
		return NULL;
	snprintf(buf, RS_FAR_TASK_TEXT_BYTES, "%s (%d) on %s", task->comm, (int)task->pid, task->machine);
	return buf;
}
