// SPDX-License-Identifier: GPL-2.0-or-later
/* event-ids - finds out which event types a recording contains */
#include "decode/event-ids.h"

#include <stdlib.h>
#include <string.h>

#include "decode/page.h"
#include "source/source.h"

struct rs_event_ids {
	struct rs_source *source;
	struct rs_page_layout layout;
	struct rs_common common;
	struct rs_event_id_set seen;
	unsigned int next_cpu, nr_left; /* the CPU to read next; CPUs that may have another page */
	bool *ended;                    /* by CPU */
};

struct rs_event_ids *rs_event_ids_new(const struct rs_source *of, struct rs_formats *formats)
{
	const struct rs_trace_info *info = &of->info;
	struct rs_event_ids *e = calloc(1, sizeof *e);
	struct rs_error ignored = { 0 }; /* the session meets and reports it, too */

	if (!e)
		return NULL;
	e->ended = calloc(info->nr_cpus + 1, sizeof *e->ended);
	e->source = of->ops->again ? of->ops->again(of, &ignored) : NULL;
	e->nr_left = info->nr_cpus;
	if (e->ended && e->source && rs_formats_common(formats, &e->common) &&
	    rs_page_layout_of(&e->layout, info, &ignored) == 0)
		return e;
	rs_event_ids_free(e);
	return NULL;
}

void rs_event_ids_free(struct rs_event_ids *e)
{
	if (!e)
		return;
	if (e->source)
		e->source->ops->close(e->source);
	free(e->ended);
	free(e);
}

/* See read_common in engine/session.c. */
static void event_ids_walk(struct rs_event_ids *e, const struct rs_page *page)
{
	bool swaps = e->common.type.flags & RS_FIELD_SWAP;
	struct rs_page_cursor at;
	uint16_t id;

	if (!rs_page_load(&at, &e->layout, page->data, page->len_bytes))
		return;
	while (rs_page_next(&at)) {
		if (at.len_bytes < e->common.min_len_bytes)
			continue;
		memcpy(&id, at.record + e->common.type.offset_bytes, sizeof id);
		rs_event_id_set_add(&e->seen, swaps ? __builtin_bswap16(id) : id);
	}
}

/* CPU by CPU in turn: they mostly have the same kinds. */
static void event_ids_read_on(struct rs_event_ids *e)
{
	unsigned int cpu = e->next_cpu;
	struct rs_error ignored = { 0 };
	struct rs_page page;

	e->next_cpu = (cpu + 1) % e->source->info.nr_cpus;
	if (e->ended[cpu])
		return;
	if (e->source->ops->next(e->source, cpu, &page, &ignored) == RS_NEXT_PAGE) {
		event_ids_walk(e, &page);
	} else {
		e->ended[cpu] = true;
		e->nr_left--;
	}
}

bool rs_event_ids_has(struct rs_event_ids *e, uint32_t id)
{
	while (!rs_event_id_set_has(&e->seen, id) && e->nr_left)
		event_ids_read_on(e);
	return rs_event_id_set_has(&e->seen, id);
}
