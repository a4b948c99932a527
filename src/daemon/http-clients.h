/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * http-clients.h - connections of the metrics' HTTP server: a new one takes the place of an idle one
 *
 *	client = rs_http_clients_add(&clients, fd, address);       // accepted; may shut another down
 *	rs_http_clients_answered(&clients, client);                // a whole request came
 *	rs_http_clients_remove(&clients, client);                  // closed
 *
 * An idle connection, and one that sends its request byte by byte, costs nothing until it keeps a scraper
 * out. The address with most connections loses one: the one whose last request (or begin) is longest ago. Who
 * opens many loses only his own.
 */
#ifndef RS_DAEMON_HTTP_CLIENTS_H
#define RS_DAEMON_HTTP_CLIENTS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define RS_HTTP_CLIENTS_MAX 32u
/* The server closes those that were shut down one turn later: it has room for them, and goes on to accept. */
#define RS_HTTP_CLIENTS_SLOTS (2 * RS_HTTP_CLIENTS_MAX)

struct rs_http_client {
	struct in6_addr address; /* of IPv6 the first 64 bits alone: a machine has all others */
	uint64_t order;          /* of its begin or last request; 0: a free slot */
	int fd;
	bool is_shut;
};

struct rs_http_clients {
	struct rs_http_client slots[RS_HTTP_CLIENTS_SLOTS];
	uint64_t order;
};

/* NULL only where RS_HTTP_CLIENTS_SLOTS are there. The descriptor stays the caller's. */
struct rs_http_client *rs_http_clients_add(struct rs_http_clients *clients, int fd,
					   const struct sockaddr *address);
/* client may be NULL. */
void rs_http_clients_answered(struct rs_http_clients *clients, struct rs_http_client *client);
void rs_http_clients_remove(struct rs_http_client *client);

#endif
