// SPDX-License-Identifier: GPL-2.0-or-later
/* test-call-facts - calls.tbl: its names, and what becomes of them by number, in each table of calls */
#include <check.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>

#include "engine/calls/syscall.h"
#include "ringside/culprit.h"
#include "ringside/task.h"
#include "ringside/wait.h"

#define CALL(name, ...) #name,
static const char *const names[] = {
#include "engine/calls/calls.tbl"
};
#undef CALL

#define NR_NAMES (sizeof names / sizeof *names)

/* A name with a typing error would never be found, and a second row of a name would hide the first. */
START_TEST(each_name_is_a_call_once)
{
	for (size_t i = 0; i < NR_NAMES; i++) {
		ck_assert_msg(seccomp_syscall_resolve_name(names[i]) != __NR_SCMP_ERROR, "%s is no call", names[i]);
		for (size_t before = 0; before < i; before++)
			ck_assert_msg(strcmp(names[before], names[i]) != 0, "%s has two rows", names[i]);
	}
}
END_TEST

static struct rs_syscall_names *names_of(const char *machine, unsigned int long_bytes)
{
	struct rs_syscall_names *n = rs_syscall_names_new(&(struct rs_trace_info){ .machine = machine, .long_bytes = long_bytes });

	ck_assert_ptr_nonnull(n);
	return n;
}

static const struct {
	const char *machine;
	unsigned int long_bytes;
	int64_t nr;
	uint32_t classes;
	int kind, sleep, effect, op;
} cases[] = {
	/* x86-64: read, openat, fsync, sync (which has no descriptor), futex, getcpu (no row) */
	{ "x86_64", 8, 0, RS_CLASS_READ, RS_CALL_PLAIN, RS_PART_READ_WRITE, RS_FD_NOTHING, RS_FILE_READ },
	{ "x86_64", 8, 257, RS_CLASS_CHANGE, RS_CALL_PLAIN, 0, RS_FD_OPENS_AT, RS_FILE_NONE },
	{ "x86_64", 8, 74, RS_CLASS_FLUSH, RS_CALL_PLAIN, 0, RS_FD_NOTHING, RS_FILE_SYNC },
	{ "x86_64", 8, 162, RS_CLASS_FLUSH, RS_CALL_PLAIN, 0, RS_FD_NOTHING, RS_FILE_NONE },
	{ "x86_64", 8, 202, RS_CLASS_FUTEX, RS_CALL_DEPENDS, 0, RS_FD_NOTHING, RS_FILE_NONE },
	{ "x86_64", 8, 309, 0, RS_CALL_PLAIN, 0, RS_FD_NOTHING, RS_FILE_NONE },
	/* its 32-bit programs: read, connect (a call of its own since 4.3, which libseccomp counts to socketcall), ppoll_time64 */
	{ "x86_64", 8, 3 | RS_CALL_COMPAT, RS_CLASS_READ, RS_CALL_PLAIN, RS_PART_READ_WRITE, RS_FD_NOTHING, RS_FILE_READ },
	{ "x86_64", 8, 362 | RS_CALL_COMPAT, RS_CLASS_CONNECT, RS_CALL_CONNECT, RS_PART_SOCKET, RS_FD_NOTHING, RS_FILE_NONE },
	{ "x86_64", 8, 414 | RS_CALL_COMPAT, RS_CLASS_POLL, RS_CALL_IDLE, RS_PART_POLL, RS_FD_NOTHING, RS_FILE_NONE },
	/* x32: write */
	{ "x86_64", 8, 1 | RS_X32_BIT, RS_CLASS_WRITE, RS_CALL_WRITE, RS_PART_READ_WRITE, RS_FD_NOTHING, RS_FILE_WRITE },
	/* i386: connect; arm64: read */
	{ "i686", 4, 362, RS_CLASS_CONNECT, RS_CALL_CONNECT, RS_PART_SOCKET, RS_FD_NOTHING, RS_FILE_NONE },
	{ "aarch64", 8, 63, RS_CLASS_READ, RS_CALL_PLAIN, RS_PART_READ_WRITE, RS_FD_NOTHING, RS_FILE_READ },
};

START_TEST(by_number)
{
	struct rs_syscall_names *n = names_of(cases[_i].machine, cases[_i].long_bytes);
	const struct rs_call_facts *f = rs_syscall_facts(n);
	int at = rs_call_place(cases[_i].nr);

	ck_assert_int_ge(at, 0);
	ck_assert_uint_eq(f->classes[at], cases[_i].classes);
	ck_assert_int_eq(f->kind[at], cases[_i].kind);
	ck_assert_int_eq(f->sleep[at], cases[_i].sleep);
	ck_assert_int_eq(f->effect[at], cases[_i].effect);
	ck_assert_int_eq(f->op[at], cases[_i].op);
	rs_syscall_names_free(n);
}
END_TEST

Suite *rs_suite_call_facts(void);
Suite *rs_suite_call_facts(void)
{
	Suite *s = suite_create("call-facts");
	TCase *t = tcase_create("call-facts");

	tcase_add_test(t, each_name_is_a_call_once);
	tcase_add_loop_test(t, by_number, 0, sizeof cases / sizeof *cases);
	suite_add_tcase(s, t);
	return s;
}
