// SPDX-License-Identifier: GPL-2.0-or-later
/* test-mapped-files - the file of a mapping, opened by one who is root for one who is not */
#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "skip.h"
#include "tracefs/mapped-files.h"

static int pair[2];
static char path[64];
static void *at;

static void setup(void)
{
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
}

static void teardown(void)
{
	close(pair[0]);
	close(pair[1]);
}

/* A mapping of a file of this content, which has been removed. */
static struct rs_mapped_files_request map_removed(const char *content)
{
	int fd;

	strcpy(path, "/tmp/ringside-mapped-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, content, strlen(content)), (ssize_t)strlen(content));
	at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(at, MAP_FAILED);
	close(fd);
	unlink(path);
	return (struct rs_mapped_files_request){ getpid(), 7, (uint64_t)(uintptr_t)at, (uint64_t)(uintptr_t)at + 4096 };
}

START_TEST(a_removed_elf_file)
{
	struct rs_mapped_files_request q = map_removed(ELFMAG " and more");
	char text[16] = "";
	uint32_t id = 0;
	int fd;

	if (getuid() != 0)
		SKIP("needs root");
	ck_assert(rs_mapped_files_ask(pair[0], &q));
	ck_assert_int_eq(rs_mapped_files_take(pair[0], &id), -1); /* not yet */
	ck_assert(rs_mapped_files_answer(pair[1]));
	fd = rs_mapped_files_take(pair[0], &id);
	ck_assert_int_ge(fd, 0);
	ck_assert_uint_eq(id, 7);
	ck_assert_int_eq(pread(fd, text, 13, 0), 13);
	ck_assert_str_eq(text, ELFMAG " and more");
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	close(fd);
	munmap(at, 4096);
}
END_TEST

/* What is mapped may be a secret: only programs and libraries are handed out. */
START_TEST(another_file)
{
	struct rs_mapped_files_request q = map_removed("password");
	uint32_t id;

	ck_assert(rs_mapped_files_ask(pair[0], &q) && rs_mapped_files_answer(pair[1]));
	ck_assert_int_eq(rs_mapped_files_take(pair[0], &id), -1);
	munmap(at, 4096);
}
END_TEST

START_TEST(no_such_mapping)
{
	const struct rs_mapped_files_request hostile[] = {
		{ getpid(), 1, 1, 2 }, { 0, 1, 0, 4096 }, { -1, 1, 0, 4096 }, { INT32_MAX, 1, UINT64_MAX, 0 },
	};
	uint32_t id;

	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		ck_assert(rs_mapped_files_ask(pair[0], &hostile[i]) && rs_mapped_files_answer(pair[1]));
		ck_assert_int_eq(rs_mapped_files_take(pair[0], &id), -1);
	}
	ck_assert(!rs_mapped_files_ask(-1, &hostile[0]));
	ck_assert_int_eq(rs_mapped_files_take(-1, &id), -1);
}
END_TEST

START_TEST(garbage_and_the_end)
{
	uint32_t id;

	ck_assert_int_eq(send(pair[0], "garbage", 7, 0), 7);
	ck_assert(rs_mapped_files_answer(pair[1]));
	ck_assert_int_eq(send(pair[1], "1234", 4, 0), 4); /* a reply without a file */
	ck_assert_int_eq(rs_mapped_files_take(pair[0], &id), -1);
	ck_assert(rs_mapped_files_answer(pair[1])); /* no request */
	close(pair[0]);
	ck_assert(!rs_mapped_files_answer(pair[1]));
	pair[0] = -1;
}
END_TEST

Suite *rs_suite_mapped_files(void)
{
	Suite *s = suite_create("mapped-files");
	TCase *t = tcase_create("mapped-files");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_removed_elf_file);
	tcase_add_test(t, another_file);
	tcase_add_test(t, no_such_mapping);
	tcase_add_test(t, garbage_and_the_end);
	suite_add_tcase(s, t);
	return s;
}
