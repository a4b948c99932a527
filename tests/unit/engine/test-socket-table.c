// SPDX-License-Identifier: GPL-2.0-or-later
/* test-socket-table - more sockets than there is room for: those that closed go first, and both ends of a connection find each other */
#include <check.h>
#include <stdlib.h>

#include "engine/net/socket-table.h"

static struct rs_socket_table *table;

static void setup(void)
{
	table = calloc(1, sizeof *table);
	ck_assert_ptr_nonnull(table);
}

static void teardown(void)
{
	free(table);
}

/* Its address is i, its ends are told by i alone; of the server the other way round. */
static uint64_t add(uint32_t i, bool is_server, bool *evicted)
{
	struct rs_socket_entry *e = rs_socket_table_add(table, i + (is_server ? 1u << 24 : 0), evicted);
	struct rs_socket_end client = { .addr = { 1, (uint8_t)(i >> 16) }, .port = (uint16_t)i }, server = { .addr = { 2 }, .port = 80 };

	e->socket.local = is_server ? server : client;
	e->socket.remote = is_server ? client : server;
	e->socket.has_ends = true;
	rs_socket_table_pair(table, e);
	return e->socket.number;
}

START_TEST(more_than_there_is_room_for)
{
	uint32_t half = RS_MAX_SOCKETS / 2;
	struct rs_socket_entry *closed;
	uint64_t first = 0, second = 0, number;
	bool evicted;

	for (uint32_t i = 1; i <= RS_MAX_SOCKETS; i++) {
		number = add(i % half + half, i > half, &evicted);
		first = first ? first : number;
		second = second || number == first ? second : number;
		ck_assert(!evicted);
	}
	/* one that closed is found until its place is needed, and is the first to go */
	closed = rs_socket_table_find(table, second);
	rs_socket_table_close(table, closed);
	ck_assert_ptr_eq(rs_socket_table_find(table, second), closed);
	add(1, false, &evicted);
	ck_assert(!evicted);
	ck_assert_ptr_null(rs_socket_table_find(table, second));
	ck_assert_ptr_nonnull(rs_socket_table_find(table, first));
	/* then one that is open, which is told */
	number = add(2, false, &evicted);
	ck_assert(evicted);
	ck_assert_ptr_nonnull(rs_socket_table_find(table, number));
	ck_assert_ptr_eq(rs_socket_table_at(table, 2), rs_socket_table_find(table, number));
	ck_assert_uint_eq(table->nr_used, RS_MAX_SOCKETS);
}
END_TEST

START_TEST(both_ends)
{
	bool evicted;
	uint64_t client = add(7, false, &evicted), server;

	ck_assert_ptr_null(rs_socket_table_peer(table, rs_socket_table_find(table, client)));
	server = add(7, true, &evicted);
	ck_assert_ptr_eq(rs_socket_table_peer(table, rs_socket_table_find(table, client)), rs_socket_table_find(table, server));
	ck_assert_ptr_eq(rs_socket_table_peer(table, rs_socket_table_find(table, server)), rs_socket_table_find(table, client));
	/* those of another network namespace have the same addresses */
	add(7, true, &evicted);
	ck_assert_ptr_null(rs_socket_table_peer(table, rs_socket_table_find(table, client)));
}
END_TEST

Suite *rs_suite_socket_table(void);
Suite *rs_suite_socket_table(void)
{
	Suite *s = suite_create("socket-table");
	TCase *t = tcase_create("socket-table");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, more_than_there_is_room_for);
	tcase_add_test(t, both_ends);
	suite_add_tcase(s, t);
	return s;
}
