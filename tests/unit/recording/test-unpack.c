// SPDX-License-Identifier: GPL-2.0-or-later
/* test-unpack - files that gzip, xz and zstd have packed: all of it, or why not */
#include <check.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "recording/unpack.h"
#include "tracedat-builder.h"

struct packed {
	uint8_t *data;
	size_t len;
};

static struct packed pack_gzip(const void *data, size_t len)
{
	struct packed p = { malloc(len + 4096), 0 };
	z_stream z = { .next_in = (uint8_t *)(uintptr_t)data, .avail_in = (unsigned int)len, .next_out = p.data,
		       .avail_out = (unsigned int)len + 4096 };

	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	p.len = z.total_out;
	deflateEnd(&z);
	return p;
}

static struct packed pack_xz(const void *data, size_t len)
{
	struct packed p = { malloc(len + 4096), 0 };

	ck_assert_int_eq(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, data, len, p.data, &p.len, len + 4096), LZMA_OK);
	return p;
}

static struct packed pack_zstd(const void *data, size_t len)
{
	struct packed p = { malloc(len + 4096), 0 };

	p.len = ZSTD_compress(p.data, len + 4096, data, len, 1);
	ck_assert(!ZSTD_isError(p.len));
	return p;
}

static struct packed (*const packers[])(const void *data, size_t len) = { pack_gzip, pack_xz, pack_zstd };
#define NR_PACKERS ((int)(sizeof packers / sizeof *packers))

/* A recording of 1 MiB and something that packs badly: more than a piece of what is read and written at a time. */
static struct built big_recording(void)
{
	struct built f = build_tracedat(&(struct recipe){ .nr_pages = 130 });
	uint32_t noise = 1;

	for (size_t i = f.len / 2; i < f.len; i++)
		f.data[i] = (uint8_t)((noise = noise * 1664525 + 1013904223) >> 24);
	return f;
}

static void must_be(int fd, const void *data, size_t len)
{
	uint8_t *got = malloc(len + 1);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, got, len + 1, 0), (ssize_t)len);
	ck_assert_mem_eq(got, data, len);
	free(got);
	close(fd);
}

static void must_fail(struct built *f, const void *data, size_t len, const char *why)
{
	struct rs_error err = { 0 };
	int fd = -1;

	ck_assert_int_eq(rs_unpack_open(built_path_of(f, data, len), NULL, &fd, &err), -1);
	ck_assert_int_eq(fd, -1);
	ck_assert_int_eq(err.status, RS_FAILED);
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
}

START_TEST(what_was_packed_comes_back)
{
	struct built f = big_recording(), file = { .fd = -1 };
	struct packed p = packers[_i](f.data, f.len);
	struct rs_error err = { 0 };
	struct stat st;
	int fd;

	ck_assert_int_eq(rs_unpack_open(built_path_of(&file, p.data, p.len), NULL, &fd, &err), 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_uint_eq(st.st_nlink, 0);
	must_be(fd, f.data, f.len);
	free(p.data);
	built_done(&file);
	built_done(&f);
}
END_TEST

/* gzip, xz and zstd all read files that were put one after the other: the halves are the whole. */
START_TEST(two_that_follow_each_other)
{
	struct built f = big_recording(), file = { .fd = -1 };
	struct packed a = packers[_i](f.data, f.len / 2), b = packers[_i](f.data + f.len / 2, f.len - f.len / 2);
	struct rs_error err = { 0 };
	int fd;

	a.data = realloc(a.data, a.len + b.len);
	memcpy(a.data + a.len, b.data, b.len);
	ck_assert_int_eq(rs_unpack_open(built_path_of(&file, a.data, a.len + b.len), NULL, &fd, &err), 0);
	must_be(fd, f.data, f.len);
	free(a.data);
	free(b.data);
	built_done(&file);
	built_done(&f);
}
END_TEST

START_TEST(what_is_not_packed_is_left_alone)
{
	struct built f = build_tracedat(&(struct recipe){ 0 });
	struct rs_error err = { 0 };
	int fd = 7;

	ck_assert_int_eq(rs_unpack_open(built_path(&f), NULL, &fd, &err), 0);
	ck_assert_int_eq(fd, -1);
	ck_assert_int_eq(rs_unpack_open("/no/such/file", NULL, &fd, &err), 0);
	ck_assert_int_eq(rs_unpack_open("/tmp", NULL, &fd, &err), 0);
	ck_assert_int_eq(err.status, RS_OK);
	built_done(&f);
}
END_TEST

START_TEST(cut_off_anywhere)
{
	struct built f = build_tracedat(&(struct recipe){ 0 }), file = { .fd = -1 };
	struct packed p = packers[_i](f.data, f.len);

	for (size_t len = 6; len < p.len; len++)
		must_fail(&file, p.data, len, "ends too early (the file is cut off)");
	free(p.data);
	built_done(&file);
	built_done(&f);
}
END_TEST

START_TEST(a_byte_that_is_wrong)
{
	struct built f = big_recording(), file = { .fd = -1 };
	struct packed p = packers[_i](f.data, f.len);

	for (size_t i = 0; i < 64; i++)
		p.data[p.len / 2 + i] ^= 0x55;
	if (packers[_i] != pack_zstd) /* which has no checksum here, and noise is stored as it is */
		must_fail(&file, p.data, p.len, "its data is damaged");
	free(p.data);
	built_done(&file);
	built_done(&f);
}
END_TEST

START_TEST(what_is_packed_is_no_recording)
{
	struct built file = { .fd = -1 };
	struct packed p = packers[_i]("PERFFILE and so on", 18), again;

	must_fail(&file, p.data, p.len, "it is a perf.data of before Linux 3.2");
	again = packers[_i](p.data, p.len);
	must_fail(&file, again.data, again.len, "it is packed by");
	free(again.data);
	free(p.data);
	p = packers[_i]("hello, world", 12);
	must_fail(&file, p.data, p.len, "it does not begin as one");
	free(p.data);
	p = packers[_i]("", 0);
	must_fail(&file, p.data, p.len, "it is empty");
	free(p.data);
	built_done(&file);
}
END_TEST

/* 256 MiB of zeros behind a recording's begin, from 9 KB: they end at 64 MiB, and nothing of them is left. */
START_TEST(a_bomb)
{
	struct built file = { .fd = -1 };
	size_t len = 256u << 20;
	char *bomb = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct packed p = { malloc(1 << 20), 0 };

	ck_assert_ptr_ne(bomb, MAP_FAILED);
	memcpy(bomb, "\x17\x08\x44tracing6", 11);
	p.len = ZSTD_compress(p.data, 1 << 20, bomb, len, 1);
	ck_assert(!ZSTD_isError(p.len));
	munmap(bomb, len);
	ck_assert_uint_lt(p.len, 60000);
	must_fail(&file, p.data, p.len, "it grows beyond 67 MB, which is no recording's ratio");
	free(p.data);
	built_done(&file);
}
END_TEST

/* zstd --long=31: a window of 2 GiB, which the frame's head asks for (descriptor 0, window 2^31, a last empty block). */
START_TEST(a_window_that_is_too_large)
{
	static const uint8_t frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 0x01, 0x00, 0x00 };
	struct built file = { .fd = -1 };

	must_fail(&file, frame, sizeof frame, "it takes more than 128 MiB of memory to unpack");
	built_done(&file);
}
END_TEST

START_TEST(a_folder_that_cannot_be_written)
{
	struct built f = build_tracedat(&(struct recipe){ 0 }), file = { .fd = -1 };
	struct packed p = pack_gzip(f.data, f.len);

	setenv("TMPDIR", "/no/such/folder", 1);
	must_fail(&file, p.data, p.len, "cannot make a file in /no/such/folder: No such file or directory (set TMPDIR");
	unsetenv("TMPDIR");
	free(p.data);
	built_done(&file);
	built_done(&f);
}
END_TEST

Suite *rs_suite_unpack(void)
{
	Suite *s = suite_create("unpack");
	TCase *t = tcase_create("unpack");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, what_was_packed_comes_back, 0, NR_PACKERS);
	tcase_add_loop_test(t, two_that_follow_each_other, 0, NR_PACKERS);
	tcase_add_test(t, what_is_not_packed_is_left_alone);
	tcase_add_loop_test(t, cut_off_anywhere, 0, NR_PACKERS);
	tcase_add_loop_test(t, a_byte_that_is_wrong, 0, NR_PACKERS);
	tcase_add_loop_test(t, what_is_packed_is_no_recording, 0, NR_PACKERS);
	tcase_add_test(t, a_bomb);
	tcase_add_test(t, a_window_that_is_too_large);
	tcase_add_test(t, a_folder_that_cannot_be_written);
	suite_add_tcase(s, t);
	return s;
}
