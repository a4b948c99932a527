// SPDX-License-Identifier: GPL-2.0-or-later
/* test-page-stacks - which symbols a recording saves of stacks of events, whose pages come after the records of mappings */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decode/sample-merge.h"
#include "elf-file.h"
#include "lines.h"
#include "sample-lines.h"
#include "stacks/page-stacks.h"
#include "stacks/stack-builder.h"
#include "symbols/saved-symbols.h"
#include "symbols/symbolizer.h"

static char folder[64], prog[128], lib[128];

static void write_file(char *path, const char *name, const struct elf_file *file)
{
	struct rs_buf b = RS_BUF_INIT;
	int fd;

	snprintf(path, sizeof prog, "%s/%s", folder, name);
	fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
	elf_file_put(&b, file);
	ck_assert_int_eq(write(fd, b.data, b.len), (ssize_t)b.len);
	close(fd);
	rs_buf_done(&b);
}

static void setup(void)
{
	snprintf(folder, sizeof folder, "/tmp/ringside-page-stacks-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	write_file(prog, "prog", &(struct elf_file){ .functions = FUNCTIONS({ "work", 0x10, 0x10 }, { "main", 0x100, 0x10 }, { "unused", 0x200, 0x10 }) });
	write_file(lib, "lib", &(struct elf_file){ .functions = FUNCTIONS({ "wait_here", 0x10, 0x10 }, { "call_it", 0x100, 0x10 }) });
}

static void teardown(void)
{
	unlink(prog);
	unlink(lib);
	rmdir(folder);
}

/* All names that are saved of a file, in the order of their offsets. */
static const char *saved(const struct rs_buf *symbols, const char *path)
{
	static char text[256];
	struct rs_saved_symbols *s = rs_saved_symbols_new((const uint8_t *)symbols->data, symbols->len);
	const struct rs_saved_module *m;

	ck_assert_ptr_nonnull(s);
	m = rs_saved_symbols_module(s, &(struct rs_mapped_file){ .path = path }, false);
	text[0] = '\0';
	for (uint64_t offset = ELF_CODE_OFFSET; m && offset < ELF_CODE_OFFSET + ELF_CODE_BYTES; offset++) {
		const char *name = rs_saved_symbols_function(s, m, offset);

		if (name)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s+%x", *text ? " " : "", name, (unsigned int)(offset - ELF_CODE_OFFSET));
	}
	rs_saved_symbols_free(s);
	return text;
}

/* Follows all records before the first page comes, as a recorder may. */
static void record(const char *const *records, const char *const *events, const struct layout *layout, struct rs_buf *symbols)
{
	static struct rs_page_stacks stacks;
	struct rs_sample_source *samples = sample_lines_open(records, false);
	struct rs_sample_merge *merge = rs_sample_merge_new(samples);
	struct rs_source *source = rs_lines_source(events, layout);
	struct rs_stack_builder *b;
	struct rs_sample_event ev;
	struct rs_error err = { 0 };
	struct rs_page page;

	samples->info.local = true;
	b = rs_stack_builder_new(samples, &source->info, 0);
	rs_page_stacks_init(&stacks, &source->info, b);
	while (rs_sample_merge_next(merge, UINT64_MAX, &ev))
		rs_stack_builder_follow(b, &ev);
	for (unsigned int cpu = 0; cpu < source->info.nr_cpus; cpu++)
		while (source->ops->next(source, cpu, &page, &err) == RS_NEXT_PAGE)
			rs_page_stacks_take(&stacks, page.data, page.len_bytes);
	rs_stack_builder_put_symbols(b, symbols);
	rs_stack_builder_free(b);
	rs_sample_merge_free(merge);
	samples->ops->close(samples);
	source->ops->close(source);
}

/* The innermost address is where a program was, others are looked up one byte before. A stack that comes again is saved once. */
START_TEST(a_stack)
{
	for (unsigned int i = 0; i < rs_nr_layouts; i++) {
		struct rs_buf symbols = RS_BUF_INIT;
		char map[256];

		snprintf(map, sizeof map, "100 cpu0 map 7 400000-402000 0 %s", prog);
		record(SAMPLES(map), LINES("1000 cpu0 sched_switch a/7 S -> idle/0", "1001 cpu0 user_stack t=7 tgid=7 401010 401110 500000",
					   "2000 cpu1 sched_switch a/7 S -> idle/0", "2001 cpu1 user_stack t=7 tgid=7 401010 401110 500000"), &rs_layouts[i], &symbols);
		ck_assert_str_eq(saved(&symbols, prog), "work+10 main+10f");
		rs_buf_done(&symbols);
	}
}
END_TEST

/*
 * Process 8 is a fork of 7, waits in prog, and then runs lib at the same addresses: its page comes when prog is no longer
 * mapped. Nothing of 9, which has no stack.
 */
START_TEST(before_an_exec)
{
	struct rs_buf symbols = RS_BUF_INIT;
	char map[256], map_lib[256], other[256];

	snprintf(map, sizeof map, "100 cpu0 map 7 400000-402000 0 %s", prog);
	snprintf(map_lib, sizeof map_lib, "400 cpu0 map 8 400000-402000 0 %s", lib);
	snprintf(other, sizeof other, "500 cpu0 map 9 400000-402000 0 %s", lib);
	record(SAMPLES(map, "200 cpu0 fork 7 8", "300 cpu0 exec 8", map_lib, other),
	       LINES("250 cpu0 sched_switch a/8 S -> idle/0", "251 cpu0 user_stack t=8 tgid=8 401010",
		     "450 cpu0 sched_switch b/8 S -> idle/0", "451 cpu0 user_stack t=8 tgid=8 401100"), &rs_layouts[0], &symbols);
	ck_assert_str_eq(saved(&symbols, prog), "work+10 main+100");
	ck_assert_str_eq(saved(&symbols, lib), "wait_here+10 call_it+100");
	rs_buf_done(&symbols);
}
END_TEST

/* Each process was forked 20 times by the next one, as where PIDs are used again: 20^16 ways to the one that has the mapping. */
START_TEST(many_parents)
{
	struct rs_buf symbols = RS_BUF_INIT;
	const char *records[16 * 20 + 1];
	char texts[16][64];
	size_t nr = 0;

	for (int i = 0; i < 16; i++) {
		snprintf(texts[i], sizeof texts[i], "100 cpu0 fork %d %d", 11 + i, 10 + i);
		for (int k = 0; k < 20; k++)
			records[nr++] = texts[i];
	}
	records[nr] = NULL;
	record(records, LINES("250 cpu0 sched_switch a/10 S -> idle/0", "251 cpu0 user_stack t=10 tgid=10 401010"), &rs_layouts[0], &symbols);
	ck_assert_str_eq(saved(&symbols, prog), "");
	rs_buf_done(&symbols);
}
END_TEST

Suite *rs_suite_page_stacks(void);
Suite *rs_suite_page_stacks(void)
{
	Suite *s = suite_create("page-stacks");
	TCase *t = tcase_create("page-stacks");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_stack);
	tcase_add_test(t, before_an_exec);
	tcase_add_test(t, many_parents);
	suite_add_tcase(s, t);
	return s;
}
