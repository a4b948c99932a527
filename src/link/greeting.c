// SPDX-License-Identifier: GPL-2.0-or-later
/* greeting - versions, clocks, and the begin, line by line */
#include "link/greeting.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "link/link.h"

#define GREETING_LINE "ringside-link "
#define GREETING_BYTES (64u << 10)   /* of what a login shell prints before it */
#define GREETING_CLOCK "clock"
#define GREETING_BEGIN "begin"
#define GREETING_ROUNDS 8
#define GREETING_PATIENCE_MS 10000   /* for an answer that takes no work */

/*
 * Byte by byte, for what follows the line is another's. Returns its length without the newline, cut at the
 * line's size; -1: no more comes, or not in time. timeout_ms: of the next byte; -1: any
 */
static int greeting_read_line(int fd, char line[RS_GREETING_LINE_BYTES], int timeout_ms)
{
	size_t len = 0, nr = 0;

	for (char byte; nr < GREETING_BYTES; nr++) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t n;

		while (poll(&p, 1, timeout_ms) < 0 && errno == EINTR)
			;
		if (!p.revents)
			return -1;
		while ((n = read(fd, &byte, 1)) < 0 && errno == EINTR)
			;
		if (n <= 0)
			return -1;
		if (byte == '\n') {
			line[len] = '\0';
			return (int)len;
		}
		if (len < RS_GREETING_LINE_BYTES - 1)
			line[len++] = byte;
	}
	return -1;
}

static int64_t greeting_clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- the server's side ---- */

int rs_greeting_serve(int in_fd, int out_fd, char *words, size_t size_bytes)
{
	char line[RS_GREETING_LINE_BYTES];
	size_t begin_len = strlen(GREETING_BEGIN);

	dprintf(out_fd, "\n" GREETING_LINE "%d " RS_VERSION "\n", RS_LINK_VERSION);
	while (greeting_read_line(in_fd, line, -1) >= 0) {
		if (!strcmp(line, GREETING_CLOCK)) {
			dprintf(out_fd, "%" PRId64 " %" PRId64 "\n", greeting_clock_ns(CLOCK_BOOTTIME),
				greeting_clock_ns(CLOCK_REALTIME));
			continue;
		}
		if (strncmp(line, GREETING_BEGIN " ", begin_len + 1) && strcmp(line, GREETING_BEGIN))
			return -1;
		snprintf(words, size_bytes, "%s", line + begin_len + (line[begin_len] == ' '));
		return 0;
	}
	return -1;
}

/* ---- the client's side ---- */

static int greeting_check_version(const char *line, struct rs_error *err)
{
	int version;

	if (sscanf(line, "%d", &version) == 1 && version == RS_LINK_VERSION)
		return 0;
	return rs_fail(err, "ringside there is of another version, %.40s (install this one, %s)", line,
		       RS_VERSION);
}

int rs_greeting_expect(int in_fd, struct rs_error *err)
{
	char line[RS_GREETING_LINE_BYTES];
	size_t nr = 0;
	int len;

	while (nr < GREETING_BYTES && (len = greeting_read_line(in_fd, line, -1)) >= 0) {
		if (!strncmp(line, GREETING_LINE, strlen(GREETING_LINE)))
			return greeting_check_version(line + strlen(GREETING_LINE), err);
		nr += (size_t)len + 1;
	}
	if (nr >= GREETING_BYTES)
		return rs_fail(err, "what runs there does not speak as ringside does");
	return rs_fail(err, "ringside did not start there");
}

/* One round trip. The other's times are those of a moment within it: of its middle, as far as it is known. */
static int greeting_ask_once(int in_fd, int out_fd, struct rs_host_clock *clock)
{
	char line[RS_GREETING_LINE_BYTES];
	int64_t before_ns = greeting_clock_ns(CLOCK_BOOTTIME), boot_ns, wall_ns, within_ns;
	int64_t to_wall_ns = greeting_clock_ns(CLOCK_REALTIME) - before_ns;

	if (dprintf(out_fd, GREETING_CLOCK "\n") < 0 ||
	    greeting_read_line(in_fd, line, GREETING_PATIENCE_MS) < 0)
		return -1;
	within_ns = (greeting_clock_ns(CLOCK_BOOTTIME) - before_ns) / 2;
	if (sscanf(line, "%18" SCNd64 " %19" SCNd64, &boot_ns, &wall_ns) != 2 || boot_ns < 0 || wall_ns < 0)
		return -1;
	if (clock->known && (uint64_t)within_ns >= clock->within_ns)
		return 0;
	*clock = (struct rs_host_clock){
		.known = true,
		.boot_offset_ns = boot_ns - before_ns - within_ns,
		.wall_offset_ns = wall_ns - to_wall_ns - before_ns - within_ns,
		.within_ns = (uint64_t)within_ns,
	};
	return 0;
}

int rs_greeting_ask_clock(int in_fd, int out_fd, struct rs_host_clock *clock, struct rs_error *err)
{
	*clock = (struct rs_host_clock){ .known = false };
	for (int i = 0; i < GREETING_ROUNDS; i++)
		if (greeting_ask_once(in_fd, out_fd, clock) < 0)
			return rs_fail(err, "ringside there does not say what time it is");
	return 0;
}

void rs_greeting_begin(int out_fd, const char *words)
{
	dprintf(out_fd, GREETING_BEGIN "%s%s\n", *words ? " " : "", words);
}
