// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/irq-sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rs_irq_sources_done(struct rs_irq_sources *q)
{
	struct rs_irq_bucket *next;

	for (unsigned int i = 0; i < RS_NR_IRQ_BUCKETS; i++)
		for (; q->buckets[i]; q->buckets[i] = next) {
			next = q->buckets[i]->chain;
			free(q->buckets[i]);
		}
}

static bool is_source(const struct rs_irq_source *s, enum rs_irq_kind kind, uint32_t nr, const char *name)
{
	return s->nr == nr && s->kind == kind && !strcmp(s->name, name);
}

/* A chain has a limit of its own: a hostile file names one line in many ways. */
#define MAX_CHAIN 64

const struct rs_irq_source *rs_irq_sources_get(struct rs_irq_sources *q, enum rs_irq_kind kind, uint32_t nr, const char *name)
{
	struct rs_irq_bucket **at = &q->buckets[(nr * 2 + kind) % RS_NR_IRQ_BUCKETS];
	unsigned int steps = 0;

	if (kind == RS_SOFTIRQ)
		name = nr < RS_MAX_SOFTIRQS ? q->softirq_names[nr] : "";
	for (; *at && steps < MAX_CHAIN; at = &(*at)->chain, steps++)
		if (is_source(&(*at)->source, kind, nr, name))
			return &(*at)->source;
	if (*at || steps == MAX_CHAIN || q->nr == RS_MAX_IRQ_SOURCES || !(*at = calloc(1, sizeof **at)))
		return NULL;
	(*at)->source = (struct rs_irq_source){ .kind = kind, .nr = nr, .index = q->nr++ };
	snprintf((*at)->source.name, sizeof (*at)->source.name, "%s", name);
	return &(*at)->source;
}
