// SPDX-License-Identifier: GPL-2.0-or-later
/* launch - starts the traced command, ready to run before tracing begins, with the user's own rights */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/close.h"
#include "capture/capture.h"

static bool id_from_environment(const char *name, unsigned long *id)
{
	const char *text = getenv(name);
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	*id = strtoul(text, &end, 10);
	return !errno && !*end && *id < UINT_MAX; /* (uid_t)-1 means "leave it" */
}

bool rs_launch_sudo_user(uid_t *uid, gid_t *gid)
{
	unsigned long u, g;

	if (geteuid() || !id_from_environment("SUDO_UID", &u) || !id_from_environment("SUDO_GID", &g))
		return false;
	*uid = (uid_t)u;
	*gid = (gid_t)g;
	return true;
}

/* ---- in the child ---- */

/* With the variables that sudo set for root the user's program would use root's files. */
static void set_user_environment(const struct passwd *pw)
{
	static const char *const of_sudo[] = { "SUDO_UID", "SUDO_GID", "SUDO_USER", "SUDO_COMMAND" };

	if (pw) {
		setenv("HOME", pw->pw_dir, 1);
		setenv("USER", pw->pw_name, 1);
		setenv("LOGNAME", pw->pw_name, 1);
		if (pw->pw_shell && *pw->pw_shell)
			setenv("SHELL", pw->pw_shell, 1);
	}
	for (size_t i = 0; i < sizeof of_sudo / sizeof *of_sudo; i++)
		unsetenv(of_sudo[i]);
}

static int become_sudo_user(void)
{
	struct passwd *pw;
	uid_t uid;
	gid_t gid;

	if (!rs_launch_sudo_user(&uid, &gid) || !uid)
		return 0;
	pw = getpwuid(uid);
	if (pw ? initgroups(pw->pw_name, gid) : setgroups(1, &gid))
		return -1;
	set_user_environment(pw);
	if (setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		return -1;
	return 0;
}

/* 0, or the errno that an execve of it would most likely give. */
static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno;
	if (!S_ISREG(st.st_mode) || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0)
		return EACCES;
	return 0;
}

/* Searches as execvp does: a command that cannot be run is reported before anything is made or traced. */
static int check_command(const char *name)
{
	const char *path = getenv("PATH");
	int failed = ENOENT;

	if (strchr(name, '/'))
		return check_file(name);
	for (const char *at = path ? path : "/bin:/usr/bin", *end; at; at = *end ? end + 1 : NULL) {
		char file[PATH_MAX];
		int found;

		end = strchrnul(at, ':');
		snprintf(file, sizeof file, "%.*s%s%s", (int)(end - at), at, end > at ? "/" : "", name);
		found = check_file(file);
		if (!found)
			return 0;
		failed = found == EACCES ? EACCES : failed;
	}
	return failed;
}

static _Noreturn void leave(int error_fd, int failed)
{
	(void)!write(error_fd, &failed, sizeof failed);
	_exit(127);
}

/*
 * Everything is prepared before the wait: the first system call after it is the execve. Our descriptors are
 * O_CLOEXEC.
 */
static _Noreturn void run_child(char **argv, bool as_root, int go_fd, int error_fd, const sigset_t *mask)
{
	static const int changed[] = { SIGPIPE, SIGXFSZ };
	struct sigaction action = { .sa_handler = SIG_DFL };
	int failed = as_root || become_sudo_user() == 0 ? check_command(argv[0]) : errno;
	ssize_t n;
	char go;

	if (failed)
		leave(error_fd, failed);
	/* not ringside any more, which would be left out up to its execve */
	prctl(PR_SET_NAME, strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0]);
	(void)!write(error_fd, &failed, sizeof failed); /* 0: ready */
	for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
		sigaction(changed[i], &action, NULL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	do {
		n = read(go_fd, &go, 1);
	} while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(127); /* the capture never began */
	execvp(argv[0], argv);
	leave(error_fd, errno);
}

/* ---- in the parent ---- */

int rs_launch_await(struct rs_launch *l, struct rs_error *err)
{
	int failed = 0;
	ssize_t n;

	do {
		n = read(l->error_fd, &failed, sizeof failed);
	} while (n < 0 && errno == EINTR);
	if (n != sizeof failed)
		return rs_fail(err, "cannot run '%s': its process ended before it began", l->name);
	if (failed)
		return rs_fail(err, "cannot run '%s': %s", l->name, strerror(failed));
	fcntl(l->error_fd, F_SETFL, O_NONBLOCK);
	l->pidfd = pidfd_open(l->pid, 0);
	if (l->pidfd < 0)
		return rs_fail(err, "cannot watch '%s': %s", l->name, strerror(errno));
	return 0;
}

int rs_launch_fork(struct rs_launch *l, char **argv, bool as_root, const sigset_t *mask, struct rs_error *err)
{
	int go[2] = { -1, -1 }, error[2] = { -1, -1 };

	*l = (struct rs_launch){ .name = argv[0], .pidfd = -1, .go_fd = -1, .error_fd = -1 };
	if (pipe2(go, O_CLOEXEC) < 0 || pipe2(error, O_CLOEXEC) < 0)
		goto failed;
	l->pid = fork();
	if (l->pid < 0)
		goto failed;
	if (!l->pid) {
		close(go[1]); /* otherwise it would wait for itself after our end */
		close(error[0]);
		run_child(argv, as_root, go[0], error[1], mask);
	}
	rs_close(&go[0]);
	rs_close(&error[1]);
	l->go_fd = go[1];
	l->error_fd = error[0];
	return 0;
failed:
	rs_fail(err, "cannot run '%s': %s", argv[0], strerror(errno));
	l->pid = 0;
	rs_close(&go[0]);
	rs_close(&go[1]);
	rs_close(&error[0]);
	rs_close(&error[1]);
	return -1;
}

void rs_launch_release(struct rs_launch *l)
{
	if (!l->pid || l->released)
		return;
	l->released = true;
	if (l->held) {
		rs_launch_let_go(l);
		return;
	}
	(void)!write(l->go_fd, "", 1); /* where it was killed meanwhile, its pidfd tells */
	rs_close(&l->go_fd);
}

int rs_launch_check(struct rs_launch *l, struct rs_error *err)
{
	int failed = 0;
	ssize_t n;

	if (l->error_fd < 0)
		return 0;
	n = read(l->error_fd, &failed, sizeof failed);
	if (n < 0)
		return 0; /* not yet */
	rs_close(&l->error_fd);
	if (n != sizeof failed)
		return 0;
	rs_launch_reap(l);
	l->failed = true;
	return rs_fail(err, "cannot run '%s': %s", l->name, strerror(failed));
}

void rs_launch_reap(struct rs_launch *l)
{
	if (!l->pid || l->status_known)
		return;
	if (waitpid(l->pid, &l->status, 0) == l->pid)
		l->status_known = true;
	rs_close(&l->pidfd);
}

void rs_launch_done(struct rs_launch *l)
{
	rs_close(&l->go_fd);
	if (l->held)
		kill(l->pid, SIGKILL);
	if (l->pid > 0 && !l->released)
		rs_launch_reap(l); /* it saw the pipe's end */
	rs_close(&l->error_fd);
	rs_close(&l->pidfd);
}
