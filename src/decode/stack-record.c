// SPDX-License-Identifier: GPL-2.0-or-later
#include "decode/stack-record.h"

bool rs_stack_record_bind(struct rs_stack_record *r, struct rs_formats *formats, const struct rs_trace_info *info, bool is_user)
{
	const char *const fields[] = { is_user ? "tgid" : "size", "caller", NULL };
	const char *missing;

	r->is_user = is_user;
	r->long_bytes = info->long_bytes;
	if (rs_formats_bind(formats, "ftrace", is_user ? "user_stack" : "kernel_stack", fields, &r->bound, &missing) != RS_BIND_OK)
		return false;
	/* the format says 8, and a record has as many as there are */
	r->bound.min_len_bytes = r->bound.fields[RS_STACK_RECORD_CALLERS].offset_bytes;
	return true;
}

/* 0, and the end mark of kernels before 5.2, end the addresses. */
unsigned int rs_stack_record_read(const struct rs_stack_record *r, const struct rs_event *ev, uint64_t *addresses, unsigned int max, bool *cut)
{
	const struct rs_field *callers = &r->bound.fields[RS_STACK_RECORD_CALLERS];
	uint64_t nr = r->is_user ? UINT64_MAX : rs_u64(ev, &r->bound.fields[RS_STACK_RECORD_NR]);
	uint64_t room = ev->len_bytes > callers->offset_bytes ? (ev->len_bytes - callers->offset_bytes) / r->long_bytes : 0;
	struct rs_field one = { callers->offset_bytes, (uint16_t)r->long_bytes, callers->flags & RS_FIELD_SWAP };
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
