// SPDX-License-Identifier: GPL-2.0-or-later
/* test-exchanges - request and response on TCP connections */
#include <check.h>

#include "ask.h"
#include "engine/session.h"

#define TASKS \
	"seed cli/10 pid=10", "seed srv/20 pid=20", "with inet_sock_set_state", "with sock_send_length", "with sock_recv_length"
#define CLIENT "10.0.0.1:5000"
#define SERVER "10.0.0.2:80"
#define STATE(ns, tid, sk, from_to, local, remote) \
	#ns " cpu0 inet_sock_set_state " #sk " " from_to " " local " " remote " t=" #tid " protocol=6 common_flags=16"
#define SENT(ns, tid, sk, bytes) #ns " cpu0 sock_send_length " #sk " " #bytes " t=" #tid " protocol=6"
#define RECEIVED(ns, tid, sk, bytes) #ns " cpu0 sock_recv_length " #sk " " #bytes " t=" #tid " protocol=6"
#define POLL(from, to, tid) #from " cpu0 sys_enter t=" #tid " nr=epoll_wait 3 0 0 0", #to " cpu0 sys_exit t=" #tid " nr=epoll_wait ret=1"
/* write(3, buf, asked), in which it is sent */
#define WRITTEN(ns, end, tid, sk, asked, bytes) \
	#ns " cpu0 sys_enter t=" #tid " nr=write 3 0 " #asked, SENT(ns, tid, sk, bytes), #end " cpu0 sys_exit t=" #tid " nr=write ret=" #bytes

#define CONNECT "1000 cpu0 inet_sock_set_state 1 7 -> 2 10.0.0.1:0 " SERVER " t=10 protocol=6 common_flags=0", STATE(1100, 20, 1, "2 -> 1", CLIENT, SERVER)
#define ACCEPTED(sk) STATE(1110, 10, sk, "10 -> 3", SERVER, "10.0.0.1:0"), STATE(1120, 10, sk, "3 -> 1", SERVER, CLIENT)
#define REMOTE TASKS, CONNECT

/* Two parts each; the end of a connection has no bytes. */
START_TEST(of_a_client)
{
#define EXCHANGES \
	LINES(REMOTE, SENT(2000, 10, 1, 60), SENT(2100, 10, 1, 40), RECEIVED(2500, 10, 1, 10), RECEIVED(2600, 10, 1, 20), SENT(3000, 10, 1, 100), \
	      RECEIVED(3100, 10, 1, -11), RECEIVED(3200, 10, 1, 50), RECEIVED(3300, 10, 1, 0), STATE(3400, 10, 1, "1 -> 7", CLIENT, SERVER))
	check_rows(ASK("requests"), EXCHANGES,
		   ROWS("comm=cli pid=10 side=client server=10.0.0.2 server_port=80 peer_comm=- requests=2 total_ns=600 max_ns=400 served_avg_ns=- "
			"request_bytes=200 response_bytes=80 pipelined=0 unordered=0 in_flight=0"));
	check_rows(ASK("request-list"), EXCHANGES,
		   ROWS("time_ns=2500 comm=cli pid=10 tid=10 side=client local=10.0.0.1 local_port=5000 remote=10.0.0.2 remote_port=80 request_bytes=100 "
			"response_bytes=30 lat_ns=400 served_ns=- peer_comm=-",
			"time_ns=3200 request_bytes=100 response_bytes=50 lat_ns=200"));
	check_rows(ASK("requests"), LINES(REMOTE, SENT(2000, 10, 1, 60), RECEIVED(2500, 10, 1, 10), SENT(2600, 10, 1, 5)),
		   ROWS("requests=1 request_bytes=60 in_flight=1"));
}
END_TEST

/* What the client sends next, and before it has an answer, is not measured; nor is anything after it on that connection. */
START_TEST(pipelined)
{
	check_rows(ASK("requests"),
		   LINES(REMOTE, SENT(2000, 10, 1, 60), RECEIVED(2500, 10, 1, 10), SENT(3000, 10, 1, 60), POLL(3100, 3200, 10), SENT(3300, 10, 1, 60),
			 RECEIVED(3400, 10, 1, 10), SENT(4000, 10, 1, 60), RECEIVED(4500, 10, 1, 10)),
		   ROWS("requests=1 total_ns=500 pipelined=2 request_bytes=240 response_bytes=30"));
	check_rows(ASK("requests"), LINES(REMOTE, SENT(2000, 10, 1, 60), RECEIVED(2100, 10, 1, -11), SENT(2300, 10, 1, 60), RECEIVED(2400, 10, 1, 10)),
		   ROWS("requests=0 pipelined=1"));
	/* it waits until there is room for the rest of one request */
	check_rows(ASK("requests"), LINES(REMOTE, WRITTEN(2000, 2010, 10, 1, 50, 60), POLL(2100, 2200, 10), WRITTEN(2300, 2310, 10, 1, 14, 20), RECEIVED(2400, 10, 1, 10)),
		   ROWS("requests=1 total_ns=100 pipelined=0 request_bytes=80"));
	check_rows(ASK("requests"),
		   LINES(REMOTE, SENT(2000, 10, 1, 60), SENT(2010, 10, 1, -11), POLL(2100, 2200, 10), SENT(2300, 10, 1, 20), RECEIVED(2400, 10, 1, 10)),
		   ROWS("requests=1 total_ns=100 pipelined=0"));
}
END_TEST

/* Both ends are here: each has its time, and the client the server's part of its own. */
START_TEST(of_both)
{
#define LOCAL(...) LINES(REMOTE, ACCEPTED(2), __VA_ARGS__)
	check_rows(ASK("requests"),
		   LOCAL(SENT(2000, 10, 1, 60), RECEIVED(2100, 20, 2, 60), "2300 cpu0 sys_enter t=20 nr=write 3 0 a", SENT(2400, 20, 2, 10),
			 "2410 cpu0 sys_exit t=20 nr=write ret=10", RECEIVED(2500, 10, 1, 10), STATE(3000, 10, 1, "1 -> 7", CLIENT, SERVER)),
		   ROWS("comm=cli side=client peer_comm=srv requests=1 total_ns=500 served_avg_ns=200 request_bytes=60 response_bytes=10",
			"comm=srv side=server server=10.0.0.2 server_port=80 peer_comm=cli requests=1 total_ns=200 served_avg_ns=-"));
	/* the server may have it before the client's call is over, and the client the answer before the server's is */
	check_rows(ASK("request-list"),
		   LOCAL(RECEIVED(1900, 20, 2, 60), SENT(2000, 10, 1, 60), "2100 cpu0 sys_enter t=20 nr=write 3 0 a", RECEIVED(2200, 10, 1, 10),
			 SENT(2400, 20, 2, 10), "2410 cpu0 sys_exit t=20 nr=write ret=10", SENT(3000, 10, 1, 5)),
		   ROWS("side=client lat_ns=200 served_ns=100 peer_comm=srv peer_pid=20", "side=server lat_ns=200 served_ns=- peer_comm=cli"));
	/* the server answers the first of two that it has not received yet */
	check_rows(ASK("requests"),
		   LOCAL(SENT(2000, 10, 1, 60), SENT(2010, 10, 1, 60), RECEIVED(2100, 20, 2, 60), SENT(2200, 20, 2, 10), RECEIVED(2300, 10, 1, 10)),
		   ROWS("side=client requests=0 pipelined=1", "side=server requests=0 pipelined=1"));
	/* another network namespace has the same addresses */
	check_rows(ASK("requests"),
		   LOCAL(STATE(1150, 10, 3, "10 -> 3", SERVER, "10.0.0.1:0"), STATE(1160, 10, 3, "3 -> 1", SERVER, CLIENT), SENT(2000, 10, 1, 60),
			 RECEIVED(2100, 20, 2, 60), SENT(2400, 20, 2, 10), RECEIVED(2500, 10, 1, 10)),
		   ROWS("side=client peer_comm=- requests=1", "side=server peer_comm=- requests=1"));
}
END_TEST

/* From the end of the request to the begin of the response, on the track of the connection: none of what is pipelined or lost. */
START_TEST(drawn)
{
	check_rows(ASK("requests", .span = "exchange"), EXCHANGES,
		   ROWS("id=65536 from=2100 to=2500 open=0 side=client request_bytes=100", "id=65536 from=3000 to=3200 request_bytes=100"));
	check_rows(ASK("requests", .span = "exchange"), LINES(REMOTE, SENT(2000, 10, 1, 60), "cpu0 lost 3", RECEIVED(2100, 10, 1, 60)), NO_ROWS);
	check_rows(ASK("requests", .span = "exchange"), LINES(REMOTE, SENT(2000, 10, 1, 60), POLL(2010, 2020, 10), SENT(2030, 10, 1, 60), RECEIVED(2100, 10, 1, 60)),
		   NO_ROWS);
}
END_TEST

/* Who asks is not known of one that is older than the trace; after a loss not what is on its way. */
START_TEST(unknown)
{
	check_rows(ASK("requests"), LINES(TASKS, SENT(2000, 10, 1, 60), RECEIVED(2100, 10, 1, 60)),
		   ROWS("side=- server=- requests=0 unordered=2 request_bytes=0 max_ns=-"));
	check_rows(ASK("requests"), LINES(REMOTE, SENT(2000, 10, 1, 60), "cpu0 lost 3", RECEIVED(2100, 10, 1, 60), SENT(3000, 10, 1, 60), RECEIVED(3100, 10, 1, 60)),
		   ROWS("requests=1 total_ns=100 request_bytes=60"));
	check_rows(ASK("requests"), LINES(REMOTE, RECEIVED(2100, 10, 1, 60)), NO_ROWS);
	check_rows(ASK("requests", .pid = 20), LINES(REMOTE, SENT(2000, 10, 1, 60), RECEIVED(2500, 10, 1, 10)), NO_ROWS);
}
END_TEST

/* A kernel that does not tell of messages has no requests to show, and says so. */
START_TEST(without_messages)
{
	struct rs_source *source = rs_lines_source(LINES("with inet_sock_set_state", "without sock_send_length", CONNECT), &rs_layouts[0]);
	struct rs_session_config config = { .nr_analyses = 1 };
	struct rs_error err = { 0 };
	struct rs_session *s;
	struct rs_view_ref ref;

	ck_assert(rs_requirements_find_view("requests", &ref, &err));
	config.analyses[0] = ref.analysis;
	s = rs_session_new(&config, &err);
	ck_assert_int_eq(rs_session_attach(s, source, &err), 0);
	ck_assert_str_eq(rs_session_disabled(s, ref.analysis), "needs sock:sock_send_length, which this trace does not have");
	rs_session_free(s);
	source->ops->close(source);
}
END_TEST

Suite *rs_suite_exchanges(void);
Suite *rs_suite_exchanges(void)
{
	Suite *s = suite_create("exchanges");
	TCase *t = tcase_create("exchanges");

	tcase_add_test(t, of_a_client);
	tcase_add_test(t, pipelined);
	tcase_add_test(t, of_both);
	tcase_add_test(t, drawn);
	tcase_add_test(t, unknown);
	tcase_add_test(t, without_messages);
	suite_add_tcase(s, t);
	return s;
}
