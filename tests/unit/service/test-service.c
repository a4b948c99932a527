// SPDX-License-Identifier: GPL-2.0-or-later
/* test-service - an engine over a recording of lines, asked by a client over a socketpair */
#include <check.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "recording/recording.h"
#include "rpc/client.h"
#include "daemon/serve.h"
#include "service/tail.h"
#include "lines.h"
#include "served.h"

static const char *const two_calls[] = {
	"1000 cpu0 sys_enter t=10 nr=read", "1500 cpu0 sys_exit t=10 nr=read ret=1",
	"2000 cpu0 sys_enter t=10 nr=write", "2100 cpu0 sys_exit t=10 nr=write ret=1", NULL,
};

static void value(int row, const char *view, const char *column, struct rs_value *v)
{
	const struct rs_catalogue_view *of = rs_catalogue_view(rs_client_catalogue(served_client), view);
	const cJSON *cell;
	int at = 0;

	while (of->view.columns[at].name && strcmp(of->view.columns[at].name, column))
		at++;
	ck_assert_ptr_nonnull(of->view.columns[at].name);
	cell = cJSON_GetArrayItem(cJSON_GetArrayItem(cJSON_GetObjectItem(served_answer, "rows"), row), at);
	*v = cJSON_IsString(cell) ? rs_s(cell->valuestring) : rs_u_if(cJSON_IsNumber(cell), cJSON_IsNumber(cell) ? (uint64_t)cell->valuedouble : 0);
}

static void check_same(const char *own, const char *told)
{
	ck_assert_msg(own == told || (own && told && !strcmp(own, told)), "%s is told as %s", own, told);
}

static void check_panel(const struct rs_panel *own, const struct rs_panel *told)
{
	ck_assert_int_eq(!own, !told);
	if (!own)
		return;
	ck_assert_int_eq(own->kind, told->kind);
	ck_assert_uint_eq(own->place, told->place);
	ck_assert_int_eq(own->every, told->every);
	check_same(own->title, told->title);
	check_same(own->columns, told->columns);
	check_same(own->sort, told->sort);
	for (unsigned int i = 0; own->parts && (i == 0 || own->parts[i - 1].column); i++) {
		check_same(own->parts[i].column, told->parts[i].column);
		ck_assert_int_eq(own->parts[i].cause, told->parts[i].cause);
	}
}

static void check_latencies(const struct rs_latencies *own, const struct rs_latencies *told)
{
	ck_assert_int_eq(!own, !told || !told->columns);
	for (; own; own++, told++) {
		check_same(own->columns, told->columns);
		check_same(own->kind, told->kind);
		check_same(own->kind_column, told->kind_column);
		check_same(own->label_column, told->label_column);
		check_same(own->labels, told->labels);
		check_same(own->track_column, told->track_column);
		if (!own->columns)
			return;
	}
}

START_TEST(hello_has_the_views_as_they_are_declared)
{
	const struct rs_catalogue *c;

	served_begin_client(two_calls);
	c = rs_client_catalogue(served_client);
	for (unsigned int i = 0; i < served_config.session.nr_analyses; i++) {
		const struct rs_view *own = served_config.session.analyses[i]->views;

		for (; own && own->name; own++) {
			const struct rs_catalogue_view *told = rs_catalogue_view(c, own->name);
			unsigned int n;

			ck_assert_msg(told, "%s", own->name);
			ck_assert_str_eq(told->analysis, served_config.session.analyses[i]->name);
			ck_assert_int_eq(told->view.kind, own->kind);
			for (n = 0; own->columns[n].name; n++) {
				ck_assert_str_eq(told->view.columns[n].name, own->columns[n].name);
				ck_assert_str_eq(told->view.columns[n].heading, own->columns[n].heading);
				ck_assert_int_eq(told->view.columns[n].type, own->columns[n].type);
				ck_assert_int_eq(told->view.columns[n].unit, own->columns[n].unit);
				ck_assert_int_eq(told->view.columns[n].flags, own->columns[n].flags);
				ck_assert_int_eq(told->view.columns[n].width, own->columns[n].width);
			}
			ck_assert_ptr_null(told->view.columns[n].name);
			check_panel(own->panel, told->view.panel);
			check_latencies(own->latencies, told->view.latencies);
		}
	}
	served_end_client();
}
END_TEST

START_TEST(hello_has_the_source_of_the_quality_line)
{
	served_filters = "-c a";
	served_begin_client(two_calls);
	ck_assert_str_eq(rs_client_hello_reply(served_client)->filters, "-c a");
	ck_assert_str_eq(rs_client_hello_reply(served_client)->unit, "ns");
	ck_assert_ptr_nonnull(rs_client_hello_reply(served_client)->version);
	served_end_client();
	served_filters = NULL;
}
END_TEST

/* sched has views and no kind of span: the client takes an empty list, and refuses null. */
START_TEST(hello_of_an_analysis_without_span_kinds)
{
	served_analysis = "sched";
	served_begin_client(two_calls);
	ck_assert_ptr_nonnull(rs_catalogue_view(rs_client_catalogue(served_client), "sched"));
	ck_assert_ptr_null(rs_catalogue_view(rs_client_catalogue(served_client), "syscalls"));
	ck_assert_uint_eq(rs_client_catalogue(served_client)->nr_kinds, 0);
	served_end_client();
	served_analysis = NULL;
}
END_TEST

START_TEST(rows_of_a_file_are_of_all_of_it)
{
	struct rs_value v;

	served_begin_client(two_calls);
	served_wait_loaded();
	ck_assert_uint_eq(served_number("events"), 4);
	served_ask_rows("syscalls", NULL, 10);
	ck_assert_uint_eq(served_number("total"), 2);
	value(0, "syscalls", "lat_ns", &v);
	ck_assert_uint_eq(v.u, 500);
	value(1, "syscalls", "lat_ns", &v);
	ck_assert_uint_eq(v.u, 100);
	served_end_client();
}
END_TEST

START_TEST(rows_are_sorted_and_cut_as_asked)
{
	struct rs_value v;

	served_begin_client(two_calls);
	served_wait_loaded();
	served_ask_rows("syscalls", "lat_ns", 1);
	ck_assert_uint_eq(served_number("total"), 2);
	ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(served_answer, "rows")), 1);
	value(0, "syscalls", "lat_ns", &v);
	ck_assert_uint_eq(v.u, 100);
	served_end_client();
}
END_TEST

static void ask_rows_where(const char *view, const char *where)
{
	struct rs_json *j = raw_begin("rows");

	rs_json_put_str(j, "view", view);
	rs_json_put_str(j, "where", where);
	served_send(-1);
}

static int64_t total(const char *view, const char *column)
{
	const struct rs_view *v = &rs_catalogue_view(rs_client_catalogue(served_client), view)->view;
	const cJSON *totals = cJSON_GetObjectItem(served_answer, "totals");
	int at = 0;

	while (strcmp(v->columns[at].name, column))
		at++;
	ck_assert_ptr_null(v->columns[cJSON_GetArraySize(totals)].name);
	totals = cJSON_GetArrayItem(totals, at);
	return cJSON_IsNull(totals) ? -1 : (int64_t)totals->valuedouble;
}

START_TEST(rows_by_an_expression_and_their_totals)
{
	struct rs_value v;

	served_begin_client(two_calls);
	served_wait_loaded();
	ask_rows_where("syscalls", "lat_ns < 500ns");
	ck_assert_uint_eq(served_number("of"), 2);
	ck_assert_uint_eq(served_number("total"), 1);
	value(0, "syscalls", "lat_ns", &v);
	ck_assert_uint_eq(v.u, 100);
	/* three rows: the thread's, and one for each call, of which the first is the sum */
	served_ask_rows("syscall-latency", NULL, 1);
	ck_assert_uint_eq(served_number("total"), 3);
	ck_assert_int_eq(total("syscall-latency", "calls"), 2);
	ck_assert_int_eq(total("syscall-latency", "total_ns"), 600);
	ck_assert_int_eq(total("syscall-latency", "max_ns"), -1);
	ck_assert_int_eq(total("syscall-latency", "syscall"), -1);
	ask_rows_where("syscall-latency", "syscall == -");
	ck_assert_int_eq(total("syscall-latency", "total_ns"), 600);
	ask_rows_where("syscall-latency", "syscall ~ rea");
	ck_assert_int_eq(total("syscall-latency", "total_ns"), 500);
	ask_rows_where("syscall-latency", "syscall == none");
	ck_assert_int_eq(total("syscall-latency", "total_ns"), 0);
	ask_rows_where("syscall-latency", "sycall == read");
	ck_assert_str_eq(raw_text_of(served_answer, "code"), "usage");
	ck_assert_str_eq(raw_text_of(served_answer, "error"),
			 "where: at 1: syscall-latency has no column 'sycall' (did you mean 'syscall'?)");
	served_end_client();
}
END_TEST

static uint64_t requests_between(uint64_t from_ns, uint64_t to_ns)
{
	struct rs_json *j = raw_begin("rows");

	rs_json_put_str(j, "view", "iosnoop");
	rs_json_put_u64(j, "from_ns", from_ns);
	rs_json_put_u64(j, "to_ns", to_ns);
	served_send(-1);
	ck_assert_msg(cJSON_IsTrue(cJSON_GetObjectItem(served_answer, "ok")), "%s", raw_text_of(served_answer, "error"));
	return served_number("total");
}

/* Requests end in one half or the other; those of the second that began in the first are known by what is read ahead. */
/* runqslower is of waits over 10 ms, where nobody said -m: also on a screen, that cannot say it. */
START_TEST(rows_are_as_long_as_the_view_says)
{
	static const char *const two_waits[] = {
		"1000000 cpu0 sched_waking a/10 target=0 by idle/0", "6000000 cpu0 sched_switch idle/0 R -> a/10",
		"7000000 cpu0 sched_switch a/10 S -> idle/0", "8000000 cpu0 sched_waking a/10 target=0 by idle/0",
		"28000000 cpu0 sched_switch idle/0 R -> a/10", "29000000 cpu0 sched_switch a/10 S -> idle/0", NULL,
	};
	struct rs_value v;

	served_begin_client(two_waits);
	served_wait_loaded();
	served_ask_rows("runqslower", NULL, 10);
	ck_assert_uint_eq(served_number("of"), 1);
	ck_assert_uint_eq(served_number("total"), 1);
	value(0, "runqslower", "lat_ns", &v);
	ck_assert_uint_eq(v.u, 20000000);
	served_end_client();
}
END_TEST

START_TEST(a_tail_keeps_what_is_as_long_as_the_view_says)
{
	static const struct rs_column columns[] = {
		{ .name = "lat_ns", .type = RS_TYPE_DURATION, .flags = RS_COLUMN_LATENCY }, { .name = NULL },
	};
	static const struct rs_view view = { .name = "slower", .kind = RS_VIEW_STREAM, .columns = columns, .default_min_ns = 10 };
	struct rs_tail *t = rs_tail_new(&view, 4);

	ck_assert_ptr_nonnull(t);
	for (uint64_t ns = 8; ns < 12; ns++)
		t->sink.row(&t->sink, &(struct rs_value){ .known = true, .u = ns });
	ck_assert_uint_eq(t->nr_came, 2);
	ck_assert_uint_eq(rs_tail_row(t, 0)->u, 10);
	ck_assert_uint_eq(rs_tail_row(t, 1)->u, 11);
	rs_tail_free(t);
}
END_TEST

START_TEST(rows_of_history_are_of_what_ended_then)
{
	uint64_t from_ns, to_ns, half_ns, all;

	served_begin_recording();
	served_wait_loaded();
	from_ns = served_number("from_ns");
	to_ns = served_number("to_ns");
	half_ns = from_ns + (to_ns - from_ns) / 2;
	served_ask_rows("iosnoop", NULL, 10);
	all = served_number("total");
	ck_assert_uint_gt(all, 10);
	ck_assert_uint_eq(requests_between(from_ns, to_ns), all);
	ck_assert_uint_eq(requests_between(from_ns, half_ns) + requests_between(half_ns + 1, to_ns), all);
	ck_assert_uint_gt(requests_between(from_ns, half_ns), 0);
	served_end_client();
}
END_TEST

static void ask_save(const char *format, int fd, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_json *j = raw_begin("save");

	rs_json_put_str(j, "format", format);
	rs_json_put_u64(j, "from_ns", from_ns);
	rs_json_put_u64(j, "to_ns", to_ns);
	served_send(fd);
}

/* The file is the client's: the engine has its descriptor alone. */
START_TEST(history_is_saved_to_a_descriptor)
{
	int fd = memfd_create("saved", MFD_CLOEXEC);
	struct rs_error err = { 0 };
	struct rs_source *saved;
	uint64_t from_ns, to_ns;

	served_begin_recording();
	served_wait_loaded();
	from_ns = served_number("from_ns");
	to_ns = served_number("to_ns");
	ask_save("trace.dat", fd, from_ns, from_ns + (to_ns - from_ns) / 2);
	ck_assert_msg(cJSON_IsTrue(cJSON_GetObjectItem(served_answer, "ok")), "%s", raw_text_of(served_answer, "error"));
	ck_assert_uint_gt(served_number("events"), 100);
	ck_assert_uint_eq(served_number("bytes"), (uint64_t)lseek(fd, 0, SEEK_END));
	saved = rs_tracedat_open_fd(fd, "saved", NULL, &err);
	ck_assert_msg(saved != NULL, "%s", err.text);
	saved->ops->close(saved);
	ask_save("trace.data", fd, from_ns, to_ns);
	ck_assert_str_eq(raw_text_of(served_answer, "code"), "usage");
	ask_save("trace.dat", -1, from_ns, to_ns);
	ck_assert_str_eq(raw_text_of(served_answer, "code"), "usage");
	close(fd);
	served_end_client();
}
END_TEST

/* Requests that wait to be sent go with the descriptor of a later one: it is that one's all the same. */
START_TEST(a_descriptor_is_its_requests)
{
	struct rs_save_request save = { .format = "trace.dat" };
	int fd = memfd_create("saved", MFD_CLOEXEC);
	struct rs_error err = { 0 };
	const void *reply;

	served_begin_recording();
	served_wait_loaded();
	save.time = (struct rs_asked_time){ rs_u(served_number("from_ns")), rs_u(served_number("to_ns")) };
	ck_assert_uint_ne(rs_client_ask(served_client, "state", NULL, NULL, NULL), 0);
	reply = rs_client_call(served_client, "save", &save, fd, &err);
	ck_assert_msg(reply != NULL, "%s", err.text);
	ck_assert_int_gt(lseek(fd, 0, SEEK_END), 0);
	rs_message_drop(reply);
	close(fd);
	served_end_client();
}
END_TEST

/* Who asks from 0 on, as `export --daemon` does, gets the tasks that were there then: their processes and control groups. */
START_TEST(history_from_0_has_the_tasks_of_its_begin)
{
	int fd = memfd_create("saved", MFD_CLOEXEC), nr_known = 0;
	struct rs_error err = { 0 };
	struct rs_source *saved;
	uint64_t from_ns;

	served_begin_recording();
	served_wait_loaded();
	from_ns = served_number("from_ns");
	ask_save("trace.dat", fd, 0, served_number("to_ns"));
	saved = rs_tracedat_open_fd(fd, "saved", NULL, &err);
	ck_assert_msg(saved != NULL, "%s", err.text);
	for (size_t i = 0; i < saved->info.nr_initial; i++)
		nr_known += saved->info.snapshot[i].ts_ns == from_ns; /* one of time 0 is a name alone */
	ck_assert_int_gt(nr_known, 10);
	saved->ops->close(saved);
	close(fd);
	served_end_client();
}
END_TEST

START_TEST(what_makes_no_sense_is_refused)
{
	served_begin_client(two_calls);
	served_ask_rows("nothing", NULL, 10);
	ck_assert(cJSON_IsFalse(cJSON_GetObjectItem(served_answer, "ok")));
	ck_assert_str_eq(raw_text_of(served_answer, "code"), "usage");
	served_ask_rows("syscalls", "no_such_column", 10);
	ck_assert_str_eq(raw_text_of(served_answer, "code"), "usage");
	raw_begin("no-such-request");
	served_send(-1);
	ck_assert_str_eq(raw_text_of(served_answer, "code"), "usage");
	served_end_client();
}
END_TEST

static void send_frame(const char *text)
{
	unsigned char head[4] = { 0, 0, 0, (unsigned char)strlen(text) };

	ck_assert_int_eq(write(served_fd, head, sizeof head), sizeof head);
	ck_assert_int_eq(write(served_fd, text, strlen(text)), (ssize_t)strlen(text));
}

/* What is sent is answered by the end of the connection, and by nothing else. */
static void check_dropped(const void *bytes, size_t len)
{
	char c;

	served_begin(two_calls);
	ck_assert_int_eq(write(served_fd, bytes, len), (ssize_t)len);
	ck_assert_int_eq(read(served_fd, &c, 1), 0);
	close(served_fd);
	served_end();
}

START_TEST(a_client_that_breaks_a_rule_is_dropped)
{
	check_dropped("\xff\xff\xff\xff{}", 6);
	check_dropped("\0\1\0\1", 4);                 /* 65537 bytes */
	check_dropped("\0\0\0\2[]", 6);
	check_dropped("\0\0\0\2{]", 6);
	check_dropped("\0\0\0\2{}", 6);               /* no id */
	check_dropped("\0\0\0\x15{\"id\":1,\"op\":\"state\"}", 4 + 0x15); /* before hello */
	check_dropped("\0\0\0\x1c{\"id\":1,\"a\":[[[[[[[[[[[[[[[[", 4 + 0x1c);
}
END_TEST

START_TEST(another_version_is_told_so)
{
	char text[512] = "", says[64];

	snprintf(says, sizeof says, "version %d of the protocol", RS_PROTOCOL);
	served_begin(two_calls);
	send_frame("{\"id\":1,\"op\":\"hello\",\"protocol\":99,\"who\":\"x\"}");
	ck_assert_int_gt(read(served_fd, text, sizeof text - 1), 4);
	ck_assert_ptr_nonnull(strstr(text + 4, says));
	close(served_fd);
	served_end();
}
END_TEST

/* What is open at the end of what was read, and what is idle only where that is asked. */
START_TEST(open_calls)
{
	static const char *const lines[] = {
		"1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sys_enter t=10 nr=read 3 7f00 1000", "1200 cpu0 sched_switch a/10 S -> b/11",
		"1300 cpu0 sys_enter t=11 nr=nanosleep", "1400 cpu0 sched_switch b/11 S -> idle/0", "9000 cpu0 sched_switch idle/0 R -> c/12", NULL,
	};
	const cJSON *list;
	struct rs_json *j;

	served_begin_client(lines);
	served_wait_loaded();
	for (int idle = 0; idle < 2; idle++) {
		j = raw_begin("open");
		rs_json_put_bool(j, "idle", idle);
		rs_json_put_u64(j, "min_ns", 1000);
		served_send(-1);
		list = cJSON_GetObjectItem(served_answer, "open");
		ck_assert_int_eq(cJSON_GetArraySize(list), 1 + idle);
		ck_assert_str_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 0), "what")->valuestring, "read(3, 0x7f00, 4096)");
		ck_assert_uint_eq(served_number("now_ns"), 9000);
	}
	j = raw_begin("open");
	rs_json_put_u64(j, "limit", 100000);
	served_send(-1);
	ck_assert_str_eq(cJSON_GetObjectItem(served_answer, "code")->valuestring, "usage");
	raw_begin("findings");
	served_send(-1);
	ck_assert(cJSON_IsArray(cJSON_GetObjectItem(served_answer, "findings")));
	served_end_client();
}
END_TEST

/* Its reason came before the question could be put. */
START_TEST(an_engine_that_could_not_begin_says_why)
{
	struct rs_error why = { 0 }, err = { 0 };
	int fds[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	rs_fail(&why, "nothing of that name");
	rs_serve_failed(fds[0], &why);
	close(fds[0]);
	served_client = rs_client_new(fds[1], &err);
	ck_assert_int_eq(rs_client_hello(served_client, "test", &err), -1);
	ck_assert_str_eq(err.text, "nothing of that name");
	rs_client_free(served_client);
}
END_TEST

/* The server's thread may not have begun to wait when it is told both: that there is nothing to serve, and why. */
START_TEST(what_cannot_begin_says_why)
{
	char heard[1024] = "";
	size_t len = 0;
	ssize_t n;

	served_source = rs_lines_source(LINES("1000 cpu0 sched_switch a/10 S -> idle/0"), &rs_layouts[0]);
	served_source->info.header_page = (struct rs_text){ "nothing", 7 };
	served_begin_source(served_source, "lines");
	while ((n = read(served_fd, heard + len, sizeof heard - 1 - len)) > 0)
		len += (size_t)n;
	ck_assert_uint_gt(len, 4); /* the frame's length */
	ck_assert_msg(strstr(heard + 4, "\"failed\"") != NULL, "heard '%s'", heard + 4);
	close(served_fd);
	served_end();
}
END_TEST

Suite *rs_suite_service(void);
Suite *rs_suite_service(void)
{
	Suite *suite = suite_create("service");
	TCase *tc = tcase_create("service");

	tcase_add_test(tc, hello_has_the_views_as_they_are_declared);
	tcase_add_test(tc, hello_has_the_source_of_the_quality_line);
	tcase_add_test(tc, hello_of_an_analysis_without_span_kinds);
	tcase_add_test(tc, rows_of_a_file_are_of_all_of_it);
	tcase_add_test(tc, rows_are_sorted_and_cut_as_asked);
	tcase_add_test(tc, rows_by_an_expression_and_their_totals);
	tcase_add_test(tc, rows_are_as_long_as_the_view_says);
	tcase_add_test(tc, a_tail_keeps_what_is_as_long_as_the_view_says);
	tcase_add_test(tc, rows_of_history_are_of_what_ended_then);
	tcase_add_test(tc, history_is_saved_to_a_descriptor);
	tcase_add_test(tc, a_descriptor_is_its_requests);
	tcase_add_test(tc, history_from_0_has_the_tasks_of_its_begin);
	tcase_add_test(tc, what_makes_no_sense_is_refused);
	tcase_add_test(tc, a_client_that_breaks_a_rule_is_dropped);
	tcase_add_test(tc, another_version_is_told_so);
	tcase_add_test(tc, open_calls);
	tcase_add_test(tc, an_engine_that_could_not_begin_says_why);
	tcase_add_loop_test(tc, what_cannot_begin_says_why, 0, 40);
	suite_add_tcase(suite, tc);
	return suite;
}
