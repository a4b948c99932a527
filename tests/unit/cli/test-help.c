// SPDX-License-Identifier: GPL-2.0-or-later
/* test-help - rules with their thresholds, what a search finds and refuses, the options that a view offers */
#include <check.h>
#include <string.h>

#include "base/comma-list.h"
#include "cli/help/help.h"
#include "ringside/plugin.h"

/* ---- rules ---- */

static const struct {
	uint64_t threshold;
	const char *unit, *text, *becomes;
} texts[] = {
	{ 33333, "%", "at least {least} of it", "at least 33.3 % of it" },
	{ 5000, "%", "{least}", "5 %" },
	{ 80000, "ms/s", "{least}, or more", "80 ms each second, or more" },
	{ 333330, "ms/s", "{least}", "333.3 ms each second" },
	{ 8000000, "/s", "{least} {least}", "8000 a second 8000 a second" },
	{ 200000, "processes/s", "{least}", "200 processes a second" },
	{ 1000, "lions", "{least}", "1 lions" }, /* the unit of a plugin */
	{ 1000, "%", "no slot {most}", "no slot {most}" },
};

START_TEST(thresholds)
{
	const struct rs_rule rule = { .threshold = texts[_i].threshold, .unit = texts[_i].unit };
	struct rs_buf out = RS_BUF_INIT;

	rs_help_rule_expand(&rule, texts[_i].text, &out);
	ck_assert_str_eq(out.data, texts[_i].becomes);
	rs_buf_done(&out);
}
END_TEST

/* Lines of 100 columns at most; a word that is longer stands alone. */
START_TEST(a_rule)
{
	static const struct rs_evidence evidence[] = { { "tasks" }, { "cpus" }, { 0 } };
	const struct rs_rule rule = {
		.name = "odd", .summary = "a process is odd", .threshold = 2000, .unit = "/s",
		.found = "It is odd {least} or more: 0123456789 0123456789 0123456789 0123456789 0123456789 "
			 "0123456789 0123456789 01 next.",
		.wrong = "Never.", .advice = "make it even", .evidence = evidence,
	};
	struct rs_buf out = RS_BUF_INIT;

	rs_help_rule(&rule, &out);
	ck_assert_str_eq(out.data,
			 "rule odd: a process is odd\n"
			 "\nhow it is found:\n"
			 "  It is odd 2 a second or more: 0123456789 0123456789 0123456789 0123456789 0123456789 "
			 "0123456789\n  0123456789 01 next.\n"
			 "\nwhen it is wrong:\n  Never.\n"
			 "\nwhat to do:\n  make it even\n"
			 "  look at: ringside tasks, ringside cpus\n"
			 "  not wanted: --silence odd\n");
	rs_buf_done(&out);
}
END_TEST

/* ---- search ---- */

#define MOST_WORDS 3

static const struct {
	const char *words[MOST_WORDS + 1];
	const char *has, *has_not; /* in the result; has of NULL: refused with this: */
	const char *error;
} searches[] = {
	/* all words, in any case: a view by its question, a rule by its name, a column, a section */
	{ { "slow", "disk" }, "\n  disks  ", "  futex" },
	{ { "SLOW", "Disk" }, "\n  disk-slow  ", "  cpu-hog" },
	{ { "slow", "disk" }, "\n  fileslower disk_ns  ", NULL },
	{ { "slow", "disk" }, "\n  Why is it slow\n", NULL },
	{ { "window", "write" }, "\n  save  ", NULL },
	/* a name comes before a text, and a heading only where there is something */
	{ { "runqlat" }, "views (ringside help VIEW):\n  runqlat  ", "rules of findings" },
	/* a view's name does not make each of its columns a hit */
	{ { "biolatency" }, "  biolatency  ", "  biolatency count" },
	/* many hits are counted */
	{ { "process" }, " more: ringside list columns\n", NULL },
	{ { "slwo" }, NULL, NULL, "no help on 'slwo'; did you mean 'slow'?" },
	{ { "reprot" }, NULL, NULL, "no help on 'reprot'; did you mean 'report'?" },
	{ { "disk", "qqqqqqqq" }, NULL, NULL,
	  "no help on 'qqqqqqqq': no command, view, rule, column or section of the guide has it (see 'ringside help')" },
	/* nothing has all of them */
	{ { "crash", "disk", "futex" }, "nothing has all of these words; what has most of them:\n\ncolumns", "  power  " },
	/* forms of a word, and others that mean it; words that say nothing */
	{ { "slow", "network" }, "RULE):\n  slow-link  ", NULL },
	{ { "container", "throttled" }, "VIEW):\n  cgroups  ", "  disks  " },
	{ { "container", "throttled" }, "RULE):\n  cpu-throttled  ", NULL },
	{ { "who", "sets", "timers" }, "VIEW):\n  timers  ", "  tasks  " },
	{ { "who" }, "\n  antagonists  ", NULL },
	{ { "connection", "refused" }, "VIEW):\n  tcpconnect  ", "  disks  " },
	{ { "DNS" }, "\n  no-answer  ", "  disks  " },
	{ { "high", "load" }, "VIEW):\n  runqlat  ", "  disks  " },
	{ { "packet", "loss" }, "\n  tcpretrans  ", "  disks  " },
	/* a word begins so: "set" is not in "offset" */
	{ { "latency", "spikes" }, "\n  biolatency  ", "  execsnoop  " },
};

START_TEST(search)
{
	struct rs_buf out = RS_BUF_INIT;
	struct rs_error err = { 0 };
	size_t nr = 0;

	while (searches[_i].words[nr])
		nr++;
	ck_assert_int_eq(rs_help_search((char *const *)(uintptr_t)searches[_i].words, nr, &out, &err), !searches[_i].error);
	ck_assert_str_eq(err.text, searches[_i].error ? searches[_i].error : "");
	ck_assert_int_eq(err.status, searches[_i].error ? RS_USAGE : RS_OK);
	ck_assert_msg(!searches[_i].has || strstr(out.data, searches[_i].has), "no '%s' in %s", searches[_i].has, out.data);
	ck_assert_msg(!searches[_i].has_not || !strstr(out.data, searches[_i].has_not), "'%s' in %s", searches[_i].has_not,
		      out.data);
	rs_buf_done(&out);
}
END_TEST

/* A section ends where the next begins; the last with the text. */
START_TEST(sections_of_the_guide)
{
	struct rs_help_section s = { 0 };
	size_t nr = 0, all = 0;
	struct rs_buf text = RS_BUF_INIT;

	ck_assert(rs_help_guide_find("WHY is it slow", &s));
	rs_help_guide_put(&s, &text);
	ck_assert_int_eq(strncmp(text.data, "Why is it slow\n\n", 16), 0);
	ck_assert_ptr_null(strstr(text.data, "\n## "));
	ck_assert(!rs_help_guide_find("Why is it", &s));
	for (s = (struct rs_help_section){ 0 }; rs_help_guide_next(&s); nr++)
		all = s.len;
	ck_assert_uint_ge(nr, 5);
	ck_assert_int_eq(s.text[all], '\0');
	rs_buf_done(&text);
}
END_TEST

/* ---- options ---- */

static const struct {
	const char *view, *has, *has_not; /* one option each */
} offers[] = {
	{ "sched", "pid", "dev" },
	{ "sched", "exact", "stacks" },
	{ "offcpu", "stacks", "time" }, /* it has no column of moments */
	{ "iosnoop", "time", "exact" }, /* requests have no states */
	{ "disks", "pid", "exact" },    /* some of its columns are of tasks */
	{ "cpus", "cpus", "pid" },      /* all of them are the machine's */
	{ "meminfo", "interval", "input" }, /* it is of no recording */
	{ "meminfo", "duration", "comm" },
};

START_TEST(a_view_offers_what_it_has_a_use_for)
{
	struct rs_buf out = RS_BUF_INIT;
	struct rs_view_ref ref;

	ck_assert(rs_command_is_view(offers[_i].view, &ref));
	rs_command_view_offers(&ref, &out);
	ck_assert_msg(rs_comma_list_has(out.data, offers[_i].has), "%s: no --%s in %s", offers[_i].view, offers[_i].has, out.data);
	ck_assert_msg(!rs_comma_list_has(out.data, offers[_i].has_not), "%s: --%s", offers[_i].view, offers[_i].has_not);
	rs_buf_done(&out);
}
END_TEST

Suite *rs_suite_help(void)
{
	Suite *s = suite_create("help");
	TCase *t = tcase_create("help");

	tcase_add_loop_test(t, thresholds, 0, sizeof texts / sizeof *texts);
	tcase_add_test(t, a_rule);
	tcase_add_loop_test(t, search, 0, sizeof searches / sizeof *searches);
	tcase_add_test(t, sections_of_the_guide);
	tcase_add_loop_test(t, a_view_offers_what_it_has_a_use_for, 0, sizeof offers / sizeof *offers);
	suite_add_tcase(s, t);
	return s;
}
