// SPDX-License-Identifier: GPL-2.0-or-later
/* clickhouse-sums - sums and buckets of durations by kind, operation and command */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/clickhouse/clickhouse.h"
#include "ringside/event.h"

#define SUMS_PLACES 16384u       /* a power of two */
#define SUMS_MOST 8192u          /* then only sums that are there, and "(others)" of each kind */
#define SUMS_RECENT 1024u        /* a power of two */
#define SUMS_BUCKETS 64u         /* bucket n: 2^n ns to less than 2^(n+1); 0 has 0 ns, too */

struct sums_place {
	uint64_t hash;               /* 0: free */
	char kind[24], operation[48], command[24];
	uint64_t nr, sum_ns, max_ns;
	uint32_t buckets[SUMS_BUCKETS];
};

/* The sum of a duration like one that came before, found without its strings. */
struct sums_recent {
	const char *kind;
	const struct rs_span_kind *of;
	uint64_t arg;
	char command[RS_COMM_LEN];
	struct sums_place *place;    /* NULL: free */
};

struct rs_clickhouse_sums {
	unsigned int nr;
	struct sums_recent recent[SUMS_RECENT];
	struct sums_place *places[SUMS_PLACES]; /* each made when it is used */
	bool failed;
};

struct rs_clickhouse_sums *rs_clickhouse_sums_new(void)
{
	return calloc(1, sizeof(struct rs_clickhouse_sums));
}

void rs_clickhouse_sums_free(struct rs_clickhouse_sums *sums)
{
	for (unsigned int i = 0; sums && i < SUMS_PLACES; i++)
		free(sums->places[i]);
	free(sums);
}

static uint64_t sums_hash(const char *kind, const char *operation, const char *command)
{
	uint64_t hash = rs_hash_pair(rs_hash_bytes(kind, strlen(kind)),
				     rs_hash_pair(rs_hash_bytes(operation, strlen(operation)),
						  rs_hash_bytes(command, strlen(command))));

	return hash ? hash : 1;
}

/* Texts are compared as they were stored: cut off. */
static bool sums_is_text(const char *stored, size_t size_bytes, const char *text)
{
	return !strncmp(stored, text, size_bytes - 1);
}

/* Two different keys may have one hash. */
static bool sums_is_of(const struct sums_place *p, const char *kind, const char *operation,
		       const char *command)
{
	return sums_is_text(p->kind, sizeof p->kind, kind) &&
	       sums_is_text(p->operation, sizeof p->operation, operation) &&
	       sums_is_text(p->command, sizeof p->command, command);
}

/* NULL: it is not there, and there is no room for it. */
static struct sums_place *sums_find(struct rs_clickhouse_sums *sums, const char *kind, const char *operation,
				    const char *command, bool must)
{
	uint64_t hash = sums_hash(kind, operation, command);
	unsigned int at = (unsigned int)hash & (SUMS_PLACES - 1);
	struct sums_place *p;

	for (; (p = sums->places[at]); at = (at + 1) & (SUMS_PLACES - 1))
		if (p->hash == hash && sums_is_of(p, kind, operation, command))
			return p;
	if ((sums->nr >= SUMS_MOST && !must) || sums->nr + 1 >= SUMS_PLACES)
		return NULL;
	p = sums->places[at] = calloc(1, sizeof *p);
	if (!p) {
		sums->failed = true;
		return NULL;
	}
	sums->nr++;
	p->hash = hash;
	snprintf(p->kind, sizeof p->kind, "%s", kind);
	snprintf(p->operation, sizeof p->operation, "%s", operation);
	snprintf(p->command, sizeof p->command, "%s", command);
	return p;
}

static struct sums_place *sums_find_of(struct rs_clickhouse_sums *sums,
				       const struct rs_clickhouse_duration *d, const char *command)
{
	char buf[96] = "";
	const char *operation = d->operation ? d->operation : d->of->label(d->c, d->arg, buf, sizeof buf);
	struct sums_place *p = sums_find(sums, d->kind, operation, command, false);

	return p ? p : sums_find(sums, d->kind, "(others)", "(others)", true);
}

static struct sums_recent *sums_recent_of(struct rs_clickhouse_sums *sums,
					  const struct rs_clickhouse_duration *d, const char *command)
{
	uint64_t words[RS_COMM_LEN / sizeof(uint64_t)];

	memcpy(words, command, sizeof words);
	return &sums->recent[rs_hash_pair(words[0] ^ words[1], d->arg ^ (uintptr_t)d->kind) &
			     (SUMS_RECENT - 1)];
}

void rs_clickhouse_sums_add(struct rs_clickhouse_sums *sums, const struct rs_clickhouse_duration *d)
{
	static const char none[RS_COMM_LEN];
	const char *command = d->task ? d->task->comm : none;
	struct sums_recent *r = sums_recent_of(sums, d, command);
	struct sums_place *p = r->place;

	if (!p || r->kind != d->kind || r->of != d->of || r->arg != d->arg ||
	    memcmp(r->command, command, sizeof r->command)) {
		p = sums_find_of(sums, d, command);
		if (!p)
			return;
		*r = (struct sums_recent){ .kind = d->kind, .of = d->of, .arg = d->arg, .place = p };
		memcpy(r->command, command, sizeof r->command);
	}
	p->nr++;
	p->sum_ns += d->len_ns;
	if (d->len_ns > p->max_ns)
		p->max_ns = d->len_ns;
	p->buckets[d->len_ns ? 63 - __builtin_clzll(d->len_ns) : 0]++;
}

static void sums_put_buckets(const struct sums_place *p, struct rs_json *j)
{
	unsigned int nr = SUMS_BUCKETS;

	while (nr && !p->buckets[nr - 1])
		nr--;
	rs_json_key(j, "buckets");
	rs_json_open(j, '[');
	for (unsigned int i = 0; i < nr; i++)
		rs_json_u64(j, p->buckets[i]);
	rs_json_close(j, ']');
}

void rs_clickhouse_sums_put(const struct rs_clickhouse_sums *sums, struct rs_clickhouse *ch, uint64_t ts_ns)
{
	struct rs_json j;

	if (sums->failed)
		rs_fail(&ch->scene.export.error, "cannot sum durations: out of memory");
	for (unsigned int i = 0; i < SUMS_PLACES; i++) {
		const struct sums_place *p = sums->places[i];

		if (!p)
			continue;
		rs_clickhouse_begin_row(ch, RS_CLICKHOUSE_LATENCY, &j, ts_ns);
		rs_json_put_str(&j, "kind", p->kind);
		rs_json_put_str(&j, "operation", p->operation);
		rs_json_put_str(&j, "command", p->command);
		rs_json_put_u64(&j, "count", p->nr);
		rs_json_put_u64(&j, "sum_ns", p->sum_ns);
		rs_json_put_u64(&j, "max_ns", p->max_ns);
		sums_put_buckets(p, &j);
		rs_clickhouse_end_row(ch, RS_CLICKHOUSE_LATENCY, &j);
	}
}
