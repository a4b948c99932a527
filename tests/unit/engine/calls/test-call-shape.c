// SPDX-License-Identifier: GPL-2.0-or-later
/* test-call-shape - arguments by the kernel's own parameters, where the table of known calls has no row */
#include <check.h>
#include <stdlib.h>

#include "ask.h"
#include "source/call-params.h"

#define COMMON "name: sys_enter_openat\nID: 782\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELD(type_and_name) "\tfield:" type_and_name ";\toffset:16;\tsize:8;\tsigned:0;\n"

static void check_params(const char *format, const char *expected)
{
	char *params = rs_call_params_parse((struct rs_text){ format, strlen(format) });

	if (expected)
		ck_assert_pstr_eq(params, expected);
	else
		ck_assert_ptr_null(params);
	free(params);
}

/* Without the common fields, the call's number, and the texts that newer kernels copy. */
START_TEST(parameters)
{
	check_params(COMMON FIELD("int __syscall_nr") FIELD("int dfd") FIELD("const char * filename") FIELD("umode_t mode")
		     FIELD("__data_loc char[] __filename_val") "\nprint fmt: \"dfd: 0x%08lx\", ((unsigned long)(REC->dfd))\n",
		     "int dfd, const char * filename, umode_t mode");
	check_params(COMMON FIELD("int __syscall_nr") "\nprint fmt: \"\"\n", "");
	check_params(COMMON, NULL);
	check_params("\tfield:int nr", "");
	check_params("", NULL);
}
END_TEST

#define SETNS "1000 cpu0 sys_enter t=10 nr=308 3 20000 7fff00001000 9 9 9", "1100 cpu0 sys_exit t=10 nr=308 ret=0"
#define X86_64 .layout = "6.1 x86-64"

START_TEST(text)
{
	check_rows(ASK("syscalls", X86_64), LINES("params setns int fd, int flags", SETNS), ROWS("call='setns(fd: 3, flags: 0x20000)'"));
	check_rows(ASK("syscalls", X86_64), LINES(SETNS), ROWS("call='setns(0x3, 0x20000, 0x7fff00001000, 0x9, 0x9, 0x9)'"));
	check_rows(ASK("syscalls", X86_64, .span = "syscall"), LINES("params setns int fd, int flags", SETNS), ROWS("label=setns args='0x3 0x20000'"));
	/* types: a signed and an unsigned int, an address, a size, a mode, a long */
	check_rows(ASK("syscalls", X86_64),
		   LINES("params setns pid_t pid, unsigned int nr, const void * buf, size_t len, umode_t mode, long off",
			 "1000 cpu0 sys_enter t=10 nr=308 ffffffff 7fffffffffffffff 7fff00001000 64 1ff ffffffffffffffff",
			 "1100 cpu0 sys_exit t=10 nr=308 ret=0"),
		   ROWS("call='setns(pid: -1, nr: 4294967295, buf: 0x7fff00001000, len: 100, mode: 0777, off: -1)'"));
	/* what has constants by name keeps its row */
	check_rows(ASK("syscalls", X86_64),
		   LINES("params openat int dfd, const char * filename, int flags, umode_t mode",
			 "1000 cpu0 sys_enter t=10 nr=openat ffffff9c 7fff00001000 80000 0 0 0", "1100 cpu0 sys_exit t=10 nr=openat ret=3"),
		   ROWS("call='openat(AT_FDCWD, 0x7fff00001000, O_RDONLY|O_CLOEXEC, 00)'"));
}
END_TEST

/* The event of a call may be called otherwise; more than six, and what is no parameter, are left out. */
START_TEST(odd_ones)
{
	check_rows(ASK("syscalls", X86_64),
		   LINES("params umount char * name, int flags", "1000 cpu0 sys_enter t=10 nr=166 7fff00001000 2 0 0 0 0", "1100 cpu0 sys_exit t=10 nr=166 ret=0"),
		   ROWS("call='umount2(name: 0x7fff00001000, flags: 0x2)'"));
	check_rows(ASK("syscalls", X86_64), LINES("params setns ,x,, int a, int b, int c, int d, int e, int f, int g", SETNS),
		   ROWS("call='setns(a: 3, b: 131072, c: 4096, d: 9, e: 9, f: 9)'"));
}
END_TEST

/* The words of a 32-bit program are not those of the kernel's own parameters. */
START_TEST(other_tables)
{
	check_rows(ASK("syscalls", X86_64),
		   LINES("seed a/10 pid=10 bits=32", "params setns int fd, int flags",
			 "1000 cpu0 sys_enter t=10 nr=346 3 4 5 6 7 8", "1100 cpu0 sys_exit t=10 nr=346 ret=0"),
		   ROWS("call='setns(0x3, 0x4, 0x5, 0x6, 0x7, 0x8)'"));
}
END_TEST

Suite *rs_suite_call_shape(void)
{
	Suite *s = suite_create("call-shape");
	TCase *t = tcase_create("call-shape");

	tcase_add_test(t, parameters);
	tcase_add_test(t, text);
	tcase_add_test(t, odd_ones);
	tcase_add_test(t, other_tables);
	suite_add_tcase(s, t);
	return s;
}
