// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * page-stacks - finds the stacks of programs in pages that are copied to a recording, whose symbols it saves
 */
#include "stacks/page-stacks.h"

#include "ringside/event.h"
#include "stacks/stack-builder.h"

void rs_page_stacks_init(struct rs_page_stacks *p, const struct rs_trace_info *info,
			 struct rs_stack_builder *builder)
{
	struct rs_error ignored = { 0 };
	struct rs_formats *formats = builder ? rs_formats_new(info, &ignored) : NULL;

	*p = (struct rs_page_stacks){ .builder = NULL };
	if (formats && rs_page_layout_of(&p->layout, info, &ignored) == 0 &&
	    rs_stack_record_bind(&p->record, formats, info, true) && rs_formats_common(formats, &p->common) &&
	    rs_stack_builder_see(builder, 0, NULL, 0))
		p->builder = builder;
	rs_formats_free(formats);
}

static void page_stacks_add(struct rs_page_stacks *p, const struct rs_event *ev)
{
	int32_t pid = (int32_t)rs_u64(ev, &p->record.bound.fields[RS_STACK_RECORD_TGID]);
	uint64_t addresses[RS_STACK_RECORD_MAX_USER], hash = (uint32_t)pid, *seen;
	struct rs_stack_address frames[RS_STACK_RECORD_MAX_USER];
	unsigned int nr;
	bool cut;

	nr = rs_stack_record_read(&p->record, ev, addresses, RS_STACK_RECORD_MAX_USER, &cut);
	for (unsigned int i = 0; i < nr; i++) {
		frames[i] = (struct rs_stack_address){ addresses[i], .caller = i > 0 };
		hash = rs_hash_pair(hash, addresses[i]);
	}
	seen = &p->seen[hash % RS_PAGE_STACKS_SEEN];
	if (*seen != hash)
		rs_stack_builder_see(p->builder, pid, frames, nr);
	*seen = hash;
}

void rs_page_stacks_take(struct rs_page_stacks *p, const uint8_t *page, size_t len_bytes)
{
	struct rs_page_cursor c;

	if (!p->builder || !rs_page_load(&c, &p->layout, page, len_bytes))
		return;
	while (rs_page_next(&c)) {
		const struct rs_event ev = { .data = c.record, .len_bytes = c.len_bytes };

		if (c.len_bytes >= p->record.bound.min_len_bytes &&
		    rs_u64(&ev, &p->common.type) == p->record.bound.id)
			page_stacks_add(p, &ev);
	}
}
