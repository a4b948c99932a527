// SPDX-License-Identifier: GPL-2.0-or-later
/* guardian - the processes that remove the instance when the engine ends, however it ends */
#include "tracefs/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/close.h"
#include "base/monotonic.h"
#include "tracefs/container-files.h"
#include "tracefs/guardian-rights.h"
#include "tracefs/mapped-files.h"
#include "tracefs/socket-names.h"
#include "tracefs/tracefs-file.h"

struct message {
	char verb;
	char name[sizeof ((struct rs_instance *)0)->name];
};

struct fd_path_request {
	int32_t pid, fd, clock;
};

#define FD_PATH_HEAD_BYTES offsetof(struct rs_fd_reply, path)

static void sleep_ms(unsigned int ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L }, NULL);
}

/* File descriptors of a guardian; all others are closed. */
enum {
	INSTANCES_FD = 3,
	SOCKET_FD,
	ENGINE_FD,
	ASK_FD,
	FILES_FD,
	NAMES_FD,
	FIRST_CLOSED_FD,
	NR_KEPT = FIRST_CLOSED_FD - INSTANCES_FD
};

/*
 * An inherited pipe that stays open keeps its reader waiting: the "cat" in "ringside ... | cat", or the
 * shell's $(...).
 */
static void close_inherited(const int kept[NR_KEPT])
{
	int null_fd = open("/dev/null", O_RDWR);
	int from[NR_KEPT];

	for (int i = 0; i < NR_KEPT; i++)
		from[i] = fcntl(kept[i], F_DUPFD, FIRST_CLOSED_FD);
	for (int i = 0; i < 3; i++)
		dup2(null_fd, i);
	for (int i = 0; i < NR_KEPT; i++) {
		if (from[i] < 0 || dup2(from[i], INSTANCES_FD + i) < 0)
			close(INSTANCES_FD + i);
	}
	closefrom(FIRST_CLOSED_FD);
}

static void detach(void)
{
	sigset_t all;

	/*
	 * Blocked, not only ignored: whatever the terminal, a session's end or a
	 * service manager sends, this process ends when its work is done.
	 * SIGKILL remains, for which there are two of us.
	 */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGTTIN, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGTSTP, SIG_IGN);
	setsid();
	prctl(PR_SET_NAME, "ringside-guard");
	if (chdir("/") < 0)
		return; /* a file system then stays busy a little longer */
}

/* Of a socket its name, where it is known, in place of the link. */
static void name_socket(const struct fd_path_request *q, struct rs_fd_reply *reply)
{
	char name[RS_SOCKET_NAME_BYTES], link[32];
	uint64_t age_ns;
	uint8_t state;
	size_t len = (size_t)reply->len < sizeof link ? (size_t)reply->len : sizeof link - 1;

	memcpy(link, reply->path, len);
	link[len] = '\0';
	len = rs_socket_names_find(q->pid, link, name, sizeof name, &state, &age_ns);
	if (!len)
		return;
	if (state && age_ns < reply->read_ns) {
		reply->state = state;
		reply->state_ns = reply->read_ns - age_ns;
	}
	memcpy(reply->path, name, len);
	reply->len = (int32_t)len;
}

/* The kernel makes the link from memory, also for a file of a dead network: this does not wait for a disk. */
static void read_fd_link(const struct fd_path_request *q, struct rs_fd_reply *reply)
{
	struct timespec t;
	char link[64];
	ssize_t n = -1;

	*reply = (struct rs_fd_reply){ .pid = q->pid, .fd = q->fd, .len = -1 };
	if (q->fd == RS_FD_CONTAINER)
		n = (ssize_t)rs_container_files_find("", q->pid, reply->path, sizeof reply->path);
	else if (q->fd == RS_FD_CWD)
		snprintf(link, sizeof link, "/proc/%d/cwd", (int)q->pid);
	else
		snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)q->pid, (int)q->fd);
	if (q->pid > 0 && q->fd >= 0 && q->fd != RS_FD_CONTAINER)
		n = readlink(link, reply->path, sizeof reply->path);
	if (clock_gettime(q->clock, &t) < 0)
		return; /* without a time the reply is of no use */
	reply->read_ns = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	if (n > 0 && (size_t)n < sizeof reply->path) /* a link that fills the buffer was cut */
		reply->len = (int32_t)n;
	if (reply->len > 0 && q->fd != RS_FD_CONTAINER)
		name_socket(q, reply);
}

bool rs_guardian_answer(int socket_fd)
{
	static struct rs_fd_reply reply;
	struct fd_path_request q;
	ssize_t n = recv(socket_fd, &q, sizeof q, MSG_DONTWAIT | MSG_TRUNC);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n != (ssize_t)sizeof q)
		return n != 0;
	read_fd_link(&q, &reply);
	/* never wait for the client: the guardian has a session to clean up */
	n = (ssize_t)FD_PATH_HEAD_BYTES + (reply.len > 0 ? reply.len : 0);
	(void)!send(socket_fd, &reply, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL);
	return true;
}

/* Receives messages until the engine's end; *m is the last one. */
static void await_end(struct message *m)
{
	struct pollfd p[] = {
		{ .fd = SOCKET_FD, .events = POLLIN },
		{ .fd = ENGINE_FD, .events = POLLIN },
		{ .fd = ASK_FD, .events = POLLIN },
		{ .fd = FILES_FD, .events = POLLIN },
		{ .fd = NAMES_FD, .events = POLLIN },
	};
	const nfds_t nr = sizeof p / sizeof *p;

	if (fcntl(ENGINE_FD, F_GETFD) < 0)
		p[1].fd = -1; /* before Linux 5.3 there is no pidfd: the socket's end means the same */
	for (nfds_t i = 2; i < nr; i++)
		if (fcntl(p[i].fd, F_GETFD) < 0)
			p[i].fd = -1; /* only one of the two guardians answers requests */
	for (;;) {
		struct message got;
		ssize_t n;

		if (poll(p, nr, -1) < 0)
			continue;
		/*
		 * Read the socket to its end before the pidfd is considered: messages sent before the
		 * engine's end come first.
		 */
		n = recv(SOCKET_FD, &got, sizeof got, MSG_DONTWAIT);
		if (n == (ssize_t)sizeof got && got.verb != RS_GUARDIAN_END)
			*m = got;
		else if (n >= 0 || (errno != EAGAIN && errno != EINTR) || p[1].revents)
			return;
		/* last, and one at a time: requests never delay the cleanup */
		if (p[2].revents && !rs_guardian_answer(ASK_FD))
			p[2].fd = -1;
		if (p[3].revents && !rs_mapped_files_answer(FILES_FD))
			p[3].fd = -1;
		if (p[4].revents && !rs_guardian_answer(NAMES_FD))
			p[4].fd = -1;
	}
}

static void write_zero(const char *name, const char *file)
{
	char path[128];
	int fd;

	snprintf(path, sizeof path, "%s/%s", name, file);
	fd = openat(INSTANCES_FD, path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	rs_tracefs_file_write_fd(fd, "0"); /* if this fails: rmdir turns everything off as well */
	close(fd);
}

/*
 * Not by tracefs_instance_destroy: the open folder of all instances stays the right one if the mount changes,
 * and a guardian calls nothing that allocates, since it must work when memory has run out.
 *
 * EBUSY lasts as long as any process holds a file of the instance: a stopped one, one that dumps core, "cat
 * trace_pipe". It is waited for without end, other errors for a minute.
 */
static bool guardian_remove_instance(const char *name)
{
	int64_t give_up_ms = rs_monotonic_ms() + 60000;
	unsigned int ms = 5;

	while (unlinkat(INSTANCES_FD, name, AT_REMOVEDIR) < 0) {
		if (errno == ENOENT)
			return true;
		if (errno != EBUSY && errno != EINTR && rs_monotonic_ms() > give_up_ms)
			return false;
		sleep_ms(ms);
		ms = ms * 2 < 50 ? ms * 2 : 50;
	}
	return true;
}

/*
 * Removes the ended daemon's socket and its lock, unless another daemon of that path holds the lock. The
 * kernel closes the engine's files in some order, so the lock may still be held for a moment.
 */
static bool remove_socket(const char *path)
{
	char lock[PATH_MAX];
	struct stat held, there;
	int fd, len = snprintf(lock, sizeof lock, "%s.lock", path);

	if (len < 0 || (size_t)len >= sizeof lock)
		return true;
	fd = open(lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return true; /* the other guardian was here */
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		return false;
	}
	if (fstat(fd, &held) == 0 && lstat(lock, &there) == 0 && held.st_ino == there.st_ino) {
		unlink(path);
		unlink(lock);
	}
	close(fd);
	return true;
}

static void end_socket(const char *path)
{
	for (int i = 0; path && i < 20 && !remove_socket(path); i++)
		sleep_ms(5);
}

static _Noreturn void guard(const struct rs_plan *plan, bool answers)
{
	struct message m = { 0 };
	bool is_removed;

	detach();
	if (answers)
		rs_socket_names_begin();
	rs_guardian_rights_limit(answers);
	await_end(&m);
	end_socket(plan->socket_path);
	if (m.verb == RS_GUARDIAN_OURS) {
		write_zero(m.name, "tracing_on");
		write_zero(m.name, "events/enable");
	}
	is_removed = !m.verb || guardian_remove_instance(m.name);
	rs_dynamic_events_remove(INSTANCES_FD, plan->dynamic_events);
	_exit(is_removed ? 0 : 1);
}

/* The guardian's ends of the sockets that it answers at; -1 none. */
struct answers {
	int ask_fd, files_fd, names_fd;
};

static int start_one(struct rs_instance *in, int which, int instances_fd, int engine_fd,
		     const struct answers *at)
{
	int pair[2];
	pid_t pid;

	/* Packets, so that a message is whole or absent when the engine dies in the middle. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		close_inherited((const int[NR_KEPT]){ instances_fd, pair[1], engine_fd, at->ask_fd,
						      at->files_fd, at->names_fd });
		guard(in->plan, at->ask_fd >= 0 || at->files_fd >= 0 || at->names_fd >= 0);
	}
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		return -1;
	}
	in->guardian_fds[which] = pair[0];
	in->guardian_pids[which] = pid;
	return 0;
}

/* Both stay -1 where there is none. */
static void make_answers(int *engine_fd, int *guardian_fd)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return;
	*engine_fd = pair[0];
	*guardian_fd = pair[1];
}

int rs_guardians_start(struct rs_instance *in, const char *tracefs, struct rs_error *err)
{
	int instances_fd = rs_tracefs_file_open(NULL, "instances", O_RDONLY | O_DIRECTORY);
	int engine_fd = pidfd_open(getpid(), 0), ret = 0;
	struct answers at = { -1, -1, -1 };

	if (instances_fd < 0)
		ret = rs_fail(err, "cannot open '%s/instances': %s (run as root)", tracefs,
			      strerror(-instances_fd));
	/* Sockets of their own: requests cannot fill the socket that reports the engine's end. */
	make_answers(&in->ask_fd, &at.ask_fd);
	make_answers(&in->files_fd, &at.files_fd);
	make_answers(&in->names_fd, &at.names_fd);
	for (int i = 0; i < 2 && !ret; i++)
		if (start_one(in, i, instances_fd, engine_fd, i ? &(struct answers){ -1, -1, -1 } : &at) < 0)
			ret = rs_fail(err, "cannot start a guardian process: %s", strerror(errno));
	rs_close(&instances_fd);
	rs_close(&engine_fd);
	rs_close(&at.ask_fd);
	rs_close(&at.files_fd);
	rs_close(&at.names_fd);
	return ret;
}

void rs_guardians_notify(struct rs_instance *in, enum rs_guardian_verb verb)
{
	struct message m = { .verb = (char)verb };

	memcpy(m.name, in->name, sizeof m.name);
	for (int i = 0; i < 2; i++)
		if (in->guardian_fds[i] >= 0)
			while (send(in->guardian_fds[i], &m, sizeof m, MSG_NOSIGNAL) < 0 && errno == EINTR)
				;
}

/* Reaps the guardians that have ended; true if one of them saw that the instance is removed. */
static bool reap(struct rs_instance *in)
{
	bool is_removed = false;

	for (int i = 0; i < 2; i++) {
		int status;

		if (in->guardian_pids[i] <= 0 || waitpid(in->guardian_pids[i], &status, WNOHANG) == 0)
			continue;
		is_removed |= WIFEXITED(status) && WEXITSTATUS(status) == 0;
		in->guardian_pids[i] = 0;
	}
	return is_removed;
}

/* Sleeps until a guardian's socket ends, or ms have passed. */
static void await_guardian(const struct rs_instance *in, uint64_t ms)
{
	struct pollfd p[2];

	for (int i = 0; i < 2; i++)
		p[i] = (struct pollfd){ .fd = in->guardian_pids[i] > 0 ? in->guardian_fds[i] : -1 };
	poll(p, 2, (int)ms);
	sleep_ms(1); /* the socket ends a moment before the process can be reaped */
}

void rs_guardians_end(struct rs_instance *in)
{
	int64_t until_ms = rs_monotonic_ms() + 2000;
	bool is_removed = false;

	rs_guardians_notify(in, RS_GUARDIAN_END);
	while ((in->guardian_pids[0] > 0 || in->guardian_pids[1] > 0) && rs_monotonic_ms() < until_ms) {
		await_guardian(in, until_ms - rs_monotonic_ms());
		if (reap(in) && !is_removed) {
			/* The other follows within a step of its sleep: wait, so that no zombie stays. */
			is_removed = true;
			until_ms = rs_monotonic_ms() + 60;
		}
	}
	for (int i = 0; i < 2; i++)
		rs_close(&in->guardian_fds[i]);
	rs_close(&in->ask_fd);
	rs_close(&in->files_fd);
	rs_close(&in->names_fd);
}

/* ---- descriptors ---- */

bool rs_guardian_ask_fd(int ask_fd, int32_t pid, int32_t fd, clockid_t clock)
{
	struct fd_path_request q = { .pid = pid, .fd = fd, .clock = clock };

	return ask_fd >= 0 && send(ask_fd, &q, sizeof q, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof q;
}

bool rs_guardian_take_reply(int ask_fd, struct rs_fd_reply *reply)
{
	ssize_t n;

	/* a malformed reply is skipped: the next one may be valid */
	while (ask_fd >= 0 && (n = recv(ask_fd, reply, sizeof *reply, MSG_DONTWAIT)) > 0)
		if ((size_t)n >= FD_PATH_HEAD_BYTES && reply->len >= -1 &&
		    reply->len <= n - (ssize_t)FD_PATH_HEAD_BYTES)
			return true;
	return false;
}
