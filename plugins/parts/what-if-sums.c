// SPDX-License-Identifier: GPL-2.0-or-later
/* what-if-sums - the sums of what-if: waits of a process by call and peer, and what a change makes of them */
#include "plugins/parts/what-if-sums.h"

#include <stdio.h>

const struct rs_store rs_what_if_sums_stores[] = {
	[RS_WHAT_IF_WAITS] = { .row_bytes = sizeof(struct rs_what_if_sum), .of_tasks = true,
			       .max_rows = 1 << 14,
			       .measures = RS_LIST(rs_measure,
				{ RS_MEASURE_LATENCY, offsetof(struct rs_what_if_sum, before) },
				{ RS_MEASURE_LATENCY, offsetof(struct rs_what_if_sum, after) },
				RS_MEASURE_SUMS(struct rs_what_if_sum, saved_ns, unknown_ns)) },
	[RS_WHAT_IF_PAIRS] = { .row_bytes = sizeof(struct rs_what_if_pair), .max_rows = 1 << 14,
			       .measures = RS_LIST(rs_measure, { RS_MEASURE_SUM, 0 }) },
	{ 0 },
};

struct rs_what_if_task *rs_what_if_sums_task(struct rs_ctx *c, const struct rs_task *t)
{
	return rs_task_data(c, t);
}

/* ---- keys ---- */

#define KEY_IS_OWN (1ull << 32)
#define KEY_KIND_BIT 40

uint64_t rs_what_if_sums_name_key(const char *comm)
{
	uint64_t words[2] = { 0, 0 };

	snprintf((char *)words, sizeof words, "%s", comm ? comm : "");
	return words[0] ? (uint32_t)rs_hash_u64(words[0] ^ rs_hash_u64(words[1])) : 0;
}

uint64_t rs_what_if_sums_key(int64_t call, enum rs_cause cause, const char *peer)
{
	uint64_t of = call < 0 ? RS_WHAT_IF_KEY_IS_CAUSE | cause :
				 (uint64_t)rs_call_number(call) & (RS_WHAT_IF_KEY_IS_CAUSE - 1);

	return rs_what_if_sums_name_key(peer) << 32 | of;
}

uint64_t rs_what_if_sums_change_key(const struct rs_what_if *w)
{
	uint64_t of = w->kind == RS_WHAT_IF_DISK_FASTER ? w->dev :
		      w->kind == RS_WHAT_IF_NO_CATEGORY ? (uint64_t)w->category :
							  rs_what_if_sums_name_key(w->comm);

	return (uint64_t)w->kind << KEY_KIND_BIT | (w->is_own_thread ? KEY_IS_OWN : 0) | of;
}
