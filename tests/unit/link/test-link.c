// SPDX-License-Identifier: GPL-2.0-or-later
/* test-link - a connection over two pipes: bytes both ways, descriptors, an answer after its file; what no side may send */
#include <check.h>
#include <endian.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "link/link.h"
#include "rpc/frame.h"

#define FILE_BYTES (3u << 20)

enum { DATA = 1, OPEN_STREAM, OPEN_FILE, CLOSE, TOOK }; /* the types of frames */

struct side {
	struct rs_link_config config;
	struct rs_error err;
	int status;
	pthread_t thread;
};

static void *side_run(void *arg)
{
	struct side *side = arg;

	side->status = rs_link_run(&side->config, &side->err);
	return NULL;
}

struct two_sides {
	struct side here, there;
	int client_fd, engine_fd;    /* the other ends of their sockets */
};

static void begin_side(struct side *side, int in_fd, int out_fd, bool is_client, int *other_fd)
{
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	*side = (struct side){ .config = { in_fd, out_fd, pair[0], is_client, -1 } };
	*other_fd = pair[1];
	ck_assert_int_eq(pthread_create(&side->thread, NULL, side_run, side), 0);
}

static void begin(struct two_sides *t)
{
	int to[2], from[2];

	ck_assert_int_eq(pipe(to), 0);
	ck_assert_int_eq(pipe(from), 0);
	begin_side(&t->here, from[0], to[1], true, &t->client_fd);
	begin_side(&t->there, to[0], from[1], false, &t->engine_fd);
}

/* The client closes: both sides end, and nothing was wrong. */
static void end(struct two_sides *t)
{
	char byte;

	close(t->client_fd);
	ck_assert_int_eq(poll(&(struct pollfd){ .fd = t->engine_fd, .events = POLLIN }, 1, 30000), 1);
	ck_assert_int_eq(read(t->engine_fd, &byte, 1), 0);
	close(t->engine_fd);
	pthread_join(t->here.thread, NULL);
	pthread_join(t->there.thread, NULL);
	ck_assert_msg(t->here.status == 0, "%s", t->here.err.text);
	ck_assert_msg(t->there.status == 0, "%s", t->there.err.text);
}

static void check_read(int fd, const char *expected)
{
	char text[100] = "";
	size_t len = 0;

	while (len < strlen(expected)) {
		ssize_t n;

		ck_assert_int_eq(poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, 30000), 1); /* frames made it non-blocking */
		n = read(fd, text + len, strlen(expected) - len);
		ck_assert_int_gt(n, 0);
		len += (size_t)n;
	}
	ck_assert_str_eq(text, expected);
}

START_TEST(bytes_both_ways)
{
	struct two_sides t;

	begin(&t);
	ck_assert_int_eq(write(t.client_fd, "question", 8), 8);
	check_read(t.engine_fd, "question");
	ck_assert_int_eq(write(t.engine_fd, "answer", 6), 6);
	check_read(t.client_fd, "answer");
	end(&t);
}
END_TEST

/* The engine's end of what the client passes: as its frames read it. */
static int take_passed(int engine_fd, const char *request)
{
	struct rs_frames frames;
	struct rs_error err = { 0 };
	const char *text;
	size_t len;
	int fd;

	rs_frames_init(&frames, dup(engine_fd), RS_REQUEST_BYTES);
	while (!(text = rs_frames_next(&frames, &len, &err))) {
		ck_assert_int_eq(poll(&(struct pollfd){ .fd = engine_fd, .events = POLLIN }, 1, 30000), 1);
		ck_assert_int_eq(rs_frames_read(&frames, &err), 0);
	}
	ck_assert_str_eq(text, request);
	fd = frames.passed_fd;
	frames.passed_fd = -1;
	ck_assert_int_ge(fd, 0);
	rs_frames_done(&frames);
	return fd;
}

static void pass(int client_fd, const char *request, int fd)
{
	struct rs_frames frames;
	struct rs_error err = { 0 };

	rs_frames_init(&frames, dup(client_fd), RS_ANSWER_BYTES);
	ck_assert(rs_frames_put(&frames, request, strlen(request), fd));
	ck_assert_int_eq(rs_frames_write(&frames, &err), 0);
	rs_frames_done(&frames);
}

static void *write_file(void *arg)
{
	int fd = *(int *)arg;
	static char block[4096];

	memset(block, 'x', sizeof block);
	for (size_t done = 0; done < FILE_BYTES; done += sizeof block)
		ck_assert_int_eq(write(fd, block, sizeof block), sizeof block);
	close(fd);
	return NULL;
}

/* Three windows of a file, and the answer that it is written: then all of it is there. */
START_TEST(file_before_answer)
{
	int file = memfd_create("file", 0), fds[2];
	struct two_sides t;
	pthread_t writer;

	begin(&t);
	pass(t.client_fd, "save to the first", file);
	fds[0] = take_passed(t.engine_fd, "save to the first");
	pass(t.client_fd, "and to another", file);
	fds[1] = take_passed(t.engine_fd, "and to another");
	close(fds[1]);
	ck_assert_int_eq(pthread_create(&writer, NULL, write_file, fds), 0);
	pthread_join(writer, NULL);
	ck_assert_int_eq(write(t.engine_fd, "saved", 5), 5);
	check_read(t.client_fd, "saved");
	ck_assert_int_eq(lseek(file, 0, SEEK_END), FILE_BYTES);
	close(file);
	end(&t);
}
END_TEST

/* Who reads the file is slow: all of it but the window is not sent yet, and the answer neither. */
START_TEST(answer_waits)
{
	static char block[RS_LINK_WINDOW + (100u << 10)];
	int pipe_fds[2], fd, left_bytes;
	struct two_sides t;
	size_t done = 0;

	ck_assert_int_eq(pipe(pipe_fds), 0);
	begin(&t);
	pass(t.client_fd, "save", pipe_fds[1]);
	close(pipe_fds[1]);
	fd = take_passed(t.engine_fd, "save");
	ck_assert_int_eq(write(fd, block, sizeof block), sizeof block);
	close(fd);
	ck_assert_int_eq(write(t.engine_fd, "saved", 5), 5);
	ck_assert_int_eq(poll(&(struct pollfd){ .fd = t.client_fd, .events = POLLIN }, 1, 300), 0);
	/* where the answer is there, all of the file has been written */
	while (poll(&(struct pollfd){ .fd = t.client_fd, .events = POLLIN }, 1, 0) == 0) {
		ssize_t n = poll(&(struct pollfd){ .fd = pipe_fds[0], .events = POLLIN }, 1, 10) ?
				    read(pipe_fds[0], block, 2048) : 0;

		ck_assert_int_ge(n, 0);
		done += (size_t)n;
	}
	ck_assert_int_eq(ioctl(pipe_fds[0], FIONREAD, &left_bytes), 0);
	ck_assert_uint_eq(done + (size_t)left_bytes, sizeof block);
	check_read(t.client_fd, "saved");
	close(pipe_fds[0]);
	end(&t);
}
END_TEST

struct raw_head {
	uint32_t type, channel, len_bytes;
};

static void raw_send(int fd, uint32_t type, uint32_t channel, uint32_t len_bytes)
{
	const struct raw_head head = { htobe32(type), htobe32(channel), htobe32(len_bytes) };

	ck_assert_int_eq(write(fd, &head, sizeof head), sizeof head);
}

static void raw_read(int fd, void *to, size_t len)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = read(fd, (char *)to + done, len - done);

		ck_assert_int_gt(n, 0);
		done += (size_t)n;
	}
}

/* Reads what the server's side sends, up to so many bytes of a file, or the first of channel 0: their number. */
static size_t raw_read_file(int fd, size_t most, bool *answered)
{
	static char bytes[65536];
	struct raw_head head;
	size_t done = 0;

	for (*answered = false; done < most && !*answered;) {
		raw_read(fd, &head, sizeof head);
		if (be32toh(head.type) != DATA)
			continue;
		ck_assert_uint_le(be32toh(head.len_bytes), sizeof bytes);
		raw_read(fd, bytes, be32toh(head.len_bytes));
		*answered = head.channel == 0;
		done += *answered ? 0 : be32toh(head.len_bytes);
	}
	return done;
}

#define REST_BYTES (20u << 10) /* a socket has room for that, however the kernel cuts it */

struct saver {
	int engine_fd, file_fd;
};

static void *save_file(void *arg)
{
	static char block[RS_LINK_WINDOW + REST_BYTES];
	const struct saver *saver = arg;

	for (size_t done = 0; done < sizeof block;) {
		ssize_t n = write(saver->file_fd, block + done, sizeof block - done);

		ck_assert_int_gt(n, 0);
		done += (size_t)n;
	}
	close(saver->file_fd);
	ck_assert_int_eq(write(saver->engine_fd, "saved", 5), 5);
	return NULL;
}

/* A client that took nothing yet: the rest of the file stays at the server's side, and so the answer does. */
START_TEST(server_holds_answer)
{
	int to[2], from[2];
	struct side side;
	struct saver saver;
	pthread_t thread;
	bool answered;

	ck_assert_int_eq(pipe(to), 0);
	ck_assert_int_eq(pipe(from), 0);
	begin_side(&side, to[0], from[1], false, &saver.engine_fd);
	raw_send(to[1], OPEN_FILE, 1, 0);
	raw_send(to[1], DATA, 0, 8);
	ck_assert_int_eq(write(to[1], "\0\0\0\4save", 8), 8);
	saver.file_fd = take_passed(saver.engine_fd, "save");
	ck_assert_int_eq(pthread_create(&thread, NULL, save_file, &saver), 0);
	ck_assert_uint_eq(raw_read_file(from[0], RS_LINK_WINDOW, &answered), RS_LINK_WINDOW);
	pthread_join(thread, NULL);
	ck_assert_int_eq(poll(&(struct pollfd){ .fd = from[0], .events = POLLIN }, 1, 300), 0);
	raw_send(to[1], TOOK, 1, RS_LINK_WINDOW);
	ck_assert_uint_eq(raw_read_file(from[0], SIZE_MAX, &answered), REST_BYTES);
	ck_assert(answered);
	close(to[1]);
	close(from[0]);
	pthread_join(side.thread, NULL);
	close(saver.engine_fd);
}
END_TEST

/* A follower that does not read holds up its own channel, and no answers. */
START_TEST(slow_follower)
{
	int pair[2], fd;
	struct two_sides t;
	ssize_t n, sent = 0;
	static char block[65536];
	char byte;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	begin(&t);
	pass(t.client_fd, "follow", pair[0]);
	close(pair[0]);
	fd = take_passed(t.engine_fd, "follow");
	for (int tries = 0; tries < 100 && sent < 64 << 20; tries++) {
		while ((n = send(fd, block, sizeof block, MSG_DONTWAIT)) > 0) {
			sent += n;
			tries = 0;
		}
		usleep(1000);
	}
	ck_assert_int_lt(sent, 8 << 20);
	ck_assert_int_eq(write(t.engine_fd, "answer", 6), 6);
	check_read(t.client_fd, "answer");
	close(pair[1]); /* it goes: so the engine's end does */
	while (send(fd, block, sizeof block, MSG_NOSIGNAL) > 0)
		;
	(void)!read(fd, &byte, 1);
	close(fd);
	end(&t);
}
END_TEST

/* What a side does with frames that the other never sends. NULL: no error. */
static void check_hostile(bool is_client, const uint32_t *words, size_t nr_words, const char *expected)
{
	int to[2], from[2], other;
	struct side side;
	char byte;

	ck_assert_int_eq(pipe(to), 0);
	ck_assert_int_eq(pipe(from), 0);
	begin_side(&side, to[0], from[1], is_client, &other);
	for (size_t i = 0; i < nr_words; i++) {
		uint32_t word = htobe32(words[i]);

		ck_assert_int_eq(write(to[1], &word, sizeof word), sizeof word);
	}
	while (read(other, &byte, 1) > 0)
		;
	pthread_join(side.thread, NULL);
	ck_assert_int_eq(side.status, -1);
	ck_assert_str_eq(side.err.text, expected);
	close(other);
	close(to[1]);
	close(from[0]);
}

#define HOSTILE(is_client, expected, ...) \
	check_hostile(is_client, (const uint32_t[]){ __VA_ARGS__ }, \
		      sizeof(const uint32_t[]){ __VA_ARGS__ } / sizeof(uint32_t), expected)
START_TEST(hostile)
{
	HOSTILE(true, "the other side sends what is no frame", 77, 0, 0);
	HOSTILE(true, "the other side sends a frame of 4294967295 bytes", DATA, 0, UINT32_MAX);
	HOSTILE(true, "the other side took more than was sent", TOOK, 0, 1);
	HOSTILE(true, "the other side passes a descriptor, which a server never does", OPEN_FILE, 1, 0);
	HOSTILE(false, "the other side opens channel 0, out of turn or one too many", OPEN_STREAM, 0, 0);
	/* channels that it does not know are ignored: they may have closed just now */
	HOSTILE(false, "the other side sends what is no frame", CLOSE, 5, 0, TOOK, 5, 10, DATA, 9, 4, 0, 99, 0, 0);
}
END_TEST

Suite *rs_suite_link(void);
Suite *rs_suite_link(void)
{
	Suite *s = suite_create("link");
	TCase *t = tcase_create("link");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, bytes_both_ways);
	tcase_add_test(t, file_before_answer);
	tcase_add_test(t, answer_waits);
	tcase_add_test(t, server_holds_answer);
	tcase_add_test(t, slow_follower);
	tcase_add_test(t, hostile);
	suite_add_tcase(s, t);
	return s;
}
