// SPDX-License-Identifier: GPL-2.0-or-later
/* stack-record - reads the kernel's own events kernel_stack and user_stack */
#include "decode/stack-record.h"

#include "base/buf.h"

#define USER_CALLERS 8u                 /* the kernel always writes so many, the last ones 0 */

bool rs_stack_record_bind(struct rs_stack_record *r, struct rs_formats *formats,
			  const struct rs_trace_info *info, bool is_user)
{
	const char *const fields[] = { is_user ? "tgid" : "size", "caller", NULL };
	const char *missing;

	r->is_user = is_user;
	r->long_bytes = info->long_bytes;
	if (rs_formats_bind(formats, "ftrace", is_user ? "user_stack" : "kernel_stack", fields, &r->bound,
			    &missing) != RS_BIND_OK)
		return false;
	/* the format says 8, and a record has as many as there are */
	r->bound.min_len_bytes = r->bound.fields[RS_STACK_RECORD_CALLERS].offset_bytes;
	return true;
}

/* 0, and the end mark of kernels before 5.2, end the addresses. */
unsigned int rs_stack_record_read(const struct rs_stack_record *r, const struct rs_event *ev,
				  uint64_t *addresses, unsigned int max, bool *cut)
{
	const struct rs_field *callers = &r->bound.fields[RS_STACK_RECORD_CALLERS];
	uint64_t nr = r->is_user ? UINT64_MAX : rs_u64(ev, &r->bound.fields[RS_STACK_RECORD_NR]);
	uint64_t room = ev->len_bytes > callers->offset_bytes ?
				(ev->len_bytes - callers->offset_bytes) / r->long_bytes :
				0;
	struct rs_field one = { callers->offset_bytes, (uint16_t)r->long_bytes,
				callers->flags & RS_FIELD_SWAP };
	unsigned int at = 0;

	if (room > max)
		room = max;
	*cut = nr > room;
	for (; at < nr && at < room; at++, one.offset_bytes = (uint16_t)(one.offset_bytes + r->long_bytes)) {
		addresses[at] = rs_u64(ev, &one);
		if (!addresses[at] || addresses[at] == (r->long_bytes == 4 ? UINT32_MAX : UINT64_MAX)) {
			*cut = false;
			break;
		}
	}
	return at;
}

void rs_stack_record_split(const struct rs_sample_event *ev, struct rs_stack_chain *chain)
{
	enum { OTHER, KERNEL, USER } part = OTHER;
	bool is_marked = false;

	chain->nr_kernel = chain->nr_user = 0;
	for (uint64_t i = 0; i < ev->nr_frames; i++) {
		uint64_t address = rs_sample_record_frame(ev, i);

		if (address >= (uint64_t)PERF_CONTEXT_MAX)
			part = address == (uint64_t)PERF_CONTEXT_KERNEL ? KERNEL :
			       address == (uint64_t)PERF_CONTEXT_USER   ? USER :
									  OTHER;
		else if (part == KERNEL && chain->nr_kernel < RS_STACK_RECORD_MAX_KERNEL)
			chain->kernel[chain->nr_kernel++] = address;
		else if (part == USER && chain->nr_user < RS_STACK_RECORD_MAX_USER)
			/*
			 * one that was interrupted follows a mark of its own: a reader takes all but the
			 * first for return addresses
			 */
			chain->user[chain->nr_user++] = address + is_marked;
		is_marked = address >= (uint64_t)PERF_CONTEXT_MAX && part == USER && chain->nr_user;
	}
}

static void stack_record_fill(struct rs_buf *out, size_t to_bytes)
{
	while (!out->failed && out->len < to_bytes)
		rs_buf_putc(out, '\0');
}

/* The head is the event's, but for the type. */
static void stack_record_begin(struct rs_buf *out, const struct rs_page_layout *layout,
			       const struct rs_stack_place *place, const uint8_t *head, uint32_t first)
{
	rs_buf_clear(out);
	rs_page_add_number(layout, out, place->id, 2);
	rs_buf_add(out, head + 2, RS_STACK_RECORD_HEAD_BYTES - 2);
	stack_record_fill(out, place->first_at);
	rs_page_add_number(layout, out, first, 4);
	stack_record_fill(out, place->callers_at);
}

void rs_stack_record_put_kernel(struct rs_buf *out, const struct rs_page_layout *layout,
				const struct rs_stack_place *place, const uint8_t *head,
				const struct rs_stack_chain *chain)
{
	stack_record_begin(out, layout, place, head, chain->nr_kernel);
	for (unsigned int i = 0; i < chain->nr_kernel; i++)
		rs_page_add_number(layout, out, chain->kernel[i], layout->long_bytes);
}

/* A 0 says that there are no more callers: without it they are not known. */
void rs_stack_record_put_user(struct rs_buf *out, const struct rs_page_layout *layout,
			      const struct rs_stack_place *place, const uint8_t *head,
			      const struct rs_stack_chain *chain, int32_t pid)
{
	unsigned int nr = chain->nr_user;

	stack_record_begin(out, layout, place, head, (uint32_t)pid);
	for (unsigned int i = 0; i < nr || i < USER_CALLERS || (i == nr && i < RS_STACK_RECORD_MAX_USER); i++)
		rs_page_add_number(layout, out, i < nr ? chain->user[i] : 0, layout->long_bytes);
}
