// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-descriptor - what is wrong with a descriptor is said; with those of the built-in analyses nothing is
 */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/plugins.h"
#include "engine/session.h"

static struct rs_column columns[RS_MAX_COLUMNS + 2];
static struct rs_view views[34];
static struct rs_requirement requirements[66];
static struct rs_analysis analysis;

static void handler(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
}

static int rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	return 0;
}

/* One that nothing is wrong with, for a test to spoil. */
static void set_up(void)
{
	memset(columns, 0, sizeof columns);
	memset(views, 0, sizeof views);
	memset(requirements, 0, sizeof requirements);
	columns[0] = (struct rs_column){ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "name" };
	columns[1] = (struct rs_column){ "lat_ns", "LAT", RS_TYPE_DURATION, 0, RS_COLUMN_LATENCY, 8, "how long" };
	views[0] = (struct rs_view){ .name = "a-view", .summary = "s", .kind = RS_VIEW_TABLE, .columns = columns,
				     .text_columns = "comm,lat_ns", .sort = "-lat_ns", .rows = rows };
	requirements[0] = (struct rs_requirement){ "sched", "sched_switch", RS_REQUIRED, RS_BY_ANYONE, handler, { "prev_pid" } };
	analysis = (struct rs_analysis){ .abi = RS_ABI, .name = "an-analysis", .summary = "s", .requirements = requirements, .views = views };
}

static const char *said(void)
{
	static struct rs_error err;

	err = (struct rs_error){ 0 };
	ck_assert_int_eq(rs_descriptor_check(&analysis, &err), err.status ? -1 : 0);
	return err.text;
}

START_TEST(built_in)
{
	struct rs_error err = { 0 };

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		if (rs_descriptor_check(*a, &err) < 0)
			ck_abort_msg("%s: %s", (*a)->name, err.text);
}
END_TEST

/* The screens find these views by their role. */
START_TEST(roles_of_built_in)
{
	unsigned int nr[RS_NR_ROLES] = { 0 };

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_view *v = (*a)->views; v && v->name; v++)
			nr[v->role]++;
	for (unsigned int role = RS_ROLE_NONE + 1; role < RS_NR_ROLES; role++)
		ck_assert_uint_eq(nr[role], 1);
}
END_TEST

START_TEST(sound)
{
	ck_assert_str_eq(said(), "");
	analysis.requirements = NULL;
	ck_assert_str_eq(said(), "");
}
END_TEST

/* Of another ABI nothing but the number is looked at: what is behind it may be anything. */
START_TEST(abi_first)
{
	const struct { uint32_t abi; } other = { RS_ABI + 1 };
	struct rs_error err = { 0 };

	ck_assert_int_eq(rs_descriptor_check((const struct rs_analysis *)(const void *)&other, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "it was built for ABI"));
}
END_TEST

static void name_upper(void) { analysis.name = "An"; }
static void name_null(void) { analysis.name = NULL; }
static void name_long(void) { analysis.name = "a123456789012345678901234567890123"; }
static void base_lines(void) { views[0].base = "a\nb"; }
static void summary_lines(void) { analysis.summary = "a\nb"; }
static void task_big(void) { analysis.task_size = 5000; }
static void view_name(void) { views[0].name = "a b"; }
static void view_kind(void) { views[0].kind = 4; }
static void view_stream(void) { views[0].kind = RS_VIEW_STREAM; }
static void view_columns(void) { views[0].columns = NULL; }
static void view_role(void) { views[0].role = RS_NR_ROLES; }
static void view_text(void) { views[0].text_columns = "comm,nope"; }
static void view_sort(void) { views[0].sort = "-nope"; }
static void view_twice(void) { views[1] = views[0]; }
static void column_name(void) { columns[1].name = "lat-ns"; }
static void column_heading(void) { columns[1].heading = NULL; }
static void column_type(void) { columns[1].type = 0; }
static void column_flag(void) { columns[1].flags = 1 << 20; }
static void column_begin(void) { columns[1].flags = RS_COLUMN_BEGIN; }
static void column_two_latencies(void) { columns[1].flags = RS_COLUMN_LENGTH; columns[2] = columns[1]; columns[2].name = "other_ns"; }
static void sum_text(void) { columns[0].flags = RS_COLUMN_SUM; }
static void sum_latency(void) { columns[1].flags |= RS_COLUMN_SUM; }
static void sum_time(void) { columns[1] = (struct rs_column){ "at_ns", "AT", RS_TYPE_TIME, 0, RS_COLUMN_SUM, 8, "h" }; }
static void parts_twice(void) { columns[0].flags = columns[1].flags = RS_COLUMN_PART; }
static void column_twice(void) { columns[1].name = "comm"; }
static void column_latencies(void) { columns[2] = columns[1]; columns[2].name = "other_ns"; }
static void too_many_keys(void)
{
	static const char *const names[] = { "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", "k10" };

	for (int i = 0; i < RS_MAX_BY + 1; i++)
		columns[i] = (struct rs_column){ names[i], "K", RS_TYPE_ID, 0, RS_COLUMN_KEY, 8, "h" };
	views[0].text_columns = NULL;
}
static void requirement_handler(void) { requirements[0].handler = NULL; }
static void requirement_system(void) { requirements[0].system = NULL; }
static void requirement_fallback(void) { requirements[0].need = RS_FALLBACK; }

static void span_track(void)
{
	static struct rs_span_kind spans[] = { { .name = "s", .track = RS_NR_TRACK_TYPES }, { 0 } };

	analysis.spans = spans;
}

static struct rs_part parts[RS_MAX_PARTS + 2];
static struct rs_panel panel;
static struct rs_latencies latencies[3];
static struct rs_span_kind kinds[2];

static void panel_sound(void)
{
	memset(parts, 0, sizeof parts);
	memset(latencies, 0, sizeof latencies);
	memset(kinds, 0, sizeof kinds);
	parts[0] = (struct rs_part){ "lat_ns", RS_CAUSE_RUN };
	panel = (struct rs_panel){ .kind = RS_PANEL_SPLIT, .title = "T", .columns = "comm", .parts = parts, .sort = "-lat_ns" };
	latencies[0] = (struct rs_latencies){ "lat_ns", .kind = "k", .label_column = "comm" };
	kinds[0] = (struct rs_span_kind){ .name = "k", .shape = RS_SPAN_SLICE, .rate = "calls", .slowest = "call" };
	views[0].panel = &panel;
	views[0].latencies = latencies;
	analysis.spans = kinds;
}

START_TEST(panel_and_latencies)
{
	panel_sound();
	ck_assert_str_eq(said(), "");
	panel.kind = RS_PANEL_TABLE;
	panel.parts = NULL;
	ck_assert_str_eq(said(), "");
}
END_TEST

static void panel_kind(void) { panel_sound(); panel.kind = 3; }
static void panel_columns(void) { panel_sound(); panel.columns = "comm,nope"; }
static void panel_sort(void) { panel_sound(); panel.sort = "nope"; }
static void panel_title(void) { panel_sound(); panel.title = "a\nb"; }
static void panel_no_parts(void) { panel_sound(); panel.parts = NULL; }
static void panel_part_text(void) { panel_sound(); parts[0].column = "comm"; }
static void panel_part_means(void) { panel_sound(); parts[0].cause = RS_NR_CAUSES; }
static void panel_fold(void) { panel_sound(); panel.fold_by = "nope"; }
static void panel_opens_nothing(void) { panel_sound(); panel.opens = ""; }
static void panel_fold_number(void) { panel_sound(); panel.fold_by = "lat_ns"; }
static void panel_of_stream(void) { panel_sound(); views[0].kind = RS_VIEW_STREAM; views[0].rows = NULL; }
static void latencies_column(void) { panel_sound(); latencies[0].columns = "nope"; }
static void latencies_text(void) { panel_sound(); latencies[0].columns = "lat_ns,comm"; }
static void latencies_no_kind(void) { panel_sound(); latencies[0].kind = NULL; }
static void latencies_two_kinds(void) { panel_sound(); latencies[0].kind_column = "comm"; }
static void latencies_label(void) { panel_sound(); latencies[0].label_column = "nope"; }
static void kind_rate(void) { panel_sound(); kinds[0].rate = ""; }
static void kind_instant(void) { panel_sound(); kinds[0].shape = RS_SPAN_INSTANT; }

static void panel_many_parts(void)
{
	panel_sound();
	for (int i = 1; i < RS_MAX_PARTS + 1; i++)
		parts[i] = parts[0];
}

/* Each kind of span that a view names is laid by some analysis. */
START_TEST(latencies_of_built_in)
{
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_view *v = (*a)->views; v && v->name; v++)
			for (const struct rs_latencies *l = v->latencies; l && l->columns; l++) {
				bool found = !l->kind;

				for (const struct rs_analysis *const *b = rs_plugins_all(); *b; b++)
					for (const struct rs_span_kind *k = (*b)->spans; k && k->name; k++)
						found |= l->kind && !strcmp(k->name, l->kind);
				ck_assert_msg(found, "%s: nobody lays '%s'", v->name, l->kind);
			}
}
END_TEST

/* Is it a file of a cgroup, of an interrupt or a CPU, or there? A sysctl is one under /proc/sys; a machine may lack what its kernel was not built with. */
static bool advice_is_file(const char *word)
{
	static const char *const files[] = {
		"cpu.max", "cpu.stat", "cpu.weight", "cpuset.cpus", "io.max", "memory.high", "memory.max", "smp_affinity", "rps_cpus",
		"/sys/kernel/mm/transparent_hugepage/defrag",
	};
	char path[128];

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (!strcmp(files[i], word))
			return true;
	snprintf(path, sizeof path, "/proc/sys/%s", word);
	for (char *at = path; (at = strchr(at, '.')); )
		*at = '/';
	return !access(path, F_OK);
}

/* A word of advice that is no plain word: a file, or one of these, of the C library and of sockets. */
static bool advice_is_known(const char *word)
{
	static const char *const others[] = { "io_uring", "SO_REUSEPORT", "MSG_MORE", "TCP_CORK", "TCP_NODELAY", "pthread_cond_signal" };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(others[i], word))
			return true;
	return !strpbrk(word, "._/") || advice_is_file(word);
}

static void check_advice(const struct rs_rule *rule)
{
	char text[256], *at = text, *word, *last = "";
	struct rs_error err = { 0 };
	struct rs_view_ref ref;

	ck_assert_int_lt(snprintf(text, sizeof text, "%s", rule->advice), (int)sizeof text);
	while ((word = strsep(&at, " ,;:()'"))) {
		if (!strcmp(last, "ringside"))
			ck_assert_msg(rs_requirements_find_view(word, &ref, &err), "rule %s: %s", rule->name, err.text);
		ck_assert_msg(advice_is_known(word), "rule %s: the advice names '%s', which is no file", rule->name, word);
		last = word;
	}
}

/* What a rule says to try, or to look at, is there. */
START_TEST(advice_of_built_in)
{
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_rule *rule = (*a)->rules; rule && rule->name; rule++)
			check_advice(rule);
}
END_TEST

static void on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
}

static size_t no_pairs(const struct rs_pair_words *asked, struct rs_pair *pairs, size_t max)
{
	return 0;
}

static struct rs_callback callbacks[3];

static void callback_sound(void)
{
	memset(callbacks, 0, sizeof callbacks);
	callbacks[0] = (struct rs_callback){ RS_ON_GAP, .gap = on_gap };
	analysis.callbacks = callbacks;
}

static void callback_kind(void) { callback_sound(); callbacks[0].on = RS_NR_CALLBACKS; }
static void callback_empty(void) { callback_sound(); callbacks[0].gap = NULL; }
static void callback_twice(void) { callback_sound(); callbacks[1] = callbacks[0]; }
static void callback_no_pair(void) { callback_sound(); analysis.pairs = no_pairs; }

static void requirement_fields(void)
{
	for (int i = 0; i < RS_MAX_FIELDS; i++)
		requirements[0].fields[i] = "prev_pid";
}

static void requirement_many(void)
{
	for (int i = 1; i < 65; i++)
		requirements[i] = requirements[0];
}

static void view_role_of_histogram(void)
{
	views[0].role = RS_ROLE_PATH;
	views[0].kind = RS_VIEW_HIST;
}

static void view_roles(void)
{
	views[0].role = RS_ROLE_PATH;
	views[1] = views[0];
	views[1].name = "b-view";
}

static void view_many(void)
{
	static char names[33][16];

	for (int i = 0; i < 33; i++) {
		snprintf(names[i], sizeof names[i], "v%d", i);
		views[i] = views[0];
		views[i].name = names[i];
	}
}

static void column_many(void)
{
	static char names[RS_MAX_COLUMNS + 1][16];

	for (int i = 2; i < RS_MAX_COLUMNS + 1; i++) {
		snprintf(names[i], sizeof names[i], "c%d", i);
		columns[i] = columns[0];
		columns[i].name = names[i];
	}
}

static const struct {
	void (*spoil)(void);
	const char *says;
} wrongs[] = {
	{ name_upper, "it needs a name" }, { name_null, "it needs a name" }, { name_long, "it needs a name" },
	{ base_lines, "a base of more than one line" },
	{ summary_lines, "a summary of one line" }, { task_big, "it wants 5000 bytes for each task" },
	{ view_name, "a view's name" }, { view_kind, "'a-view' is neither" }, { view_stream, "a stream has none" },
	{ view_role, "'a-view' has a role that is none" }, { view_role_of_histogram, "'a-view' has a role" }, { view_roles, "'a-view' and 'b-view' have the same role" },
	{ view_columns, "'a-view' has no columns" }, { view_text, ".text_columns names 'nope'" },
	{ view_sort, ".sort names 'nope'" }, { view_twice, "it has two views 'a-view'" }, { view_many, "more than 32 views" },
	{ column_name, "a column's name" }, { column_heading, "column 'lat_ns' needs a heading" },
	{ column_type, "column 'lat_ns' has a type" }, { column_flag, "column 'lat_ns' has a type" }, { column_begin, "'lat_ns' is no begin" }, { column_two_latencies, "two begins, ends or lengths" },
	{ too_many_keys, "has more than 10 columns of RS_COLUMN_KEY" },
	{ column_twice, "two columns 'comm'" }, { column_latencies, "two columns of RS_COLUMN_LATENCY" },
	{ sum_text, "'comm' is nothing that RS_COLUMN_SUM may add up" },
	{ sum_latency, "'lat_ns' is nothing that RS_COLUMN_SUM may add up" },
	{ sum_time, "'at_ns' is nothing that RS_COLUMN_SUM may add up" }, { parts_twice, "two columns of RS_COLUMN_PART" },
	{ column_many, "more than 64 columns" }, { requirement_handler, "want of 'sched_switch' lacks" },
	{ requirement_system, "want of 'sched_switch' lacks" }, { requirement_fallback, "is a fallback for nothing" },
	{ requirement_fields, "has more than 11 fields" }, { requirement_many, "more than 64 events" },
	{ callback_kind, "an unknown kind, or no function" }, { callback_empty, "an unknown kind, or no function" },
	{ callback_twice, "two callbacks of kind 17" }, { callback_no_pair, ".pairs and no callback RS_ON_PAIR" },
	{ span_track, "kind of span 's'" },
	{ panel_kind, "its panel needs a kind" }, { panel_columns, ".panel names 'nope'" }, { panel_sort, ".panel.sort names 'nope'" },
	{ panel_title, "its panel needs a kind" }, { panel_no_parts, "a split without parts" },
	{ panel_fold, "its panel folds by" }, { panel_fold_number, "its panel folds by" },
	{ panel_opens_nothing, "opens a view without a name" },
	{ panel_part_text, "a part of its panel, 'comm'" }, { panel_part_means, "a part of its panel, 'lat_ns'" },
	{ panel_of_stream, "has a panel and is no table" }, { panel_many_parts, "more than 16 parts" },
	{ latencies_column, ".latencies names 'nope'" }, { latencies_text, ".latencies names 'comm', which is no column of durations" },
	{ latencies_no_kind, "need a kind of span" }, { latencies_two_kinds, "need a kind of span" },
	{ latencies_label, ".latencies.label_column names 'nope'" }, { kind_rate, "kind of span 'k' needs a word" },
	{ kind_instant, "kind of span 'k' needs a word" },
};

START_TEST(wrong)
{
	wrongs[_i].spoil();
	if (!strstr(said(), wrongs[_i].says))
		ck_abort_msg("%d: expected '%s', came '%s'", _i, wrongs[_i].says, said());
}
END_TEST

Suite *rs_suite_descriptor(void);
Suite *rs_suite_descriptor(void)
{
	Suite *s = suite_create("descriptor");
	TCase *t = tcase_create("descriptor");

	tcase_add_checked_fixture(t, set_up, NULL);
	tcase_add_test(t, built_in);
	tcase_add_test(t, roles_of_built_in);
	tcase_add_test(t, sound);
	tcase_add_test(t, abi_first);
	tcase_add_test(t, panel_and_latencies);
	tcase_add_test(t, latencies_of_built_in);
	tcase_add_test(t, advice_of_built_in);
	tcase_add_loop_test(t, wrong, 0, sizeof wrongs / sizeof *wrongs);
	suite_add_tcase(s, t);
	return s;
}
