// SPDX-License-Identifier: GPL-2.0-or-later
/* socket-text - states and addresses of sockets as text */
#include <arpa/inet.h>
#include <stdio.h>

#include "base/ends.h"
#include "base/unix-ends.h"
#include "engine/net/socket-table.h"

const char *rs_tcp_state_name(enum rs_tcp_state state)
{
	static const char *const names[RS_NR_TCP_STATES] = {
		[RS_TCP_ESTABLISHED] = "ESTAB",    [RS_TCP_SYN_SENT] = "SYN-SENT",
		[RS_TCP_SYN_RECV] = "SYN-RECV",    [RS_TCP_FIN_WAIT1] = "FIN-WAIT-1",
		[RS_TCP_FIN_WAIT2] = "FIN-WAIT-2", [RS_TCP_TIME_WAIT] = "TIME-WAIT",
		[RS_TCP_CLOSE] = "CLOSED",         [RS_TCP_CLOSE_WAIT] = "CLOSE-WAIT",
		[RS_TCP_LAST_ACK] = "LAST-ACK",    [RS_TCP_LISTEN] = "LISTEN",
		[RS_TCP_CLOSING] = "CLOSING",      [RS_TCP_NEW_SYN_RECV] = "SYN-RECV",
	};

	return state < RS_NR_TCP_STATES ? names[state] : NULL;
}

static const uint8_t text_of_unix[12] = { 0xff, 'u', 'n', 'i', 'x' };

struct rs_socket_end rs_socket_unix_end(uint32_t inode)
{
	struct rs_socket_end end = { .port = 0 };

	memcpy(end.addr, text_of_unix, sizeof text_of_unix);
	memcpy(end.addr + sizeof text_of_unix, &inode, sizeof inode);
	return end;
}

bool rs_socket_end_is_unix(const struct rs_socket_end *end, uint32_t *inode)
{
	memcpy(inode, end->addr + sizeof text_of_unix, sizeof *inode);
	return !memcmp(end->addr, text_of_unix, sizeof text_of_unix);
}

const char *rs_socket_addr_text(const struct rs_socket_end *end, char *buf)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	uint32_t inode;

	if (rs_socket_end_is_unix(end, &inode))
		snprintf(buf, RS_SOCKET_ADDR_BYTES, "[%u]", inode);
	else if (!memcmp(end->addr, mapped, sizeof mapped))
		inet_ntop(AF_INET, end->addr + 12, buf, RS_SOCKET_ADDR_BYTES);
	else
		inet_ntop(AF_INET6, end->addr, buf, RS_SOCKET_ADDR_BYTES);
	return buf;
}

/* As its name of a look-up, of no type. */
static const char *socket_text_unix(const struct rs_socket *socket, char *buf)
{
	struct rs_unix_ends ends = { .is_peers = socket->path_is_peers };

	rs_socket_end_is_unix(&socket->local, &ends.inode);
	rs_socket_end_is_unix(&socket->remote, &ends.peer);
	snprintf(ends.path, sizeof ends.path, "%s", socket->path ? socket->path : "");
	return rs_unix_ends_text(0, &ends, buf, RS_SOCKET_TEXT_BYTES) ? buf : NULL;
}

const char *rs_socket_text(const struct rs_socket *socket, char *buf)
{
	struct rs_ends ends = { .port = { socket->local.port, socket->remote.port } };

	_Static_assert(RS_SOCKET_TEXT_BYTES >= RS_ENDS_TEXT_BYTES, "rs_ends_text fills it");
	if (socket->is_unix)
		return socket_text_unix(socket, buf);
	if (!socket->local.port || (!socket->has_ends && socket->side != RS_SIDE_LISTENS))
		return NULL;
	memcpy(ends.addr[RS_ENDS_LOCAL], socket->local.addr, sizeof socket->local.addr);
	memcpy(ends.addr[RS_ENDS_REMOTE], socket->remote.addr, sizeof socket->remote.addr);
	return rs_ends_text("TCP", &ends, buf);
}

bool rs_socket_read_ends(const char *name, struct rs_socket_end *local, struct rs_socket_end *remote)
{
	struct rs_unix_ends of_unix;
	struct rs_ends ends;

	if (rs_unix_ends_parse(name, &of_unix)) {
		*local = rs_socket_unix_end(of_unix.inode);
		*remote = rs_socket_unix_end(of_unix.peer);
		return of_unix.peer;
	}
	if (!rs_ends_parse(name, "TCP", &ends))
		return false;
	*local = (struct rs_socket_end){ .port = ends.port[RS_ENDS_LOCAL] };
	*remote = (struct rs_socket_end){ .port = ends.port[RS_ENDS_REMOTE] };
	memcpy(local->addr, ends.addr[RS_ENDS_LOCAL], sizeof local->addr);
	memcpy(remote->addr, ends.addr[RS_ENDS_REMOTE], sizeof remote->addr);
	return remote->port;
}

static const char *socket_text_peer(const struct rs_socket_end *remote, const char *protocol, char *buf)
{
	char addr[RS_SOCKET_ADDR_BYTES];

	if (!remote->port)
		return NULL;
	rs_socket_addr_text(remote, addr);
	snprintf(buf, RS_SOCKET_TEXT_BYTES, strchr(addr, ':') ? "[%s]:%u over %s" : "%s:%u over %s", addr,
		 remote->port, protocol);
	return buf;
}

/* A server's clients are bound to nothing: only its own path tells which they are. */
static const char *socket_text_unix_peer(const char *path, bool is_peers, char *buf)
{
	if (!path || !is_peers)
		return NULL;
	snprintf(buf, RS_SOCKET_TEXT_BYTES, "%.108s", path);
	return buf;
}

const char *rs_socket_peer_text(const struct rs_socket *socket, char *buf)
{
	if (socket->is_unix)
		return socket_text_unix_peer(socket->path, socket->path_is_peers, buf);
	return socket_text_peer(&socket->remote, "TCP", buf);
}

const char *rs_socket_peer_of_name(const char *name, char *buf)
{
	const char *protocol = "TCP";
	struct rs_socket_end remote;
	struct rs_unix_ends of_unix;
	struct rs_ends ends;

	if (name && rs_unix_ends_parse(name, &of_unix))
		return socket_text_unix_peer(of_unix.path, of_unix.is_peers, buf);
	if (!name || (!rs_ends_parse(name, protocol, &ends) && !rs_ends_parse(name, protocol = "UDP", &ends)))
		return NULL;
	memcpy(remote.addr, ends.addr[RS_ENDS_REMOTE], sizeof remote.addr);
	remote.port = ends.port[RS_ENDS_REMOTE];
	return socket_text_peer(&remote, protocol, buf);
}
