// SPDX-License-Identifier: GPL-2.0-or-later
/* socket-text - states and addresses of sockets as text */
#include <arpa/inet.h>
#include <stdio.h>

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

/* IPv4 in IPv6, as a socket of either has it */
static bool socket_text_is_mapped(const struct rs_socket_end *end)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(end->addr, mapped, sizeof mapped);
}

const char *rs_socket_addr_text(const struct rs_socket_end *end, char *buf)
{
	if (socket_text_is_mapped(end))
		inet_ntop(AF_INET, end->addr + 12, buf, RS_SOCKET_ADDR_BYTES);
	else
		inet_ntop(AF_INET6, end->addr, buf, RS_SOCKET_ADDR_BYTES);
	return buf;
}

const char *rs_socket_text(const struct rs_socket *socket, char *buf)
{
	bool is_mapped = socket_text_is_mapped(&socket->local);
	const char *open = is_mapped ? "" : "[", *close = is_mapped ? "" : "]";
	char local[RS_SOCKET_ADDR_BYTES], remote[RS_SOCKET_ADDR_BYTES];

	if (!socket->local.port || (!socket->has_ends && socket->side != RS_SIDE_LISTENS))
		return NULL;
	rs_socket_addr_text(&socket->local, local);
	rs_socket_addr_text(&socket->remote, remote);
	if (socket->has_ends)
		snprintf(buf, RS_SOCKET_TEXT_BYTES, "TCP%s:[%s%s%s:%u->%s%s%s:%u]", is_mapped ? "" : "v6",
			 open, local, close, socket->local.port, open, remote, close, socket->remote.port);
	else
		snprintf(buf, RS_SOCKET_TEXT_BYTES, "TCP%s:[%s%s%s:%u]", is_mapped ? "" : "v6", open, local,
			 close, socket->local.port);
	return buf;
}
