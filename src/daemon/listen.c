// SPDX-License-Identifier: GPL-2.0-or-later
/* listen - the daemon's socket: created as root, one daemon per path */
#include "daemon/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define BACKLOG 16
#define HANG_UP_MS 500
#define FIRST_PASSED_FD 3 /* from the service manager, by convention */

static int address(struct sockaddr_un *a, const char *path)
{
	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof a->sun_path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(a->sun_path, path);
	return 0;
}

int rs_listen_connect(const char *path)
{
	struct sockaddr_un a;
	int fd, saved;

	if (address(&a, path) < 0)
		return -1;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
		return fd;
	saved = errno;
	if (fd >= 0)
		close(fd);
	errno = saved;
	return -1;
}

static int find_group(const char *name, gid_t *gid, struct rs_error *err)
{
	const struct group *gr = getgrnam(name ? name : RS_SOCKET_GROUP);

	*gid = gr ? gr->gr_gid : 0;
	if (name && !gr)
		return rs_fail_usage(err, "unknown group '%s' (groupadd -r %s)", name, name);
	return 0;
}

/* Makes "/run/ringside" if it does not exist. Its parent must exist. */
static int listen_make_folder(const char *path, struct rs_error *err)
{
	char folder[sizeof ((struct rs_listen_socket *)0)->path], *slash;

	strcpy(folder, path);
	slash = strrchr(folder, '/');
	if (!slash || slash == folder)
		return 0;
	*slash = '\0';
	if (mkdir(folder, 0755) < 0 && errno != EEXIST)
		return rs_fail(err,
			       "cannot make '%s': %s (run as root, or name another socket with --socket)",
			       folder, strerror(errno));
	return 0;
}

/* Returns true if the locked file still has that name: a daemon that ends removes it. */
static bool is_still(int fd, const char *name)
{
	struct stat here, there;

	return fstat(fd, &here) == 0 && lstat(name, &there) == 0 && here.st_ino == there.st_ino &&
	       here.st_dev == there.st_dev;
}

/* Returns 0 with the lock; -EAGAIN: another process has it; or another error. */
static int try_lock(struct rs_listen_socket *l)
{
	l->lock_fd = open(l->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (l->lock_fd < 0)
		return -errno;
	if (flock(l->lock_fd, LOCK_EX | LOCK_NB) == 0 && is_still(l->lock_fd, l->lock_path))
		return 0;
	close(l->lock_fd);
	l->lock_fd = -1;
	return -EAGAIN;
}

/*
 * Returns true if a daemon runs there. A killed one can still be connected to while the kernel frees its
 * memory, which takes a while for a window of gigabytes: then it hangs up.
 */
static bool is_served(const char *path)
{
	struct pollfd p = { .fd = rs_listen_connect(path), .events = POLLIN };
	bool hangs_up;

	if (p.fd < 0)
		return false;
	hangs_up = poll(&p, 1, HANG_UP_MS) > 0 && p.revents & (POLLHUP | POLLERR);
	close(p.fd);
	return !hangs_up;
}

static int fail_taken(const char *path, struct rs_error *err)
{
	return rs_fail(err, "a daemon serves '%s' already (see ringside status; another socket: --socket)",
		       path);
}

/*
 * Waits for a moment, because the guardian of a daemon that was just killed has the lock while it cleans up.
 */
static int lock(struct rs_listen_socket *l, struct rs_error *err)
{
	int ret = -EAGAIN;

	for (int i = 0; i < 25 && ret == -EAGAIN; i++) {
		ret = try_lock(l);
		if (!ret)
			break;
		if (is_served(l->path))
			return fail_taken(l->path, err);
		nanosleep(&(struct timespec){ .tv_nsec = 40000000 }, NULL);
	}
	if (ret == -EAGAIN)
		return rs_fail(err, "another daemon is starting or stopping at '%s' (try again)", l->path);
	return ret ? rs_fail(err, "cannot lock '%s': %s (run as root, or name another socket with --socket)",
			     l->lock_path, strerror(-ret)) :
		     0;
}

/* Handles an existing path: a dead socket is removed, anything else stays. */
static int clear_stale(const struct rs_listen_socket *l, struct rs_error *err)
{
	struct stat st;

	if (lstat(l->path, &st) < 0)
		return errno == ENOENT ? 0 :
					 rs_fail(err, "cannot examine '%s': %s", l->path, strerror(errno));
	if (!S_ISSOCK(st.st_mode))
		return rs_fail(err,
			       "cannot listen at '%s': there is a file that is no socket (name another with "
			       "--socket)",
			       l->path);
	if (is_served(l->path)) /* by a program that does not use the lock */
		return fail_taken(l->path, err);
	if (unlink(l->path) < 0)
		return rs_fail(err, "cannot remove the stale socket '%s': %s", l->path, strerror(errno));
	return 0;
}

static int bind_socket(struct rs_listen_socket *l, struct rs_error *err)
{
	struct sockaddr_un a;
	mode_t mask;
	int ret;

	if (address(&a, l->path) < 0)
		return rs_fail(err, "cannot listen at '%s': %s", l->path, strerror(errno));
	l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* Its mode from the begin, and lchown: a link that somebody puts in its place is not followed. */
	mask = umask(0117);
	ret = l->fd < 0 ? -1 : bind(l->fd, (struct sockaddr *)&a, sizeof a);
	umask(mask);
	if (ret < 0 || lchown(l->path, l->owner, l->group) < 0 || listen(l->fd, BACKLOG) < 0)
		return rs_fail(err, "cannot listen at '%s': %s", l->path, strerror(errno));
	return 0;
}

static bool listen_number_of(const char *name, long *value)
{
	const char *text = getenv(name);
	char *end;

	if (!text || !*text)
		return false;
	*value = strtol(text, &end, 10);
	return !*end;
}

/* Takes a socket that the service manager made for this pid; it listens already. */
static bool take_passed(struct rs_listen_socket *l)
{
	long pid, nr;
	int listens = 0;
	socklen_t len = sizeof listens;
	bool ours = listen_number_of("LISTEN_PID", &pid) && pid == getpid() &&
		    listen_number_of("LISTEN_FDS", &nr) && nr == 1;

	if (!ours)
		return false;
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	if (getsockopt(FIRST_PASSED_FD, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) < 0 || !listens)
		return false;
	fcntl(FIRST_PASSED_FD, F_SETFD, FD_CLOEXEC);
	fcntl(FIRST_PASSED_FD, F_SETFL, fcntl(FIRST_PASSED_FD, F_GETFL) | O_NONBLOCK);
	l->fd = FIRST_PASSED_FD;
	return true;
}

static void listen_close_fds(struct rs_listen_socket *l)
{
	if (l->fd >= 0)
		close(l->fd);
	if (l->lock_fd >= 0)
		close(l->lock_fd);
	l->fd = l->lock_fd = -1;
}

int rs_listen(struct rs_listen_socket *l, const char *path, uid_t owner, const char *group,
	      struct rs_error *err)
{
	*l = (struct rs_listen_socket){ .fd = -1, .lock_fd = -1, .owner = owner };
	if (strlen(path) + 1 > sizeof l->path || *path != '/')
		return rs_fail_usage(err, "--socket '%s': %s", path,
				     *path != '/' ? "an absolute path is required" :
						    "longer than a socket's name can be (107 bytes)");
	strcpy(l->path, path);
	snprintf(l->lock_path, sizeof l->lock_path, "%s.lock", path);
	if (find_group(group, &l->group, err) < 0)
		return -1;
	if (take_passed(l))
		return 0;
	if (listen_make_folder(l->path, err) == 0 && lock(l, err) == 0 && clear_stale(l, err) == 0 &&
	    bind_socket(l, err) == 0)
		return 0;
	/* the lock is ours as long as we hold it; the socket stays: perhaps it is another's */
	if (l->lock_fd >= 0)
		unlink(l->lock_path);
	listen_close_fds(l);
	return -1;
}

void rs_listen_close(struct rs_listen_socket *l)
{
	/* without the right to do so, the guardians do it */
	if (l->lock_fd >= 0 && unlink(l->path) == 0)
		unlink(l->lock_path);
	listen_close_fds(l);
}

/* ---- who connected ---- */

/* Reads the supplementary groups at the time of the connect. Kernels before 4.13 do not provide them. */
static bool has_group(int fd, gid_t group)
{
	socklen_t bytes = 0;
	gid_t *groups;
	bool found = false;

	getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, NULL, &bytes); /* fails with ERANGE, and returns the size */
	groups = bytes && bytes <= 65536 * sizeof *groups ? malloc(bytes) : NULL;
	if (groups && getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &bytes) == 0)
		for (size_t i = 0; i < bytes / sizeof *groups; i++)
			found |= groups[i] == group;
	free(groups);
	return found;
}

bool rs_listen_peer(int fd, const struct rs_peer_rules *rules, struct rs_peer *peer)
{
	struct ucred cred;
	socklen_t len = sizeof cred;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) < 0 || len != sizeof cred ||
	    cred.uid == (uid_t)-1)
		return false;
	*peer = (struct rs_peer){ .pid = cred.pid, .uid = cred.uid };
	peer->in_group = cred.gid == rules->group || has_group(fd, rules->group);
	return true;
}

bool rs_listen_may_change(const struct rs_peer_rules *rules, const struct rs_peer *peer)
{
	return peer->uid == 0 || peer->uid == rules->owner;
}

bool rs_listen_may_read(const struct rs_peer_rules *rules, const struct rs_peer *peer)
{
	return peer->in_group || rs_listen_may_change(rules, peer);
}
