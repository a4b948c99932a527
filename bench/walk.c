// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * walk - the offline limit: what plain C needs for a recording when it checks nothing
 *
 *	walk scan|ana FILE
 *
 *	scan  steps over every record and counts them by event
 *	ana   all CPUs in the order of time; system calls paired, waits for a CPU, time on one, a
 *	      histogram for each
 *
 * It knows where the fields are: a little-endian recording of version 6 of a 64-bit kernel whose
 * records are as the kernel's have been for years (which it checks against the formats inside). It
 * has no loss, no lives, no names, no bounds: it is a yardstick, not a tool. Prints one line:
 * "events=N calls=N waits=N".
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_CPUS 256
#define MAX_CALLS 512
#define MAX_TASKS (1u << 16)
#define PAGE_BYTES 4096
#define PAGE_HEADER 16
#define NR_LOG2 40

/* Where the fields are in a record of a 64-bit kernel. */
enum {
	AT_ID = 0, AT_TID = 4,
	AT_CALL_NR = 8,
	AT_PREV_TID = 24, AT_PREV_STATE = 32, AT_NEXT_TID = 56,
	AT_WAKEE = 24,
};

enum kind { SWITCH, WAKING, WAKEUP, ENTER, EXIT, NR_KINDS };

static const struct {
	const char *name, *must_have;
} kinds[NR_KINDS] = {
	[SWITCH] = { "sched_switch", "next_pid;\toffset:56;" },
	[WAKING] = { "sched_waking", "pid;\toffset:24;" },
	[WAKEUP] = { "sched_wakeup", "pid;\toffset:24;" },
	[ENTER] = { "sys_enter", "id;\toffset:8;" },
	[EXIT] = { "sys_exit", "id;\toffset:8;" },
};

static struct {
	const uint8_t *at, *end;
	unsigned int nr_cpus;
	struct { const uint8_t *pages; uint64_t nr; } cpu[MAX_CPUS];
	int id[NR_KINDS]; /* -1: not recorded */
} file;

static void refuse(const char *why)
{
	fprintf(stderr, "walk: %s\n", why);
	exit(1);
}

static uint16_t u16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline uint32_t u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline uint64_t u64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* ---- the file's head ---- */

static const uint8_t *take(uint64_t bytes)
{
	const uint8_t *at = file.at;

	if (bytes > (uint64_t)(file.end - file.at))
		refuse("the recording is cut off");
	file.at += bytes;
	return at;
}

static uint32_t take_u32(void) { return u32(take(4)); }
static uint64_t take_u64(void) { return u64(take(8)); }

static void take_word(const char *word, size_t bytes)
{
	if (memcmp(take(bytes), word, bytes))
		refuse("the recording is not as expected");
}

static void take_format(void)
{
	uint64_t bytes = take_u64();
	const char *text = (const char *)take(bytes);
	char name[64];
	int id;

	if (bytes < 160 || sscanf(text, "name: %63s ID: %d", name, &id) != 2)
		return;
	for (int k = 0; k < NR_KINDS; k++)
		if (!strcmp(name, kinds[k].name)) {
			if (!memmem(text, bytes, kinds[k].must_have, strlen(kinds[k].must_have)))
				refuse("this kernel's records are not as expected");
			file.id[k] = id;
		}
}

static void take_formats(void)
{
	for (uint32_t nr = take_u32(); nr; nr--)
		take_format();
	for (uint32_t systems = take_u32(); systems; systems--) {
		while (*take(1))
			;
		for (uint32_t nr = take_u32(); nr; nr--)
			take_format();
	}
}

static void take_cpus(void)
{
	file.nr_cpus = take_u32();
	if (file.nr_cpus > MAX_CPUS)
		refuse("too many CPUs");
	take_word("options  ", 10);
	while (u16(take(2)))
		take(take_u32());
	take_word("flyrecord", 10);
}

static void open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const uint8_t *base;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		refuse("cannot open the recording");
	base = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (base == MAP_FAILED)
		refuse("cannot map the recording");
	file.at = base;
	file.end = base + st.st_size;
	memset(file.id, -1, sizeof file.id);
	take_word("\x17\x08\x44tracing6\0", 12);
	take_word("\0\x08", 2); /* little-endian, 64-bit */
	take(4);
	take_word("header_page", 12);
	take(take_u64());
	take_word("header_event", 13);
	take(take_u64());
	take_formats();
	take(take_u32()); /* kallsyms */
	take(take_u32()); /* printk */
	take(take_u64()); /* cmdlines */
	take_cpus();
	for (unsigned int i = 0; i < file.nr_cpus; i++) {
		uint64_t offset = take_u64(), bytes = take_u64();

		if (offset > (uint64_t)st.st_size || bytes > (uint64_t)st.st_size - offset)
			refuse("the recording is cut off");
		file.cpu[i].pages = base + offset;
		file.cpu[i].nr = bytes / PAGE_BYTES;
	}
}

/* ---- pages ---- */

struct cursor {
	const uint8_t *page, *pages_end;
	const uint8_t *at, *end;
	const uint8_t *record;
	uint64_t ts_ns;
};

static bool next_page(struct cursor *c)
{
	uint64_t bytes;

	if (c->page >= c->pages_end)
		return false;
	c->ts_ns = u64(c->page);
	bytes = u64(c->page + 8) & 0xfffff;
	c->at = c->page + PAGE_HEADER;
	c->end = c->at + (bytes > PAGE_BYTES - PAGE_HEADER ? PAGE_BYTES - PAGE_HEADER : bytes);
	c->page += PAGE_BYTES;
	return true;
}

/* What is not a short record; false: nothing more in this page. */
static bool next_rare(struct cursor *c, uint32_t head, bool *is_record)
{
	uint32_t second = u32(c->at + 4);

	*is_record = false;
	switch (head & 31) {
	case 0:
		c->ts_ns += head >> 5;
		c->record = c->at + 8;
		c->at += 4 + ((second + 3) & ~3u);
		*is_record = true;
		return true;
	case 29:
		c->ts_ns += head >> 5;
		c->at += 4 + second;
		return head >> 5;
	case 30:
		c->ts_ns += (head >> 5) + ((uint64_t)second << 27);
		break;
	default:
		c->ts_ns = (head >> 5) + ((uint64_t)second << 27) + (c->ts_ns & 0x1full << 59);
		break;
	}
	c->at += 8;
	return true;
}

static inline bool next(struct cursor *c)
{
	do {
		while (c->at + 4 <= c->end) {
			uint32_t head = u32(c->at), len = (head & 31) * 4;
			bool is_record;

			if (__builtin_expect(len - 4 < 28 * 4, 1)) {
				c->ts_ns += head >> 5;
				c->record = c->at + 4;
				c->at += 4 + len;
				return true;
			}
			if (!next_rare(c, head, &is_record))
				break;
			if (is_record)
				return true;
		}
	} while (next_page(c));
	return false;
}

/* ---- the analysis ---- */

struct stat_of {
	uint64_t nr, sum_ns, max_ns;
	uint32_t log2[NR_LOG2];
};

struct task {
	int32_t tid;
	int32_t call; /* -1: none */
	uint64_t enter_ns, waits_since_ns, runs_since_ns, run_ns;
	struct stat_of wait;
};

static struct task *tasks[MAX_TASKS]; /* open addressing */
static struct stat_of calls[MAX_CALLS];
static uint64_t nr_events, nr_calls, nr_waits;

static struct task *new_task(struct task **slot, int32_t tid)
{
	*slot = calloc(1, sizeof **slot);
	if (!*slot)
		refuse("out of memory");
	(*slot)->tid = tid;
	(*slot)->call = -1;
	return *slot;
}

static inline struct task *task_of(int32_t tid)
{
	uint32_t i = (uint32_t)tid * 2654435761u >> 16;

	while (tasks[i % MAX_TASKS] && tasks[i % MAX_TASKS]->tid != tid)
		i++;
	return tasks[i % MAX_TASKS] ? tasks[i % MAX_TASKS] : new_task(&tasks[i % MAX_TASKS], tid);
}

static inline void add(struct stat_of *s, uint64_t ns)
{
	int log2 = 63 - __builtin_clzll(ns | 1);

	s->nr++;
	s->sum_ns += ns;
	if (ns > s->max_ns)
		s->max_ns = ns;
	s->log2[log2 < NR_LOG2 ? log2 : NR_LOG2 - 1]++;
}

static inline void on_exit_call(struct task *t, int32_t nr, uint64_t ts_ns)
{
	if (t->call == nr && nr >= 0) {
		add(&calls[nr % MAX_CALLS], ts_ns - t->enter_ns);
		nr_calls++;
	}
	t->call = -1;
}

static inline void on_switch(const uint8_t *record, uint64_t ts_ns)
{
	int32_t prev = (int32_t)u32(record + AT_PREV_TID), next_tid = (int32_t)u32(record + AT_NEXT_TID);
	uint64_t state = u64(record + AT_PREV_STATE);
	struct task *t;

	if (prev) {
		t = task_of(prev);
		if (t->runs_since_ns)
			t->run_ns += ts_ns - t->runs_since_ns;
		t->runs_since_ns = 0;
		t->waits_since_ns = !(state & 0xff) ? ts_ns : 0; /* still runnable: preempted */
	}
	if (next_tid) {
		t = task_of(next_tid);
		if (t->waits_since_ns) {
			add(&t->wait, ts_ns - t->waits_since_ns);
			nr_waits++;
		}
		t->waits_since_ns = 0;
		t->runs_since_ns = ts_ns;
	}
}

static inline void on_waking(int32_t tid, uint64_t ts_ns)
{
	struct task *t = task_of(tid);

	if (!t->waits_since_ns && !t->runs_since_ns)
		t->waits_since_ns = ts_ns;
}

static inline void analyse(const uint8_t *record, uint64_t ts_ns)
{
	int id = u16(record + AT_ID);
	struct task *t;

	nr_events++;
	if (id == file.id[ENTER]) {
		t = task_of((int32_t)u32(record + AT_TID));
		t->enter_ns = ts_ns;
		t->call = (int32_t)u64(record + AT_CALL_NR);
	} else if (id == file.id[EXIT]) {
		t = task_of((int32_t)u32(record + AT_TID));
		on_exit_call(t, (int32_t)u64(record + AT_CALL_NR), ts_ns);
	} else if (id == file.id[SWITCH]) {
		on_switch(record, ts_ns);
	} else if (id == file.id[WAKING] || id == file.id[WAKEUP]) {
		on_waking((int32_t)u32(record + AT_WAKEE), ts_ns);
	}
}

/* The earliest goes on until another is earlier. */
static void analyse_all(struct cursor *c, unsigned int nr)
{
	while (nr) {
		uint64_t until_ns = UINT64_MAX;
		unsigned int first = 0;
		bool more;

		for (unsigned int i = 1; i < nr; i++)
			if (c[i].ts_ns < c[first].ts_ns)
				first = i;
		for (unsigned int i = 0; i < nr; i++)
			if (i != first && c[i].ts_ns < until_ns)
				until_ns = c[i].ts_ns;
		do {
			analyse(c[first].record, c[first].ts_ns);
			more = next(&c[first]);
		} while (more && c[first].ts_ns <= until_ns);
		if (!more)
			c[first] = c[--nr];
	}
}

static void scan_all(struct cursor *c, unsigned int nr)
{
	static uint64_t by_id[UINT16_MAX + 1];

	for (unsigned int i = 0; i < nr; i++)
		do {
			by_id[u16(c[i].record)]++;
			nr_events++;
		} while (next(&c[i]));
}

int main(int argc, char **argv)
{
	static struct cursor cursors[MAX_CPUS];
	bool analyses = argc == 3 && !strcmp(argv[1], "ana");
	unsigned int nr = 0;

	if (argc != 3 || (!analyses && strcmp(argv[1], "scan"))) {
		fputs("usage: walk scan|ana FILE\n", stderr);
		return 2;
	}
	open_file(argv[2]);
	for (unsigned int i = 0; i < file.nr_cpus; i++) {
		cursors[nr] = (struct cursor){
			.page = file.cpu[i].pages,
			.pages_end = file.cpu[i].pages + file.cpu[i].nr * PAGE_BYTES,
		};
		nr += next(&cursors[nr]);
	}
	(analyses ? analyse_all : scan_all)(cursors, nr);
	printf("events=%" PRIu64 " calls=%" PRIu64 " waits=%" PRIu64 "\n", nr_events, nr_calls, nr_waits);
	return 0;
}
