// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-perfetto - the trace of Perfetto's own format: valid whatever the recording holds
 *
 * tests/lib/perfetto.py reads each one strictly: what it prints is compared here. It is started once.
 */
#include <check.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "chrome-check.h"
#include "export/export.h"
#include "export/perfetto/proto.h"
#include "lines.h"

/* The reader's input and output: begun before the first test, for the processes of all. */
static FILE *reader_in, *reader_out;

static void reader_begin(void)
{
	int in[2], out[2];

	ck_assert(pipe(in) == 0 && pipe(out) == 0);
	if (!fork()) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[1]);
		close(out[0]);
		execlp("python3", "python3", "tests/lib/perfetto.py", "--serve", NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	reader_in = fdopen(in[1], "w");
	reader_out = fdopen(out[0], "r");
	ck_assert(reader_in && reader_out);
	setvbuf(reader_out, NULL, _IONBF, 0); /* the next process reads on where this one ends */
}

static void reader_end(void)
{
	fclose(reader_in);
	fclose(reader_out);
	wait(NULL);
}

static cJSON *perfetto_read(const char *path)
{
	size_t room = 0, len = strlen(path);
	char *line = NULL;
	cJSON *root;

	fprintf(reader_in, "%s\n", path);
	fflush(reader_in);
	do /* a test that was ended may have left its answer */
		ck_assert_msg(getline(&line, &room, reader_out) > 0, "%s: no answer", path);
	while (strncmp(line, path, len) || line[len] != ' ');
	root = cJSON_Parse(line + len + 1);
	ck_assert_msg(root, "%s", line);
	free(line);
	return root;
}

static cJSON *perfetto_export_range(struct rs_source *source, uint64_t from_ns, uint64_t to_ns)
{
	const struct rs_export_options options = { .compat = false };
	char path[] = "/tmp/ringside-perfetto-XXXXXX";
	struct rs_buf out = RS_BUF_INIT;
	struct rs_export *e = rs_export_find("perfetto", NULL)->make(&options, &out);
	int fd = mkstemp(path);
	cJSON *root;

	rs_chrome_run_pass(e, 0, source, from_ns, to_ns);
	e->close(e);
	e->pack(e, &out);
	ck_assert(fd >= 0 && !out.failed && write(fd, out.data, out.len) == (ssize_t)out.len);
	close(fd);
	e->free(e);
	source->ops->close(source);
	rs_buf_done(&out);
	root = perfetto_read(path);
	unlink(path);
	return root;
}

#define PERFETTO(lines) perfetto_export_range(rs_lines_source(lines, &rs_layouts[_i]), 0, 0)

static int perfetto_count(const cJSON *root, const char *what)
{
	const cJSON *nr = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "count"), what);

	return nr ? nr->valueint : 0;
}

/* "1000 cpu0 10 a;..." */
static void check_runs(cJSON *root, const char *expected)
{
	struct rs_buf text = RS_BUF_INIT;
	const cJSON *run;

	cJSON_ArrayForEach(run, cJSON_GetObjectItem(root, "runs"))
		rs_buf_printf(&text, "%d cpu%d %d %s;", cJSON_GetArrayItem(run, 0)->valueint, cJSON_GetArrayItem(run, 1)->valueint,
			      cJSON_GetArrayItem(run, 2)->valueint, cJSON_GetArrayItem(run, 3)->valuestring);
	ck_assert_str_eq(text.data, expected);
	rs_buf_done(&text);
	cJSON_Delete(root);
}

/* "read 10/10 1000+100;..." in the order of the file: by their ends */
static void check_slices(cJSON *root, const char *expected)
{
	struct rs_buf text = RS_BUF_INIT;
	const cJSON *slice;

	cJSON_ArrayForEach(slice, cJSON_GetObjectItem(root, "slices"))
		rs_buf_printf(&text, "%s %s %d+%d%s;", cJSON_GetObjectItem(slice, "name")->valuestring,
			      cJSON_GetObjectItem(slice, "track")->valuestring, cJSON_GetObjectItem(slice, "ts")->valueint,
			      cJSON_GetObjectItem(slice, "dur")->valueint, cJSON_IsTrue(cJSON_GetObjectItem(slice, "open")) ? " open" : "");
	ck_assert_str_eq(text.data, expected);
	rs_buf_done(&text);
	cJSON_Delete(root);
}

/* ---- who runs ---- */

START_TEST(switches_of_a_cpu)
{
	check_runs(PERFETTO(LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
				  "3000 cpu0 sched_switch a/10 S -> idle/0",
				  "5000 cpu1 sched_waking a/10 target=0 by idle/0",
				  "6000 cpu0 sched_switch idle/0 R -> a/10",
				  "7000 cpu0 sched_switch a/10 R -> b/11",
				  "8000 cpu0 sched_switch b/11 S -> idle/0")),
		   "1000 cpu0 10 a;3000 cpu0 0 swapper;6000 cpu0 10 a;7000 cpu0 11 b;8000 cpu0 0 swapper;");
}
END_TEST

/* The switch from idle to b is missing: b begins with its first event. */
START_TEST(a_missing_switch)
{
	check_runs(PERFETTO(LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
				  "2000 cpu0 sched_switch a/10 S -> idle/0",
				  "2500 cpu0 sched_waking b/11 target=0 by idle/0",
				  "3000 cpu0 sys_enter t=11 nr=read 3 0 1",
				  "4000 cpu0 sched_switch b/11 S -> idle/0")),
		   "1000 cpu0 10 a;2000 cpu0 0 swapper;3000 cpu0 11 b;4000 cpu0 0 swapper;");
}
END_TEST

/* What runs across a gap is not known: idle. */
START_TEST(a_gap)
{
	cJSON *root = PERFETTO(LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "2000 cpu0 sched_switch a/10 S -> b/11", "cpu0 lost 5",
				     "5000 cpu0 sched_switch c/12 S -> d/13", "6000 cpu0 sched_switch d/13 S -> idle/0"));

	ck_assert_int_eq(perfetto_count(root, "lossy bundles"), 1);
	ck_assert_int_eq(perfetto_count(root, "loss instants"), 1);
	ck_assert_int_eq(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "lost"), "0")->valueint, 5);
	check_runs(root, "1000 cpu0 10 a;2000 cpu0 0 swapper;5000 cpu0 13 d;6000 cpu0 0 swapper;");
}
END_TEST

/* ---- slices ---- */

START_TEST(slices_nest)
{
	check_slices(PERFETTO(LINES("1000 cpu0 sys_enter t=10 nr=read 3 0 1", "1500 cpu0 sys_exit t=10 nr=read ret=1",
				    "2000 cpu0 sys_enter t=10 nr=futex 1000 0 2", "2100 cpu0 contention_begin t=10 4096 1",
				    "2200 cpu0 contention_end t=10 4096 ret=0", "2300 cpu0 sys_exit t=10 nr=futex ret=0",
				    "3000 cpu0 sys_enter t=10 nr=write 3 0 1", "4000 cpu0 sys_enter t=11 nr=write 3 0 1")),
		     "read 10/10 1000+500;spinlock 10/10 2100+100;futex 10/10 2000+300;futex wait 10/10 2000+300;write 10/10 3000+0 open;"
		     "write 11/11 4000+0 open;");
}
END_TEST

/*
 * A reader sorts by time, and keeps the order of the file: the outer one is to begin first. The futex call is written when
 * two slices in it are: of one its begin can still be put before the other's.
 */
START_TEST(equal_times)
{
	check_slices(PERFETTO(LINES("2000 cpu0 sys_enter t=10 nr=futex 1000 0 2", "2000 cpu0 contention_begin t=10 4096 1",
				    "2200 cpu0 contention_end t=10 4096 ret=0", "2200 cpu0 sys_exit t=10 nr=futex ret=0",
				    "2200 cpu0 sys_enter t=10 nr=read 3 0 1", "2200 cpu0 contention_begin t=10 4100 1",
				    "2300 cpu0 contention_end t=10 4100 ret=0", "2300 cpu0 sys_exit t=10 nr=read ret=0",
				    "2300 cpu0 sys_enter t=10 nr=read 3 0 1", "2300 cpu0 sys_exit t=10 nr=read ret=0")),
		     "futex 10/10 2000+200;futex wait 10/10 2000+200;spinlock 10/10 2000+200;read 10/10 2200+100;spinlock 10/10 2200+100;"
		     "read 10/10 2300+0;");
}
END_TEST

#define PRESSURE \
	LINES("counts / usage=1", "counts /a usage=2", "pressure 1000000000 / cpu=0", "pressure 2000000000 / cpu=0", "pressure 2000000000 /a cpu=0 io=0", \
	      "pressure 3000000000 / cpu=0", "pressure 3000000000 /a cpu=510000000 io=4000000", \
	      "pressure 4000000000 / cpu=0", "pressure 4000000000 /a cpu=1510000000 io=8000000", \
	      "1000000000 cpu0 sched_switch idle/0 R -> a/10", "4000000000 cpu0 sched_switch a/10 S -> idle/0")

/* Two steps, and the end of the last; the depths of the run queue beside them. */
START_TEST(pressure)
{
	cJSON *without = PERFETTO(LINES("1000000000 cpu0 sched_switch idle/0 R -> a/10", "4000000000 cpu0 sched_switch a/10 S -> idle/0")),
	      *root = PERFETTO(PRESSURE);

	ck_assert_int_eq(perfetto_count(root, "counter") - perfetto_count(without, "counter"), 3);
	/* the group, its counter */
	ck_assert_int_eq(cJSON_GetObjectItem(root, "tracks")->valueint - cJSON_GetObjectItem(without, "tracks")->valueint, 2);
	cJSON_Delete(root);
	cJSON_Delete(without);
}
END_TEST

/* Requests that overlap are on two tracks; each is free when its request has ended. */
START_TEST(requests_beside_each_other)
{
	cJSON *root = PERFETTO(LINES("1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
				     "2000 cpu0 block_rq_issue t=10 8,0 W 512 sector=200 nr=1 comm=a",
				     "3000 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
				     "3000 cpu0 block_rq_issue t=10 8,0 R 512 sector=300 nr=1 comm=a",
				     "4000 cpu0 block_rq_complete t=0 8,0 W sector=200 nr=1",
				     "5000 cpu0 block_rq_complete t=0 8,0 R sector=300 nr=1"));

	ck_assert_int_eq(perfetto_count(root, "counter"), 6);
	/* the disk, two tracks, whom it serves, its counter; what the recording is */
	ck_assert_int_eq(cJSON_GetObjectItem(root, "tracks")->valueint, 6);
	ck_assert_int_eq(perfetto_count(root, "block_io_start"), 3);
	ck_assert_int_eq(perfetto_count(root, "block_io_done"), 3);
	check_slices(root, "a/10 served 1000+2000;R request 1000+2000;a/10 served 3000+1000;W request 2000+2000;a/10 served 4000+1000;"
			   "R request 3000+2000;");
}
END_TEST

/* Readers take the bits of a state for those of the kernel's release; 4.14 moved them, and an unknown one is 4.4 for them. */
START_TEST(states_of_each_kernel)
{
	static const char *const releases[] = { NULL, "4.4.1", "4.9.0-13-amd64", "4.14.2", "6.12-rc1", "6.1.0-23-amd64" };
	struct rs_source *source = rs_lines_source(LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "2000 cpu0 sched_switch a/10 R -> b/11",
							 "3000 cpu0 sched_switch b/11 I -> c/12", "4000 cpu0 sched_switch c/12 P -> d/13",
							 "5000 cpu0 sched_switch d/13 D -> e/14", "6000 cpu0 sched_switch e/14 S -> idle/0"),
						   &rs_layouts[_i / 6]);
	struct rs_buf text = RS_BUF_INIT;
	const cJSON *end;
	cJSON *root;

	source->info.kernel = releases[_i % 6];
	root = perfetto_export_range(source, 0, 0);
	cJSON_ArrayForEach(end, cJSON_GetObjectItem(root, "ends"))
		rs_buf_printf(&text, "%d %s;", cJSON_GetArrayItem(end, 0)->valueint, cJSON_GetArrayItem(end, 2)->valuestring);
	ck_assert_str_eq(text.data, "1000 R;2000 R+;3000 I;4000 P;5000 D;6000 S;");
	rs_buf_done(&text);
	cJSON_Delete(root);
}
END_TEST

/* Before 4.14 a task exits as TASK_DEAD: as what sleeps it would sleep to the end. */
START_TEST(a_death_in_an_old_kernel)
{
	struct rs_source *source = rs_lines_source(LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "2000 cpu0 sched_switch a/10 x -> b/11",
							 "3000 cpu0 sched_switch b/11 P -> c/12"), &rs_layouts[5]); /* of 4.4 */
	cJSON *root = perfetto_export_range(source, 0, 0), *ends = cJSON_GetObjectItem(root, "ends");

	ck_assert_str_eq(cJSON_GetArrayItem(cJSON_GetArrayItem(ends, 1), 2)->valuestring, "x");
	ck_assert_str_eq(cJSON_GetArrayItem(cJSON_GetArrayItem(ends, 2), 2)->valuestring, "P");
	cJSON_Delete(root);
}
END_TEST

/* A new task waits for a CPU from its fork on; without the fork, from its first wakeup on: written once, as readers take it. */
START_TEST(the_first_wait)
{
	cJSON *root = PERFETTO(LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sched_wakeup_new b/11 target=0 by a/10",
				     "1200 cpu0 task_newtask c/12 flags=0 by a/10", "1300 cpu0 sched_wakeup_new c/12 target=0 by a/10",
				     "2000 cpu0 sched_switch a/10 S -> b/11", "3000 cpu0 sched_switch b/11 S -> c/12"));

	ck_assert_int_eq(perfetto_count(root, "task_newtask"), 1);
	ck_assert_int_eq(perfetto_count(root, "wakings"), 1);
	cJSON_Delete(root);
}
END_TEST

/* ---- flows ---- */

START_TEST(a_wakeup_is_a_flow)
{
	cJSON *root = PERFETTO(LINES("1000 cpu0 sys_enter t=10 nr=read 3 0 1", "1100 cpu0 sched_switch a/10 S -> idle/0",
				     "2000 cpu1 sys_enter t=20 nr=write 4 0 1", "2100 cpu1 sched_waking a/10 target=0 by b/20",
				     "2200 cpu1 sys_exit t=20 nr=write ret=1", "2300 cpu0 sched_switch idle/0 R -> a/10",
				     "2400 cpu0 sys_exit t=10 nr=read ret=1"));
	const cJSON *instants = cJSON_GetObjectItem(root, "instants"); /* the other flow is the critical path */

	ck_assert_int_eq(cJSON_GetObjectItem(root, "flows")->valueint, 2);
	ck_assert_str_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(instants, 0), "track")->valuestring, "20/20");
	ck_assert_int_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(instants, 0), "ts")->valueint, 2100);
	ck_assert_str_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(instants, 1), "track")->valuestring, "10/10");
	ck_assert_int_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(instants, 1), "ts")->valueint, 2300);
	cJSON_Delete(root);
}
END_TEST

/*
 * a waits for b, first for 11, then for 12, which is forked meanwhile: the path has them as one, and the longest wait of both is
 * older than the thread that the other is named for. What is earlier than a thread is on no track of it.
 */
START_TEST(a_path_before_the_birth)
{
	cJSON *root = PERFETTO(LINES(
		"900 cpu0 sched_waking a/10 target=0 by idle/0", "910 cpu0 sched_switch idle/0 R -> a/10",
		"900 cpu1 sched_waking b/11 target=1 by idle/0", "910 cpu1 sched_switch idle/0 R -> b/11",
		"900 cpu2 sched_waking c/13 target=2 by idle/0", "910 cpu2 sched_switch idle/0 R -> c/13",
		"1000 cpu0 sys_enter t=10 nr=read", "1100 cpu0 sched_switch a/10 S -> idle/0",
		"1200 cpu1 sys_enter t=11 nr=read", "1300 cpu1 sched_switch b/11 S -> idle/0",
		"3900 cpu2 sched_waking b/11 target=1 by c/13", "3950 cpu1 sched_switch idle/0 R -> b/11", "4000 cpu1 sys_exit t=11 nr=read ret=1",
		"4100 cpu1 sched_waking a/10 target=0 by b/11", "4150 cpu0 sched_switch idle/0 R -> a/10",
		"4200 cpu1 task_newtask b/12 flags=0 by b/11", "4250 cpu0 sched_switch a/10 S -> idle/0",
		"4300 cpu1 sched_switch b/11 S -> b/12", "4400 cpu1 sys_enter t=12 nr=read", "4500 cpu1 sched_switch b/12 S -> idle/0",
		"5300 cpu2 sched_waking b/12 target=1 by c/13", "5350 cpu1 sched_switch idle/0 R -> b/12", "5400 cpu1 sys_exit t=12 nr=read ret=1",
		"7400 cpu1 sched_waking a/10 target=0 by b/12", "7450 cpu0 sched_switch idle/0 R -> a/10", "7900 cpu0 sys_exit t=10 nr=read ret=1"));
	const cJSON *slice = NULL;

	cJSON_ArrayForEach(slice, cJSON_GetObjectItem(root, "slices"))
		if (!strcmp(cJSON_GetObjectItem(slice, "name")->valuestring, "waits for c (read, write)"))
			break;
	ck_assert_ptr_nonnull(slice);
	ck_assert_int_eq(cJSON_GetObjectItem(slice, "ts")->valueint, 1300);
	ck_assert_str_eq(cJSON_GetObjectItem(slice, "track")->valuestring, "critical path of b/12");
	cJSON_Delete(root);
}
END_TEST

/* ---- what a recording may hold ---- */

START_TEST(hostile)
{
	cJSON *root = PERFETTO(LINES("1000 cpu0 sched_switch idle/0 R -> a\"\\\n\x01\x1b]0;/10",
				     "1000 cpu0 sys_enter t=10 nr=read 3 0 1", "1000 cpu0 sys_exit t=10 nr=read ret=1",
				     "1500 cpu0 irq_handler_entry t=10 24 \xff\xfe\x80", "1600 cpu0 irq_handler_exit t=10 24 ret=1",
				     "2000 cpu0 sched_switch a\"\\\n\x01\x1b]0;/10 S -> \xff\xfe/11",
				     "2000 cpu0 task_rename \xff\xfe/11 -> \xc3\x28",
				     "3000 cpu0 sched_switch \xc3\x28/11 X -> idle/0", "3500 cpu0 task_newtask new/11 flags=0 by init/1",
				     "4000 cpu0 sched_switch idle/0 R -> new/11", "4100 cpu0 sys_enter t=11 nr=write 3 0 1",
				     "4200 cpu0 sys_exit t=11 nr=write ret=1", "5000 cpu0 sched_switch new/11 R -> idle/0",
				     "5000 cpu0 sched_switch idle/0 R -> new/11", "5000 cpu0 sched_switch new/11 S -> idle/0"));

	ck_assert_int_eq(perfetto_count(root, "switches to tasks"), 4);
	ck_assert_int_eq(perfetto_count(root, "irq_handler_entry"), 1);
	ck_assert_int_eq(perfetto_count(root, "syscall slices"), 2);
	cJSON_Delete(root);
}
END_TEST

START_TEST(a_time_range)
{
	cJSON *root = perfetto_export_range(rs_lines_source(LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
								  "1100 cpu0 sys_enter t=10 nr=read 3 0 1", "1900 cpu0 sys_exit t=10 nr=read ret=1",
								  "2500 cpu0 sys_enter t=10 nr=write 3 0 1", "2600 cpu0 sys_exit t=10 nr=write ret=1",
								  "3000 cpu0 sched_switch a/10 S -> b/11", "4000 cpu0 sched_switch b/11 S -> idle/0"),
							    &rs_layouts[_i]), 2000, 3500);

	check_slices(cJSON_Duplicate(root, true), "write 10/10 2500+100;");
	ck_assert_int_eq(perfetto_count(root, "switches to tasks"), 2);
	cJSON_Delete(root);
}
END_TEST

/* ---- the writer ---- */

START_TEST(texts_short_and_long)
{
	char out[70000], text[66000];
	static const size_t sizes[] = { 0, 1, 127, 128, 16383, 16384, 65000 };

	memset(text, 'x', sizeof text);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char *end = rs_proto_text(out, 2, text, sizes[i]), length[10];
		size_t nr = (size_t)(rs_proto_varint(length, sizes[i]) - length);

		ck_assert_uint_eq((size_t)(end - out), 1 + nr + sizes[i]);
		ck_assert(out[0] == 0x12 && !memcmp(out + 1, length, nr) && !memcmp(out + 1 + nr, text, sizes[i]));
	}
}
END_TEST

START_TEST(broken_utf8)
{
	char out[100], *end = rs_proto_text(out, 1, "a\xff\xc3\xa4\xed\xa0\x80", 7);

	/* a valid letter stays; a surrogate is three bytes that are not valid */
	ck_assert_uint_eq((size_t)(end - out), 2 + 1 + 3 + 2 + 9);
	ck_assert(!memcmp(out, "\x0a\x0f" "a\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 17));
}
END_TEST

Suite *rs_suite_perfetto(void)
{
	Suite *s = suite_create("perfetto");
	TCase *t = tcase_create("perfetto");
	int nr = (int)rs_nr_layouts;

	tcase_set_timeout(t, 60);
	tcase_add_unchecked_fixture(t, reader_begin, reader_end);
	tcase_add_loop_test(t, switches_of_a_cpu, 0, nr);
	tcase_add_loop_test(t, a_missing_switch, 0, nr);
	tcase_add_loop_test(t, a_gap, 0, nr);
	tcase_add_loop_test(t, slices_nest, 0, nr);
	tcase_add_loop_test(t, equal_times, 0, nr);
	tcase_add_loop_test(t, requests_beside_each_other, 0, nr);
	tcase_add_test(t, pressure);
	tcase_add_loop_test(t, states_of_each_kernel, 0, 6 * 2); /* those with the letters I and P */
	tcase_add_loop_test(t, the_first_wait, 0, nr);
	tcase_add_test(t, a_death_in_an_old_kernel);
	tcase_add_loop_test(t, a_path_before_the_birth, 0, nr);
	tcase_add_loop_test(t, a_wakeup_is_a_flow, 0, nr);
	tcase_add_loop_test(t, hostile, 0, nr);
	tcase_add_loop_test(t, a_time_range, 0, nr);
	tcase_add_test(t, texts_short_and_long);
	tcase_add_test(t, broken_utf8);
	suite_add_tcase(s, t);
	return s;
}
