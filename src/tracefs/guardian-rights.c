// SPDX-License-Identifier: GPL-2.0-or-later
/* guardian-rights - what a guardian keeps of root's rights */
#include "tracefs/guardian-rights.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A sanitizer makes calls of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RIGHTS_FILTER_CALLS false
#else
#define RIGHTS_FILTER_CALLS true
#endif

/* ---- capabilities ---- */

#ifndef CAP_CHECKPOINT_RESTORE /* since Linux 5.9 */
#define CAP_CHECKPOINT_RESTORE 40
#endif

#define RIGHTS_CAP(cap) (UINT64_C(1) << (cap))

/* /proc/PID/map_files wants CAP_CHECKPOINT_RESTORE, where the kernel has it, or else CAP_SYS_ADMIN. */
static uint64_t rights_of_answers(uint64_t permitted)
{
	uint64_t map_files = RIGHTS_CAP(CAP_CHECKPOINT_RESTORE);

	return RIGHTS_CAP(CAP_SYS_PTRACE) | (permitted & map_files ? map_files : RIGHTS_CAP(CAP_SYS_ADMIN));
}

/*
 * CAP_DAC_OVERRIDE: tracefs may be mounted for another user, a daemon's socket lie in a user's folder, and
 * who came with capabilities only has no other right. By the kernel's own calls: libcap-ng allocates.
 */
static void rights_limit_caps(bool answers)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };
	uint64_t permitted, kept;

	if (syscall(SYS_capget, &header, data) < 0)
		return;
	permitted = data[0].permitted | (uint64_t)data[1].permitted << 32;
	kept = permitted & (RIGHTS_CAP(CAP_DAC_OVERRIDE) | (answers ? rights_of_answers(permitted) : 0));
	for (int i = 0; i < 2; i++) {
		uint32_t word = (uint32_t)(kept >> (32 * i));

		data[i] = (struct __user_cap_data_struct){ .effective = word, .permitted = word };
	}
	syscall(SYS_capset, &header, data);
}

/* ---- system calls ---- */

#define RIGHTS_CALL(name) SCMP_SYS(name) /* negative: this architecture has no such call */

static const int rights_calls[] = {
	/* waiting for the engine, between attempts to remove; going on after a stop */
	RIGHTS_CALL(poll), RIGHTS_CALL(ppoll), RIGHTS_CALL(ppoll_time64), RIGHTS_CALL(nanosleep),
	RIGHTS_CALL(clock_nanosleep), RIGHTS_CALL(clock_nanosleep_time64), RIGHTS_CALL(restart_syscall),
	RIGHTS_CALL(clock_gettime), RIGHTS_CALL(clock_gettime64), RIGHTS_CALL(gettimeofday),
	/* messages, requests, replies */
	RIGHTS_CALL(recvfrom), RIGHTS_CALL(recv), RIGHTS_CALL(sendto), RIGHTS_CALL(send),
	RIGHTS_CALL(sendmsg), RIGHTS_CALL(fcntl), RIGHTS_CALL(fcntl64), RIGHTS_CALL(close),
	/* what a descriptor refers to, the head of a mapped file */
	RIGHTS_CALL(readlink), RIGHTS_CALL(readlinkat), RIGHTS_CALL(statx), RIGHTS_CALL(preadv2),
	/* what containers are called: folders of pods */
	RIGHTS_CALL(getdents64),
	/* the end of a session: its events, its instance, a daemon's socket and lock */
	RIGHTS_CALL(write), RIGHTS_CALL(unlink), RIGHTS_CALL(unlinkat), RIGHTS_CALL(rmdir),
	RIGHTS_CALL(flock), RIGHTS_CALL(fstat), RIGHTS_CALL(fstat64), RIGHTS_CALL(newfstatat),
	RIGHTS_CALL(fstatat64), RIGHTS_CALL(lstat), RIGHTS_CALL(lstat64), RIGHTS_CALL(exit),
	RIGHTS_CALL(exit_group),
};

#define RIGHTS_NR_CALLS (sizeof rights_calls / sizeof *rights_calls)
#define RIGHTS_MAX_PROGRAM (2 * RIGHTS_NR_CALLS + 16)

struct rights_program {
	struct sock_filter code[RIGHTS_MAX_PROGRAM];
	unsigned short len;
};

static void rights_put(struct rights_program *p, struct sock_filter instruction)
{
	p->code[p->len++] = instruction;
}

static void rights_load(struct rights_program *p, size_t offset)
{
	rights_put(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

/* Goes on with the next instruction if the loaded word is value, else skips so many. */
static void rights_skip_unless(struct rights_program *p, uint32_t value, uint8_t nr)
{
	rights_put(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, nr));
}

static void rights_return(struct rights_program *p, uint32_t action)
{
	rights_put(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/*
 * Allowed unless it makes or empties a file. The flags of openat are its third argument, of open the second.
 */
static void rights_put_open(struct rights_program *p, int call, unsigned int flags_arg)
{
	const uint32_t makes = O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
	const size_t low_word = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0;

	if (call < 0)
		return;
	rights_skip_unless(p, (uint32_t)call, 4);
	rights_load(p, offsetof(struct seccomp_data, args) + flags_arg * sizeof(uint64_t) + low_word);
	rights_put(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, makes, 1, 0));
	rights_return(p, SECCOMP_RET_ALLOW);
	rights_return(p, SECCOMP_RET_ERRNO | EPERM);
}

/*
 * By hand, not by libseccomp: that takes a process of its own (sandbox.c), and this must not delay each
 * command.
 */
static void rights_make_program(struct rights_program *p)
{
	rights_load(p, offsetof(struct seccomp_data, arch));
	rights_skip_unless(p, seccomp_arch_native(), 1);
	rights_put(p, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 1));
	rights_return(p, SECCOMP_RET_ERRNO | EPERM);
	rights_load(p, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < RIGHTS_NR_CALLS; i++) {
		if (rights_calls[i] < 0)
			continue;
		rights_skip_unless(p, (uint32_t)rights_calls[i], 1);
		rights_return(p, SECCOMP_RET_ALLOW);
	}
	rights_put_open(p, RIGHTS_CALL(openat), 2);
	rights_put_open(p, RIGHTS_CALL(open), 1);
	rights_return(p, SECCOMP_RET_ERRNO | EPERM);
}

static void rights_limit_calls(void)
{
	struct rights_program program = { .len = 0 };
	struct sock_fprog filter = { .filter = program.code };

	rights_make_program(&program);
	filter.len = program.len;
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

void rs_guardian_rights_limit(bool answers)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	rights_limit_caps(answers);
	if (RIGHTS_FILTER_CALLS)
		rights_limit_calls();
}
