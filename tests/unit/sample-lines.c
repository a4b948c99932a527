// SPDX-License-Identifier: GPL-2.0-or-later
#include "sample-lines.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "source/perf/probes.h"

#define NR_RINGS 2
#define MAX_WORDS 64

struct sample_lines {
	struct rs_sample_source source; /* first */
	struct rs_buf rings[NR_RINGS];
	size_t at[NR_RINGS];
	bool swaps, has_counts;
};

static void put_u16(struct sample_lines *s, struct rs_buf *b, uint16_t v)
{
	v = s->swaps ? __builtin_bswap16(v) : v;
	rs_buf_add(b, &v, sizeof v);
}

static void put_u32(struct sample_lines *s, struct rs_buf *b, uint32_t v)
{
	v = s->swaps ? __builtin_bswap32(v) : v;
	rs_buf_add(b, &v, sizeof v);
}

static void put_u64(struct sample_lines *s, struct rs_buf *b, uint64_t v)
{
	v = s->swaps ? __builtin_bswap64(v) : v;
	rs_buf_add(b, &v, sizeof v);
}

struct counts {
	unsigned long long value[RS_NR_COUNTERS], enabled_ns, running_ns;
	bool is_known;
};

static bool read_count(const char *word, struct counts *c)
{
	if (!strncmp(word, "counts=", 7)) {
		ck_assert_int_eq(sscanf(word + 7, "%llu/%llu/%llu", &c->value[0], &c->value[1], &c->value[2]), RS_NR_COUNTERS);
		c->is_known = true;
	}
	return c->is_known && (!strncmp(word, "counts=", 7) || sscanf(word, "enabled=%llu", &c->enabled_ns) == 1 || sscanf(word, "running=%llu", &c->running_ns) == 1);
}

/* As RS_SAMPLES_READ_FORMAT says. The IDs of CPU 0's group are 1, 2 and 3. */
static void put_counts(struct sample_lines *s, struct rs_buf *b, const struct counts *c, unsigned int cpu)
{
	put_u64(s, b, c->is_known ? RS_NR_COUNTERS : 0);
	put_u64(s, b, c->enabled_ns);
	put_u64(s, b, c->running_ns);
	for (unsigned int i = 0; c->is_known && i < RS_NR_COUNTERS; i++) {
		put_u64(s, b, c->value[i]);
		put_u64(s, b, 100 * cpu + 1 + i);
	}
}

/* Outermost first; other words are left out. Returns their number. */
static size_t read_frames(char **words, size_t nr, uint64_t frames[2 * MAX_WORDS], bool *in_kernel)
{
	size_t nr_frames = 0;

	*in_kernel = false;
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(words[i], "kernel"))
			frames[nr_frames++] = (uint64_t)PERF_CONTEXT_USER;
		else if (!strchr(words[i], '='))
			frames[nr_frames++] = strtoull(words[i], NULL, 16);
		*in_kernel |= !strcmp(words[i], "kernel");
	}
	frames[nr_frames++] = *in_kernel ? (uint64_t)PERF_CONTEXT_KERNEL : (uint64_t)PERF_CONTEXT_USER;
	return nr_frames;
}

/* "cache=filp": what stands behind it; NULL: no such word. */
static const char *find_word(char **words, size_t nr, const char *begin)
{
	for (size_t i = 0; i < nr; i++)
		if (!strncmp(words[i], begin, strlen(begin)))
			return words[i] + strlen(begin);
	return NULL;
}

static void put_sample(struct sample_lines *s, struct rs_buf *b, uint64_t ts_ns, unsigned int cpu, char **words, size_t nr)
{
	const char *given = find_word(words, nr, "period=");
	uint64_t frames[2 * MAX_WORDS], period = given ? strtoull(given, NULL, 10) : 1000;
	struct counts counts = { .enabled_ns = ts_ns, .running_ns = ts_ns };
	bool in_kernel;
	size_t at = b->len, nr_frames = read_frames(words + 1, nr - 1, frames, &in_kernel);
	int pid, tid;

	ck_assert_int_eq(sscanf(words[0], "%d/%d", &pid, &tid), 2);
	for (size_t k = 1; k < nr; k++)
		read_count(words[k], &counts);
	put_u32(s, b, PERF_RECORD_SAMPLE);
	put_u16(s, b, in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	put_u16(s, b, (uint16_t)(48 + (s->has_counts ? 24 + 16 * RS_NR_COUNTERS * (unsigned int)counts.is_known : 0) + 8 * nr_frames));
	put_u32(s, b, (uint32_t)pid);
	put_u32(s, b, (uint32_t)tid);
	put_u64(s, b, ts_ns);
	put_u32(s, b, cpu);
	put_u32(s, b, 0);
	put_u64(s, b, period);
	if (s->has_counts)
		put_counts(s, b, &counts, cpu);
	put_u64(s, b, nr_frames);
	while (nr_frames--)
		put_u64(s, b, frames[nr_frames]);
	ck_assert_uint_eq((b->len - at) % 8, 0);
}

static uint32_t function_of(const char *name)
{
	static const char *const names[RS_NR_PROBE_FUNCTIONS] = {
		"malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign", "new", "new[]", "free", "mmap",
		"mremap", "munmap",
	};

	for (uint32_t i = 0; i < RS_NR_PROBE_FUNCTIONS; i++)
		if (!strcmp(names[i], name))
			return i;
	ck_abort_msg("no function '%s'", name);
}

/* words: of a call "PID/TID", "FUNCTION", arguments; of what was missed its number. */
static void put_probe(struct sample_lines *s, struct rs_buf *b, const char *kind, char **words, size_t nr)
{
	bool returns = !strcmp(kind, "return"), missed = !strcmp(kind, "missed");
	size_t nr_args = missed || returns ? 1 : nr - 2, nr_frames = returns ? nr - 3 : 0, first = missed ? 0 : 2;
	int pid = 0, tid = 0;

	if (!missed)
		ck_assert_int_eq(sscanf(words[0], "%d/%d", &pid, &tid), 2);
	put_u32(s, b, (uint32_t)pid);
	put_u32(s, b, (uint32_t)tid);
	put_u32(s, b, missed ? RS_PROBE_LOST : function_of(words[1]));
	put_u32(s, b, returns);
	for (size_t i = 0; i < RS_PROBE_ARGS; i++)
		put_u64(s, b, i < nr_args ? strtoull(words[first + i], NULL, 16) : 0);
	put_u64(s, b, nr_frames ? nr_frames + 1 : 0);
	if (nr_frames)
		put_u64(s, b, (uint64_t)PERF_CONTEXT_USER);
	while (nr_frames--)
		put_u64(s, b, strtoull(words[3 + nr_frames], NULL, 16));
}

/* words: "PID/TID", "slab", "kmalloc" or "pages", and numbers. */
static void put_kernel_probe(struct sample_lines *s, struct rs_buf *b, bool allocates, char **words, size_t nr)
{
	static const char *const names[] = { "kmalloc", "slab", "pages" };
	const char *cache = find_word(words, nr, "cache=");
	uint64_t frames[2 * MAX_WORDS];
	size_t nr_frames = 0, nr_args = allocates ? 3 : nr - 2;
	uint32_t function = allocates ? RS_PROBE_KMALLOC : RS_PROBE_KFREE;
	char name[RS_PROBE_NAME_BYTES] = "";
	bool in_kernel;
	int pid, tid;

	ck_assert_int_eq(sscanf(words[0], "%d/%d", &pid, &tid), 2);
	for (size_t i = 0; strcmp(names[i], words[1]) != 0; i++, function++)
		ck_assert_uint_lt(i, 2);
	if (allocates && nr > 5 + (cache != NULL))
		nr_frames = read_frames(words + 5, nr - 5, frames, &in_kernel);
	put_u32(s, b, (uint32_t)pid);
	put_u32(s, b, (uint32_t)tid);
	put_u32(s, b, function);
	put_u32(s, b, (allocates ? RS_PROBE_RECORD_RETURNS : 0) | (cache ? RS_PROBE_RECORD_NAMED : 0));
	for (size_t i = 0; i < RS_PROBE_ARGS; i++)
		put_u64(s, b, i < nr_args ? strtoull(words[2 + i], NULL, 16) : 0);
	put_u64(s, b, nr_frames);
	while (nr_frames--)
		put_u64(s, b, frames[nr_frames]);
	snprintf(name, sizeof name, "%s", cache ? cache : "");
	if (cache)
		rs_buf_add(b, name, sizeof name);
}

static void put_body(struct sample_lines *s, struct rs_buf *b, const char *kind, char **words, size_t nr, uint32_t *type, uint16_t *misc)
{
	unsigned long long start, end;
	uint32_t pid = (uint32_t)atoi(words[0]);

	if (!strcmp(kind, "call") || !strcmp(kind, "return") || !strcmp(kind, "missed")) {
		*type = RS_PROBE_RECORD;
		put_probe(s, b, kind, words, nr);
		return;
	}
	if (!strcmp(kind, "kalloc") || !strcmp(kind, "kfree")) {
		*type = RS_PROBE_RECORD;
		put_kernel_probe(s, b, !strcmp(kind, "kalloc"), words, nr);
		return;
	}
	put_u32(s, b, pid);
	if (!strcmp(kind, "map")) {
		*type = PERF_RECORD_MMAP2;
		ck_assert_int_eq(sscanf(words[1], "%llx-%llx", &start, &end), 2);
		put_u32(s, b, pid);
		put_u64(s, b, start);
		put_u64(s, b, end - start);
		put_u64(s, b, strtoull(words[2], NULL, 16));
		rs_buf_pad(b, '\0', 32);
		rs_buf_add(b, words[3], strlen(words[3]) + 1);
		rs_buf_pad(b, '\0', -b->len & 7);
	} else if (!strcmp(kind, "fork")) {
		*type = PERF_RECORD_FORK;
		b->len -= 4;
		put_u32(s, b, (uint32_t)atoi(words[1]));
		put_u32(s, b, pid);
		put_u32(s, b, (uint32_t)atoi(words[1]));
		put_u32(s, b, pid);
		put_u64(s, b, 0);
	} else if (!strcmp(kind, "exec")) {
		*type = PERF_RECORD_COMM;
		*misc = PERF_RECORD_MISC_COMM_EXEC;
		put_u32(s, b, pid);
		rs_buf_add(b, "comm\0\0\0", 8);
	} else {
		ck_assert_str_eq(kind, "lost");
		*type = PERF_RECORD_LOST;
		b->len -= 4;
		put_u64(s, b, 0);
		put_u64(s, b, strtoull(words[0], NULL, 16));
	}
}

/* Then what sample_id_all adds: of the task that ran, the time and the CPU. */
static void put_other(struct sample_lines *s, struct rs_buf *b, uint64_t ts_ns, unsigned int cpu, const char *kind, char **words, size_t nr)
{
	struct rs_buf body = RS_BUF_INIT;
	uint32_t type = 0;
	uint16_t misc = 0;

	put_body(s, &body, kind, words, nr, &type, &misc);
	put_u32(s, b, type);
	put_u16(s, b, misc);
	put_u16(s, b, (uint16_t)(8 + body.len + 24));
	rs_buf_add(b, body.data, body.len);
	put_u64(s, b, 0);
	put_u64(s, b, ts_ns);
	put_u32(s, b, cpu);
	put_u32(s, b, 0);
	rs_buf_done(&body);
}

static void put_line(struct sample_lines *s, const char *line)
{
	char text[512], kind[16], *words[MAX_WORDS], *rest;
	unsigned long long ts_ns;
	unsigned int cpu;
	size_t nr = 0;
	int at;

	ck_assert_int_eq(sscanf(line, "%llu cpu%u %15s %n", &ts_ns, &cpu, kind, &at), 3);
	ck_assert_uint_lt(cpu, NR_RINGS);
	snprintf(text, sizeof text, "%s", line + at);
	rest = text;
	while (nr < MAX_WORDS && (words[nr] = strsep(&rest, " ")))
		nr++;
	if (!strcmp(kind, "sample"))
		put_sample(s, &s->rings[cpu], ts_ns, cpu, words, nr);
	else
		put_other(s, &s->rings[cpu], ts_ns, cpu, kind, words, nr);
}

static bool lines_next(struct rs_sample_source *source, unsigned int ring, struct rs_sample_record *record)
{
	struct sample_lines *s = (struct sample_lines *)source;
	const uint8_t *data = (const uint8_t *)s->rings[ring].data + s->at[ring];
	uint16_t size;

	if (s->at[ring] == s->rings[ring].len)
		return false;
	memcpy(&size, data + 6, sizeof size);
	size = s->swaps ? __builtin_bswap16(size) : size;
	/* in memory of its own, for ASan */
	*record = (struct rs_sample_record){ data, size };
	s->at[ring] += size;
	return true;
}

static uint64_t lines_known_ns(struct rs_sample_source *source)
{
	return UINT64_MAX;
}

static int64_t lines_offset_ns(struct rs_sample_source *source)
{
	return 0;
}

static void lines_close(struct rs_sample_source *source)
{
	struct sample_lines *s = (struct sample_lines *)source;

	for (unsigned int i = 0; i < NR_RINGS; i++)
		rs_buf_done(&s->rings[i]);
	free(s);
}

static const struct rs_sample_ops lines_ops = {
	.next = lines_next, .known_ns = lines_known_ns, .offset_ns = lines_offset_ns, .close = lines_close,
};

struct rs_sample_source *sample_lines_open(const char *const *lines, bool swaps)
{
	struct sample_lines *s = calloc(1, sizeof *s);

	s->swaps = swaps;
	for (unsigned int i = 0; i < NR_RINGS; i++)
		s->rings[i] = (struct rs_buf)RS_BUF_INIT;
	for (const char *const *line = lines; *line; line++)
		s->has_counts |= strstr(*line, "counts=") != NULL;
	while (*lines)
		put_line(s, *lines++);
	s->source.ops = &lines_ops;
	s->source.info = (struct rs_sample_info){
		.nr_rings = NR_RINGS, .swaps = swaps, .event = "cpu-clock", .hz = 99,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
	};
	if (s->has_counts) {
		s->source.info.sample_type |= PERF_SAMPLE_READ;
		s->source.info.read_format = RS_SAMPLES_READ_FORMAT;
		s->source.info.nr_counters = rs_pmu_counters_read("cycles,instructions,cache-misses", s->source.info.counters);
	}
	return &s->source;
}
