/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * condition.h - what --when asks for: "slow: runqlat.p99 > 10ms for 2s until 5ms"
 *
 *	condition = rs_condition_new("--when", text, &err);  // "--when: at 9: runqlat has no column ..."
 *	if (rs_expression_passes(&condition->begins, values)) ...
 *
 *	[NAME:] VIEW.COLUMN[{WHERE}] OPERATOR VALUE [CLAUSE...]
 *	[NAME:] lost OPERATOR VALUE [CLAUSE...]   events that the trace lost
 *	[NAME:] finding RULE [for NAME] [CLAUSE...]          a finding of the rule whose victim has the name
 *	CLAUSE: for TIME, until VALUE, every TIME, except HH:MM-HH:MM
 *
 * WHERE, OPERATOR and VALUE are those of expressions (view/expression.h). A column may be written without its
 * unit (p99 is p99_ns), or with another one of time (lat_ms > 100 is lat_ns > 100ms). A histogram has its
 * keys and count, avg, p50, p95, p99, p999, max. All kinds judge rows by expressions; they differ in where
 * the rows come from alone.
 */
#ifndef RS_WHEN_CONDITION_H
#define RS_WHEN_CONDITION_H

#include "engine/session.h"
#include "view/expression.h"
#include "when/alarm.h"

#define RS_CONDITION_BYTES 500 /* of text */
#define RS_CONDITION_NAME 64
#define RS_CONDITION_EVERY_NS 60000000000u /* fires at most once in that time, if it says no other */

enum rs_condition_of { RS_CONDITION_OF_VIEW, RS_CONDITION_OF_FINDINGS, RS_CONDITION_OF_TRACE };

/* The columns of rows that are of no view. */
enum { RS_CONDITION_RULE, RS_CONDITION_VICTIM, RS_CONDITION_NR_FINDING_COLUMNS };
enum { RS_CONDITION_LOST, RS_CONDITION_NR_TRACE_COLUMNS };

struct rs_condition {
	char text[RS_CONDITION_BYTES + 1]; /* without the name */
	char name[RS_CONDITION_NAME];      /* "": none was given */
	enum rs_condition_of of;
	struct rs_view_ref ref;            /* OF_VIEW */
	struct rs_query query;             /* that brings the keys which WHERE compares */
	/* of the rows that are judged: .ref.view, or one made for a histogram, findings, the trace */
	const struct rs_view *view;
	struct rs_view made;
	struct rs_column *made_columns;    /* of a histogram */
	int column;                        /* of view: what is compared; -1: a finding */
	bool is_least;                  /* < or <=: the lowest value is what is told */
	struct rs_expression where, begins;
	struct rs_expression goes_on;      /* once it is on; as begins, unless until says another value */
	struct rs_alarm_limits limits;
};

/*
 * what: begins messages, followed by the place in the text. NULL: err, wrong usage; the text may be freed
 * afterwards.
 */
struct rs_condition *rs_condition_new(const char *what, const char *text, struct rs_error *err);
void rs_condition_free(struct rs_condition *c);

#endif
