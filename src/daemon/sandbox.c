// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sandbox.c - a list of allowed system calls; others fail with EPERM, those that only an attacker makes kill
 *
 * The program survives a refused call and reports it: a C library that is newer than this list tries another
 * way, or a feature is lost, but not the capture.
 *
 * A process of its own makes the filter: where memory runs out libseccomp (2.5) crashes, frees twice, runs
 * for ever or leaves rules out. What it made is loaded only if it came to its end, and with no such failure.
 */
#include "daemon/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory-watch.h"

#ifdef __s390__
#define CLONE_FLAGS 1 /* which argument of clone */
#else
#define CLONE_FLAGS 0
#endif

#define MAKER_CPU_S 1 /* it takes some milliseconds; what takes this long never ends */
#define IN(name) \
	SCMP_SYS(name) /* a call that this architecture lacks has a negative number, and is passed over */

static const int allowed[] = {
	/* pages from the kernel, frames from and to clients, a file that a client passed */
	IN(read),
	IN(write),
	IN(readv),
	IN(writev),
	IN(pread64),
	IN(pwrite64),
	IN(lseek),
	IN(_llseek),
	IN(close),
	IN(ftruncate),
	IN(ftruncate64),
	IN(fsync),
	IN(fdatasync),
	IN(fallocate),
	IN(copy_file_range),
	IN(sendfile),
	IN(fstat),
	IN(fstat64),
	IN(newfstatat),
	IN(fstatat64),
	IN(statx),
	IN(fstatfs),
	IN(fstatfs64),
	IN(dup),
	IN(pipe2),
	IN(fadvise64),
	IN(fadvise64_64),
	/* /proc for names and gauges: only to read, see opens[] */
	IN(getdents64),
	IN(readlink),
	IN(readlinkat),
	IN(access),
	IN(faccessat),
	IN(faccessat2),
	/* clients: accepted, never connected to; who they are */
	IN(accept4),
	IN(accept),
	IN(recvmsg),
	IN(recvfrom),
	IN(sendmsg),
	IN(sendto),
	IN(getsockopt),
	IN(shutdown),
	IN(getsockname),
	IN(getpeername),
	/* waiting, waking */
	IN(poll),
	IN(ppoll),
	IN(ppoll_time64),
	IN(epoll_wait),
	IN(epoll_pwait),
	IN(epoll_ctl),
	IN(futex),
	IN(futex_time64),
	IN(eventfd2),
	IN(timerfd_create),
	IN(timerfd_settime),
	IN(timerfd_settime64),
	IN(nanosleep),
	IN(clock_nanosleep),
	IN(clock_nanosleep_time64),
	IN(sched_yield),
	IN(restart_syscall),
	/* time and cost, where the vdso does not answer */
	IN(clock_gettime),
	IN(clock_gettime64),
	IN(gettimeofday),
	IN(clock_getres),
	IN(getrusage),
	IN(times),
	/* memory */
	IN(munmap),
	IN(mremap),
	IN(madvise),
	IN(brk),
	IN(mlock),
	/* threads: begun, named, placed beside a CPU that came online, ended */
	IN(set_robust_list),
	IN(rseq),
	IN(gettid),
	IN(getpid),
	IN(exit),
	IN(exit_group),
	IN(sched_getaffinity),
	IN(sched_setaffinity),
	IN(sched_getparam),
	IN(sched_getscheduler),
	IN(set_tid_address),
	IN(membarrier),
	IN(getpriority),
	IN(setpriority),
	IN(getcpu),
	/* signals: the signalfd, the stop by Ctrl-Z, abort() */
	IN(rt_sigprocmask),
	IN(rt_sigaction),
	IN(rt_sigreturn),
	IN(sigreturn),
	IN(sigaltstack),
	IN(rt_sigtimedwait),
	/* guardians are waited for at the end; what is still ours of the files goes */
	IN(wait4),
	IN(waitid),
	IN(waitpid),
	IN(unlink),
	IN(unlinkat),
	IN(rmdir),
	/* what a C library asks for by itself */
	IN(getrandom),
	IN(getuid),
	IN(geteuid),
	IN(getgid),
	IN(getegid),
	IN(getuid32),
	IN(geteuid32),
	IN(getgid32),
	IN(getegid32),
	IN(getppid),
	IN(uname),
	IN(sysinfo),
	IN(getrlimit),
	IN(ugetrlimit),
	IN(umask),
};

/* Calls that this program never makes. */
static const int deadly[] = {
	IN(execve),
	IN(execveat),
	IN(ptrace),
	IN(process_vm_readv),
	IN(process_vm_writev),
	IN(fork),
	IN(vfork),
	IN(setuid),
	IN(setresuid),
	IN(setreuid),
	IN(setgid),
	IN(setresgid),
	IN(setgroups),
	IN(capset),
	IN(mount),
	IN(umount2),
	IN(pivot_root),
	IN(chroot),
	IN(unshare),
	IN(setns),
	IN(bpf),
	IN(perf_event_open),
	IN(init_module),
	IN(finit_module),
	IN(delete_module),
	IN(kexec_load),
	IN(reboot),
	IN(add_key),
	IN(keyctl),
	IN(request_key),
	IN(userfaultfd),
	IN(io_uring_setup),
	IN(open_by_handle_at),
	IN(iopl),
	IN(ioperm),
	IN(modify_ldt),
};

static bool sandbox_add(scmp_filter_ctx ctx, uint32_t action, const int *calls, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (calls[i] >= 0 && seccomp_rule_add(ctx, action, calls[i], 0) < 0)
			return false;
	return true;
}

static bool allow_if(scmp_filter_ctx ctx, int call, struct scmp_arg_cmp cmp)
{
	return call < 0 || seccomp_rule_add(ctx, SCMP_ACT_ALLOW, call, 1, cmp) == 0;
}

/*
 * The n-th argument is that; or has of these bits just those. Words: the kernel does not look at what is
 * above.
 */
static struct scmp_arg_cmp is(unsigned int n, scmp_datum_t value)
{
	return (struct scmp_arg_cmp){ n, SCMP_CMP_MASKED_EQ, UINT32_MAX, value & UINT32_MAX };
}

static struct scmp_arg_cmp sandbox_match_bits(unsigned int n, scmp_datum_t mask, scmp_datum_t value)
{
	return (struct scmp_arg_cmp){ n, SCMP_CMP_MASKED_EQ, mask & UINT32_MAX, value };
}

/* Calls that are allowed by their argument. */
static bool add_judged(scmp_filter_ctx ctx, pid_t ours)
{
	const scmp_datum_t writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND |
				    (O_TMPFILE & ~O_DIRECTORY);
	static const int fcntls[] = { F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_DUPFD };
	static const int options[] = { PR_SET_NAME, PR_SET_DUMPABLE, PR_GET_DUMPABLE, PR_SET_NO_NEW_PRIVS,
				       PR_SET_VMA };
	/* the watch takes real-time away */
	bool ok = allow_if(ctx, IN(sched_setscheduler), is(1, SCHED_OTHER | SCHED_RESET_ON_FORK)) &&
		  allow_if(ctx, IN(open), sandbox_match_bits(1, writes, 0)) &&
		  allow_if(ctx, IN(openat), sandbox_match_bits(2, writes, 0)) &&
		  /* malloc makes an arena's memory writable bit by bit; nothing is made executable */
		  allow_if(ctx, IN(mmap), sandbox_match_bits(2, PROT_EXEC, 0)) &&
		  allow_if(ctx, IN(mmap2), sandbox_match_bits(2, PROT_EXEC, 0)) &&
		  allow_if(ctx, IN(mprotect), sandbox_match_bits(2, PROT_EXEC, 0)) &&
		  /* a thread, not a process */
		  allow_if(ctx, IN(clone), sandbox_match_bits(CLONE_FLAGS, CLONE_THREAD, CLONE_THREAD)) &&
		  /* this process only: for Ctrl-Z and abort() */
		  allow_if(ctx, IN(kill), is(0, (scmp_datum_t)ours)) &&
		  allow_if(ctx, IN(tgkill), is(0, (scmp_datum_t)ours)) &&
		  allow_if(ctx, IN(prlimit64),
			   (struct scmp_arg_cmp){ 2, SCMP_CMP_EQ, 0, 0 }); /* asked, not set: a pointer */

	for (size_t i = 0; ok && i < sizeof fcntls / sizeof *fcntls; i++)
		ok = allow_if(ctx, IN(fcntl), is(1, (scmp_datum_t)fcntls[i])) &&
		     allow_if(ctx, IN(fcntl64), is(1, (scmp_datum_t)fcntls[i]));
	for (size_t i = 0; ok && i < sizeof options / sizeof *options; i++)
		ok = allow_if(ctx, IN(prctl), is(0, (scmp_datum_t)options[i]));
	/* its flags lie in memory, where a filter cannot look: the C library takes clone instead */
	return ok && (IN(clone3) < 0 || seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), IN(clone3), 0) == 0);
}

/* ---- the process that makes the filter ---- */

enum { MADE = 0, REFUSED = 1, NO_MEMORY = 12 }; /* its exit status */

/*
 * What the list became, as a program for the kernel. libseccomp (2.5 at least) leaves a rule out where memory
 * runs out, and says nothing: behind such a filter poll fails, and a real-time reader spins. errno is the one
 * sign.
 */
static int sandbox_make(int fd, pid_t ours)
{
	scmp_filter_ctx ctx;
	bool ok;

	errno = 0;
	ctx = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	ok = ctx && sandbox_add(ctx, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed) &&
	     add_judged(ctx, ours) &&
	     sandbox_add(ctx, SCMP_ACT_KILL_PROCESS, deadly, sizeof deadly / sizeof *deadly) &&
	     seccomp_export_bpf(ctx, fd) == 0;
	if (rs_memory_library_failed())
		return NO_MEMORY;
	return ok ? MADE : REFUSED;
}

/* The child that makes the filter may crash or never end; neither is reported as a crash of ringside. */
static void become_maker(void)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "ringside-filter");
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		signal(fatal[i], SIG_DFL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
	setrlimit(RLIMIT_CPU, &(struct rlimit){ MAKER_CPU_S, MAKER_CPU_S });
	if (null >= 0)
		dup2(null, STDERR_FILENO);
}

void rs_sandbox_begin(struct rs_sandbox *sb)
{
	sb->ours = getpid();
	sb->fd = memfd_create("filter", MFD_CLOEXEC);
	sb->pid = sb->fd < 0 ? -1 : fork();
	if (sb->pid == 0) {
		become_maker();
		_exit(sandbox_make(sb->fd, sb->ours));
	}
	if (sb->pid < 0)
		rs_memory_library_failed(); /* errno belongs to one of the two calls */
}

void rs_sandbox_cancel(struct rs_sandbox *sb)
{
	if (sb->pid > 0) {
		kill(sb->pid, SIGKILL);
		waitpid(sb->pid, NULL, 0);
	}
	if (sb->ours && sb->fd >= 0)
		close(sb->fd);
	*sb = (struct rs_sandbox){ 0 };
}

/* ---- the process that enters the sandbox ---- */

/* A sanitizer's own thread looks for leaks by ptrace, which no filter here allows. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNDER_SANITIZER true
#else
#define UNDER_SANITIZER false
#endif

static int await(struct rs_sandbox *sb, struct rs_error *err)
{
	pid_t pid = sb->pid;
	int status = 0;

	if (pid <= 0)
		return rs_fail(err, "cannot filter system calls: cannot start a process");
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	sb->pid = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == MADE)
		return 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == REFUSED)
		return rs_fail(err, "cannot filter system calls: the list is refused");
	rs_memory_failed_elsewhere();
	if (WIFEXITED(status))
		return rs_fail(err, "cannot filter system calls: out of memory");
	return rs_fail(
		err,
		"cannot filter system calls: libseccomp was ended by signal %d, as where it is out of memory",
		WTERMSIG(status));
}

static int take_program(int fd, struct sock_fprog *program, struct rs_error *err)
{
	off_t bytes = lseek(fd, 0, SEEK_END);

	if (bytes <= 0 || bytes / (off_t)sizeof *program->filter > UINT16_MAX)
		return rs_fail(err, "cannot filter system calls: the list is refused");
	program->len = (unsigned short)(bytes / (off_t)sizeof *program->filter);
	program->filter = malloc((size_t)bytes);
	if (!program->filter || pread(fd, program->filter, (size_t)bytes, 0) != bytes)
		return rs_fail(err, "cannot filter system calls: out of memory");
	return 0;
}

/* To every thread that there is. */
static int sandbox_load(const struct sock_fprog *program, struct rs_error *err)
{
	long ret;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	ret = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program);
	if (ret > 0)
		return rs_fail(err, "cannot filter system calls: thread %ld has a filter of its own", ret);
	return ret < 0 ? rs_fail(err, "cannot filter system calls: %s (a kernel without seccomp)",
				 strerror(errno)) :
			 0;
}

int rs_sandbox_enter(struct rs_sandbox *sb, struct rs_error *err)
{
	struct sock_fprog program = { 0 };
	int ret = UNDER_SANITIZER ? 0 : await(sb, err);

	if (!UNDER_SANITIZER && !ret)
		ret = take_program(sb->fd, &program, err);
	if (!UNDER_SANITIZER && !ret)
		ret = sandbox_load(&program, err);
	free(program.filter);
	rs_sandbox_cancel(sb);
	return ret;
}
