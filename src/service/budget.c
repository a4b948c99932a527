// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/budget.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define OVER_BATCHES 3   /* as long over it: one busy second is no reason to complain */
#define UNDER_BATCHES 30 /* as long under it: a load that comes and goes would flicker */
#define OTHER_BATCHES 5  /* as long must others cost clearly more than those that are named */

#define BUDGET_NONE SIZE_MAX

/*
 * What begins, goes on and ends the same thing is turned off together: half of a pair costs half of the time and
 * tells nothing. The kernel's names say so by their last word: sys_enter and sys_exit, softirq_raise, _entry, _exit.
 */
static const char *const moments[] = {
	"enter", "exit", "entry", "begin", "end", "start", "done", "raise", "insert", "issue", "complete", "requeue",
	"merge", "alloc", "free",
};

struct budget_kind {
	char *event;
	size_t group;                  /* the first kind of its group */
	uint64_t cost_ns, nr_events, nr_before, per_s;
};

struct rs_budget {
	struct budget_kind *kinds;
	size_t nr_kinds, size_kinds;
	unsigned int max_milli, nr_cpus;
	uint64_t event_cost_ns;
	bool measured;
	bool begun;                    /* there is a turn before this one */
	uint64_t now_ns, own_ns, nr_lost, before_ns, own_before_ns, lost_before;
	unsigned int own_milli, events_milli;
	unsigned int nr_over, nr_under, nr_other; /* turns in a row */
	size_t named;                  /* the group in the warning; NONE: there is none */
	char warning[1024];
};

struct rs_budget *rs_budget_new(unsigned int max_milli, unsigned int nr_cpus, uint64_t event_cost_ns, struct rs_error *err)
{
	struct rs_budget *b = calloc(1, sizeof *b);

	if (!b) {
		rs_fail(err, "cannot watch over the costs: out of memory");
		return NULL;
	}
	b->max_milli = max_milli;
	b->named = BUDGET_NONE;
	b->nr_cpus = nr_cpus ? nr_cpus : 1;
	b->measured = event_cost_ns > 0;
	b->event_cost_ns = event_cost_ns ? event_cost_ns : RS_EVENT_COST_NS;
	return b;
}

void rs_budget_free(struct rs_budget *b)
{
	for (size_t i = 0; b && i < b->nr_kinds; i++)
		free(b->kinds[i].event);
	if (b)
		free(b->kinds);
	free(b);
}

/* How much of an event's name its group shares. */
static size_t stem_len(const char *event)
{
	const char *last = strrchr(event, '_');

	for (size_t i = 0; last && i < sizeof moments / sizeof *moments; i++)
		if (!strcmp(last + 1, moments[i]))
			return (size_t)(last - event);
	return strlen(event);
}

static size_t budget_find_group(const struct rs_budget *b, const char *event)
{
	size_t len = stem_len(event);

	for (size_t i = 0; i < b->nr_kinds; i++)
		if (stem_len(b->kinds[i].event) == len && !strncmp(b->kinds[i].event, event, len))
			return i;
	return b->nr_kinds;
}

int rs_budget_add(struct rs_budget *b, const char *event, uint64_t cost_ns, struct rs_error *err)
{
	if (b->nr_kinds == b->size_kinds) {
		size_t size = b->size_kinds ? b->size_kinds * 2 : 64;
		struct budget_kind *kinds = realloc(b->kinds, size * sizeof *kinds);

		if (!kinds)
			return rs_fail(err, "cannot watch over the costs: out of memory");
		b->kinds = kinds;
		b->size_kinds = size;
	}
	b->kinds[b->nr_kinds] = (struct budget_kind){
		.event = strdup(event), .group = budget_find_group(b, event), .cost_ns = cost_ns ? cost_ns : b->event_cost_ns,
	};
	if (!b->kinds[b->nr_kinds].event)
		return rs_fail(err, "cannot watch over the costs: out of memory");
	b->nr_kinds++;
	return 0;
}

void rs_budget_limit(struct rs_budget *b, unsigned int max_milli)
{
	b->max_milli = max_milli;
	b->nr_over = b->nr_under = 0;
}

/* ---- a turn ---- */

/* A sum that goes back (a session that began anew) is as good as one that stands still. */
static uint64_t grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static uint64_t per_second(uint64_t nr, uint64_t ns)
{
	return ns ? (uint64_t)((unsigned __int128)nr * 1000000000 / ns) : 0;
}

void rs_budget_begin(struct rs_budget *b, uint64_t now_ns, uint64_t own_cpu_ns, uint64_t nr_lost)
{
	b->before_ns = b->now_ns;
	b->own_before_ns = b->own_ns;
	b->lost_before = b->nr_lost;
	b->now_ns = now_ns;
	b->own_ns = own_cpu_ns;
	b->nr_lost = nr_lost;
}

void rs_budget_count(struct rs_budget *b, size_t kind, uint64_t nr_events)
{
	if (kind >= b->nr_kinds)
		return;
	b->kinds[kind].nr_before = b->kinds[kind].nr_events;
	b->kinds[kind].nr_events = nr_events;
}

static unsigned int milli_of(uint64_t ns_per_s)
{
	uint64_t milli = ns_per_s / 1000000;

	return milli < UINT32_MAX ? (unsigned int)milli : UINT32_MAX;
}

/* What was lost is dealt out as what was seen: the kernel does not tell its kinds. */
static void budget_measure(struct rs_budget *b)
{
	uint64_t batch_ns = grown(b->now_ns, b->before_ns), lost = grown(b->nr_lost, b->lost_before), seen = 0, all_ns = 0;

	for (size_t i = 0; i < b->nr_kinds; i++)
		seen += grown(b->kinds[i].nr_events, b->kinds[i].nr_before);
	for (size_t i = 0; i < b->nr_kinds; i++) {
		uint64_t nr = grown(b->kinds[i].nr_events, b->kinds[i].nr_before);

		nr += seen ? (uint64_t)((unsigned __int128)nr * lost / seen) : 0;
		b->kinds[i].per_s = per_second(nr, batch_ns);
		all_ns += nr * b->kinds[i].cost_ns;
	}
	if (!seen)
		all_ns = lost * b->event_cost_ns;
	b->events_milli = milli_of(per_second(all_ns, batch_ns));
	b->own_milli = milli_of(per_second(grown(b->own_ns, b->own_before_ns), batch_ns));
}

static uint64_t cost_of(const struct budget_kind *k)
{
	return k->per_s * k->cost_ns;
}

static uint64_t group_cost(const struct rs_budget *b, size_t group)
{
	uint64_t cost = 0;

	for (size_t i = group; i < b->nr_kinds; i++)
		if (b->kinds[i].group == group)
			cost += cost_of(&b->kinds[i]);
	return cost;
}

static size_t dearest_group(const struct rs_budget *b)
{
	size_t most = BUDGET_NONE;
	uint64_t most_cost = 0, cost;

	for (size_t i = 0; i < b->nr_kinds; i++) {
		cost = b->kinds[i].group == i ? group_cost(b, i) : 0;
		if (cost > most_cost) {
			most = i;
			most_cost = cost;
		}
	}
	return most;
}

/* It stays with those that it named until others cost a third more, and not only for a moment. */
static size_t group_to_name(struct rs_budget *b)
{
	size_t most = dearest_group(b);
	bool other = b->named != BUDGET_NONE && most != BUDGET_NONE && group_cost(b, b->named) <= group_cost(b, most) / 4 * 3;

	b->nr_other = other ? b->nr_other + 1 : 0;
	return b->named != BUDGET_NONE && b->nr_other < OTHER_BATCHES ? b->named : most;
}

/* Thousandths of one CPU in hundredths of a percent of the machine: "1.25". */
static void percent(const struct rs_budget *b, unsigned int milli, char text[16])
{
	uint64_t hundredths = (uint64_t)milli * 10 / b->nr_cpus;

	snprintf(text, 16, "%" PRIu64 ".%02u", hundredths / 100, (unsigned int)(hundredths % 100));
}

/* Each event of a group, with what stands before and after it. */
static void list_group(const struct rs_budget *b, size_t group, const char *between, const char *after, char *text, size_t size)
{
	size_t len = 0;

	*text = '\0';
	for (size_t i = group; i < b->nr_kinds && len < size; i++)
		if (b->kinds[i].group == group)
			len += (size_t)snprintf(text + len, size - len, "%s%s%s", i == group ? "" : between, b->kinds[i].event, after);
}

static uint64_t group_per_s(const struct rs_budget *b, size_t group)
{
	uint64_t per_s = 0;

	for (size_t i = group; i < b->nr_kinds; i++)
		per_s += b->kinds[i].group == group ? b->kinds[i].per_s : 0;
	return per_s;
}

static void warn(struct rs_budget *b, size_t group)
{
	char all[16], own[16], events[16], names[320], turned[320];

	percent(b, b->own_milli + b->events_milli, all);
	percent(b, b->own_milli, own);
	percent(b, b->events_milli, events);
	list_group(b, group, ", ", "", names, sizeof names);
	list_group(b, group, " ", "=off", turned, sizeof turned);
	snprintf(b->warning, sizeof b->warning,
		 "costs %s %% of the machine (ringside %s, events %s), over the %u.%u %% of --max-overhead: most of it is "
		 "%s, %" PRIu64 " a second (ringside trace set %s)", all, own, events, b->max_milli / 10,
		 b->max_milli % 10, names, group_per_s(b, group), turned);
}

bool rs_budget_judge(struct rs_budget *b)
{
	size_t before = b->named, group;
	bool over;

	if (!b->begun) { /* sums since the beginning of the world are no rate */
		b->begun = true;
		return false;
	}
	budget_measure(b);
	over = b->max_milli && (uint64_t)b->own_milli + b->events_milli > (uint64_t)b->max_milli * b->nr_cpus;
	b->nr_over = over ? b->nr_over + 1 : 0;
	b->nr_under = over ? 0 : b->nr_under + 1;
	group = group_to_name(b);
	if (over && group != BUDGET_NONE && (b->nr_over >= OVER_BATCHES || b->named != BUDGET_NONE)) {
		b->nr_other = group == b->named ? b->nr_other : 0;
		b->named = group;
		warn(b, group);
	} else if (!b->max_milli || b->nr_under >= UNDER_BATCHES) {
		b->named = BUDGET_NONE;
	}
	return b->named != before;
}

const char *rs_budget_warning(const struct rs_budget *b)
{
	return b->named != BUDGET_NONE ? b->warning : NULL;
}

/* ---- what can be asked ---- */

void rs_budget_state(const struct rs_budget *b, struct rs_budget_state *state)
{
	*state = (struct rs_budget_state){
		.own_milli = b->own_milli, .events_milli = b->events_milli, .max_milli = b->max_milli,
		.event_cost_ns = b->event_cost_ns, .measured = b->measured, .nr_kinds = b->nr_kinds,
	};
}

bool rs_budget_kind(const struct rs_budget *b, size_t kind, struct rs_budget_kind *k)
{
	if (kind >= b->nr_kinds)
		return false;
	*k = (struct rs_budget_kind){
		.event = b->kinds[kind].event, .per_s = b->kinds[kind].per_s,
		.cost_ns = b->kinds[kind].cost_ns, .cost_ns_per_s = cost_of(&b->kinds[kind]),
	};
	return true;
}

uint64_t rs_budget_own_cpu_ns(void)
{
	struct rusage u;

	if (getrusage(RUSAGE_SELF, &u) < 0)
		return 0;
	return ((uint64_t)u.ru_utime.tv_sec + (uint64_t)u.ru_stime.tv_sec) * 1000000000 +
	       ((uint64_t)u.ru_utime.tv_usec + (uint64_t)u.ru_stime.tv_usec) * 1000;
}
