// SPDX-License-Identifier: GPL-2.0-or-later
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/command.h"
#include "cli/options/as-tool.h"
#include "engine/session.h"

static const struct {
	const char *line, *becomes; /* or, after "!", the message */
} rows[] = {
	/* perf-tools iosnoop [-hQst] [-d device] [-i iotype] [-p PID] [-n name] [duration] */
	{"iosnoop --as iosnoop", "iosnoop --as=iosnoop"},
	{"iosnoop --as iosnoop -Qst 5", "iosnoop --as=iosnoop --queue --starts --ends --duration=5"},
	{"iosnoop --as iosnoop -d 8,0 -i R -p 42 -n dd",
	 "iosnoop --as=iosnoop --dev=8,0 --type=R --pid=42 --no-children --comm=*dd*"},
	/* its -n searches the name for a regular expression */
	{"iosnoop --as iosnoop -n ^dd", "iosnoop --as=iosnoop --comm=dd*"},
	{"iosnoop --as iosnoop -n dd$", "iosnoop --as=iosnoop --comm=*dd"},
	{"iosnoop --as iosnoop -n ^dd$", "iosnoop --as=iosnoop --comm=dd"},
	{"iosnoop --as iosnoop -n d.*k.", "iosnoop --as=iosnoop --comm=*d*k?*"},
	{"iosnoop --as iosnoop -n a|b",
	 "!iosnoop: 'a|b': of regular expressions only ^, $, . and .* are known here (nearest: --comm PATTERN, as in a shell)"},
	{"iosnoop --as iosnoop -sd8,0", "iosnoop --as=iosnoop --starts --dev=8,0"},
	/* bcc runqlat [-T] [-m] [-P] [-L] [-p PID] [interval] [count] */
	{"runqlat --as runqlat -mT 1 10", "runqlat --as=runqlat --interval=1 --duration=10000000000ns"},
	{"runqlat --as runqlat -L 0.5 3",
	 "runqlat --as=runqlat --by=tid --interval=0.5 --duration=1500000000ns"},
	/* bcc runqslower [-p PID | -t TID] [-P] [min_us] */
	{"runqslower --as runqslower 1000", "runqslower --as=runqslower --columns=time_ns,comm,tid,lat_ns --min=1000us"},
	{"runqslower --as runqslower -P -t 7",
	 "runqslower --as=runqslower --columns=time_ns,comm,tid,lat_ns,prev_comm,prev_tid --tid=7 --no-children"},
	/* bcc biolatency [-T] [-Q] [-m] [-D] [-F] [-d DISK] [interval] [count] */
	{"biolatency --as biolatency -QDd sda", "biolatency --as=biolatency --queue --by=dev --dev=sda"},
	/* bcc hardirqs, softirqs [-T] [-N] [-C] [-c CPU] [interval] [outputs]; what they show is the wrappers' */
	{"irqs --as hardirqs --type=irq -NT -c 1 1 2",
	 "irqs --as=hardirqs --type=irq --cpus=1 --interval=1 --duration=2000000000ns"},
	{"irqs --as softirqs --type=softirq -C", "irqs --as=softirqs --type=softirq --columns=name,count"},
	{"irqs --as softirqs -d", "!softirqs: -d cannot be had here: no pictures of each source (nearest: --columns name,p50_ns,p99_ns,max_ns)"},
	/* bcc execsnoop [-t] [-x] [-n NAME], perf-tools execsnoop [-t] [-d seconds] [name] */
	{"execsnoop --as execsnoop -x", "execsnoop --as=execsnoop --type=exec --columns=comm,pid,ppid,ret,args"},
	{"execsnoop --as execsnoop -td 5 ls",
	 "execsnoop --as=execsnoop --type=exec --columns=time_ns,comm,pid,ppid,ret,args --duration=5 --comm=*ls*"},
	/* bcc syscount */
	{"syscall-latency --as syscount",
	 "syscall-latency --as=syscount --sort=calls --rows=10 --columns=syscall,calls --by=syscall"},
	{"syscall-latency --as syscount -i 1 -d 10 -T 5 -P",
	 "syscall-latency --as=syscount --sort=calls --rows=10 --columns=pid,comm,calls --by=pid --interval=1 --duration=10 --rows=5"},
	{"syscall-latency --as syscount -LPP -p 7",
	 "syscall-latency --as=syscount --sort=calls --rows=10 --columns=pid,comm,calls,total_ns --by=pid --sort=total_ns "
	 "--pid=7 --no-children"},
	{"syscall-latency --as syscount --by=tid", /* what is ringside's own wins */
	 "syscall-latency --as=syscount --sort=calls --rows=10 --columns=syscall,calls --by=syscall --by=tid"},
	{"syscall-latency --as syscount -x",
	 "!syscount: -x cannot be had here: failed calls are counted beside the others (nearest: --columns syscall,errors --sort errors)"},
	/* bcc offcputime [-p PID | -t TID] [-f] [-m MIN_BLOCK_TIME] [duration] */
	{"offcpu --as offcputime -p 42 -m 1000 5", "offcpu --as=offcputime --pid=42 --no-children --min=1000us --duration=5"},
	{"offcpu --as offcputime -f",
	 "!offcputime: -f cannot be had here: folded output is of stacks, and none are recorded (nearest: --csv)"},
	{"offcpu --as offcputime --state=2",
	 "!offcputime: --state cannot be had here: by its number it cannot be asked for (nearest: --where 'state == D')"},
	/* ringside's own long options, and the command, pass */
	{"iosnoop --as iosnoop -s --input a.dat --json --sort=x -- dd -s 5",
	 "iosnoop --as=iosnoop --starts --input a.dat --json --sort=x -- dd -s 5"},
	{"iosnoop --as iosnoop -h", "iosnoop --as=iosnoop --help"},
	/* not for us */
	{"iosnoop -s x", "iosnoop -s x"},
	/* errors */
	{"iosnoop --as strace -s", "!--as: no tool 'strace' is known here"},
	{"iosnoop --as iosnoop -z", "!iosnoop has no option '-z' (-h lists them; long ones are ringside's)"},
	{"iosnoop --as iosnoop -m 10", "!iosnoop has no option '-m' (ringside's -m is --min here)"},
	{"iosnoop --as iosnoop -e 10", "!iosnoop has no option '-e' (-h lists them; long ones are ringside's)"}, /* nor has the view */
	{"iosnoop --as iosnoop -d", "!iosnoop: -d needs a value"},
	{"iosnoop --as iosnoop 5 6", "!iosnoop: one word too many: '6'"},
	{"runqlat --as runqlat 1 x", "!runqlat: count 'x' is not a whole number"},
	{"runqlat --as runqlat 1 99999999999999999999",
	 "!runqlat: 99999999999999999999 times '1' is no time"},
	{"runqlat --as runqlat x 5", "!runqlat: 5 times 'x' is no time"},
};

START_TEST(translated)
{
	char line[256], *words[64], **argv = words, **owned = NULL;
	struct rs_buf b = RS_BUF_INIT;
	struct rs_error err = { 0 };
	struct rs_buf takes = RS_BUF_INIT;
	struct rs_view_ref view;
	int argc = 0;

	snprintf(line, sizeof line, "%s", rows[_i].line);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		words[argc++] = word;
	words[argc] = NULL;
	ck_assert(rs_requirements_find_view(words[0], &view, &err));
	rs_command_view_takes(view.view, &takes);
	if (rs_as_tool(&argc, &argv, takes.data, &owned, &err) < 0) {
		rs_buf_printf(&b, "!%s", err.text);
		ck_assert_int_eq(err.status, RS_USAGE);
	} else {
		for (int i = 0; i < argc; i++)
			rs_buf_printf(&b, "%s%s", i ? " " : "", argv[i]);
		ck_assert_ptr_null(argv[argc]);
	}
	ck_assert_str_eq(b.data, rows[_i].becomes);
	rs_buf_done(&b);
	rs_buf_done(&takes);
	free(owned);
}
END_TEST

Suite *rs_suite_as_tool(void);
Suite *rs_suite_as_tool(void)
{
	Suite *s = suite_create("as-tool");
	TCase *t = tcase_create("as-tool");

	tcase_add_loop_test(t, translated, 0, sizeof rows / sizeof *rows);
	suite_add_tcase(s, t);
	return s;
}
