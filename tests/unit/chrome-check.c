// SPDX-License-Identifier: GPL-2.0-or-later
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chrome-check.h"
#include "engine/session.h"
#include "export/export.h"

/* ---- making one ---- */

void rs_chrome_run_pass(struct rs_export *e, unsigned int pass, struct rs_source *source, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_session_config config = { .arg = e, .from_ns = from_ns, .to_ns = to_ns };
	struct rs_error err = { 0 };
	struct rs_session *s;
	struct rs_quality quality;

	for (size_t i = 0; e->spans[pass] && rs_plugins_all()[i]; i++)
		config.analyses[config.nr_analyses++] = rs_plugins_all()[i];
	config.analyses[config.nr_analyses++] = e->subscriber[pass];
	s = rs_session_new(&config, &err);
	ck_assert_ptr_nonnull(s);
	ck_assert_int_eq(rs_session_emit_span(s, &e->sink), 0);
	ck_assert_msg(rs_session_attach(s, source, &err) == 0, "%s", err.text);
	e->begin(e, pass, &source->info, 0);
	while (rs_session_run(s, 100, &err) == RS_RUN_MORE)
		;
	rs_session_end(s);
	rs_session_quality(s, &quality);
	e->end(e, pass, &quality);
	rs_session_free(s);
}

struct chrome *rs_chrome_export(struct rs_source *source, bool compat, uint64_t from_ns, uint64_t to_ns)
{
	const struct rs_export_options options = { .compat = compat };
	struct rs_buf out = RS_BUF_INIT;
	struct rs_export *e = rs_export_find("chrome", NULL)->make(&options, &out);
	struct chrome *t;
	bool empty;

	ck_assert_ptr_nonnull(e);
	rs_chrome_run_pass(e, 0, source, from_ns, to_ns);
	if (compat) /* the second reading needs a source of its own: here only its frame is looked at */
		e->begin(e, 1, &source->info, 0), e->end(e, 1, &(struct rs_quality){ 0 });
	e->close(e);
	empty = e->is_empty(e);
	e->free(e);
	source->ops->close(source);
	t = rs_chrome_parse(out.data);
	t->empty = empty;
	return t;
}

struct chrome *rs_chrome_parse(char *text)
{
	struct chrome *t = calloc(1, sizeof *t);
	const char *end;

	t->text = text;
	t->root = cJSON_ParseWithOpts(t->text, &end, true);
	ck_assert_msg(t->root, "no JSON at: %.80s", end);
	t->events = cJSON_GetObjectItem(t->root, "traceEvents");
	ck_assert(cJSON_IsArray(t->events));
	t->lossy = rs_chrome_count(t, "i", "lost events") > 0;
	return t;
}

void rs_chrome_free(struct chrome *t)
{
	cJSON_Delete(t->root);
	free(t->text);
	free(t);
}

/* ---- looking ---- */

static const char *text_of(const cJSON *event, const char *key)
{
	const cJSON *v = cJSON_GetObjectItem(event, key);

	return cJSON_IsString(v) ? v->valuestring : NULL;
}

double rs_chrome_number(const cJSON *event, const char *key)
{
	const cJSON *v = cJSON_GetObjectItem(event, key);

	ck_assert_msg(cJSON_IsNumber(v), "no number %s in %s", key, cJSON_PrintUnformatted(event));
	return v->valuedouble;
}

static bool is(const cJSON *event, const char *ph, const char *name)
{
	return (!ph || !strcmp(text_of(event, "ph"), ph)) && (!name || !strcmp(text_of(event, "name"), name));
}

unsigned int rs_chrome_count(const struct chrome *t, const char *ph, const char *name)
{
	unsigned int nr = 0;
	const cJSON *event;

	cJSON_ArrayForEach(event, t->events)
		nr += is(event, ph, name);
	return nr;
}

const cJSON *rs_chrome_only(const struct chrome *t, const char *ph, const char *name)
{
	const cJSON *event, *found = NULL;

	ck_assert_msg(rs_chrome_count(t, ph, name) == 1, "%u of %s %s", rs_chrome_count(t, ph, name), ph, name);
	cJSON_ArrayForEach(event, t->events)
		if (is(event, ph, name))
			found = event;
	return found;
}

/* ---- the laws ---- */

static long long ns(const cJSON *event, const char *key)
{
	return llround(rs_chrome_number(event, key) * 1000);
}

static void check_fields(const cJSON *event)
{
	const char *ph = text_of(event, "ph"), *name = text_of(event, "name");

	ck_assert_msg(ph && strlen(ph) == 1 && strchr("XTiCstfbeM", *ph), "phase %s", ph);
	ck_assert_msg(name && *name, "no name: %s", cJSON_PrintUnformatted(event));
	for (int i = 0; i < 2; i++) {
		double id = rs_chrome_number(event, i ? "pid" : "tid");

		ck_assert(id >= 0 && id <= 4294967295.0 && id == floor(id));
	}
	ck_assert(rs_chrome_number(event, "ts") >= 0);
	if (*ph == 'X' || *ph == 'T')
		ck_assert(rs_chrome_number(event, "dur") >= 0);
	if (*ph == 'i')
		ck_assert_ptr_nonnull(text_of(event, "s"));
	if (*ph == 'f')
		ck_assert_str_eq(text_of(event, "bp"), "e");
}

struct piece {
	unsigned int pid, tid;
	long long from, to;
};

static int by_track(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to > y->to ? -1 : x->to < y->to;
}

/* Those of one phase, by track and begin, the longer of two first; *nr of them, to be freed. */
static struct piece *pieces(const struct chrome *t, const char *ph, size_t *nr)
{
	struct piece *all = calloc((size_t)cJSON_GetArraySize(t->events) + 1, sizeof *all);
	const cJSON *event;

	*nr = 0;
	cJSON_ArrayForEach(event, t->events)
		if (is(event, ph, NULL))
			all[(*nr)++] = (struct piece){ rs_chrome_number(event, "pid"), rs_chrome_number(event, "tid"),
						       ns(event, "ts"), ns(event, "ts") + ns(event, "dur") };
	qsort(all, *nr, sizeof *all, by_track);
	return all;
}

static bool same_track(const struct piece *a, const struct piece *b)
{
	return a->pid == b->pid && a->tid == b->tid;
}

/* Each slice lies within the one that is open, or behind it. */
static void check_nesting(const struct chrome *t)
{
	struct piece stack[512];
	unsigned int depth = 0;
	size_t nr;
	struct piece *all = pieces(t, "X", &nr);

	for (size_t i = 0; i < nr; i++) {
		while (depth && (!same_track(&stack[depth - 1], &all[i]) || stack[depth - 1].to <= all[i].from))
			depth--;
		ck_assert_msg(!depth || all[i].to <= stack[depth - 1].to, "slice [%lld, %lld] of %u/%u overlaps [%lld, %lld]",
			      all[i].from, all[i].to, all[i].pid, all[i].tid, stack[depth - 1].from, stack[depth - 1].to);
		ck_assert_uint_lt(depth, 512);
		stack[depth++] = all[i];
	}
	free(all);
}

/* Of states that begin at once, all but the last have no length. */
static int by_end(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (same_track(x, y) && x->from == y->from)
		return x->to < y->to ? -1 : x->to > y->to;
	return by_track(a, b);
}

static void check_states(const struct chrome *t)
{
	size_t nr;
	struct piece *all = pieces(t, "T", &nr);

	qsort(all, nr, sizeof *all, by_end);
	for (size_t i = 1; i < nr; i++)
		ck_assert_msg(!same_track(&all[i - 1], &all[i]) || all[i - 1].to <= all[i].from,
			      "states of %u overlap: [%lld, %lld] and [%lld, %lld]", all[i].tid, all[i - 1].from, all[i - 1].to,
			      all[i].from, all[i].to);
	free(all);
}

/* The id of a flow, or of an asynchronous event; -1 none. */
static double id_of(const cJSON *event)
{
	const cJSON *id2 = cJSON_GetObjectItem(event, "id2");

	if (id2)
		return atof(text_of(id2, "local"));
	return cJSON_GetObjectItem(event, "id") ? rs_chrome_number(event, "id") : -1;
}

/* Begin, steps and end stand one after the other, with an id that nobody else has, in order of time. step: NULL: none. */
static void check_pairs(const struct chrome *t, const char *begin, const char *step, const char *end)
{
	const cJSON *event, *first = NULL;
	double last_id = -1;

	cJSON_ArrayForEach(event, t->events) {
		if (is(event, begin, NULL)) {
			ck_assert_ptr_null(first);
			ck_assert(id_of(event) > last_id);
			last_id = id_of(event);
			first = event;
		} else if (is(event, end, NULL) || (step && is(event, step, NULL))) {
			ck_assert_ptr_nonnull(first);
			ck_assert(id_of(event) == last_id);
			ck_assert_str_eq(text_of(event, "cat"), text_of(first, "cat"));
			ck_assert(ns(event, "ts") >= ns(first, "ts"));
			first = is(event, end, NULL) ? NULL : event;
		}
	}
	ck_assert_ptr_null(first);
}

static bool is_within(const cJSON *event, const cJSON *slice)
{
	return rs_chrome_number(event, "pid") == rs_chrome_number(slice, "pid") && rs_chrome_number(event, "tid") == rs_chrome_number(slice, "tid") &&
	       ns(event, "ts") >= ns(slice, "ts") && ns(event, "ts") < ns(slice, "ts") + ns(slice, "dur");
}

static bool is_on_path(const cJSON *event)
{
	return text_of(event, "cat") && !strcmp(text_of(event, "cat"), "critical-path");
}

/* Each end of a flow of a critical path is within a slice of it. */
static void check_paths(const struct chrome *t)
{
	const cJSON *event, *slice;

	cJSON_ArrayForEach(event, t->events) {
		unsigned int nr = 0;

		if (is(event, "X", NULL) || !is_on_path(event))
			continue;
		cJSON_ArrayForEach(slice, t->events)
			nr += is(slice, "X", NULL) && is_on_path(slice) && is_within(event, slice);
		ck_assert_msg(nr, "no slice at %s", cJSON_PrintUnformatted(event));
	}
}

static void check_names(const struct chrome *t)
{
	const cJSON *event;

	cJSON_ArrayForEach(event, t->events) {
		const cJSON *args = cJSON_GetObjectItem(event, "args");

		if (is(event, "M", NULL))
			ck_assert(cJSON_GetObjectItem(args, "name") || cJSON_GetObjectItem(args, "sort_index"));
	}
}

void rs_chrome_check(const struct chrome *t)
{
	const cJSON *event;

	cJSON_ArrayForEach(event, t->events)
		check_fields(event);
	check_nesting(t);
	check_states(t);
	check_pairs(t, "s", "t", "f");
	check_pairs(t, "b", NULL, "e");
	check_paths(t);
	check_names(t);
	ck_assert_ptr_nonnull(cJSON_GetObjectItem(t->root, "metadata"));
	for (const char *p = t->text; (p = strstr(p, "\\ud")); p++)
		ck_abort_msg("a surrogate escape makes one reader refuse the file");
}
