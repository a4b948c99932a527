// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/trust-json.h"

static void put_lost(struct rs_json *j, const struct rs_trust *t)
{
	uint64_t lost = rs_trust_lost(t);

	rs_json_put_u64_if(j, "lost", lost || !t->gaps_uncounted, lost);
	rs_json_key(j, "lost_by_cpu");
	if (!t->lost_by_cpu) {
		rs_json_null(j);
		return;
	}
	rs_json_open(j, '[');
	for (unsigned int cpu = 0; cpu < t->nr_cpus; cpu++)
		if (rs_trust_lost_unknown(t, cpu))
			rs_json_null(j);
		else
			rs_json_u64(j, t->lost_by_cpu[cpu]);
	rs_json_close(j, ']');
}

void rs_trust_json_source(struct rs_json *j, const struct rs_trust *t)
{
	rs_json_put_str(j, "version", t->version);
	rs_json_put_str(j, "kernel", t->kernel);
	rs_json_put_str(j, "clock", t->clock);
	rs_json_put_str(j, "unit", t->unit);
	rs_json_key(j, "realtime_offset_ns");
	if (t->realtime_offset_known)
		rs_json_i64(j, t->realtime_offset_ns);
	else
		rs_json_null(j);
	rs_json_put_str(j, "filters", t->filters ? t->filters : "");
}

void rs_trust_json_counts(struct rs_json *j, const struct rs_trust *t)
{
	rs_json_put_u64(j, "events", t->events);
	put_lost(j, t);
	rs_json_put_u64(j, "gaps", t->gaps);
	rs_json_put_u64(j, "gaps_uncounted", t->gaps_uncounted);
	rs_json_put_u64(j, "orphans", t->orphans);
	rs_json_put_u64(j, "voided", t->voided);
	rs_json_put_u64(j, "inferred", t->inferred);
	rs_json_put_u64(j, "in_flight", t->in_flight);
	rs_json_put_u64(j, "evicted", t->evicted);
	rs_json_put_u64_if(j, "from_ns", t->events > 0, t->from_ns);
	rs_json_put_u64_if(j, "to_ns", t->events > 0, t->to_ns);
	rs_json_put_u64(j, "late", t->late);
	rs_json_put_u64(j, "bad_pages", t->bad_pages);
	rs_json_put_u64(j, "bad_records", t->bad_records);
}
