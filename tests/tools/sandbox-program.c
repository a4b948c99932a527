// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sandbox-program - writes the filter of system calls that rs_sandbox_enter would load, an instruction a line
 *
 * It is not loaded. Our pid, the one thing in it that differs from run to run, is written as "pid".
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory-watch.h"
#include "daemon/sandbox.h"

/* The low word of the first argument. */
#define ARGUMENT (offsetof(struct seccomp_data, args) + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))

static void write_program(const struct sock_fprog *program)
{
	uint32_t loaded = 0;

	for (unsigned short i = 0; i < program->len; i++) {
		const struct sock_filter *f = &program->filter[i];

		if (f->code == (BPF_LD | BPF_W | BPF_ABS))
			loaded = f->k;
		printf("%04x %u %u ", f->code, f->jt, f->jf);
		if (loaded == ARGUMENT && f->k == (uint32_t)getpid())
			puts("pid");
		else
			printf("%#x\n", f->k);
	}
}

/* Over the C library's. */
long syscall(long nr, ...)
{
	static long (*real)(long, ...);
	long a[6];
	va_list ap;

	va_start(ap, nr);
	for (size_t i = 0; i < sizeof a / sizeof *a; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (nr == SYS_seccomp && a[0] == SECCOMP_SET_MODE_FILTER && a[2]) { /* without one libseccomp asks what there is */
		write_program((const struct sock_fprog *)a[2]);
		return 0;
	}
	if (!real)
		real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return real(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int main(void)
{
	struct rs_error err = { 0 };
	struct rs_sandbox sb = { 0 };

	rs_sandbox_begin(&sb);
	rs_sandbox_enter(&sb, &err);
	rs_memory_check("sandbox", &err);
	if (err.status == RS_OK)
		return 0;
	fprintf(stderr, "ringside: %s\n", err.text);
	return 1;
}
