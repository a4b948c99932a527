/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chrome-check.h - a Chrome trace, parsed whole by somebody else's parser and held against what its readers ask
 *
 *	struct chrome *t = rs_chrome_export(source, false);   // runs all analyses over it; takes the source
 *	rs_chrome_check(t);                                    // nesting, ids, fields, overlap
 *	ck_assert_uint_eq(rs_chrome_count(t, "X", "read"), 1);
 *	rs_chrome_free(t);
 */
#ifndef TEST_CHROME_CHECK_H
#define TEST_CHROME_CHECK_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "source/source.h"

struct chrome {
	char *text;
	cJSON *root, *events;
	bool empty; /* of rs_chrome_export: nothing was drawn */
	bool lossy; /* a gap is in it: what a flow is tied to may be void */
};

struct rs_export;

/* One pass of any format, with all analyses; the source stays. */
void rs_chrome_run_pass(struct rs_export *e, unsigned int pass, struct rs_source *source, uint64_t from_ns, uint64_t to_ns);

/* from_ns, to_ns: a stretch of it; 0: all. */
struct chrome *rs_chrome_export(struct rs_source *source, bool compat, uint64_t from_ns, uint64_t to_ns);
/* What was exported elsewhere; takes the text, which is to be freed. */
struct chrome *rs_chrome_parse(char *text);
void rs_chrome_free(struct chrome *t);
void rs_chrome_check(const struct chrome *t);
/* Events of that phase and name; NULL: of any. */
unsigned int rs_chrome_count(const struct chrome *t, const char *ph, const char *name);
/* The only event of that phase and name. */
const cJSON *rs_chrome_only(const struct chrome *t, const char *ph, const char *name);
double rs_chrome_number(const cJSON *event, const char *key);

#endif
