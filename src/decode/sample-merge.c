// SPDX-License-Identifier: GPL-2.0-or-later
/* sample-merge - the records of all rings of a sample source in the order of time */
#include "decode/sample-merge.h"

#include <stdlib.h>

struct sample_head {
	struct rs_sample_event ev;
	bool ready;
};

struct rs_sample_merge {
	struct rs_sample_source *source;
	struct sample_head *heads;   /* by ring */
	unsigned int nr;
	struct sample_head *first;   /* the earliest that is ready; NULL: none */
	/* its record was returned, and is in use until the next call; NULL: none */
	struct sample_head *taken;
	uint64_t known_ns;           /* a ring whose head is not ready has no record before this time */
	int64_t offset_ns;
	uint64_t nr_bad;
};

struct rs_sample_merge *rs_sample_merge_new(struct rs_sample_source *source)
{
	struct rs_sample_merge *m = calloc(1, sizeof *m);

	if (!m)
		return NULL;
	m->source = source;
	m->nr = source->info.nr_rings;
	m->heads = calloc(m->nr + 1, sizeof *m->heads);
	if (m->heads)
		return m;
	free(m);
	return NULL;
}

void rs_sample_merge_free(struct rs_sample_merge *m)
{
	if (!m)
		return;
	free(m->heads);
	free(m);
}

static void sample_merge_load(struct rs_sample_merge *m, unsigned int ring)
{
	struct sample_head *head = &m->heads[ring];
	struct rs_sample_record record;

	head->ready = false;
	while (!head->ready && m->source->ops->next(m->source, ring, &record)) {
		head->ready = rs_sample_record_read(&m->source->info, &record, &head->ev);
		m->nr_bad += !head->ready;
	}
	if (head->ready)
		head->ev.ts_ns += (uint64_t)m->offset_ns;
}

static void sample_merge_find_first(struct rs_sample_merge *m)
{
	m->first = NULL;
	for (struct sample_head *head = m->heads; head < m->heads + m->nr; head++)
		if (head->ready && (!m->first || head->ev.ts_ns < m->first->ev.ts_ns))
			m->first = head;
}

/* The time is taken before the rings are read: what comes in between is read now, or is later. */
static void sample_merge_poll(struct rs_sample_merge *m)
{
	m->known_ns = m->source->ops->known_ns(m->source);
	m->offset_ns = m->source->ops->offset_ns(m->source);
	for (unsigned int ring = 0; ring < m->nr; ring++)
		if (!m->heads[ring].ready)
			sample_merge_load(m, ring);
	sample_merge_find_first(m);
}

uint64_t rs_sample_merge_due_ns(const struct rs_sample_merge *m)
{
	return m->first && m->first->ev.ts_ns < m->known_ns ? m->first->ev.ts_ns : m->known_ns;
}

bool rs_sample_merge_next(struct rs_sample_merge *m, uint64_t until_ns, struct rs_sample_event *ev)
{
	if (m->taken) {
		sample_merge_load(m, (unsigned int)(m->taken - m->heads));
		sample_merge_find_first(m);
		m->taken = NULL;
	}
	if (m->known_ns <= until_ns && m->known_ns != UINT64_MAX)
		sample_merge_poll(m);
	if (!m->first || m->first->ev.ts_ns > until_ns)
		return false;
	m->taken = m->first;
	*ev = m->taken->ev;
	return true;
}

uint64_t rs_sample_merge_nr_bad(const struct rs_sample_merge *m)
{
	return m->nr_bad;
}
