// SPDX-License-Identifier: GPL-2.0-or-later
/* test-asked - what --dev, --type and --syscall name: patterns for the columns, or a refusal that helps */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/asked.h"

static const struct rs_disk disks[] = {
	{ 254u << 20, "vda" }, { 8u << 20, "sda" }, { 8u << 20 | 1, "sda1" }, { 8u << 20 | 16, "sdb" },
	{ 259u << 20, "nvme0n1" }, { 253u << 20 | 1, "dm-1" }, { 253u << 20 | 10, "dm-10" },
};
static const struct rs_trace_info info = { .machine = "x86_64", .long_bytes = 8, .disks = disks, .nr_disks = 7 };
static const struct rs_trace_info nameless = { .machine = "x86_64", .long_bytes = 8 };
static const struct rs_view irqs = { .name = "irqs", .types = "irq,softirq" }, iosnoop = { .name = "iosnoop" };

static const struct {
	const struct rs_trace_info *info;
	const struct rs_view *view;
	const char *dev, *type, *syscall;
	const char *becomes; /* "dev|type|syscall", or after "!" the message; then "#" and the note */
} rows[] = {
	{ &info, &iosnoop, NULL, NULL, NULL, "||" },
	/* a disk by name, by number as the column has it and as /sys has it; several; by pattern */
	{ &info, &iosnoop, "vda", NULL, NULL, "254,0||" },
	{ &info, &iosnoop, "254,0", NULL, NULL, "254,0||" },
	{ &info, &iosnoop, "254:0", NULL, NULL, "254,0||" },
	{ &info, &iosnoop, "sdb,254,0,nvme0n1,8:0", NULL, NULL, "8,16 254,0 259,0 8,0||" },
	{ &info, &iosnoop, "8,*", NULL, NULL, "8,*||" },
	{ &info, &iosnoop, "dm-*", NULL, NULL, "253,1 253,10||" },
	{ &info, &iosnoop, "dm-10", NULL, NULL, "253,10||" }, /* no partition of dm-1 */
	/* what can match nothing */
	{ &info, &iosnoop, "sdaa", NULL, NULL, "!--dev 'sdaa': no such disk (did you mean 'sda'?)" },
	{ &info, &iosnoop, "sda1", NULL, NULL, "!--dev 'sda1': is a partition, and requests are seen as its disk's (did you mean 'sda'?)" },
	{ &info, &iosnoop, "nvme0n1p2", NULL, NULL, "!--dev 'nvme0n1p2': is a partition, and requests are seen as its disk's (did you mean 'nvme0n1'?)" },
	{ &info, &iosnoop, "254", NULL, NULL, "!--dev '254': is no disk: a name as vda, or MAJ,MIN as 8,0" },
	{ &info, &iosnoop, "254,vda", NULL, NULL, "!--dev '254': is no disk: a name as vda, or MAJ,MIN as 8,0" },
	{ &info, &iosnoop, "7,0", NULL, NULL, "7,0||#--dev 7,0: there was no such disk at the begin (vda is 254,0)\n" },
	{ &nameless, &iosnoop, "vda", NULL, NULL, "!--dev 'vda': the names of the disks were not recorded (use MAJ,MIN, as 8,0)" },
	{ &nameless, &iosnoop, "7,0", NULL, NULL, "7,0||" },
	/* types, where a view has a list of them; requests have letters in any number */
	{ &info, &irqs, NULL, "softirq,irq", NULL, "|softirq irq|" },
	{ &info, &irqs, NULL, "soft*", NULL, "|soft*|" },
	{ &info, &irqs, NULL, "softriq", NULL, "!--type 'softriq': irqs has no such type, but irq,softirq (did you mean 'softirq'?)" },
	{ &info, &iosnoop, NULL, "WS,R*", NULL, "|WS R*|" },
	{ &info, NULL, NULL, "softirq", NULL, "|softirq|" },
	/* calls: of the recording's machine, of a 32-bit program on it, one without a name */
	{ &info, &iosnoop, NULL, NULL, "read,write*", "||read write*" },
	{ &info, &iosnoop, NULL, NULL, "mmap2", "||mmap2" },
	{ &info, &iosnoop, NULL, NULL, "syscall_999", "||syscall_999" },
	{ &info, &iosnoop, NULL, NULL, "read,raed", "!--syscall 'raed': there is no such system call (did you mean 'read'?)" },
	{ &info, &iosnoop, NULL, NULL, "zz*", "!--syscall 'zz*': there is no such system call" },
};

START_TEST(named)
{
	const char *const texts[] = { rows[_i].dev, rows[_i].type, rows[_i].syscall };
	const struct rs_column columns[] = { { .name = "dev" }, { .name = "kind", .option = "type" }, { .name = "syscall" }, { 0 } };
	const struct rs_view view = { .name = "all", .columns = columns };
	struct rs_terms terms;
	char *words[8] = { "iosnoop" };
	int nr = 1;
	struct rs_options opt;
	struct rs_buf got = RS_BUF_INIT, warnings = RS_BUF_INIT;
	struct rs_asked asked = { 0 };
	struct rs_error err = { 0 };

	for (unsigned int i = 0; i < 3; i++)
		if (texts[i]) {
			words[nr++] = ((char *[]){ "--dev", "--type", "--syscall" })[i];
			words[nr++] = strdup(texts[i]);
		}
	ck_assert_int_eq(rs_options_parse(&opt, "iosnoop", "dev,type,syscall", nr, words, &err), 0);
	if (rs_asked_make(&asked, &opt, rows[_i].view, rows[_i].info, &warnings, &err) < 0) {
		rs_buf_printf(&got, "!%s", err.text);
		ck_assert_int_eq(err.status, RS_USAGE);
	} else {
		rs_asked_terms(&asked, &opt, &view, &terms);
		for (unsigned int i = 0, n = 0; i < 3; i++) {
			bool is_asked = n < terms.nr && terms.at[n].column == &columns[i];

			rs_buf_printf(&got, "%s%s", i ? "|" : "", is_asked ? terms.at[n].patterns : "");
			n += is_asked;
		}
	}
	if (warnings.len)
		rs_buf_printf(&got, "#%s", warnings.data);
	ck_assert_str_eq(got.data, rows[_i].becomes);
	rs_buf_done(&got);
	rs_buf_done(&warnings);
	rs_asked_done(&asked);
	for (int i = 2; i < nr; i += 2)
		free(words[i]);
}
END_TEST

START_TEST(patterns)
{
	ck_assert(rs_pattern_matches(NULL, "x"));
	ck_assert(rs_pattern_matches("a b", "b"));
	ck_assert(rs_pattern_matches("a [b", "[b")); /* a name that is a bad pattern is itself */
	ck_assert(rs_pattern_matches("a R*", "RS"));
	ck_assert(!rs_pattern_matches("a b", "a b"));
	ck_assert(!rs_pattern_matches("a b", "ab"));
}
END_TEST

Suite *rs_suite_asked(void);
Suite *rs_suite_asked(void)
{
	Suite *s = suite_create("asked");
	TCase *t = tcase_create("asked");

	tcase_add_loop_test(t, named, 0, sizeof rows / sizeof *rows);
	tcase_add_test(t, patterns);
	suite_add_tcase(s, t);
	return s;
}
