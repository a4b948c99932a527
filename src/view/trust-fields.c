// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/trust-fields.h"

#define AT(member) offsetof(struct rs_trust, member)

const struct rs_trust_field rs_trust_source_fields[] = {
	{ "version", RS_TRUST_TEXT, AT(version) },
	{ "kernel", RS_TRUST_TEXT, AT(kernel) },
	{ "clock", RS_TRUST_TEXT, AT(clock) },
	{ "unit", RS_TRUST_TEXT, AT(unit) },
	{ "realtime_offset_ns", RS_TRUST_REALTIME, AT(realtime_offset_ns) },
	{ "filters", RS_TRUST_FILTERS, AT(filters) },
	{ .key = NULL },
};

const struct rs_trust_field rs_trust_count_fields[] = {
	{ "events", RS_TRUST_COUNT, AT(events) },
	{ "lost", RS_TRUST_LOST, 0 },
	{ "lost_by_cpu", RS_TRUST_LOST_BY_CPU, 0 },
	{ "gaps", RS_TRUST_COUNT, AT(gaps) },
	{ "gaps_uncounted", RS_TRUST_COUNT, AT(gaps_uncounted) },
	{ "orphans", RS_TRUST_COUNT, AT(orphans) },
	{ "voided", RS_TRUST_COUNT, AT(voided) },
	{ "inferred", RS_TRUST_COUNT, AT(inferred) },
	{ "in_flight", RS_TRUST_COUNT, AT(in_flight) },
	{ "evicted", RS_TRUST_COUNT, AT(evicted) },
	{ "from_ns", RS_TRUST_TIME, AT(from_ns) },
	{ "to_ns", RS_TRUST_TIME, AT(to_ns) },
	{ "late", RS_TRUST_COUNT, AT(late) },
	{ "bad_pages", RS_TRUST_COUNT, AT(bad_pages) },
	{ "bad_records", RS_TRUST_COUNT, AT(bad_records) },
	{ "all_tasks", RS_TRUST_COUNT, AT(all_tasks) },
	{ "no_wakings", RS_TRUST_COUNT, AT(no_wakings) },
	{ .key = NULL },
};
