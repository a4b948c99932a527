// SPDX-License-Identifier: GPL-2.0-or-later
#include "finding-variants.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "finding-evidence.h"
#include "why/findings.h"

#define VARIANTS_LINES 65536

/* Events by the beginning of their names, as a recording has all of them or none. */
static const struct variants_group {
	const char *name, *events;
	const char *without[5];     /* and the formats of these: where there are none no recording tells whether they were on */
} groups[] = {
	{ "system calls", "sys_enter,sys_exit" },
	{ "interrupts", "irq_,softirq_" },
	{ "block requests", "block_" },
	{ "locks", "contention_,mmap_lock_" },
	{ "stalls for memory", "mm_vmscan_,mm_compaction_,balance_dirty_pages",
	  { "without mm_vmscan_direct_reclaim_begin", "without mm_vmscan_memcg_reclaim_begin", "without mm_compaction_begin", "without balance_dirty_pages" } },
	{ "page faults", "page_fault_" },
	{ "wakings", "sched_wak" },
};

/* The first layout that the test is about. */
static struct rs_source *variants_open(const struct ask *ask, const char *const *lines)
{
	struct rs_source *source = NULL;

	for (unsigned int i = 0; i < rs_nr_layouts && !source; i++)
		if (!ask->layout || !strcmp(ask->layout, rs_layouts[i].name))
			source = rs_lines_source(lines, &rs_layouts[i]);
	return source;
}

bool rs_finding_variant_open(struct finding_variant *v, const struct ask *ask, const struct rs_analysis *only, const char *const *lines, int32_t pid)
{
	*v = (struct finding_variant){ .source = variants_open(ask, lines), .ahead = variants_open(ask, lines), .pid = pid };
	struct rs_session_config config = { .ahead = v->ahead, .exact = ask->exact, .findings = true,
					    .selection = { .pids = &v->pid, .nr_pids = pid != 0, .no_children = true } };
	const struct rs_analysis *const *all = rs_plugins_all();
	struct rs_error err = { 0 };

	if (!v->source)
		return false;
	for (; *all; all++)
		if (!only || *all == only)
			config.analyses[config.nr_analyses++] = *all;
	v->session = rs_session_new(&config, &err);
	ck_assert_ptr_nonnull(v->session);
	return true;
}

void rs_finding_variant_run(struct finding_variant *v)
{
	struct rs_error err = { 0 };

	ck_assert_int_eq(rs_session_attach(v->session, v->source, &err), 0);
	while (rs_session_run(v->session, 10000, &err) == RS_RUN_MORE)
		;
	rs_session_end(v->session);
	rs_session_sample(v->session);
}

void rs_finding_variant_close(struct finding_variant *v)
{
	rs_session_free(v->session);
	v->ahead->ops->close(v->ahead);
	v->source->ops->close(v->source);
}

/* Of an analysis alone, or of all. Returns false where no layout can have these lines. */
static bool variants_find_of(const struct ask *ask, const struct rs_analysis *only, const char *const *lines, int32_t pid, struct rs_finding_list *list)
{
	struct finding_variant v;

	if (!rs_finding_variant_open(&v, ask, only, lines, pid))
		return false;
	rs_finding_variant_run(&v);
	ck_assert(rs_finding_list_init(list));
	rs_findings_collect(v.session, list);
	rs_finding_variant_close(&v);
	return true;
}

static bool variants_find(const struct ask *ask, const char *const *lines, int32_t pid, struct rs_finding_list *list)
{
	return variants_find_of(ask, NULL, lines, pid, list);
}

/* ---- without a group of events ---- */

static bool variants_is_of(const struct variants_group *g, const char *line)
{
	const char *cpu = strstr(line, " cpu"), *event = cpu ? strchr(cpu + 1, ' ') : NULL;

	for (const char *at = g->events; event && *at; at += strcspn(at, ","), at += *at == ',')
		if (!strncmp(event + 1, at, strcspn(at, ",")))
			return true;
	return false;
}

/* Returns false if there are none of that group. */
static bool variants_leave_out(const struct variants_group *g, const char *const *lines, const char **left)
{
	size_t nr = 0, all = 0, nr_kept;

	while (g->without[nr])
		left[nr] = g->without[nr], nr++;
	nr_kept = nr;
	for (; lines[all]; all++) {
		ck_assert_uint_lt(all, VARIANTS_LINES);
		if (strstr(lines[all], " lost ")) /* it belongs to an event, which may be left out */
			return false;
		if (!variants_is_of(g, lines[all]))
			left[nr++] = lines[all];
	}
	left[nr] = NULL;
	return nr - nr_kept < all;
}

/* The same rule, or one that says less of the same: that there was no call, or how fair a CPU is shared, was not recorded. */
static bool variants_is_rule(const struct rs_rule *whole, const struct rs_rule *left)
{
	static const char *const less[][2] = {
		{ "mmap-lock", "kernel-lock" }, { "cpu-weight", "cpu-hog" }, { "cpu-saturated", "cpu-hog" }, { "major-faults", "disk-slow" }, { "swap-in", "disk-slow" },
		{ "slow-link", "peer-write" },
	};

	for (size_t i = 0; i < sizeof less / sizeof *less; i++)
		if (!strcmp(whole->name, less[i][0]) && !strcmp(left->name, less[i][1]))
			return true;
	return whole == left;
}

/* A culprit may be unknown; no other one may be told. */
static bool variants_has(const struct rs_finding_list *list, const struct rs_finding_item *f)
{
	const struct rs_finding_item *is;

	for (size_t i = 0; (is = rs_finding_list_get(list, i)); i++)
		if (variants_is_rule(is->rule, f->rule) && !strcmp(is->victim.name, f->victim.name) && (!strcmp(is->culprit.name, f->culprit.name) || !f->culprit.name[0]))
			return true;
	return false;
}

static void variants_check_group(const struct ask *ask, const struct variants_group *g, const char *const *lines, const struct rs_finding_list *whole)
{
	static const char *left[VARIANTS_LINES + 1];
	char text[RS_FINDING_TEXT];
	const struct rs_finding_item *f;
	struct rs_finding_list list;

	if (!variants_leave_out(g, lines, left) || !variants_find(ask, left, 0, &list))
		return;
	for (size_t i = 0; (f = rs_finding_list_get(&list, i)); i++)
		if (!variants_has(whole, f))
			ck_abort_msg("%s:%d: without %s: \"%s\" (%s), which the whole recording does not tell", ask->file, ask->line, g->name,
				     rs_finding_list_text(f, text), f->rule->name);
	rs_finding_list_done(&list);
}

/* ---- asked about a victim ---- */

static bool variants_has_text(const struct rs_finding_list *list, const char *text)
{
	const struct rs_finding_item *f;
	char is[RS_FINDING_TEXT];

	for (size_t i = 0; (f = rs_finding_list_get(list, i)); i++)
		if (!strcmp(rs_finding_list_text(f, is), text))
			return true;
	return false;
}

static void variants_check_pid(const struct ask *ask, int32_t pid, const char *const *lines, const struct rs_finding_item *of,
			       const struct rs_finding_list *whole)
{
	char text[RS_FINDING_TEXT];
	const struct rs_finding_item *f;
	struct rs_finding_list list;

	ck_assert(variants_find(ask, lines, pid, &list));
	if (!variants_has_text(&list, rs_finding_list_text(of, text)))
		ck_abort_msg("%s:%d: with -p %d, not told: \"%s\"", ask->file, ask->line, pid, text);
	for (size_t i = 0; (f = rs_finding_list_get(&list, i)); i++)
		if (strcmp(f->rule->name, "own-sleep") && !variants_has_text(whole, rs_finding_list_text(f, text)))
			ck_abort_msg("%s:%d: with -p %d alone: \"%s\"", ask->file, ask->line, pid, text);
	rs_finding_list_done(&list);
}

static bool variants_is_plain(const struct ask *ask)
{
	return ask->findings && !ask->pid && !ask->samples && !ask->switch_stacks && !ask->answers && !ask->resets && !ask->from_ns && !ask->to_ns &&
	       !ask->viewer && !ask->self && !ask->is_part && !ask->command && !ask->comm_glob && !ask->cgroup_glob && !ask->cpus && !ask->max_tasks;
}

/* ---- of one analysis alone ---- */

static const struct rs_analysis *variants_analysis_of(const struct rs_rule *rule)
{
	for (const struct rs_analysis *const *all = rs_plugins_all(); *all; all++)
		for (const struct rs_rule *r = (*all)->rules; r && r->name; r++)
			if (r == rule)
				return *all;
	return NULL;
}

static void variants_check_alone(const struct ask *ask, const char *const *lines, const struct rs_finding_item *of)
{
	const struct rs_analysis *only = variants_analysis_of(of->rule);
	char text[RS_FINDING_TEXT];
	struct rs_finding_list list;

	ck_assert_ptr_nonnull(only);
	ck_assert(variants_find_of(ask, only, lines, 0, &list));
	if (!variants_has_text(&list, rs_finding_list_text(of, text)))
		ck_abort_msg("%s:%d: with the analysis %s alone, not told: \"%s\" (%s)", ask->file, ask->line, only->name, text, of->rule->name);
	rs_finding_list_done(&list);
}

void rs_check_finding_variants(const struct ask *ask, const char *const *lines)
{
	const struct rs_finding_item *f;
	struct rs_finding_list whole;

	if (!variants_is_plain(ask) || !variants_find(ask, lines, 0, &whole))
		return;
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		variants_check_group(ask, &groups[i], lines, &whole);
	for (size_t i = 0; (f = rs_finding_list_get(&whole, i)); i++) {
		variants_check_alone(ask, lines, f);
		for (unsigned int j = 0; j < f->victim.nr_pids; j++)
			variants_check_pid(ask, f->victim.pids[j], lines, f, &whole);
	}
	rs_check_finding_evidence(ask, lines, &whole);
	rs_finding_list_done(&whole);
}
