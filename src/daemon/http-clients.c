// SPDX-License-Identifier: GPL-2.0-or-later
/* http-clients - connections of the metrics' HTTP server: a new one takes the place of an idle one */
#include "daemon/http-clients.h"

#include <string.h>

static struct in6_addr clients_address(const struct sockaddr *address)
{
	struct in6_addr a = IN6ADDR_ANY_INIT;

	if (address && address->sa_family == AF_INET6) {
		a = ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
		if (!IN6_IS_ADDR_V4MAPPED(&a))
			memset(&a.s6_addr[8], 0, 8);
	} else if (address && address->sa_family == AF_INET) {
		memcpy(&a.s6_addr[12], &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
	}
	return a;
}

static bool clients_is_live(const struct rs_http_client *c)
{
	return c->order && !c->is_shut;
}

/* How many live ones have its address. */
static unsigned int clients_of_address(const struct rs_http_clients *clients, const struct rs_http_client *of)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < RS_HTTP_CLIENTS_SLOTS; i++) {
		const struct rs_http_client *c = &clients->slots[i];

		nr += clients_is_live(c) && !memcmp(&c->address, &of->address, sizeof c->address);
	}
	return nr;
}

/* Its next read or write fails at once: the server closes it by itself, in its own order. */
static void clients_shut_one(struct rs_http_clients *clients)
{
	struct rs_http_client *victim = NULL;
	unsigned int most = 0;

	for (unsigned int i = 0; i < RS_HTTP_CLIENTS_SLOTS; i++) {
		struct rs_http_client *c = &clients->slots[i];
		unsigned int nr = clients_is_live(c) ? clients_of_address(clients, c) : 0;

		if (nr > most || (nr && nr == most && c->order < victim->order)) {
			most = nr;
			victim = c;
		}
	}
	if (!victim)
		return;
	victim->is_shut = true;
	shutdown(victim->fd, SHUT_RDWR);
}

struct rs_http_client *rs_http_clients_add(struct rs_http_clients *clients, int fd,
					   const struct sockaddr *address)
{
	struct rs_http_client *free_slot = NULL;
	unsigned int nr_live = 0;

	for (unsigned int i = 0; i < RS_HTTP_CLIENTS_SLOTS; i++) {
		nr_live += clients_is_live(&clients->slots[i]);
		if (!clients->slots[i].order)
			free_slot = &clients->slots[i];
	}
	if (nr_live >= RS_HTTP_CLIENTS_MAX)
		clients_shut_one(clients);
	if (free_slot)
		*free_slot = (struct rs_http_client){ clients_address(address), ++clients->order, fd, false };
	return free_slot;
}

void rs_http_clients_answered(struct rs_http_clients *clients, struct rs_http_client *client)
{
	if (client)
		client->order = ++clients->order;
}

void rs_http_clients_remove(struct rs_http_client *client)
{
	if (client)
		*client = (struct rs_http_client){ 0 };
}
