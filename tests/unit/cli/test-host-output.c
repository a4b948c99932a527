// SPDX-License-Identifier: GPL-2.0-or-later
/* test-host-output - what several hosts print as one output: whole lines and tables, under names, whatever they send */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/host-output.h"
#include "cli/options/machine-stamp.h"

#define END ""
#define MOST_PARTS 12

/* Parts as they come: of host 0 or 1, END ends it. */
struct part {
	size_t host;
	const char *bytes;
};

static const struct {
	enum rs_host_output_kind kind;
	struct part parts[MOST_PARTS];
	const char *expected;
} rows[] = {
	/* lines are never mixed, and the last may lack its end */
	{ RS_HOST_ROWS, { { 0, "{\"a\"" }, { 1, "{\"b\":2}\n{" }, { 0, ":1}\n" }, { 1, "}" }, { 0, END }, { 1, END } },
	  "{\"b\":2}\n{\"a\":1}\n{}\n" },
	/* no terminal obeys them */
	{ RS_HOST_ROWS, { { 0, "\033[2J\n" } }, "\\x1B[2J\n" },
	/* the header once, unless it is another; quality lines name their machine */
	{ RS_HOST_LINES, { { 0, "COMM PID\nsh 1\n" }, { 1, "COMM PID\nls 2\n# web: 6.1\n" }, { 0, "# db: 6.1\n" } },
	  "MACHINE COMM PID\ndb      sh 1\nweb     ls 2\n# web: 6.1\n# db: 6.1\n" },
	{ RS_HOST_LINES, { { 0, "A\n" }, { 1, "B\nA\n" }, { 1, "# db: 6.1\n" } },
	  "MACHINE A\nweb     B\nweb     A\nweb     # db: 6.1\n" },
	/* a table is whole, under its machine; what a stream's end has no form feed for, too */
	{ RS_HOST_TABLES, { { 0, "A\n1" }, { 1, "B\n\f" }, { 0, "\n\f" }, { 1, "C" }, { 1, END }, { 0, END } },
	  "machine web\n\nB\n\nmachine db\n\nA\n1\n\nmachine web\n\nC\n" },
	{ RS_HOST_ERRORS, { { 0, "ringside: note: x\nri" }, { 1, "ssh: no\n# web: 6.1\n" }, { 0, "ngside: y" }, { 0, END } },
	  "ringside: db: note: x\nweb: ssh: no\n# web: 6.1\nringside: db: y\n" },
};

START_TEST(together)
{
	static const char *const names[] = { "db", "web" };
	struct rs_host_output o;

	rs_host_output_init(&o, rows[_i].kind, names, 2);
	for (const struct part *p = rows[_i].parts; p->bytes; p++)
		if (*p->bytes)
			rs_host_output_add(&o, p->host, p->bytes, strlen(p->bytes));
		else
			rs_host_output_end(&o, p->host);
	ck_assert_str_eq(o.out.data, rows[_i].expected);
	rs_host_output_done(&o);
}
END_TEST

/* A line without an end takes no memory without an end. */
START_TEST(endless)
{
	static const char *const names[] = { "db" };
	char *block = malloc(1 << 20);
	struct rs_host_output o;

	ck_assert_ptr_nonnull(block);
	memset(block, 'x', 1 << 20);
	rs_host_output_init(&o, RS_HOST_ROWS, names, 1);
	for (int i = 0; i < 20; i++) {
		rs_host_output_add(&o, 0, block, 1 << 20);
		ck_assert_uint_le(o.held[0].len, 1 << 20);
		rs_buf_clear(&o.out);
	}
	rs_host_output_done(&o);
	free(block);
}
END_TEST

START_TEST(clock_in_words)
{
	static const struct { struct rs_host_clock clock; const char *words; } clocks[] = {
		{ { true, 7, 900, 1000 }, "its clock is as ours, within 1.00us" },
		{ { true, 7, 3200000, 100000 }, "its clock is 3.20ms ahead of ours, within 100us" },
		{ { true, 7, -3200000, 100000 }, "its clock is 3.20ms behind ours, within 100us" },
		{ { false, 0, 0, 0 }, "" },
	};

	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
		struct rs_buf out = RS_BUF_INIT;

		rs_host_output_put_clock(&out, &clocks[i].clock);
		ck_assert_str_eq(out.data, clocks[i].words);
		rs_buf_done(&out);
	}
}
END_TEST

/* What one machine writes the other reads; all else is no stamp. */
START_TEST(stamp)
{
	static const char *const no_stamps[] = { "", "web", "1 2 3 web", "1 2 -3 x web", "1 2 3 4", "1 2 3 4 " };
	struct rs_options opt = { .nr_rows = 0 };
	char line[100];

	rs_machine_stamp_put(line, sizeof line, "root@web", &(struct rs_host_clock){ true, -500, 20, 30 }, 1000);
	ck_assert(rs_machine_stamp_read(line, &opt));
	ck_assert(opt.is_one_of_hosts && opt.base_known);
	ck_assert_str_eq(opt.machine, "root@web");
	ck_assert_int_eq(opt.host_clock.boot_offset_ns, -500);
	ck_assert_int_eq(opt.host_clock.wall_offset_ns, 20);
	ck_assert_uint_eq(opt.host_clock.within_ns, 30);
	ck_assert_uint_eq(opt.base.begin_ns, 1000 - 500 - 30);
	for (size_t i = 0; i < sizeof no_stamps / sizeof *no_stamps; i++) {
		struct rs_options none = { .nr_rows = 0 };

		ck_assert(!rs_machine_stamp_read(no_stamps[i], &none));
		ck_assert(!none.is_one_of_hosts && !none.machine);
	}
}
END_TEST

Suite *rs_suite_host_output(void);
Suite *rs_suite_host_output(void)
{
	Suite *s = suite_create("host-output");
	TCase *t = tcase_create("host-output");

	tcase_add_loop_test(t, together, 0, sizeof rows / sizeof *rows);
	tcase_add_test(t, endless);
	tcase_add_test(t, clock_in_words);
	tcase_add_test(t, stamp);
	suite_add_tcase(s, t);
	return s;
}
