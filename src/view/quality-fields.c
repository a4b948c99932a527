// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/quality-fields.h"

#define QUALITY_FIELDS_AT(member) offsetof(struct rs_quality, member)

const struct rs_quality_field rs_quality_source_fields[] = {
	{ "version", RS_QUALITY_TEXT, QUALITY_FIELDS_AT(version) },
	{ "kernel", RS_QUALITY_TEXT, QUALITY_FIELDS_AT(kernel) },
	{ "clock", RS_QUALITY_TEXT, QUALITY_FIELDS_AT(clock) },
	{ "unit", RS_QUALITY_TEXT, QUALITY_FIELDS_AT(unit) },
	{ "realtime_offset_ns", RS_QUALITY_REALTIME, QUALITY_FIELDS_AT(realtime_offset_ns) },
	{ "filters", RS_QUALITY_FILTERS, QUALITY_FIELDS_AT(filters) },
	{ .key = NULL },
};

const struct rs_quality_field rs_quality_count_fields[] = {
	{ "events", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(events) },
	{ "lost", RS_QUALITY_LOST, 0 },
	{ "lost_by_cpu", RS_QUALITY_LOST_BY_CPU, 0 },
	{ "gaps", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(gaps) },
	{ "gaps_uncounted", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(gaps_uncounted) },
	{ "unmatched", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(unmatched) },
	{ "discarded", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(discarded) },
	{ "inferred", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(inferred) },
	{ "in_flight", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(in_flight) },
	{ "evicted", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(evicted) },
	{ "from_ns", RS_QUALITY_TIME, QUALITY_FIELDS_AT(from_ns) },
	{ "to_ns", RS_QUALITY_TIME, QUALITY_FIELDS_AT(to_ns) },
	{ "late", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(late) },
	{ "bad_pages", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(bad_pages) },
	{ "bad_records", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(bad_records) },
	{ "all_tasks", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(all_tasks) },
	{ "no_wakings", RS_QUALITY_COUNT, QUALITY_FIELDS_AT(no_wakings) },
	{ .key = NULL },
};
