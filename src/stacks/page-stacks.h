/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page-stacks.h - finds the stacks of programs in pages that are copied to a recording, whose symbols it
 * saves
 *
 *	rs_page_stacks_init(&p, &source->info, builder);
 *	rs_page_stacks_take(&p, page->data, page->len_bytes);    // each page
 *	rs_stack_builder_put_symbols(builder, &out);             // at the end
 */
#ifndef RS_STACKS_PAGE_STACKS_H
#define RS_STACKS_PAGE_STACKS_H

#include "decode/page.h"
#include "decode/stack-record.h"

#define RS_PAGE_STACKS_SEEN 4096u

struct rs_stack_builder;

struct rs_page_stacks {
	struct rs_stack_builder *builder;  /* NULL: the pages have no stacks of programs */
	struct rs_page_layout layout;
	struct rs_common common;
	struct rs_stack_record record;
	uint64_t seen[RS_PAGE_STACKS_SEEN]; /* stacks of late, by a hash: most come again and again */
};

/* To be called before the builder follows the first record. */
void rs_page_stacks_init(struct rs_page_stacks *p, const struct rs_trace_info *info,
			 struct rs_stack_builder *builder);
void rs_page_stacks_take(struct rs_page_stacks *p, const uint8_t *page, size_t len_bytes);

#endif
