// SPDX-License-Identifier: GPL-2.0-or-later
/* test-file-kind - what a file is that is no trace.dat, by its begin and its name */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "recording/file-kind.h"

#define BYTES(text) text, sizeof text - 1


static const struct {
	const char *path, *head;
	size_t len;
	const char *what;    /* a part of it; NULL: not known */
} files[] = {
	{ "a", BYTES("\x1f\x8b\x08\0"), "packed by gzip" },
	{ "a", BYTES("\xfd" "7zXZ\0\0\0"), "packed by xz" },
	{ "a", BYTES("\x28\xb5\x2f\xfd\x04"), "packed by zstd" },
	{ "a", BYTES("BZh91AY"), "packed by bzip2" },
	{ "a", BYTES("PK\3\4\x14"), "a zip archive" },
	{ "a", BYTES("PERFILE2h\0\0\0"), "a perf.data" },
	{ "a", BYTES("2ELIFREP\0\0\0h"), "a perf.data" },
	{ "a", BYTES("version https://git-lfs.example/spec/v1\noid sha256:4d7a\nsize 12345\n"), "a pointer of Git LFS" },
	{ "a", BYTES("version 6 of my notes\n"), NULL },
	{ "dir/trace.dat.cpu0", BYTES("\1\2\3"), "one CPU's raw pages" },
	{ "trace.cpu12", BYTES("\1\2\3"), "one CPU's raw pages" },
	{ "trace.cpux", BYTES("\1\2\3"), NULL },
	{ "trace.cpu", BYTES("\1\2\3"), NULL },
	{ "a", BYTES("\xc1\x1f\xfc\xc1\0"), "a data stream of a CTF trace" },
	{ "a", BYTES("/* CTF 1.8 */"), "the metadata of a CTF trace" },
	{ "a", BYTES("<!DOCTYPE html>\n<script class=\"trace-data\""), "a systrace report" },
	{ "a", BYTES("<HTML><body>"), "a web page" },
	{ "a", BYTES("{\"traceEvents\":[]}"), "a Chrome trace" },
	{ "a", BYTES("[{\"name\":\"x\",\"ph\":\"X\"}]"), "a Chrome trace" },
	{ "a", BYTES("{\"other\":1}"), NULL },
	{ "a", BYTES("# tracer: nop\n#\n# entries-in-buffer/entries-written: 3/3\n"), "the text of ftrace" },
	{ "a", BYTES("TRACE:\n# tracer: nop\n"), "the text of ftrace" },
	{ "a", BYTES("cpus=2\n           <...>-1701  [001]    76.211513: sched_switch: prev\n"), "text that trace-cmd report" },
	{ "a", BYTES("cpus=2\n  bash-17  [001] d..2. 76.211513: sched_switch: prev\n"), "text that trace-cmd report" },
	{ "a", BYTES("bash 17 [001] 76.211513: sched:sched_switch: prev\n"), "text that trace-cmd report" },
	{ "a", BYTES("array[3] 1.5\nlist[4]: 2.5\n"), NULL },
	/* field 1, 3 bytes long, in it field 1 of 1 byte; and once more */
	{ "a", BYTES("\x0a\x03\x0a\x01x\x0a\x03\x0a\x01x"), "a Perfetto trace" },
	{ "a", BYTES("\x0a\x03\x0a\x01x\x0b\x03\x0a\x01x"), NULL },
	{ "a", BYTES("\n\nsome text\n"), NULL },
	{ "a", BYTES("#!/bin/sh\n"), NULL },
	{ "a", BYTES(""), NULL },
	{ "trace.dat.cpu0", BYTES("\x17\x08\x44tracing6\0"), NULL }, /* whatever its name is */
};

START_TEST(kind_is_found)
{
	const struct rs_file_kind *kind =
		rs_file_kind_find(files[_i].path, (const uint8_t *)files[_i].head, files[_i].len, files[_i].len);

	if (!files[_i].what) {
		ck_assert_msg(!kind, "%d is taken for %s", _i, kind ? kind->what : "");
		return;
	}
	ck_assert_msg(kind != NULL, "%d is not known", _i);
	ck_assert_msg(strstr(kind->what, files[_i].what) != NULL, "%d is taken for %s", _i, kind->what);
	ck_assert(*kind->advice);
}
END_TEST

START_TEST(magic_that_is_not_at_the_begin)
{
	uint8_t tar[512] = "name", pages[8192] = { 0 };
	const struct rs_file_kind *kind;

	memcpy(tar + 257, "ustar", 5);
	kind = rs_file_kind_find("a", tar, sizeof tar, sizeof tar);
	ck_assert_ptr_nonnull(kind);
	ck_assert_str_eq(kind->what, "a tar archive");

	pages[0] = pages[4096] = 7; /* ns */
	pages[8] = pages[4096 + 8] = 16;
	kind = rs_file_kind_find("a", pages, sizeof pages, sizeof pages);
	ck_assert_ptr_nonnull(kind);
	ck_assert_ptr_nonnull(strstr(kind->what, "one CPU's raw pages"));
	pages[4096] = 6; /* time goes back */
	ck_assert_ptr_null(rs_file_kind_find("a", pages, sizeof pages, sizeof pages));
}
END_TEST

/* No beginning of any of them may lead past its end: the sanitizers look. */
START_TEST(every_prefix_is_read_within_its_bounds)
{
	for (size_t len = 0; len <= files[_i].len; len++) {
		uint8_t *exact = malloc(len ? len : 1);

		memcpy(exact, files[_i].head, len);
		rs_file_kind_find("a", exact, len, 0);
		free(exact);
	}
}
END_TEST

Suite *rs_suite_file_kind(void)
{
	Suite *s = suite_create("file-kind");
	TCase *t = tcase_create("file-kind");

	tcase_add_loop_test(t, kind_is_found, 0, sizeof files / sizeof *files);
	tcase_add_test(t, magic_that_is_not_at_the_begin);
	tcase_add_loop_test(t, every_prefix_is_read_within_its_bounds, 0, sizeof files / sizeof *files);
	suite_add_tcase(s, t);
	return s;
}
