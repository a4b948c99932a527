/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ask-parts.h - what the files of ask.h share: the answer as rows of text */
#ifndef RS_TESTS_ASK_PARTS_H
#define RS_TESTS_ASK_PARTS_H

#include "ask.h"

#include "engine/session.h"
#include "ringside/plugin.h"

#define MAX_ROWS 64

struct rs_answer {
	struct rs_sink sink;      /* first */
	const struct rs_view *view;
	char *rows[MAX_ROWS][RS_MAX_COLUMNS];
	unsigned int nr_rows, nr_columns, nr_invariants;
	const struct ask *ask;
	const char *layout;
	/* of spans */
	struct rs_span_sink spans;
	struct rs_view span_view;
	struct rs_column span_columns[RS_MAX_COLUMNS];
	unsigned int nr_asked, nr_answered; /* of ask->looks */
	unsigned int nr_containers;
	bool container_waits;               /* its reply was not taken yet */
};

/* Fails the test, with its place. */
__attribute__((format(printf, 2, 3), noreturn))
void rs_ask_wrong(const struct rs_answer *a, const char *fmt, ...);

/* As .row of its sink. */
void rs_ask_keep_row(struct rs_sink *sink, const struct rs_value *values);

/* What a session says other than by a view, as rows. The first before the session runs: they come as it does. */
void rs_ask_rows_spans(struct rs_answer *a, struct rs_session *s);
void rs_ask_rows_open(struct rs_answer *a, struct rs_session *s);
void rs_ask_rows_findings(struct rs_answer *a, struct rs_session *s);

/* Fail the test if the rows, or the quality line, are not those expected. */
void rs_ask_compare_rows(const struct rs_answer *a, const char *const *expected);
void rs_ask_compare_quality(const struct rs_answer *a, struct rs_session *s, const char *const *expected);

#endif
