// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/quality-json.h"

#include "view/quality-fields.h"

static void quality_json_put_lost_by_cpu(struct rs_json *j, const struct rs_quality *t)
{
	if (!t->lost_by_cpu) {
		rs_json_null(j);
		return;
	}
	rs_json_open(j, '[');
	for (unsigned int cpu = 0; cpu < t->nr_cpus; cpu++)
		if (rs_quality_lost_unknown(t, cpu))
			rs_json_null(j);
		else
			rs_json_u64(j, t->lost_by_cpu[cpu]);
	rs_json_close(j, ']');
}

static void quality_json_put_fields(struct rs_json *j, const struct rs_quality *t,
				    const struct rs_quality_field *fields)
{
	for (const struct rs_quality_field *f = fields; f->key; f++) {
		rs_json_key(j, f->key);
		if (f->kind == RS_QUALITY_LOST_BY_CPU)
			quality_json_put_lost_by_cpu(j, t);
		else if (rs_quality_is_text(f) ? !rs_quality_text(t, f) : !rs_quality_is_known(t, f))
			rs_json_null(j);
		else if (rs_quality_is_text(f))
			rs_json_str(j, rs_quality_text(t, f));
		else if (f->kind == RS_QUALITY_REALTIME)
			rs_json_i64(j, t->realtime_offset_ns);
		else
			rs_json_u64(j, rs_quality_number(t, f));
	}
}

void rs_quality_json_source(struct rs_json *j, const struct rs_quality *t)
{
	quality_json_put_fields(j, t, rs_quality_source_fields);
}

void rs_quality_json_counts(struct rs_json *j, const struct rs_quality *t)
{
	quality_json_put_fields(j, t, rs_quality_count_fields);
}
