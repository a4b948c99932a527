// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/irq-sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rs_irq_source_entry {
	struct rs_map_node node;
	struct rs_irq_source_entry *next;
	struct rs_irq_source source;
};

int rs_irq_sources_init(struct rs_irq_sources *q)
{
	return rs_map_init(&q->by_line, 64) ? 0 : -1;
}

void rs_irq_sources_done(struct rs_irq_sources *q)
{
	struct rs_irq_source_entry *next;

	for (; q->entries; q->entries = next) {
		next = q->entries->next;
		free(q->entries);
	}
	rs_map_done(&q->by_line);
}

/* A hostile file gives a line many names. */
#define MAX_NAMES 64

const struct rs_irq_source *rs_irq_sources_get(struct rs_irq_sources *q, enum rs_irq_kind kind, uint32_t nr, const char *name)
{
	uint64_t hash = rs_hash_u64((uint64_t)kind << 32 | nr);
	struct rs_irq_source_entry *e;
	unsigned int nr_names = 0;

	if (kind == RS_SOFTIRQ)
		name = nr < RS_MAX_SOFTIRQS ? q->softirq_names[nr] : "";
	for (struct rs_map_node *n = rs_map_find(&q->by_line, hash); n; n = rs_map_find_next(n), nr_names++) {
		e = RS_MAP_ENTRY(n, struct rs_irq_source_entry, node);
		if (!strcmp(e->source.name, name))
			return &e->source;
	}
	if (nr_names == MAX_NAMES || q->nr == RS_MAX_IRQ_SOURCES || !(e = malloc(sizeof *e)))
		return NULL;
	*e = (struct rs_irq_source_entry){ .next = q->entries, .source = { .kind = kind, .nr = nr, .index = q->nr++ } };
	snprintf(e->source.name, sizeof e->source.name, "%s", name);
	q->entries = e;
	rs_map_add(&q->by_line, &e->node, hash);
	return &e->source;
}
