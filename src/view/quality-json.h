/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quality-json.h - the data quality as members of a JSON object: of _meta, and of the protocol
 */
#ifndef RS_VIEW_QUALITY_JSON_H
#define RS_VIEW_QUALITY_JSON_H

#include "base/json.h"
#include "model/quality.h"

/* version, kernel, clock, unit, realtime_offset_ns, filters */
void rs_quality_json_source(struct rs_json *j, const struct rs_quality *t);
/* events, lost, lost_by_cpu, gaps ... bad_records */
void rs_quality_json_counts(struct rs_json *j, const struct rs_quality *t);

#endif
