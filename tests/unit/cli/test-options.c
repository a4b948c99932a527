// SPDX-License-Identifier: GPL-2.0-or-later
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "cli/options/options.h"

#include "base/comma-list.h"

/* Cuts a line at its blanks into argv, behind the command's name. */
static int cut(char *line, char **argv)
{
	int argc = 0;

	argv[argc++] = (char *)"cmd";
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	return argc;
}

#define TAKES \
	"input,output,interval,duration,pid,tid,comm,cpus,min,from,to,last,rows,sort,time,json,csv,queue,failed," \
	"event,buffer-size,system,no-children"

static char line_copy[8192];
static char *words[1024];

/* "COMMAND> x": of a command that does that with words that are no options; without it: one that uses any. */
static int parse(struct rs_options *opt, const char *line, struct rs_error *err)
{
	const char *end = strchr(line, '>');
	char takes[256];

	snprintf(takes, sizeof takes, "%s,%.*s", TAKES, end ? (int)(end - line) : 5, end ? line : "WORDS");
	*err = (struct rs_error){ 0 };
	snprintf(line_copy, sizeof line_copy, "%s", end ? end + 1 : line);
	return rs_options_parse(opt, "cmd", takes, cut(line_copy, words), words, err);
}

static void put_moment(struct rs_buf *b, const char *name, const struct rs_moment *m)
{
	static const char *const marks[] = {
		[RS_MOMENT_AFTER_BEGIN] = "", [RS_MOMENT_BEFORE_END] = "-", [RS_MOMENT_CLOCK] = "@", [RS_MOMENT_OF_DAY] = ":",
		[RS_MOMENT_DATE] = "/",
	};

	if (m->kind)
		rs_buf_printf(b, "%s%s=%llu ", name, marks[m->kind], (unsigned long long)m->ns);
}

/* What a line says, in one text: only what was given. */
static void describe(const struct rs_options *o, char *out, size_t size)
{
	struct rs_buf b = RS_BUF_INIT;

	if (o->input)
		rs_buf_printf(&b, "input=%s ", o->input);
	if (o->interval_ns)
		rs_buf_printf(&b, "interval=%llu ", (unsigned long long)o->interval_ns);
	if (o->duration_ns)
		rs_buf_printf(&b, "duration=%llu ", (unsigned long long)o->duration_ns);
	for (size_t i = 0; i < o->nr_pids; i++)
		rs_buf_printf(&b, "pid=%d ", o->pids[i]);
	for (size_t i = 0; i < o->nr_tids; i++)
		rs_buf_printf(&b, "tid=%d ", o->tids[i]);
	for (size_t i = 0; i < o->nr_events; i++)
		rs_buf_printf(&b, "event=%s ", o->events[i]);
	if (o->samples)
		rs_buf_printf(&b, "samples ");
	if (o->stack_bytes)
		rs_buf_printf(&b, "stack=%llu ", (unsigned long long)o->stack_bytes);
	if (o->cpus)
		rs_buf_printf(&b, "cpus=%s ", o->cpus);
	if (rs_options_value(o, "min"))
		rs_buf_printf(&b, "min=%llu ", (unsigned long long)rs_options_value(o, "min")->ns);
	put_moment(&b, "from", &o->from);
	put_moment(&b, "to", &o->to);
	if (o->last_ns)
		rs_buf_printf(&b, "last=%llu ", (unsigned long long)o->last_ns);
	if (o->nr_rows)
		rs_buf_printf(&b, "rows=%llu ", (unsigned long long)o->nr_rows);
	if (o->sort)
		rs_buf_printf(&b, "sort=%s ", o->sort);
	if (o->time)
		rs_buf_printf(&b, "time=%s ", o->time);
	if (o->buffer_kib)
		rs_buf_printf(&b, "kib=%llu ", (unsigned long long)o->buffer_kib);
	rs_buf_printf(&b, "%s%s%s%s%s%s", o->json ? "json " : "", o->csv ? "csv " : "", o->csv_meta ? "meta " : "",
		      o->queue ? "queue " : "", rs_options_value(o, "failed") ? "failed " : "", o->help ? "help " : "");
	for (size_t i = 0; i < o->nr_arguments; i++)
		rs_buf_printf(&b, "[%s] ", o->arguments[i]);
	for (char **c = o->command; c && *c; c++)
		rs_buf_printf(&b, "{%s} ", *c);
	rs_buf_puts(&b, o->only_command ? "only " : "");
	if (*o->filters)
		rs_buf_printf(&b, "filters=%s", o->filters);
	snprintf(out, size, "%s", b.data);
	rs_buf_done(&b);
}

static const struct {
	const char *line, *means;
} good[] = {
	{ "", "" },
	/* the four ways to give a value */
	{ "-i a.dat", "input=a.dat " },
	{ "-ia.dat", "input=a.dat " },
	{ "--input a.dat", "input=a.dat " },
	{ "--input=a.dat", "input=a.dat " },
	/* flags, and letters in one word */
	{ "-Qx", "queue failed filters=-x" },
	{ "-Qn5", "rows=5 queue " },
	{ "-Qn 5 --json", "rows=5 json queue " },
	/* the last one holds; lists grow */
	{ "-n 5 -n 6", "rows=6 " },
	{ "-p 1,2 -p 3", "pid=1 pid=2 pid=3 filters=-p 1,2 -p 3" },
	{ "-e a -e b:c", "event=a event=b:c " },
	/* times: the bare number's unit is the row's */
	{ "-d 1.5", "duration=1500000000 " },
	{ "-d 20ms", "duration=20000000 " },
	{ "-m 10", "min=10000000 filters=-m 10" },
	{ "-m 10us", "min=10000 filters=-m 10us" },
	{ "--min=0", "min=0 filters=--min 0" },
	{ "--from 1 --to @2.5", "from=1000000000 to@=2500000000 filters=--from 1 --to @2.5" },
	{ "--from -10s --to -250ms", "from-=10000000000 to-=250000000 filters=--from -10s --to -250ms" },
	{ "--from 00:01:02.5 --to 00:00", "from:=62500000000 to:=0 filters=--from 00:01:02.5 --to 00:00" },
	{ "--to 1970-01-01T00:00:01Z", "to/=1000000000 filters=--to 1970-01-01T00:00:01Z" },
	{ "--from 1 --last 30s", "from=1000000000 last=30000000000 filters=--from 1 --last 30s" },
	{ "call-graph> --call-graph fp", "samples " },
	{ "call-graph> --call-graph dwarf", "samples stack=8192 " },
	{ "call-graph> --call-graph dwarf,65528", "samples stack=65528 " },
	{ "-C 0,2-3", "cpus=0,2-3 filters=-C 0,2-3" },
	{ "--time wall", "time=wall " },
	{ "-b 4", "kib=4 " },
	/* a value may begin with a dash */
	{ "-s -total_ns", "sort=-total_ns " },
	/* what is no option, between options too; the rest belongs to the command */
	{ "x --json y", "json [x] [y] " },
	{ "-", "[-] " },
	{ "WORD> x", "[x] " },
	/* a command, from "--" or from the first word on; it is what is asked about, unless that is said */
	{ "COMMAND> --json -- make -j8 --help", "json {make} {-j8} {--help} only filters=-- make" },
	{ "COMMAND> -n 5 make -n 6 -- x", "rows=5 {make} {-n} {6} {--} {x} only filters=-- make" },
	{ "COMMAND> --system make", "{make} " },
	{ "COMMAND> -p 7 make", "pid=7 {make} filters=-p 7" },
	{ "COMMAND> -t 7 -- make", "tid=7 {make} filters=-t 7" },
	{ "COMMAND> -c cc --no-children make", "{make} only filters=-c cc --no-children -- make" },
	{ "COMMAND> --json", "json " },
	{ "--json -h", "json help " },
	{ "--csv x", "csv [x] " },
	{ "--csv=meta x", "csv meta [x] " },
};

START_TEST(understood)
{
	struct rs_options opt;
	struct rs_error err;
	char means[1024];

	ck_assert_msg(parse(&opt, good[_i].line, &err) == 0, "'%s': %s", good[_i].line, err.text);
	describe(&opt, means, sizeof means);
	ck_assert_msg(!strcmp(means, good[_i].means), "'%s' means '%s', not '%s'", good[_i].line, means,
		      good[_i].means);
	ck_assert_ptr_null(opt.arguments[opt.nr_arguments]);
}
END_TEST

static const struct {
	const char *line, *text;
} bad[] = {
	{ "--jsn", "cmd: unknown option '--jsn'; did you mean '--json'?" },
	{ "--zzzzz", "cmd: unknown option '--zzzzz' (see 'ringside help cmd')" },
	{ "-z", "cmd: unknown option '-z' (see 'ringside help cmd')" },
	{ "-\033", "cmd: unknown option '-?' (see 'ringside help cmd')" },
	{ "--view x", "cmd: --view does not apply here (see 'ringside help cmd')" },
	{ "-o", "cmd: -o needs a value: FILE" },
	{ "--output", "cmd: --output needs a value: FILE" },
	{ "--output=", "--output '': is empty" },
	{ "--json=1", "--json '1': takes no value" },
	{ "--csv=all", "--csv 'all': is not what may stand there (or nothing)" },
	{ "-n x", "-n 'x': is not a whole number" },
	{ "-n 5x", "-n '5x': is not a whole number" },
	{ "-n -1", "-n '-1': is not a whole number" },
	{ "-n +1", "-n '+1': is not a whole number" },
	{ "-n 0", "-n '0': must be at least 1" },
	{ "-n 18446744073709551616", "-n '18446744073709551616': is not a whole number" },
	{ "-b 3", "-b '3': must be from 4 to 1073741824" },
	{ "-p x", "-p 'x': is not a number, nor a list as 1,2,3" },
	{ "-p 1,", "-p '1,': is not a number, nor a list as 1,2,3" },
	{ "-p 1;2", "-p '1;2': is not a number, nor a list as 1,2,3" },
	{ "-p 0", "-p '0': must be from 1 to 2147483647" },
	{ "-p 2147483648", "-p '2147483648': must be from 1 to 2147483647" },
	{ "-d x", "-d 'x': is not a time (seconds, as 1.5, or with a unit, as 250ms)" },
	{ "-d 0", "-d '0': is too short" },
	{ "-d -1", "-d '-1': is not a time (seconds, as 1.5, or with a unit, as 250ms)" },
	{ "-d 1000000000", "-d '1000000000': is too long" },
	{ "-m 1parsec", "-m '1parsec': is not a time (milliseconds, as 10, or with a unit, as 250us)" },
	{ "-m \033[2J", "-m '\\x1B[2J': is not a time (milliseconds, as 10, or with a unit, as 250us)" },
	{ "call-graph> --call-graph lbr", "--call-graph 'lbr': is neither fp nor dwarf, nor dwarf,BYTES" },
	{ "call-graph> --call-graph dwarf,", "--call-graph '': is not a whole number" },
	{ "call-graph> --call-graph dwarf,100", "--call-graph 'dwarf,100': must be a multiple of 8" },
	{ "call-graph> --call-graph dwarf,0", "--call-graph '0': must be from 8 to 65528" },
	{ "call-graph> --call-graph dwarf,65536", "--call-graph '65536': must be from 8 to 65528" },
	{ "-C 3-2", "-C '3-2': is not a list of CPUs, as 0,2-3" },
	{ "-C 0,", "-C '0,': is not a list of CPUs, as 0,2-3" },
	{ "-C 0-", "-C '0-': is not a list of CPUs, as 0,2-3" },
	{ "-C 65536", "-C '65536': is not a list of CPUs, as 0,2-3" },
	{ "--time day", "--time 'day': no such choice (rel|boot|wall)" },
	{ "--time rel|boot", "--time 'rel|boot': no such choice (rel|boot|wall)" },
	{ "--json --csv", "cmd: --json and --csv: one of them" },
	{ "--from 2 --to 1", "cmd: --from is not before --to" },
	{ "--from -1 --to -2", "cmd: --from is not before --to" },
	{ "--from 1 --to 2 --last 1", "cmd: --from, --to and --last: two of them" },
	{ "--from 25:00", "--from '25:00': is not a time (1.5 or 250ms since the begin, -10s before the end, 14:03:07, "
			  "'2026-11-22 14:03:07', @SECONDS of the trace clock)" },
	{ "COMMAND> --", "cmd: no command behind '--'" },
	{ "> x", "cmd: 'x' is one word too many (see 'ringside help cmd')" },
	{ "WORD> x y", "cmd: 'y' is one word too many (see 'ringside help cmd')" },
	{ "WORDS> x -- y", "cmd: 'y': it runs no command (see 'ringside help cmd')" },
	{ "> --", "cmd: '--': it runs no command (see 'ringside help cmd')" },
};

START_TEST(refused)
{
	struct rs_options opt;
	struct rs_error err;

	ck_assert_msg(parse(&opt, bad[_i].line, &err) < 0, "'%s' was taken", bad[_i].line);
	ck_assert_str_eq(err.text, bad[_i].text);
	ck_assert_int_eq(err.status, RS_USAGE);
}
END_TEST

/* 65 of a list of 64; a value longer than any message; filters longer than their place. */
START_TEST(too_much)
{
	struct rs_options opt;
	struct rs_error err;
	char line[4096] = "-p 1", *end = line + 4;

	for (int i = 1; i < 65; i++)
		end += sprintf(end, ",%d", i + 1);
	ck_assert_int_eq(parse(&opt, line, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "are too many (at most 64)"));

	memset(line, 'x', sizeof line);
	memcpy(line, "-n ", 3);
	line[sizeof line - 1] = '\0';
	ck_assert_int_eq(parse(&opt, line, &err), -1);
	ck_assert_uint_lt(strlen(err.text), 200);

	memcpy(line, "-c ", 3);
	ck_assert_int_eq(parse(&opt, line, &err), 0);
	ck_assert_uint_eq(strlen(opt.filters), sizeof opt.filters - 1);
	ck_assert_str_eq(opt.filters + sizeof opt.filters - 4, "...");
}
END_TEST

START_TEST(a_name_in_a_list)
{
	ck_assert(rs_comma_list_has("a,bc,d", "a"));
	ck_assert(rs_comma_list_has("a,bc,d", "bc"));
	ck_assert(rs_comma_list_has("a,bc,d", "d"));
	ck_assert(!rs_comma_list_has("a,bc,d", "b"));
	ck_assert(!rs_comma_list_has("a,bc,d", "bcd"));
	ck_assert(!rs_comma_list_has("a,bc,d", ""));
	ck_assert(!rs_comma_list_has("", "a"));
	ck_assert(!rs_comma_list_has(NULL, "a"));
}
END_TEST

/* Every row can be shown, letters and names are each one row's, and a value knows its kind. */
START_TEST(rows_agree)
{
	for (const struct rs_option *row = rs_option_rows; row->name; row++) {
		ck_assert_msg(row->kind && row->help, "--%s", row->name);
		ck_assert_msg((row->kind == RS_OPTION_FLAG) == !row->argument, "--%s", row->name);
		for (const struct rs_option *other = row + 1; other->name; other++) {
			ck_assert_str_ne(row->name, other->name);
			ck_assert_msg(!row->letter || row->letter != other->letter, "-%c", row->letter);
			ck_assert_msg(row->column || other->column || row->offset != other->offset, "--%s and --%s", row->name, other->name);
		}
	}
}
END_TEST

Suite *rs_suite_options(void);
Suite *rs_suite_options(void)
{
	Suite *s = suite_create("options");
	TCase *t = tcase_create("options");

	tcase_add_loop_test(t, understood, 0, sizeof good / sizeof *good);
	tcase_add_loop_test(t, refused, 0, sizeof bad / sizeof *bad);
	tcase_add_test(t, too_much);
	tcase_add_test(t, a_name_in_a_list);
	tcase_add_test(t, rows_agree);
	suite_add_tcase(s, t);
	return s;
}
