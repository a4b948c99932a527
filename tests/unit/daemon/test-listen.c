// SPDX-License-Identifier: GPL-2.0-or-later
/* The daemon's socket: one daemon at a time, what a dead one left is taken over, who may connect, and who it is. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/listen.h"
#include "daemon/notify.h"
#include "skip.h"

Suite *rs_suite_listen(void);

static char folder[] = "/tmp/ringside-listen-XXXXXX", path[64], lock[80];
static struct rs_listen_socket l;
static struct rs_error err;

static void setup(void)
{
	strcpy(folder + sizeof folder - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chmod(folder, 0755), 0);
	snprintf(path, sizeof path, "%s/run/socket", folder);
	snprintf(lock, sizeof lock, "%s.lock", path);
	err = (struct rs_error){ 0 };
	signal(SIGPIPE, SIG_IGN);
}

static void teardown(void)
{
	char command[128];

	rs_listen_close(&l);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static int begin(struct rs_listen_socket *at)
{
	err = (struct rs_error){ 0 };
	return rs_listen(at, path, getuid(), NULL, &err);
}

static bool is_there(const char *file)
{
	struct stat st;

	return lstat(file, &st) == 0;
}

START_TEST(it_is_there_and_goes)
{
	struct stat st;
	int fd;

	ck_assert_msg(begin(&l) == 0, "%s", err.text);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert(S_ISSOCK(st.st_mode));
	ck_assert_int_eq(st.st_mode & 0777, 0660);
	ck_assert_uint_eq(st.st_gid, l.group);
	ck_assert_int_eq(stat(lock, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	fd = rs_listen_connect(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	rs_listen_close(&l);
	ck_assert(!is_there(path) && !is_there(lock));
	ck_assert_int_eq(rs_listen_connect(path), -1);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(a_second_one_is_told_of_the_first)
{
	struct rs_listen_socket other;

	ck_assert_int_eq(begin(&l), 0);
	ck_assert_int_eq(begin(&other), -1);
	ck_assert_msg(strstr(err.text, "already") && strstr(err.text, path), "%s", err.text);
	ck_assert(is_there(path) && is_there(lock));
	ck_assert_int_eq(other.fd, -1);
}
END_TEST

/* kill -9 of a daemon: its socket and its lock lie there, nobody answers */
START_TEST(what_a_dead_one_left_is_taken_over)
{
	pid_t pid = fork();
	int status, fd;

	if (!pid) {
		struct rs_listen_socket dead;

		rs_listen(&dead, path, getuid(), NULL, &err);
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, &status, 0);
	ck_assert(is_there(path) && is_there(lock));
	ck_assert_int_eq(rs_listen_connect(path), -1);
	ck_assert_int_eq(errno, ECONNREFUSED);
	ck_assert_msg(begin(&l) == 0, "%s", err.text);
	fd = rs_listen_connect(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
}
END_TEST

/* Killed, and not gone yet: the kernel still takes connections for it while it takes its memory down. */
START_TEST(one_that_is_dying_is_waited_for)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		struct rs_listen_socket dying;

		rs_listen(&dying, path, getuid(), NULL, &err);
		usleep(400000);
		kill(getpid(), SIGKILL);
	}
	while (!is_there(path))
		usleep(1000);
	usleep(100000);
	ck_assert_msg(begin(&l) == 0, "%s", err.text);
	waitpid(pid, &status, 0);
	ck_assert(is_there(path) && is_there(lock));
}
END_TEST

/* Ten at once: one serves, the others say so, none is shut out by a file that another took away. */
START_TEST(of_many_at_once_one_serves)
{
	int nr_serve = 0, status, pipes[2];
	char byte;

	ck_assert_int_eq(pipe(pipes), 0);
	for (int i = 0; i < 10; i++)
		if (!fork()) {
			int ret = begin(&l);

			close(pipes[1]);
			if (!ret)
				(void)!read(pipes[0], &byte, 1); /* until all others have tried */
			_exit(ret ? 1 : 0);
		}
	for (int i = 0; i < 9; i++) {
		wait(&status);
		nr_serve += WIFEXITED(status) && WEXITSTATUS(status) == 0;
	}
	close(pipes[1]);
	wait(&status);
	nr_serve += WIFEXITED(status) && WEXITSTATUS(status) == 0;
	ck_assert_int_eq(nr_serve, 1);
	close(pipes[0]);
}
END_TEST

START_TEST(another_file_is_left_alone)
{
	FILE *f;

	snprintf(path, sizeof path, "%s/file", folder);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fclose(f);
	ck_assert_int_eq(begin(&l), -1);
	ck_assert_msg(strstr(err.text, "no socket"), "%s", err.text);
	ck_assert(is_there(path));
	snprintf(lock, sizeof lock, "%s.lock", path);
	ck_assert(!is_there(lock));
}
END_TEST

START_TEST(misuse_is_told)
{
	char longer[200];

	memset(longer, 'a', sizeof longer);
	longer[0] = '/';
	longer[sizeof longer - 1] = '\0';
	ck_assert_int_eq(rs_listen(&l, longer, 0, NULL, &err), -1);
	ck_assert_int_eq(err.status, RS_USAGE);
	err = (struct rs_error){ 0 };
	ck_assert_int_eq(rs_listen(&l, "socket", 0, NULL, &err), -1);
	ck_assert_int_eq(err.status, RS_USAGE);
	err = (struct rs_error){ 0 };
	ck_assert_int_eq(rs_listen(&l, path, 0, "no-such-group-anywhere", &err), -1);
	ck_assert_int_eq(err.status, RS_USAGE);
}
END_TEST

/* ---- who is there ---- */

static bool peer_of(const struct rs_peer_rules *rules, struct rs_peer *peer)
{
	int client = rs_listen_connect(path), fd = accept(l.fd, NULL, NULL);
	bool known;

	ck_assert_int_ge(client, 0);
	ck_assert_int_ge(fd, 0);
	known = rs_listen_peer(fd, rules, peer);
	close(client);
	close(fd);
	return known;
}

START_TEST(our_own_process)
{
	struct rs_peer_rules rules = { .owner = getuid() + 1, .group = getgid() };
	struct rs_peer peer;

	ck_assert_int_eq(begin(&l), 0);
	ck_assert(peer_of(&rules, &peer));
	ck_assert_int_eq(peer.pid, getpid());
	ck_assert_uint_eq(peer.uid, getuid());
	ck_assert(rs_listen_may_read(&rules, &peer));
	ck_assert_int_eq(rs_listen_may_change(&rules, &peer), getuid() == 0);
}
END_TEST

START_TEST(a_pipe_has_no_owner)
{
	struct rs_peer_rules rules = { 0 };
	struct rs_peer peer;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert(!rs_listen_peer(fds[0], &rules, &peer));
	close(fds[0]);
	close(fds[1]);
}
END_TEST

START_TEST(root_and_the_owner_change_the_group_reads)
{
	const struct rs_peer_rules rules = { .owner = 1000, .group = 500 };
	const struct rs_peer root = { .uid = 0 }, owner = { .uid = 1000 },
			     member = { .uid = 1001, .in_group = true }, other = { .uid = 1002 };

	ck_assert(rs_listen_may_read(&rules, &root) && rs_listen_may_change(&rules, &root));
	ck_assert(rs_listen_may_read(&rules, &owner) && rs_listen_may_change(&rules, &owner));
	ck_assert(rs_listen_may_read(&rules, &member) && !rs_listen_may_change(&rules, &member));
	ck_assert(!rs_listen_may_read(&rules, &other) && !rs_listen_may_change(&rules, &other));
}
END_TEST

/* A member by another than its first group, as most are. */
START_TEST(other_groups_count)
{
	struct rs_peer_rules rules = { .owner = 12345, .group = 54321 };
	struct rs_peer peer;
	int go[2], fd, status;
	pid_t pid;

	if (getuid() != 0)
		SKIP("needs root");
	ck_assert_int_eq(begin(&l), 0);
	ck_assert_int_eq(chmod(path, 0666), 0);
	ck_assert_int_eq(pipe(go), 0);
	pid = fork();
	if (!pid) {
		gid_t groups[] = { 1, 54321 };
		char byte;

		if (setgroups(2, groups) < 0 || setgid(4321) < 0 || setuid(4321) < 0 || rs_listen_connect(path) < 0)
			_exit(1);
		close(go[1]);
		(void)!read(go[0], &byte, 1);
		_exit(0);
	}
	do {
		fd = accept(l.fd, NULL, NULL);
	} while (fd < 0 && errno == EAGAIN && waitpid(pid, &status, WNOHANG) == 0);
	ck_assert_int_ge(fd, 0);
	ck_assert(rs_listen_peer(fd, &rules, &peer));
	ck_assert_uint_eq(peer.uid, 4321);
	ck_assert(rs_listen_may_read(&rules, &peer) && !rs_listen_may_change(&rules, &peer));
	rules.group = 54322;
	ck_assert(rs_listen_peer(fd, &rules, &peer));
	ck_assert(!rs_listen_may_read(&rules, &peer));
	close(go[1]);
	waitpid(pid, &status, 0);
	close(fd);
}
END_TEST

/* ---- the service manager ---- */

static int manager(const char *name)
{
	struct sockaddr_un { sa_family_t family; char path[108]; } a = { .family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	memcpy(a.path, name, strlen(name));
	if (*name == '@')
		a.path[0] = '\0';
	ck_assert_int_eq(bind(fd, (void *)&a, (socklen_t)(sizeof a.family + strlen(name))), 0);
	ck_assert_int_eq(setenv("NOTIFY_SOCKET", name, 1), 0);
	return fd;
}

static void check_told(int fd, const char *wanted)
{
	char text[600];
	ssize_t n = recv(fd, text, sizeof text - 1, 0);

	ck_assert_int_ge(n, 0);
	text[n] = '\0';
	ck_assert_str_eq(text, wanted);
}

static void check_manager(const char *name)
{
	int fd = manager(name);
	struct rs_notify n;

	rs_notify_open(&n);
	ck_assert_ptr_null(getenv("NOTIFY_SOCKET"));
	rs_notify_send(&n, RS_NOTIFY_READY);
	check_told(fd, "READY=1\n");
	rs_notify_status(&n, "7 events\nREADY=0");
	check_told(fd, "STATUS=7 events READY=0");
	rs_notify_send(&n, RS_NOTIFY_STOPPING);
	check_told(fd, "STOPPING=1\n");
	rs_notify_close(&n);
	close(fd);
}

START_TEST(a_manager_is_told)
{
	char name[80];

	snprintf(name, sizeof name, "%s/notify", folder);
	check_manager(name);
	snprintf(name, sizeof name, "@ringside-test-%d", (int)getpid());
	check_manager(name);
}
END_TEST

START_TEST(without_a_manager_nothing_happens)
{
	const char *const bad[] = { "", "/", "@", "relative", "/there/is/none" };
	struct rs_notify n;

	unsetenv("NOTIFY_SOCKET");
	rs_notify_open(&n);
	ck_assert_int_eq(n.fd, -1);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		setenv("NOTIFY_SOCKET", bad[i], 1);
		rs_notify_open(&n);
		ck_assert_int_eq(n.fd, -1);
	}
	rs_notify_send(&n, RS_NOTIFY_READY);
	rs_notify_close(&n);
}
END_TEST

Suite *rs_suite_listen(void)
{
	Suite *s = suite_create("listen");
	TCase *t = tcase_create("listen");

	l = (struct rs_listen_socket){ .fd = -1, .lock_fd = -1 };
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, it_is_there_and_goes);
	tcase_add_test(t, a_second_one_is_told_of_the_first);
	tcase_add_test(t, what_a_dead_one_left_is_taken_over);
	tcase_add_test(t, one_that_is_dying_is_waited_for);
	tcase_add_test(t, of_many_at_once_one_serves);
	tcase_add_test(t, another_file_is_left_alone);
	tcase_add_test(t, misuse_is_told);
	tcase_add_test(t, our_own_process);
	tcase_add_test(t, a_pipe_has_no_owner);
	tcase_add_test(t, root_and_the_owner_change_the_group_reads);
	tcase_add_test(t, other_groups_count);
	tcase_add_test(t, a_manager_is_told);
	tcase_add_test(t, without_a_manager_nothing_happens);
	suite_add_tcase(s, t);
	return s;
}
