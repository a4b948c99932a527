// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-exports - a hostile recording through each format of the list, which tests/lib/exports.py reads strictly; and closer looks at
 * those that are made of rows: SQLite, HTML
 */
#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "lines.h"
#include "made-lines.h"
#include "service/export-feed.h"
#include "service/save-tracedat.h"

#define NAME1 "</script><b>" /* fits into a comm */
#define NAME2 "'\"&\n\x1b]0;"
#define NAME3 "\xff\xfe\xc3"

/* In flight at the begin and at the end, equal times, lost events, pid 0, a tid that is used again. */
static const char *const hostile_lines[] = {
	"1000 cpu0 sys_exit t=10 nr=read ret=1",
	"1000 cpu0 sched_switch " NAME1 "/10 S -> " NAME2 "/11",
	"1000 cpu1 sched_switch idle/0 R -> " NAME3 "/12",
	"1500 cpu0 sys_enter t=11 nr=write 1 2 3",
	"2000 cpu0 sys_exit t=11 nr=write ret=3",
	"2000 cpu0 sched_waking " NAME1 "/10 target=0 by " NAME2 "/11",
	"2000 cpu0 sched_switch " NAME2 "/11 R -> " NAME1 "/10",
	"2500 cpu0 irq_handler_entry t=10 24 " NAME1 "<i>",
	"2600 cpu0 irq_handler_exit t=10 24 ret=1",
	"3000 cpu1 sched_process_exit " NAME3 "/12",
	"3100 cpu1 sched_switch " NAME3 "/12 X -> idle/0",
	"3200 cpu0 task_newtask " NAME1 "/12 flags=0 by " NAME1 "/10",
	"3300 cpu0 sched_switch " NAME1 "/10 S -> " NAME1 "/12",
	"cpu1 lost 5",
	"4000 cpu1 sched_switch idle/0 R -> " NAME2 "/11",
	"5000 cpu1 sys_enter t=11 nr=read 18446744073709551615",
	"6000 cpu1 block_rq_issue t=11 8,0 R 4096 sector=100 nr=8 comm=" NAME2,
	"7000 cpu1 block_rq_complete t=11 8,0 R sector=100 nr=8",
	NULL,
};

static const struct rs_export_format *export_format(const char *name)
{
	struct rs_error err = { 0 };
	const struct rs_export_format *f = rs_export_find(name, &err);

	ck_assert_msg(f, "%s", err.text);
	return f;
}

static void export_pass(struct rs_export *e, unsigned int pass, struct rs_source *source)
{
	struct rs_session_config config = { .nr_analyses = 0 };
	struct rs_error err = { 0 };
	struct rs_export_feed feed;
	struct rs_session *s;

	for (size_t i = 0; rs_plugins_all()[i]; i++)
		if (!rs_plugins_all()[i]->live_only && !rs_plugins_all()[i]->pairs)
			config.analyses[config.nr_analyses++] = rs_plugins_all()[i];
	ck_assert_int_eq(rs_export_feed_config(e, pass, &config, &err), 0);
	s = rs_session_new(&config, &err);
	rs_export_feed_spans(e, pass, s);
	ck_assert_msg(rs_session_attach(s, source, &err) == 0, "%s", err.text);
	rs_export_feed_begin(&feed, e, pass, s, &config, source, 1000);
	while (rs_session_run(s, 1000, &err) == RS_RUN_MORE)
		;
	rs_session_end(s);
	ck_assert_int_eq(rs_export_feed_end(&feed, &err), 0);
	ck_assert_msg(err.status == RS_OK, "%s", err.text);
	rs_session_free(s);
}

/* Returns what went wrong in the format; "": nothing. */
static const char *export_run(const char *name, struct rs_source *source, const struct rs_export_options *options, struct rs_buf *out)
{
	struct rs_export *e = export_format(name)->make(options, out);
	static char error[sizeof ((struct rs_error *)0)->text];

	export_pass(e, 0, source);
	e->close(e);
	if (e->pack)
		e->pack(e, out);
	strcpy(error, e->error.text);
	e->free(e);
	source->ops->close(source);
	return error;
}

static void export_source(const char *name, struct rs_source *source, const char *path, struct rs_buf *out)
{
	ck_assert_str_eq(export_run(name, source, &(struct rs_export_options){ .path = path }, out), "");
}

/* ---- each format ---- */

static int export_add(void *arg, const void *data, size_t len_bytes, struct rs_error *err)
{
	(void)err;
	rs_buf_add(arg, data, len_bytes);
	return 0;
}

/* trace.dat: pages are copied */
static void export_pages(struct rs_source *source, struct rs_buf *out)
{
	struct rs_save_tracedat save = { .source = source, .write = export_add, .arg = out };
	uint64_t *nr_pages = calloc(source->info.nr_cpus, sizeof *nr_pages);
	struct rs_source *again = source->ops->again(source, NULL);
	struct rs_error err = { 0 };
	struct rs_page page;

	for (unsigned int cpu = 0; cpu < source->info.nr_cpus; cpu++)
		while (again->ops->next(again, cpu, &page, &err) == RS_NEXT_PAGE)
			nr_pages[cpu]++;
	save.nr_pages = nr_pages;
	ck_assert_msg(rs_save_tracedat(&save, &err) == 0, "%s", err.text);
	again->ops->close(again);
	source->ops->close(source);
	free(nr_pages);
}

/* A file or a folder by the name of the format, in the folder. */
static void export_to(const struct rs_export_format *f, struct rs_source *source, const char *folder)
{
	struct rs_buf out = RS_BUF_INIT;
	char path[100];
	int fd = -1;

	snprintf(path, sizeof path, "%s/%s", folder, f->name);
	if (f->output == RS_EXPORT_FOLDER)
		ck_assert_int_eq(mkdir(path, 0700), 0);
	else
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (f->make)
		export_source(f->name, source, path, &out);
	else
		export_pages(source, &out);
	if (f->output != RS_EXPORT_FOLDER) {
		ck_assert(fd >= 0 && !out.failed && write(fd, out.data, out.len) == (ssize_t)out.len);
		close(fd);
	}
	rs_buf_done(&out);
}

static int export_remove(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	return remove(path);
}

static void export_everywhere(struct rs_source *(*make)(unsigned int nr), unsigned int nr, const char *top)
{
	char folder[60];

	snprintf(folder, sizeof folder, "%s/%u", top, nr);
	ck_assert_int_eq(mkdir(folder, 0700), 0);
	for (const struct rs_export_format *f = rs_export_formats; f->name; f++)
		export_to(f, make(nr), folder);
}

/* TOP/CASE/FORMAT of each format; what exports.py is told of them, see there. */
static void check_exports(const char *top, const char *told)
{
	struct rs_buf said = RS_BUF_INIT;
	char command[400], piece[1000];
	FILE *pipe;
	size_t nr;

	snprintf(command, sizeof command, "python3 tests/lib/exports.py --all %s %s 2>&1", top, told);
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	while ((nr = fread(piece, 1, sizeof piece, pipe)) > 0)
		rs_buf_add(&said, piece, nr);
	ck_assert_msg(pclose(pipe) == 0, "%s", said.data);
	rs_buf_done(&said);
}

static struct rs_source *export_hostile(unsigned int layout)
{
	return rs_lines_source(hostile_lines, &rs_layouts[layout]);
}

/* 17 events beside the loss; the read of 10 has no begin, that of 11 no end. */
START_TEST(hostile_everywhere)
{
	char top[] = "/tmp/ringside-exports-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(top));
	for (unsigned int i = 0; i < rs_nr_layouts; i++)
		export_everywhere(export_hostile, i, top);
	check_exports(top, "'[\"</script><b>\", \"\\u0027\\u0022&\\n\\u001b]0;\", \"\\u00ff\\u00fe\\u00c3\"]' events=17 'lost events=5' "
			   "calls=2 'calls ended=1' requests=1 'requests ended=1' locks=0 samples=0 "
			   "'switch events=6' 'waking events=1' 'call events=2' 'request events=1'");
	nftw(top, export_remove, 8, FTW_DEPTH | FTW_PHYS);
}
END_TEST

enum { MANY = 65535, FEWER = 8191 };

/* Each task is woken, and never runs. */
static struct rs_source *export_many_tasks(unsigned int nr)
{
	static char text[MANY][80];
	static const char *lines[MANY + 1]; /* a source that is opened again reads them again */

	for (unsigned int i = 0; i < nr; i++) {
		snprintf(text[i], sizeof text[i], "%u cpu%u sched_waking t%u/%u target=0 by idle/0", 1000 + i / 16, i % 8, i + 1, i + 1);
		lines[i] = text[i];
	}
	lines[nr] = NULL;
	return rs_lines_source(lines, &rs_layouts[0]);
}

/* ---- SQLite ---- */

/* Returns a file's name, which the caller removes. */
static const char *export_database(struct rs_source *source, char path[32])
{
	struct rs_buf out = RS_BUF_INIT;

	strcpy(path, "/tmp/ringside-db-XXXXXX");
	close(mkstemp(path));
	export_source("sqlite", source, path, &out);
	ck_assert_uint_eq(out.len, 0);
	return path;
}

static sqlite3 *export_open(const char *path)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	return db;
}

/* The first cell of the answer as text; "": null, or no row. */
static const char *export_ask(sqlite3 *db, const char *sql)
{
	static char answer[256];
	sqlite3_stmt *stmt;

	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
	answer[0] = '\0';
	if (sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_text(stmt, 0))
		snprintf(answer, sizeof answer, "%s", (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return answer;
}

#define check_sql(db, sql, wanted) ck_assert_str_eq(export_ask(db, sql), wanted)

START_TEST(hostile_database)
{
	char path[32];
	sqlite3 *db = export_open(export_database(rs_lines_source(hostile_lines, &rs_layouts[_i]), path));

	check_sql(db, "PRAGMA integrity_check", "ok");
	check_sql(db, "PRAGMA application_id", "1381188674"); /* RSDB */
	check_sql(db, "SELECT comm FROM thread WHERE id = 10", NAME1);
	check_sql(db, "SELECT comm FROM thread WHERE id = 11", NAME2);
	/* three bytes that are no UTF-8; the tid again is another row */
	check_sql(db, "SELECT comm FROM thread WHERE id = 12", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	check_sql(db, "SELECT comm || instance FROM thread WHERE id = 12 + 4294967296", NAME1 "1");
	check_sql(db, "SELECT count(*) FROM thread", "4");
	/* the read of 10 has no begin, that of 11 no end; the other one is whole */
	check_sql(db, "SELECT group_concat(label || (end_ns - start_ns) || in_flight) FROM span_syscall", "write5000,read20001");
	check_sql(db, "SELECT count(*) FROM syscalls", "1");
	check_sql(db, "SELECT cpu || ' ' || lost || ' ' || start_ns || ' ' || end_ns FROM gap", "1 5 3100 4000");
	check_sql(db, "SELECT group_concat(lost) FROM cpu", "0,5");
	check_sql(db, "SELECT value FROM meta WHERE key = 'lost'", "5");
	check_sql(db, "SELECT label FROM span_irq", NAME1 "<i>");
	check_sql(db, "SELECT comm || lat_ns FROM iosnoop", NAME2 "1000");
	/* 10 slept from 1000, until 11 woke it at 2000, when it ran: a delay of no length */
	check_sql(db, "SELECT state || start_ns || '-' || end_ns || ' ' || waker FROM state WHERE thread = 10 AND state = 'sleep' AND NOT in_flight", "sleep1000-2000 11");
	check_sql(db, "SELECT sum(ns) FROM wait_culprit WHERE tid = 10", "1000");
	check_sql(db, "SELECT count(*) FROM state WHERE end_ns < start_ns", "0");
	sqlite3_close(db);
	unlink(path);
}
END_TEST

static bool export_interrupt(void)
{
	return true;
}

/* Ctrl-C comes in the middle. */
START_TEST(interrupted_database)
{
	struct rs_buf out = RS_BUF_INIT;
	char path[] = "/tmp/ringside-db-XXXXXX";
	const char *said;

	close(mkstemp(path));
	said = export_run("sqlite", export_many_tasks(FEWER), &(struct rs_export_options){ .path = path, .interrupted = export_interrupt }, &out);
	ck_assert_msg(strstr(said, "cannot write the database: ") && strstr(said, ": interrupted"), "%s", said);
	unlink(path);
}
END_TEST

/* ---- HTML ---- */

static unsigned int export_count(const char *text, const char *of)
{
	unsigned int nr = 0;

	for (; (text = strstr(text, of)); text++)
		nr++;
	return nr;
}

static void check_page(const struct rs_buf *page)
{
	uint32_t code;

	ck_assert(!page->failed && strlen(page->data) == page->len && page->len < 2000000);
	for (size_t at = 0, n; (n = rs_escape_utf8_next(page->data + at, page->len - at, &code)) > 0; at += n)
		ck_assert_msg((code >= ' ' || code == '\n') && code != 0x7f && (code != 0xfffd || n == 3), "byte %02x at %zu", (unsigned char)page->data[at], at);
	ck_assert_uint_eq(export_count(page->data, "<script"), 2); /* the page's own, and its data */
	ck_assert_uint_eq(export_count(page->data, "</script"), 2);
	ck_assert_uint_eq(export_count(page->data, "</html>"), 1);
	ck_assert_uint_eq(export_count(page->data, "http://") + export_count(page->data, "https://"), 0);
}

START_TEST(hostile_page)
{
	struct rs_buf page = RS_BUF_INIT;

	export_source("html", rs_lines_source(hostile_lines, &rs_layouts[_i]), NULL, &page);
	check_page(&page);
	ck_assert_uint_gt(export_count(page.data, "&lt;/script&gt;&lt;b&gt;"), 3);
	ck_assert_uint_gt(export_count(page.data, "'&quot;&amp;\\x0A\\x1B]0;"), 1);
	ck_assert_uint_eq(export_count(page.data, "lost 5"), 2); /* at the top, and at the end */
	rs_buf_done(&page);
}
END_TEST

/* Of threads that have a track: the label's title, and what the tooltip of a slice has. The lines have it from the second question on. */
START_TEST(command_lines_of_a_page)
{
	struct rs_buf page = RS_BUF_INIT;

	export_source("html", rs_lines_source(LINES("seed a/10 pid=10", "seed worker/11 pid=10", "args 10 /bin/a \"<b>\"",
		"1000 cpu0 sched_switch idle/0 R -> worker/11", "9000 cpu0 sched_switch worker/11 S -> a/10", "9500 cpu0 sched_switch a/10 S -> idle/0"), &rs_layouts[0]), NULL, &page);
	check_page(&page);
	ck_assert_uint_eq(export_count(page.data, " data-cmdline=\"/bin/a &quot;&lt;b&gt;&quot;\">a/10<title>thread 10 of process 10 a: "
		"/bin/a &quot;&lt;b&gt;&quot;</title>"), 1);
	rs_buf_done(&page);
}
END_TEST

/*
 * 10 runs for 550 s, then 11: columns of 2^31 ns are 512.2, each 1024 / 512.2 = 1.9992 wide. 10 leads the first 256, 11 the others; the last
 * one is not full.
 */
START_TEST(timeline_of_any_length)
{
	struct rs_buf page = RS_BUF_INIT;

	export_source("html", rs_lines_source(LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "2000 cpu0 sched_switch a/10 R -> a/10",
		"550000001000 cpu0 sched_switch a/10 S -> b/11", "1100000001000 cpu0 sched_switch b/11 S -> idle/0"), &rs_layouts[0]), NULL, &page);
	check_page(&page);
	ck_assert_uint_ge(export_count(page.data, "M172.0 20h511.8v16h-511.8z"), 1); /* CPU 0: a */
	ck_assert_uint_ge(export_count(page.data, "M683.8 20h511.8v16h-511.8z"), 1); /* then b */
	rs_buf_done(&page);
}
END_TEST

/*
 * A page has 128 threads. Of those that run one after the other, each 10 us longer than the one before, it has the last; first come a, of which
 * a finding says that it waits from 1 ms on, and b, for which it waits; then x, which runs longer than b.
 */
#define SHORT_TASKS 300u
#define FOLLOWED 128u

static void export_make_short_tasks(void)
{
	unsigned int us = 10;

	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed b/11 pid=11");
	made_line("1000 cpu0 sched_switch idle/0 R -> b/11 next_prio=120");
	made_line("1000 cpu2 sched_switch idle/0 R -> x/12 next_prio=120");
	made_line("1000000 cpu0 sched_waking a/10 target=0 by b/11");
	for (unsigned int i = 0; i < SHORT_TASKS; us += 10 * ++i)
		made_line("%u000 cpu1 sched_switch %s/%u S -> t/%u next_prio=120", us, i ? "t" : "idle", i ? 999 + i : 0, 1000 + i);
	made_line("%u000 cpu1 sched_switch t/%u S -> idle/0", us, 999 + SHORT_TASKS);
	made_line("460000000 cpu0 sched_switch b/11 S -> a/10 next_prio=120");
	made_line("470000000 cpu0 sched_switch a/10 S -> idle/0");
	made_line("480000000 cpu2 sched_switch x/12 S -> idle/0");
}

/* Whether the page has such a track. */
static bool export_has_track(const struct rs_buf *page, const char *label)
{
	char text[60];

	snprintf(text, sizeof text, ">%s<title>thread ", label);
	return strstr(page->data, text);
}

START_TEST(threads_of_a_page)
{
	struct rs_buf page = RS_BUF_INIT;
	const char *track;

	export_make_short_tasks();
	export_source("html", rs_lines_source(made_lines, &rs_layouts[0]), NULL, &page);
	check_page(&page);
	ck_assert_ptr_nonnull(strstr(page.data, "a (10) waits 98 % of its time for a CPU"));
	ck_assert_uint_eq(export_count(page.data, "<title>thread "), FOLLOWED);
	ck_assert_ptr_nonnull(strstr(page.data, ">175 more threads are not drawn.")); /* of 303 */
	track = page.data;
	for (int i = 0; i < 3; i++) {
		track = strstr(track + 1, "<title>thread ");
		ck_assert_msg(track && atoi(track + strlen("<title>thread ")) == 10 + i, "%.40s", track);
	}
	for (unsigned int i = 0; i < SHORT_TASKS; i++) {
		char label[20];

		snprintf(label, sizeof label, "t/%u", 1000 + i);
		ck_assert_msg(export_has_track(&page, label) == (i >= SHORT_TASKS - (FOLLOWED - 3)), "%s", label);
	}
	rs_buf_done(&page);
}
END_TEST

/* ---- many tasks ---- */

static void check_many_in_database(const char *top)
{
	char path[100];
	sqlite3 *db;

	snprintf(path, sizeof path, "%s/%u/sqlite", top, MANY);
	db = export_open(path);
	check_sql(db, "SELECT count(*) FROM thread", "65535");
	check_sql(db, "SELECT count(*) FROM state WHERE state = 'delay' AND in_flight", "65535");
	sqlite3_close(db);
	export_remove(path, NULL, 0, NULL);
}

/* Each writer has as many as there can be; a strict reader of all of them would take seconds. */
START_TEST(many_tasks_everywhere)
{
	char top[] = "/tmp/ringside-exports-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(top));
	export_everywhere(export_many_tasks, MANY, top);
	check_many_in_database(top);
	nftw(top, export_remove, 8, FTW_DEPTH | FTW_PHYS);
	mkdir(top, 0700);
	export_everywhere(export_many_tasks, FEWER, top);
	check_exports(top, "[] events=8191 'waking events=8191' 'lost events=0'");
	nftw(top, export_remove, 8, FTW_DEPTH | FTW_PHYS);
}
END_TEST

Suite *rs_suite_exports(void)
{
	Suite *s = suite_create("exports");
	TCase *t = tcase_create("exports");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, hostile_everywhere);
	tcase_add_test(t, many_tasks_everywhere);
	tcase_add_loop_test(t, hostile_database, 0, (int)rs_nr_layouts);
	tcase_add_test(t, interrupted_database);
	tcase_add_loop_test(t, hostile_page, 0, (int)rs_nr_layouts);
	tcase_add_test(t, command_lines_of_a_page);
	tcase_add_test(t, timeline_of_any_length);
	tcase_add_test(t, threads_of_a_page);
	suite_add_tcase(s, t);
	return s;
}
