// SPDX-License-Identifier: GPL-2.0-or-later
/* socket-text - states and addresses of sockets as text */
#include <arpa/inet.h>
#include <stdio.h>

#include "base/ends.h"
#include "ringside/socket.h"

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

const char *rs_socket_addr_text(const struct rs_socket_end *end, char *buf)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	if (!memcmp(end->addr, mapped, sizeof mapped))
		inet_ntop(AF_INET, end->addr + 12, buf, RS_SOCKET_ADDR_BYTES);
	else
		inet_ntop(AF_INET6, end->addr, buf, RS_SOCKET_ADDR_BYTES);
	return buf;
}

const char *rs_socket_text(const struct rs_socket *socket, char *buf)
{
	struct rs_ends ends = { .port = { socket->local.port, socket->remote.port } };

	_Static_assert(RS_SOCKET_TEXT_BYTES >= RS_ENDS_TEXT_BYTES, "rs_ends_text fills it");
	if (!socket->local.port || (!socket->has_ends && socket->side != RS_SIDE_LISTENS))
		return NULL;
	memcpy(ends.addr[RS_ENDS_LOCAL], socket->local.addr, sizeof socket->local.addr);
	memcpy(ends.addr[RS_ENDS_REMOTE], socket->remote.addr, sizeof socket->remote.addr);
	return rs_ends_text("TCP", &ends, buf);
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

const char *rs_socket_peer_text(const struct rs_socket *socket, char *buf)
{
	return socket_text_peer(&socket->remote, "TCP", buf);
}

const char *rs_socket_peer_of_name(const char *name, char *buf)
{
	const char *protocol = "TCP";
	struct rs_socket_end remote;
	struct rs_ends ends;

	if (!name || (!rs_ends_parse(name, protocol, &ends) && !rs_ends_parse(name, protocol = "UDP", &ends)))
		return NULL;
	memcpy(remote.addr, ends.addr[RS_ENDS_REMOTE], sizeof remote.addr);
	remote.port = ends.port[RS_ENDS_REMOTE];
	return socket_text_peer(&remote, protocol, buf);
}
