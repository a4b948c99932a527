// SPDX-License-Identifier: GPL-2.0-or-later
/* gap-log.c - when events were lost: the last gaps, in bounded memory */
#include "model/gap-log.h"

void rs_gap_log_add(struct rs_gap_log *log, uint64_t from_ns, uint64_t to_ns)
{
	size_t last = (log->first + log->nr - 1) % RS_GAP_LOG_MAX;

	if (log->nr && from_ns <= log->at[last].to_ns && from_ns >= log->at[last].from_ns) {
		if (to_ns > log->at[last].to_ns)
			log->at[last].to_ns = to_ns;
		return;
	}
	if (log->nr == RS_GAP_LOG_MAX) {
		if (log->at[log->first].to_ns > log->dropped_to_ns)
			log->dropped_to_ns = log->at[log->first].to_ns;
		log->first = (log->first + 1) % RS_GAP_LOG_MAX;
		log->nr--;
	}
	last = (log->first + log->nr++) % RS_GAP_LOG_MAX;
	log->at[last].from_ns = from_ns;
	log->at[last].to_ns = to_ns;
}

bool rs_gap_log_has(const struct rs_gap_log *log, uint64_t from_ns, uint64_t to_ns)
{
	if (from_ns < log->dropped_to_ns)
		return true;
	for (size_t i = 0; i < log->nr; i++) {
		size_t at = (log->first + i) % RS_GAP_LOG_MAX;

		if (log->at[at].from_ns < to_ns && log->at[at].to_ns > from_ns)
			return true;
	}
	return false;
}
