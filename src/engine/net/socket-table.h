/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * socket-table.h - sockets by address and by number, in memory that does not grow
 *
 * One that closed stays until its place is needed: rows of it are shown after that.
 */
#ifndef RS_ENGINE_NET_SOCKET_TABLE_H
#define RS_ENGINE_NET_SOCKET_TABLE_H

#include "ringside/socket.h"

struct rs_socket_table;

/* A place of the table. */
struct rs_socket_entry {
	struct rs_socket socket;
	uint32_t chain;            /* 1 + the index of the next one of its bucket; 0: none */
	uint32_t next_closed;      /* likewise, of those that closed after it */
	uint32_t pair_chain;       /* likewise, of its bucket by ends */
	uint32_t pair_bucket;      /* 1 + its index; 0: in none */
};

/* Allocated by rs_alloc, or calloc: zeroed. */
struct rs_socket_table {
	struct rs_socket_entry entries[RS_MAX_SOCKETS];
	uint32_t buckets[RS_MAX_SOCKETS];
	uint32_t pair_buckets[RS_MAX_SOCKETS]; /* by ends: both of a connection are in the same */
	uint32_t nr_used;          /* places that were ever taken */
	uint32_t first_closed, last_closed; /* 1 + index; 0: none */
	uint32_t hand;             /* whose place is taken next where none is closed */
	uint64_t nr_added;
};

/* Reads the ends of a connection off its name: see rs_socket_name. Returns false if it is of none. */
bool rs_socket_read_ends(const char *name, struct rs_socket_end *local, struct rs_socket_end *remote);

/* Of a Unix socket, whose address is its inode: no address of a TCP connection is one of a multicast. */
struct rs_socket_end rs_socket_unix_end(uint32_t inode);
/* Returns false if it is none. */
bool rs_socket_end_is_unix(const struct rs_socket_end *end, uint32_t *inode);

/* Returns the socket at that address that was added last; NULL: none. */
struct rs_socket_entry *rs_socket_table_at(struct rs_socket_table *t, uint64_t addr);
/*
 * Adds one, of which nothing but address and number are set. One that is there is not at that address any
 * more. *evicted: an open socket was forgotten for it. addr 0: it is not known yet.
 */
struct rs_socket_entry *rs_socket_table_add(struct rs_socket_table *t, uint64_t addr, bool *evicted);
/* An event has told its address, which was 0, and which no other has. */
void rs_socket_table_set_addr(struct rs_socket_table *t, struct rs_socket_entry *e, uint64_t addr);
/* Returns the open socket of rs_socket_table_pair that has these ends; NULL: none, or *several. */
struct rs_socket_entry *rs_socket_table_by_ends(struct rs_socket_table *t, const struct rs_socket_end *local,
						const struct rs_socket_end *remote, bool *several);
/* Returns the one that had these ends at that time; NULL: none, or several. Looks at all. */
const struct rs_socket_entry *rs_socket_table_at_time(const struct rs_socket_table *t,
						      const struct rs_socket_end *local,
						      const struct rs_socket_end *remote, uint64_t at_ns);
/* It has closed: its place is the last to be taken. Once for each socket. */
void rs_socket_table_close(struct rs_socket_table *t, struct rs_socket_entry *e);
struct rs_socket_entry *rs_socket_table_find(struct rs_socket_table *t, uint64_t number);
/* Its ends are known, and stay: rs_socket_table_peer finds it until it closes. May be called again. */
void rs_socket_table_pair(struct rs_socket_table *t, struct rs_socket_entry *e);
/* See rs_socket_peer. */
const struct rs_socket_entry *rs_socket_table_peer(const struct rs_socket_table *t,
						   const struct rs_socket_entry *e);

#endif
