// SPDX-License-Identifier: GPL-2.0-or-later
/* test-op-ranges - what is open, and what is found, of a time range that has passed */
#include <check.h>
#include <string.h>

#include "lines.h"
#include "served.h"
#include "view/expression.h"

Suite *rs_suite_op_ranges(void);

static uint64_t number_of(const cJSON *object, const char *member)
{
	uint64_t v;

	ck_assert_msg(raw_u64_of(object, member, &v), "%s", member);
	return v;
}

/* from_ns 0: not asked about a range. */
static const cJSON *ask(const char *op, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_json *j = raw_begin(op);

	if (from_ns) {
		rs_json_put_u64(j, "from_ns", from_ns);
		rs_json_put_u64(j, "to_ns", to_ns);
	}
	if (!strcmp(op, "open"))
		rs_json_put_bool(j, "idle", true);
	served_send(-1);
	ck_assert_msg(cJSON_IsTrue(cJSON_GetObjectItem(served_answer, "ok")), "%s", raw_text_of(served_answer, "error"));
	return cJSON_GetObjectItem(served_answer, op);
}

static const cJSON *find(const cJSON *list, const char *kind, uint64_t tid)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, list)
		if (!strcmp(raw_text_of(item, "kind"), kind) && number_of(item, "tid") == tid)
			return item;
	return NULL;
}

/*
 * a reads from 1000 to 9000 and sleeps from 1100 to 8300, until b writes; of that time b sleeps from 1300 to 7300, until c does.
 * What b waited for in its call is c alone; of a process, its slowest call.
 */
START_TEST(the_critical_path_of_a_thread)
{
	static const struct { const char *member; uint64_t id; const char *links[4]; } asked[] = {
		{ "tid", 11, { "b", "c" } }, { "pid", 10, { "a", "b", "c" } }, { "tid", 99, { NULL } },
	};

	served_begin_client(LINES("seed a/10 pid=10", "seed b/11 pid=11", "seed c/12 pid=12",
				  "910 cpu0 sched_switch idle/0 R -> a/10", "910 cpu1 sched_switch idle/0 R -> b/11",
				  "910 cpu2 sched_switch idle/0 R -> c/12",
				  "1000 cpu0 sys_enter t=10 nr=read", "1100 cpu0 sched_switch a/10 S -> idle/0",
				  "1200 cpu1 sys_enter t=11 nr=read", "1300 cpu1 sched_switch b/11 S -> idle/0",
				  "7300 cpu2 sched_waking b/11 target=1 by c/12", "7400 cpu1 sched_switch idle/0 R -> b/11",
				  "7500 cpu1 sys_exit t=11 nr=read ret=1", "8300 cpu1 sched_waking a/10 target=0 by b/11",
				  "8400 cpu0 sched_switch idle/0 R -> a/10", "9000 cpu0 sys_exit t=10 nr=read ret=1"));
	served_wait_loaded();
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		struct rs_json *j = raw_begin("rows");
		const cJSON *rows;

		rs_json_put_str(j, "view", "critical-path");
		rs_json_put_u64(j, asked[i].member, asked[i].id);
		rs_json_put_u64(j, "from_ns", 1000);
		rs_json_put_u64(j, "to_ns", asked[i].id == 11 ? 7500 : 9000);
		served_send(-1);
		rows = cJSON_GetObjectItem(served_answer, "rows");
		for (int link = 0; asked[i].links[link]; link++)
			ck_assert_str_eq(cJSON_GetArrayItem(cJSON_GetArrayItem(rows, link), 1)->valuestring, asked[i].links[link]);
		ck_assert_int_eq(cJSON_GetArraySize(rows), i == 2 ? 0 : i == 1 ? 3 : 2);
	}
	served_end_client();
}
END_TEST

/*
 * Thread 355 waits in futex(2) from 0.115642 s for 640 ms: 0.3 s later that is in flight, since then, though it began
 * long before the range; before it began and after it ended it is not. The process of each is told.
 */
START_TEST(what_was_open_then)
{
	uint64_t begin_ns, now_ns;
	const cJSON *item;

	served_begin_recording();
	served_wait_loaded();
	begin_ns = served_number("from_ns");
	now_ns = begin_ns + 415000000;
	item = find(ask("open", now_ns - 1000000, now_ns), "futex", 355);
	ck_assert_ptr_nonnull(item);
	ck_assert_uint_eq(number_of(item, "since_ns") - begin_ns - 115642000, (number_of(item, "since_ns") - begin_ns) % 1000);
	ck_assert_uint_eq(number_of(item, "pid"), 355);
	ck_assert_uint_eq(served_number("now_ns"), now_ns);
	ck_assert_ptr_null(find(ask("open", begin_ns, begin_ns + 100000000), "futex", 355));
	ck_assert_ptr_null(find(ask("open", begin_ns, begin_ns + 756300000), "futex", 355));
	served_end_client();
}
END_TEST

/* Of the range that is all of the file what is found is what is found without one; of a part of it, it is another. */
START_TEST(what_was_found_then)
{
	uint64_t from_ns, to_ns;
	cJSON *all;

	served_begin_recording();
	served_wait_loaded();
	from_ns = served_number("from_ns");
	to_ns = served_number("to_ns");
	all = cJSON_Duplicate(ask("findings", 0, 0), true);
	ck_assert_int_gt(cJSON_GetArraySize(all), 0);
	ck_assert_uint_eq(served_number("from_ns"), from_ns);
	ck_assert_uint_eq(served_number("to_ns"), to_ns);
	ck_assert_int_eq(cJSON_Compare(all, ask("findings", from_ns, to_ns), true), true);
	ck_assert_int_eq(cJSON_Compare(all, ask("findings", from_ns + 200000000, from_ns + 400000000), true), false);
	ck_assert_uint_eq(served_number("from_ns"), from_ns + 200000000);
	/* a tenth of a second is needed to judge */
	ck_assert_int_eq(cJSON_GetArraySize(ask("findings", from_ns, from_ns + 1000000)), 0);
	cJSON_Delete(all);
	served_end_client();
}
END_TEST

static size_t nr_where(const char *op, const char *where)
{
	struct rs_json *j = raw_begin(op);

	if (where)
		rs_json_put_str(j, "where", where);
	if (!strcmp(op, "open"))
		rs_json_put_bool(j, "idle", true);
	served_send(-1);
	ck_assert_msg(cJSON_IsTrue(cJSON_GetObjectItem(served_answer, "ok")), "%s", raw_text_of(served_answer, "error"));
	return (size_t)cJSON_GetArraySize(cJSON_GetObjectItem(served_answer, op));
}

/* Some names have quotes. */
static size_t nr_of_comm(const char *comm)
{
	struct rs_buf where = RS_BUF_INIT;
	size_t nr;

	rs_buf_puts(&where, "comm == ");
	rs_expression_put_text(&where, comm);
	nr = nr_where("findings", where.data);
	rs_buf_done(&where);
	return nr;
}

/* Each finding passes by its victim, and by its culprit; none by another name. What is in flight, by its thread. */
START_TEST(which_findings_pass_a_filter)
{
	cJSON *all;
	size_t nr;

	served_begin_recording();
	served_wait_loaded();
	nr = nr_where("findings", NULL);
	all = cJSON_Duplicate(cJSON_GetObjectItem(served_answer, "findings"), true);
	ck_assert_uint_gt(nr, 0);
	for (size_t i = 0; i < nr; i++) {
		const cJSON *finding = cJSON_GetArrayItem(all, (int)i),
			    *culprit = cJSON_GetObjectItem(finding, "culprit");

		ck_assert_uint_gt(nr_of_comm(raw_text_of(finding, "victim")), 0);
		if (cJSON_IsString(culprit))
			ck_assert_uint_gt(nr_of_comm(culprit->valuestring), 0);
	}
	ck_assert_uint_eq(nr_where("findings", "comm == nobody"), 0);
	ck_assert_uint_eq(nr_where("findings", "comm != nobody"), nr);
	nr = nr_where("open", NULL);
	ck_assert_uint_gt(nr, 0);
	ck_assert_uint_eq(nr_where("open", "comm == nobody"), 0);
	ck_assert_uint_eq(nr_where("open", "latency >= 0"), nr);
	ck_assert_uint_eq(nr_where("open", "kind == call") + nr_where("open", "kind != call"), nr);
	cJSON_Delete(all);
	served_end_client();
}
END_TEST

/* a runs from 1000 to 3000, then waits for its CPU while b runs to 7000. Of 2000 to 5000: 1000 of its own, 2000 that b took. */
START_TEST(why_of_a_range)
{
	const struct rs_catalogue_view *view;
	struct rs_json *j;

	served_analysis = "sched"; /* the engine does not run why */
	served_begin_client(LINES("seed a/10 pid=10", "seed b/11 pid=11", "900 cpu0 sched_switch idle/0 R -> b/11", "1000 cpu0 sched_switch b/11 R -> a/10",
				  "3000 cpu0 sched_switch a/10 R -> b/11", "7000 cpu0 sched_switch b/11 S -> a/10", "9000 cpu0 sched_switch a/10 S -> idle/0"));
	view = rs_catalogue_view(rs_client_catalogue(served_client), "why");
	ck_assert(view && view->on_demand && !view->why_off);
	served_wait_loaded();
	for (int whole = 0; whole <= 1; whole++) {
		j = raw_begin("rows");
		rs_json_put_str(j, "view", "antagonists");
		rs_json_put_str(j, "where", "pid == 10");
		if (!whole) {
			rs_json_put_u64(j, "from_ns", 2000);
			rs_json_put_u64(j, "to_ns", 5000);
		}
		served_send(-1);
		ck_assert_msg(served_number("total") == 1, "%s", cJSON_PrintUnformatted(served_answer));
		const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(served_answer, "rows"), 0);
		ck_assert_str_eq(cJSON_GetArrayItem(row, 3)->valuestring, "run queue");
		ck_assert_str_eq(cJSON_GetArrayItem(row, 11)->valuestring, "b");
		ck_assert_int_eq((int)cJSON_GetNumberValue(cJSON_GetArrayItem(row, 14)), whole ? 4000 : 2000);
	}
	served_end_client();
	served_analysis = NULL;
}
END_TEST

/* The wait that others are compared with may be anywhere in the time. */
START_TEST(waits_like_one_of_them)
{
	struct rs_json *j;
	const cJSON *rows;

	served_begin_client(LINES("seed a/10 pid=10", "910 cpu0 sched_switch idle/0 R -> a/10",
				  "1000000 cpu0 sys_enter t=10 nr=read", "1100000 cpu0 sched_switch a/10 S -> idle/0",
				  "3300000 cpu1 sched_waking a/10 target=0 by idle/0", "3400000 cpu0 sched_switch idle/0 R -> a/10",
				  "3500000 cpu0 sys_exit t=10 nr=read ret=1",
				  "4000000 cpu0 sys_enter t=10 nr=read", "4100000 cpu0 sched_switch a/10 S -> idle/0",
				  "8300000 cpu1 sched_waking a/10 target=0 by idle/0", "8400000 cpu0 sched_switch idle/0 R -> a/10",
				  "8500000 cpu0 sys_exit t=10 nr=read ret=1"));
	served_wait_loaded();
	for (int tid = 10; tid <= 11; tid++) {
		j = raw_begin("rows");
		rs_json_put_str(j, "view", "alike");
		rs_json_put_u64(j, "from_ns", 900);
		rs_json_put_u64(j, "to_ns", 9000000);
		rs_json_key(j, "wait");
		rs_json_open(j, '{');
		rs_json_put_u64(j, "tid", (uint64_t)tid);
		rs_json_put_u64(j, "from_ns", 1000000);
		rs_json_put_u64(j, "to_ns", 3500000);
		rs_json_close(j, '}');
		served_send(-1);
		rows = cJSON_GetObjectItem(served_answer, "rows");
		ck_assert_int_eq(cJSON_GetArraySize(rows), tid == 10 ? 2 : 0); /* of 11 there is none */
	}
	served_end_client();
}
END_TEST

static void check_json(const cJSON *item, const char *expected)
{
	char *text = cJSON_PrintUnformatted(item);

	ck_assert_str_eq(text, expected);
	cJSON_free(text);
}

/* Of the group of a thread; of another, and where its group has none, of the machine. */
START_TEST(pressure_over_time)
{
	const cJSON *list;

	served_begin_client(LINES("counts / usage=1", "counts /a usage=2", "seed a/10 pid=10 cgroup=/a", "seed b/11 pid=11",
				  "pressure 1000000000 / cpu=0", "pressure 2000000000 / cpu=100000000",
				  "pressure 2000000000 /a cpu=0 io=0", "pressure 3000000000 / cpu=100000000",
				  "pressure 3000000000 /a cpu=510000000 io=4000000",
				  "1000000000 cpu0 sched_switch idle/0 R -> a/10", "4000000000 cpu0 sched_switch a/10 S -> idle/0"));
	served_wait_loaded();
	rs_json_put_u64(raw_begin("pressure"), "tid", 10);
	served_send(-1);
	ck_assert_str_eq(raw_text_of(served_answer, "cgroup"), "/a");
	list = cJSON_GetObjectItem(served_answer, "pressures");
	ck_assert_int_eq(cJSON_GetArraySize(list), 2); /* of memory nothing was read */
	check_json(cJSON_GetArrayItem(list, 0),
		   "{\"resource\":\"cpu\",\"steps\":[[2000000000,3000000000,510000000,null]]}");
	rs_json_put_u64(raw_begin("pressure"), "tid", 11);
	served_send(-1);
	ck_assert_str_eq(raw_text_of(served_answer, "cgroup"), "/");
	check_json(cJSON_GetArrayItem(cJSON_GetObjectItem(served_answer, "pressures"), 0),
		   "{\"resource\":\"cpu\",\"steps\":[[1000000000,2000000000,100000000,null],[2000000000,3000000000,0,null]]}");
	served_end_client();
}
END_TEST

Suite *rs_suite_op_ranges(void)
{
	Suite *s = suite_create("op-ranges");
	TCase *t = tcase_create("op-ranges");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, which_findings_pass_a_filter);
	tcase_add_test(t, the_critical_path_of_a_thread);
	tcase_add_test(t, what_was_open_then);
	tcase_add_test(t, what_was_found_then);
	tcase_add_test(t, why_of_a_range);
	tcase_add_test(t, waits_like_one_of_them);
	tcase_add_test(t, pressure_over_time);
	suite_add_tcase(s, t);
	return s;
}
