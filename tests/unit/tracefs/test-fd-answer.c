// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-fd-answer - the guardian's one question, "what is descriptor N of process P": asked, answered, and misused
 */
#include <arpa/inet.h>
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tracefs/guardian.h"
#include "tracefs/unix-diag.h"

static int pair[2];

static void setup(void)
{
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
}

static void teardown(void)
{
	close(pair[0]);
	close(pair[1]);
}

static struct rs_fd_reply told; /* by answer(), last */

/* -> its path, terminated; "" where there is none */
static const char *answer(int32_t pid, int32_t fd)
{
	ck_assert(rs_guardian_ask_fd(pair[0], pid, fd, CLOCK_BOOTTIME));
	ck_assert(rs_guardian_answer(pair[1]));
	ck_assert(rs_guardian_take_reply(pair[0], &told));
	ck_assert_int_eq(told.pid, pid);
	ck_assert_int_eq(told.fd, fd);
	ck_assert_int_lt(told.len, (int)sizeof told.path);
	told.path[told.len > 0 ? told.len : 0] = '\0';
	return told.path;
}

START_TEST(a_path)
{
	int null_fd = open("/dev/null", O_RDONLY), pipe_fds[2];

	ck_assert_str_eq(answer(getpid(), null_fd), "/dev/null");
	ck_assert_int_eq(pipe(pipe_fds), 0);
	ck_assert_int_eq(strncmp(answer(getpid(), pipe_fds[0]), "pipe:[", 6), 0);
	close(null_fd);
	ck_assert_str_eq(answer(getpid(), null_fd), "");
}
END_TEST

START_TEST(the_time_is_after_the_answer)
{
	struct rs_fd_reply reply;
	struct timespec t;
	uint64_t before_ns;

	clock_gettime(CLOCK_MONOTONIC, &t);
	before_ns = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	ck_assert(rs_guardian_ask_fd(pair[0], getpid(), pair[0], CLOCK_MONOTONIC) && rs_guardian_answer(pair[1]));
	ck_assert(rs_guardian_take_reply(pair[0], &reply));
	ck_assert_uint_ge(reply.read_ns, before_ns);
	ck_assert_uint_lt(reply.read_ns, before_ns + 60000000000);
	/* a clock that there is not: no answer is better than one of an unknown time */
	ck_assert(rs_guardian_ask_fd(pair[0], getpid(), pair[0], 99) && rs_guardian_answer(pair[1]));
	ck_assert(rs_guardian_take_reply(pair[0], &reply));
	ck_assert_int_eq(reply.len, -1);
}
END_TEST

START_TEST(working_directory)
{
	char *cwd = getcwd(NULL, 0);

	ck_assert_str_eq(answer(getpid(), RS_FD_CWD), cwd);
	free(cwd);
}
END_TEST

START_TEST(no_such_thing)
{
	ck_assert_str_eq(answer(0, 0), "");
	ck_assert_str_eq(answer(-1, 0), "");
	ck_assert_str_eq(answer(getpid(), -1), "");
	ck_assert_str_eq(answer(getpid(), INT32_MAX - 1), "");
	ck_assert_str_eq(answer(INT32_MAX, 0), "");
}
END_TEST

/* A file whose path is as long as the system allows: cut it would be another file's. */
START_TEST(a_long_path)
{
	char dir[] = "/tmp/ringside-test-XXXXXX", name[201];
	int fd, depth = 0;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
	memset(name, 'n', 200);
	name[200] = '\0';
	for (; depth < 25; depth++)
		ck_assert(mkdir(name, 0700) == 0 && chdir(name) == 0);
	fd = open("file", O_CREAT | O_RDWR, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_str_eq(answer(getpid(), fd), "");
	for (unlink("file"); depth; depth--)
		ck_assert(chdir("..") == 0 && rmdir(name) == 0);
	ck_assert(chdir("/") == 0 && rmdir(dir) == 0);
}
END_TEST

START_TEST(what_is_no_question)
{
	struct rs_fd_reply reply;
	char garbage[64];

	memset(garbage, 0xff, sizeof garbage);
	for (size_t len = 1; len < sizeof garbage; len++)
		if (len != 3 * sizeof(int32_t)) {
			ck_assert_int_eq(send(pair[0], garbage, len, 0), (ssize_t)len);
			ck_assert(rs_guardian_answer(pair[1]));
			ck_assert(!rs_guardian_take_reply(pair[0], &reply));
		}
	ck_assert(rs_guardian_answer(pair[1])); /* nothing waits: no harm, and no wait */
	ck_assert_str_eq(answer(getpid(), 999), "");
	close(pair[0]);
	ck_assert(!rs_guardian_answer(pair[1]));
}
END_TEST

/* An answer that lies about its length is none. */
START_TEST(what_is_no_answer)
{
	struct rs_fd_reply lies = { .len = 100 }, reply;
	size_t head = (size_t)((char *)lies.path - (char *)&lies);

	for (int32_t len = -2; len < 5000; len += len < 20 ? 1 : 500) {
		lies.len = len;
		ck_assert_int_eq(send(pair[1], &lies, head + 10, 0), (ssize_t)(head + 10));
		ck_assert_int_eq(rs_guardian_take_reply(pair[0], &reply), len >= -1 && len <= 10);
	}
	ck_assert_int_eq(send(pair[1], &lies, 3, 0), 3);
	ck_assert(!rs_guardian_take_reply(pair[0], &reply));
	ck_assert(!rs_guardian_take_reply(-1, &reply));
	ck_assert(!rs_guardian_ask_fd(-1, 1, 1, CLOCK_BOOTTIME));
}
END_TEST

/* Neither side waits for the other: not who asks, and not who answers when nobody listens. */
START_TEST(nobody_waits)
{
	struct rs_fd_reply reply;
	unsigned int asked = 0, answered = 0;

	while (asked < 1000000 && rs_guardian_ask_fd(pair[0], getpid(), pair[0], CLOCK_BOOTTIME))
		asked++;
	ck_assert_uint_lt(asked, 1000000);
	for (unsigned int i = 0; i < asked; i++)
		ck_assert(rs_guardian_answer(pair[1]));
	while (rs_guardian_take_reply(pair[0], &reply))
		answered++;
	ck_assert(answered > 0 && answered <= asked);
	ck_assert_int_eq(strncmp(answer(getpid(), pair[0]), "UNIX-SEQPACKET:[", 16), 0);
}
END_TEST

static uint16_t port_of(int fd)
{
	struct sockaddr_in6 a;
	socklen_t len = sizeof a;

	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	return ntohs(a.sin6_port); /* where sin_port is */
}

/* A socket that is bound to a free port of the loopback, and connected to one of these, if that is not NULL. */
static int make_socket(int family, int type, const uint16_t *to)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) }, .sin_port = htons(to ? *to : 0) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_addr = in6addr_loopback, .sin6_port = v4.sin_port };
	const void *address = family == AF_INET ? (const void *)&v4 : &v6;
	socklen_t len = family == AF_INET ? sizeof v4 : sizeof v6;
	int fd = socket(family, type, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(to ? connect(fd, address, len) : bind(fd, address, len), 0);
	if (!to && type == SOCK_STREAM)
		ck_assert_int_eq(listen(fd, 1), 0);
	return fd;
}

/* The tables are read again only so often, and another test may have read them: asks until they have it, for 10 s. */
static const char *answer_soon(int fd)
{
	const char *is = answer(getpid(), fd);

	for (int tries = 0; tries < 200 && is && !strncmp(is, "socket:[", 8); tries++) {
		usleep(50000);
		is = answer(getpid(), fd);
	}
	return is;
}

/* Both ends of what is connected, the own one of what listens; of a Unix socket the path that it is bound to. */
/* Both ends of a connection to a socket that is bound there: the path is the server's own, and the client's peer's. */
static void connected_ends(int bound, const struct sockaddr_un *path)
{
	int client = socket(AF_UNIX, SOCK_STREAM, 0), server, type;
	struct rs_unix_ends of_client, of_server;
	int diag_fd = rs_unix_diag_open();
	struct stat is;

	ck_assert_int_eq(fstat(bound, &is), 0);
	if (!rs_unix_diag_ask(diag_fd, (uint32_t)is.st_ino, &type, &of_server)) {
		puts("this kernel has no unix_diag");
		return;
	}
	close(diag_fd);
	ck_assert_int_eq(listen(bound, 1), 0);
	ck_assert_int_eq(connect(client, (const struct sockaddr *)path, sizeof *path), 0);
	server = accept(bound, NULL, NULL);
	ck_assert_int_eq(fstat(client, &is), 0);
	ck_assert(rs_unix_ends_parse(answer_soon(client), &of_client));
	ck_assert(rs_unix_ends_parse(answer_soon(server), &of_server));
	ck_assert_uint_eq(of_client.inode, is.st_ino);
	ck_assert_uint_eq(of_client.inode, of_server.peer);
	ck_assert_uint_eq(of_client.peer, of_server.inode);
	ck_assert(of_client.is_peers && !of_server.is_peers);
	ck_assert_str_eq(of_client.path, path->sun_path);
	ck_assert_str_eq(of_server.path, path->sun_path);
	close(client);
	close(server);
}

START_TEST(unix_ends_as_text)
{
	const struct rs_unix_ends all[] = { { 4711, 4712, false, "" }, { 4711, 4712, true, "/run/x.sock" },
					    { 4712, 4711, false, "/run/\"x\"]" }, { 4710, 0, false, "@abstract" },
					    { 4710, 0, false, "" } };
	static const char *const texts[] = { "UNIX-STREAM:[4711->4712]", "UNIX-STREAM:[4711->4712 \"/run/x.sock\"]",
					     "UNIX-STREAM:[4712->4711,\"/run/\"x\"]\"]", "UNIX-STREAM:[4710,\"@abstract\"]",
					     "UNIX-STREAM:[4710]" };
	static const char *const malformed[] = { "UNIX-STREAM", "UNIX-STREAM:[]", "UNIX-STREAM:[1", "UNIX-STREAM:[1->2,\"]",
						 "UNIX-STREAM:[1->2;\"x\"]", "TCP:[1]", "" };
	struct rs_unix_ends ends;
	char buf[160];

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		ck_assert_uint_eq(rs_unix_ends_text(SOCK_STREAM, &all[i], buf, sizeof buf), strlen(texts[i]));
		ck_assert_str_eq(buf, texts[i]);
		ck_assert(rs_unix_ends_parse(texts[i], &ends));
		ck_assert(ends.inode == all[i].inode && ends.peer == all[i].peer && ends.is_peers == all[i].is_peers);
		ck_assert_str_eq(ends.path, all[i].path);
	}
	ck_assert_uint_eq(rs_unix_ends_text(SOCK_STREAM, &all[1], buf, 20), 0);
	for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
		ck_assert_msg(!rs_unix_ends_parse(malformed[i], &ends), "%s", malformed[i]);
}
END_TEST

START_TEST(sockets)
{
	struct sockaddr_un path = { .sun_family = AF_UNIX };
	int listens = make_socket(AF_INET, SOCK_STREAM, NULL), listens6 = make_socket(AF_INET6, SOCK_STREAM, NULL),
	    udp = make_socket(AF_INET, SOCK_DGRAM, NULL), bound = socket(AF_UNIX, SOCK_STREAM, 0),
	    unbound = socket(AF_INET, SOCK_STREAM, 0);
	uint16_t port = port_of(listens), port6 = port_of(listens6);
	int client = make_socket(AF_INET, SOCK_STREAM, &port), client6 = make_socket(AF_INET6, SOCK_STREAM, &port6);
	char expected[160];

	snprintf(path.sun_path, sizeof path.sun_path, "/tmp/fd-answer-%d", getpid());
	ck_assert_int_eq(bind(bound, (struct sockaddr *)&path, sizeof path), 0);
	snprintf(expected, sizeof expected, "TCP:[127.0.0.1:%u->127.0.0.1:%u]", port_of(client), port);
	ck_assert_str_eq(answer_soon(client), expected);
	ck_assert_int_eq(told.state, 1); /* TCP_ESTABLISHED */
	ck_assert(told.state_ns && told.state_ns <= told.read_ns);
	snprintf(expected, sizeof expected, "TCP:[127.0.0.1:%u]", port);
	ck_assert_str_eq(answer_soon(listens), expected);
	ck_assert_int_eq(told.state, 10); /* TCP_LISTEN */
	snprintf(expected, sizeof expected, "TCPv6:[[::1]:%u->[::1]:%u]", port_of(client6), port6);
	ck_assert_str_eq(answer_soon(client6), expected);
	snprintf(expected, sizeof expected, "UDP:[127.0.0.1:%u]", port_of(udp));
	ck_assert_str_eq(answer_soon(udp), expected);
	ck_assert_int_eq(told.state, 0);
	snprintf(expected, sizeof expected, ",\"%s\"]", path.sun_path);
	ck_assert_ptr_nonnull(strstr(answer_soon(bound), expected));
	connected_ends(bound, &path);
	unlink(path.sun_path);
	/* no table has it: it is neither bound nor connected */
	ck_assert_int_eq(strncmp(answer(getpid(), unbound), "socket:[", 8), 0);
}
END_TEST

Suite *rs_suite_fd_answer(void)
{
	Suite *s = suite_create("fd-answer");
	TCase *t = tcase_create("look");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_path);
	tcase_add_test(t, the_time_is_after_the_answer);
	tcase_add_test(t, working_directory);
	tcase_add_test(t, no_such_thing);
	tcase_add_test(t, a_long_path);
	tcase_add_test(t, what_is_no_question);
	tcase_add_test(t, what_is_no_answer);
	tcase_add_test(t, nobody_waits);
	tcase_add_test(t, sockets);
	tcase_add_test(t, unix_ends_as_text);
	suite_add_tcase(s, t);
	return s;
}
