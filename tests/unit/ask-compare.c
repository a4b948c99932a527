// SPDX-License-Identifier: GPL-2.0-or-later
/* ask-compare - compares the rows that came, and the quality line, with those expected */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask-parts.h"

static int find_column(const struct rs_answer *a, const char *name, size_t len)
{
	for (unsigned int i = 0; i < a->nr_columns; i++)
		if (strlen(a->view->columns[i].name) == len && !memcmp(a->view->columns[i].name, name, len))
			return i;
	rs_ask_wrong(a, "there is no column \"%.*s\"", (int)len, name);
}

/* Takes the next "name=value" or "name='va lue'" off *at; false at the end. */
static bool next_cell(const struct rs_answer *a, const char **at, const char **name, size_t *name_len,
		      const char **value, size_t *value_len)
{
	const char *equals;

	*at += strspn(*at, " ");
	if (!**at)
		return false;
	*name = *at;
	equals = strchr(*at, '=');
	if (!equals)
		rs_ask_wrong(a, "expected name=value at \"%s\"", *at);
	*name_len = equals - *at;
	*value = equals + 1;
	if (**value == '\'') {
		++*value;
		*value_len = strcspn(*value, "'");
		*at = *value + *value_len + 1;
	} else {
		*value_len = strcspn(*value, " ");
		*at = *value + *value_len;
	}
	return true;
}

static bool row_is(const struct rs_answer *a, unsigned int row, const char *expected)
{
	const char *name, *value;
	size_t name_len, value_len;

	while (next_cell(a, &expected, &name, &name_len, &value, &value_len)) {
		const char *is = a->rows[row][find_column(a, name, name_len)];

		if (strlen(is) != value_len || memcmp(is, value, value_len))
			return false;
	}
	return true;
}

/* All rows, with the columns that the expected row names: what a failure has to show. */
static void fail_with_rows(const struct rs_answer *a, const char *what, const char *expected)
{
	char text[4096] = "";
	size_t len = 0;

	for (unsigned int row = 0; row < a->nr_rows; row++) {
		const char *at = expected, *name, *value;
		size_t name_len, value_len;

		len += snprintf(text + len, sizeof text - len, "\n   came:    ");
		while (len < sizeof text && next_cell(a, &at, &name, &name_len, &value, &value_len))
			len += snprintf(text + len, sizeof text - len, " %.*s=%s", (int)name_len, name,
					a->rows[row][find_column(a, name, name_len)]);
		if (len >= sizeof text)
			break;
	}
	rs_ask_wrong(a, "%s\n   expected: %s%s", what, expected, text);
}

void rs_ask_compare_rows(const struct rs_answer *a, const char *const *expected)
{
	bool in_order = a->view->kind != RS_VIEW_TABLE && !a->ask->some, used[MAX_ROWS] = { false };
	const char *last = "";
	unsigned int nr = 0;

	for (; *expected; expected++) {
		unsigned int row = in_order ? nr : 0;

		if (!strncmp(*expected, "_quality ", 9))
			continue;
		if (in_order && (row >= a->nr_rows || !row_is(a, row, *expected)))
			fail_with_rows(a, "this row is not in its place", *expected);
		for (; !in_order && row < a->nr_rows; row++)
			if (!used[row] && row_is(a, row, *expected))
				break;
		if (row == a->nr_rows)
			fail_with_rows(a, "this row is not there", *expected);
		used[row] = true;
		last = *expected;
		nr++;
	}
	if (nr != a->nr_rows && !a->ask->some)
		fail_with_rows(a, "more rows than expected; the last was", last);
}

static const struct { const char *name; size_t offset; } quality_fields[] = {
	{ "events", offsetof(struct rs_quality, events) }, { "gaps", offsetof(struct rs_quality, gaps) },
	{ "lost_to_ns", offsetof(struct rs_quality, lost_to_ns) },
	{ "gaps_uncounted", offsetof(struct rs_quality, gaps_uncounted) },
	{ "unmatched", offsetof(struct rs_quality, unmatched) }, { "discarded", offsetof(struct rs_quality,
										    discarded) },
	{ "inferred", offsetof(struct rs_quality, inferred) }, { "in_flight", offsetof(struct rs_quality, in_flight) },
	{ "evicted", offsetof(struct rs_quality, evicted) }, { "late", offsetof(struct rs_quality, late) },
	{ "bad_pages", offsetof(struct rs_quality, bad_pages) },
	{ "bad_records", offsetof(struct rs_quality, bad_records) },
	{ "stacks", offsetof(struct rs_quality, stacks) }, { "stacks_unmatched", offsetof(struct rs_quality, stacks_unmatched) },
	{ "samples", offsetof(struct rs_quality, samples) }, { "samples_lost", offsetof(struct rs_quality, samples_lost) },
	{ "all_tasks", offsetof(struct rs_quality, all_tasks) }, { "no_wakings", offsetof(struct rs_quality, no_wakings) },
	{ "from_ns", offsetof(struct rs_quality, from_ns) }, { "to_ns", offsetof(struct rs_quality, to_ns) },
};

static uint64_t quality_value(const struct rs_answer *a, const struct rs_quality *t, const char *name, size_t len)
{
	uint64_t lost = 0;

	for (unsigned int cpu = 0; cpu < t->nr_cpus; cpu++)
		lost += t->lost_by_cpu[cpu];
	if (len == 4 && !memcmp(name, "lost", 4))
		return lost;
	for (size_t i = 0; i < sizeof quality_fields / sizeof *quality_fields; i++)
		if (strlen(quality_fields[i].name) == len && !memcmp(quality_fields[i].name, name, len))
			return *(const uint64_t *)((const char *)t + quality_fields[i].offset);
	rs_ask_wrong(a, "the quality line has no \"%.*s\"", (int)len, name);
}

void rs_ask_compare_quality(const struct rs_answer *a, struct rs_session *s, const char *const *expected)
{
	struct rs_quality quality = { 0 };

	rs_session_quality(s, &quality);
	for (; *expected; expected++) {
		const char *at = *expected + 9, *name, *value;
		size_t name_len, value_len;

		if (strncmp(*expected, "_quality ", 9))
			continue;
		while (next_cell(a, &at, &name, &name_len, &value, &value_len)) {
			uint64_t is = quality_value(a, &quality, name, name_len);

			if (is != strtoull(value, NULL, 10))
				rs_ask_wrong(a, "quality: expected %.*s=%.*s, came %" PRIu64, (int)name_len, name,
				     (int)value_len, value, is);
		}
	}
}
