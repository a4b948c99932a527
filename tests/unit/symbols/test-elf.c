// SPDX-License-Identifier: GPL-2.0-or-later
/* test-elf - which function of a file lies at an offset; files that are cut or lie */
#include <check.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf-file.h"
#include "symbols/demangle.h"
#include "symbols/elf.h"

/* The function at an offset of the code, "-" for none; "!" for no ELF file. */
static const char *elf_at(const struct elf_file *file, uint64_t at)
{
	static char name[256];
	int fd = elf_file_open(file);
	struct rs_elf *e = rs_elf_new(fd);
	const char *found = e ? rs_elf_function(e, ELF_CODE_OFFSET + at) : "!";

	strcpy(name, found ? found : "-");
	rs_elf_free(e);
	close(fd);
	return name;
}

static const struct elf_file plain = {
	.functions = FUNCTIONS({ "first", 0x10, 0x20 }, { "second", 0x40, 0x10 }, { "bare", 0x60, 0 }, { "after_bare", 0x80, 8 }),
};

START_TEST(a_symbol_covers_its_size)
{
	ck_assert_str_eq(elf_at(&plain, 0x10), "first");
	ck_assert_str_eq(elf_at(&plain, 0x2f), "first");
	ck_assert_str_eq(elf_at(&plain, 0x40), "second");
	/* before the first, between two, past the last, in no segment: a neighbor's name would be wrong */
	ck_assert_str_eq(elf_at(&plain, 0xf), "-");
	ck_assert_str_eq(elf_at(&plain, 0x30), "-");
	ck_assert_str_eq(elf_at(&plain, 0x88), "-");
	ck_assert_str_eq(elf_at(&plain, ELF_CODE_BYTES + 0x10), "-");
	ck_assert_str_eq(elf_at(&plain, (uint64_t)-ELF_CODE_OFFSET), "-");
}
END_TEST

START_TEST(a_symbol_without_size)
{
	ck_assert_str_eq(elf_at(&plain, 0x60), "bare");
	ck_assert_str_eq(elf_at(&plain, 0x61), "-");
}
END_TEST

START_TEST(the_best_of_several_names)
{
	const struct elf_file file = {
		.functions = FUNCTIONS({ "__weak_read", 0x10, 0x10, STB_WEAK }, { "__libc_read", 0x10, 0x10, STB_GLOBAL }, { "read", 0x10, 0x10, STB_GLOBAL },
				       { "local", 0x10, 0x10, STB_LOCAL }, { "outer", 0x100, 0x100, STB_GLOBAL }, { "inner", 0x120, 0x10, STB_LOCAL }),
	};

	ck_assert_str_eq(elf_at(&file, 0x18), "read");
	ck_assert_str_eq(elf_at(&file, 0x110), "outer");
	ck_assert_str_eq(elf_at(&file, 0x120), "inner");
	ck_assert_str_eq(elf_at(&file, 0x130), "outer"); /* behind the inner one */
}
END_TEST

START_TEST(stripped_and_packed)
{
	struct elf_file file = plain;

	file.stripped = true;
	ck_assert_str_eq(elf_at(&file, 0x10), "-");
	file.packed = true;
	ck_assert_str_eq(elf_at(&file, 0x10), "first");
	ck_assert_str_eq(elf_at(&file, 0x30), "-");
}
END_TEST

START_TEST(build_id)
{
	struct elf_file file = plain;
	uint8_t id[RS_BUILD_ID_BYTES];
	int fd;
	struct rs_elf *e;

	file.build_id = "0123456789abcdefghij";
	fd = elf_file_open(&file);
	e = rs_elf_new(fd);
	ck_assert_uint_eq(rs_elf_build_id(e, id), 20);
	ck_assert_mem_eq(id, file.build_id, 20);
	rs_elf_free(e);
	close(fd);
	fd = elf_file_open(&plain);
	e = rs_elf_new(fd);
	ck_assert_uint_eq(rs_elf_build_id(e, id), 0);
	rs_elf_free(e);
	close(fd);
}
END_TEST

START_TEST(demangled)
{
	const struct elf_file file = {
		.functions = FUNCTIONS({ "_ZN3foo3barEi", 0x10, 8 }, { "_RNvC6_123foo3bar", 0x20, 8 }, { "_ZN4core3fmt5write17h0123456789abcdefE", 0x30, 8 },
				       { "_Zbroken", 0x40, 8 }),
	};

	ck_assert_str_eq(elf_at(&file, 0x10), "foo::bar");
	ck_assert_str_eq(elf_at(&file, 0x20), "123foo::bar");
	ck_assert_str_eq(elf_at(&file, 0x30), "core::fmt::write");
	ck_assert_str_eq(elf_at(&file, 0x40), "_Zbroken");
	ck_assert_ptr_null(rs_demangle("main"));
	ck_assert_ptr_null(rs_demangle(""));
	ck_assert_ptr_null(rs_demangle("_"));
}
END_TEST

/* Whatever is in it: no crash, no name from outside of it. */
static void elf_read_hostile(const void *bytes, size_t len)
{
	int fd = elf_file_bytes(bytes, len);
	struct rs_elf *e = rs_elf_new(fd);

	for (uint64_t at = 0; e && at < 0x100; at += 8)
		rs_elf_function(e, ELF_CODE_OFFSET + at);
	rs_elf_free(e);
	close(fd);
}

START_TEST(cut_files)
{
	struct elf_file file = plain;
	struct rs_buf b = RS_BUF_INIT;

	file.build_id = "0123456789abcdefghij";
	file.packed = _i;
	elf_file_put(&b, &file);
	for (size_t len = 0; len < b.len; len += len < 200 || len > 0x1f00 ? 1 : 100)
		elf_read_hostile(b.data, len);
	rs_buf_done(&b);
}
END_TEST

/* Each byte of the headers, of the symbols and of the sections' headers: 0, the largest, one more. */
START_TEST(lying_files)
{
	struct elf_file file = plain;
	struct rs_buf b = RS_BUF_INIT;

	file.build_id = "0123456789abcdefghij";
	file.packed = _i;
	elf_file_put(&b, &file);
	for (size_t at = 4; at < b.len; at = at == 0x200 ? ELF_CODE_OFFSET + ELF_CODE_BYTES : at + 1) {
		char was = b.data[at];
		const char lies[] = { 0, '\xff', (char)(was + 1), '\x7f' };

		for (size_t i = 0; i < sizeof lies; i++) {
			b.data[at] = lies[i];
			elf_read_hostile(b.data, b.len);
		}
		b.data[at] = was;
	}
	rs_buf_done(&b);
}
END_TEST

START_TEST(no_elf_file)
{
	int fd = elf_file_bytes("#!/bin/sh\n", 10);

	ck_assert_ptr_null(rs_elf_new(fd));
	close(fd);
	ck_assert_ptr_null(rs_elf_new(-1));
}
END_TEST

Suite *rs_suite_elf(void)
{
	Suite *s = suite_create("elf");
	TCase *t = tcase_create("elf");

	tcase_add_test(t, a_symbol_covers_its_size);
	tcase_add_test(t, a_symbol_without_size);
	tcase_add_test(t, the_best_of_several_names);
	tcase_add_test(t, stripped_and_packed);
	tcase_add_test(t, build_id);
	tcase_add_test(t, demangled);
	tcase_add_loop_test(t, cut_files, 0, 2);
	tcase_add_loop_test(t, lying_files, 0, 2);
	tcase_add_test(t, no_elf_file);
	suite_add_tcase(s, t);
	return s;
}
