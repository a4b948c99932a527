// SPDX-License-Identifier: GPL-2.0-or-later
/* socket-cells - what columns show of a socket: see RS_SOCKET_COLUMNS, RS_SOCKET_KEY_COLUMNS */
#include "ringside/plugin.h"

struct rs_value rs_socket_addr_value(const struct rs_socket_end *end, char *buf)
{
	static const struct rs_socket_end unknown;

	return rs_s(memcmp(end, &unknown, sizeof unknown) ? rs_socket_addr_text(end, buf) : NULL);
}

static const struct rs_socket *socket_of_group(struct rs_ctx *c, const struct rs_group *g)
{
	return rs_socket_find(c, g->keys[0]);
}

struct rs_value rs_socket_show_number(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u(g->keys[0]);
}

struct rs_value rs_socket_show_comm(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = socket_of_group(c, g);

	return rs_s(k ? k->comm : NULL);
}

struct rs_value rs_socket_show_pid(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = socket_of_group(c, g);

	return rs_u_if(k && k->pid, k ? (uint64_t)k->pid : 0);
}

struct rs_value rs_socket_show_side(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	static const char *const names[] = { NULL, "client", "server", "listens" };
	const struct rs_socket *k = socket_of_group(c, g);

	return rs_s(k ? names[k->side] : NULL);
}

struct rs_value rs_socket_show_local(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = socket_of_group(c, g);

	if (k && k->path && !k->path_is_peers)
		return rs_s(k->path);
	return k ? rs_socket_addr_value(&k->local, buf) : rs_null();
}

/* A server's, before its handshake is over, is told without the port. */
struct rs_value rs_socket_show_remote(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = socket_of_group(c, g);

	if (k && k->path_is_peers)
		return rs_s(k->path);
	return k && (k->remote.port || k->is_unix) ? rs_socket_addr_value(&k->remote, buf) : rs_null();
}

struct rs_value rs_socket_show_local_port(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = socket_of_group(c, g);

	return rs_u_if(k && k->local.port, k ? k->local.port : 0);
}

struct rs_value rs_socket_show_remote_port(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_socket *k = socket_of_group(c, g);

	return rs_u_if(k && k->remote.port, k ? k->remote.port : 0);
}
