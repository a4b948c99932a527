// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-map - functions that a program has made at run time, from its /tmp/perf-PID.map */
#include "symbols/perf-map.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/vector.h"

#define MAX_PERF_MAP_BYTES (64u << 20)
#define MAX_PERF_MAP_FUNCTIONS (1u << 20)
#define NS_PER_S 1000000000

struct perf_map_chunk {
	struct perf_map_chunk *older;
	char text[];
};

static bool perf_map_is_of_time(const struct rs_perf_map *m, const struct stat *st)
{
	int64_t written_ns = (int64_t)st->st_mtim.tv_sec * NS_PER_S + st->st_mtim.tv_nsec;

	return !m->to_ns || (written_ns >= m->from_ns && written_ns <= m->to_ns);
}

static int perf_map_open(const struct rs_perf_map *m, const char *path, uid_t owner, int64_t *bytes)
{
	/* /tmp is everybody's: no link is followed, and a FIFO does not block */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || (st.st_uid != owner && st.st_uid != 0) ||
	    !perf_map_is_of_time(m, &st)) {
		close(fd);
		return -1;
	}
	*bytes = st.st_size < MAX_PERF_MAP_BYTES ? st.st_size : MAX_PERF_MAP_BYTES;
	return fd;
}

/* The bytes from `from` to `to` of the file, terminated; NULL: no memory. */
static char *perf_map_load(struct rs_perf_map *m, int fd, int64_t from, int64_t to)
{
	struct perf_map_chunk *chunk = malloc(sizeof *chunk + (size_t)(to - from) + 1);
	int64_t len = 0;
	ssize_t n;

	if (!chunk)
		return NULL;
	while (from + len < to &&
	       (n = pread(fd, chunk->text + len, (size_t)(to - from - len), from + len)) > 0)
		len += n;
	chunk->text[len] = '\0';
	chunk->older = m->chunks;
	m->chunks = chunk;
	return chunk->text;
}

static bool perf_map_read_hex(char **at, uint64_t *value)
{
	char *end;

	if (!strchr("0123456789abcdefABCDEF", **at) || !**at)
		return false; /* strtoull takes blanks and signs, too */
	*value = strtoull(*at, &end, 16);
	if (*end != ' ')
		return false;
	*at = end + 1;
	return true;
}

static bool perf_map_add_line(struct rs_perf_map *m, char *line)
{
	struct rs_perf_map_function f = { .order = (uint32_t)m->nr }, *new;

	if (!perf_map_read_hex(&line, &f.address) || !perf_map_read_hex(&line, &f.bytes) || !*line ||
	    !f.bytes)
		return true;
	f.name = line;
	new = m->nr < MAX_PERF_MAP_FUNCTIONS ? RS_VECTOR_ADD(&m->functions, &m->nr, &m->room) : NULL;
	if (new)
		*new = f;
	return new;
}

static int perf_map_by_address(const void *a, const void *b)
{
	const struct rs_perf_map_function *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void perf_map_parse(struct rs_perf_map *m, char *text)
{
	/* the last line has no end while the program writes it: it is read again */
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		m->read_bytes += end + 1 - line;
		if (!perf_map_add_line(m, line))
			break;
	}
	if (m->nr)
		qsort(m->functions, m->nr, sizeof *m->functions, perf_map_by_address);
}

void rs_perf_map_read(struct rs_perf_map *m, const char *path, uid_t owner)
{
	int64_t bytes;
	int fd = perf_map_open(m, path, owner, &bytes);
	char *text;

	if (fd < 0)
		return; /* a process that has ended may have removed it: what was read stays */
	if (bytes < m->read_bytes) { /* another file by now */
		m->read_bytes = 0;
		m->nr = 0;
	}
	text = bytes > m->read_bytes ? perf_map_load(m, fd, m->read_bytes, bytes) : NULL;
	if (text)
		perf_map_parse(m, text);
	close(fd);
}

static int64_t perf_map_clock_ns(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

/*
 * "PID (comm) S ...": the start is the 20th behind the name, in ticks since boot. A name may have brackets of
 * its own.
 */
bool rs_perf_map_process(int32_t pid, uid_t *uid, int64_t *start_ns)
{
	long ticks_per_s = sysconf(_SC_CLK_TCK);
	unsigned long long start;
	char path[40], text[1024];
	const char *end;
	struct stat st;
	ssize_t len = -1;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0)
		len = read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	if (len <= 0 || ticks_per_s <= 0)
		return false;
	text[len] = '\0';
	end = strrchr(text, ')');
	if (!end ||
	    sscanf(end + 1,
		   " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
		   &start) != 1)
		return false;
	*uid = st.st_uid;
	*start_ns = (int64_t)(start * (NS_PER_S / (unsigned long long)ticks_per_s)) +
		    perf_map_clock_ns(CLOCK_REALTIME) - perf_map_clock_ns(CLOCK_BOOTTIME);
	return true;
}

void rs_perf_map_done(struct rs_perf_map *m)
{
	free(m->functions);
	while (m->chunks) {
		struct perf_map_chunk *older = m->chunks->older;

		free(m->chunks);
		m->chunks = older;
	}
	*m = (struct rs_perf_map){ .nr = 0 };
}

const char *rs_perf_map_function(const struct rs_perf_map *m, uint64_t address)
{
	size_t from = 0, to = m->nr;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (m->functions[mid].address <= address)
			from = mid + 1;
		else
			to = mid;
	}
	if (!from || address - m->functions[from - 1].address >= m->functions[from - 1].bytes)
		return NULL;
	return m->functions[from - 1].name;
}
