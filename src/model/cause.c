// SPDX-License-Identifier: GPL-2.0-or-later
/* cause.c - the rows of states and causes, and the words that follow from them */
#include "ringside/wait.h"

#include <stdio.h>
#include <string.h>

#include "ringside/culprit.h"
#include "ringside/span.h"

#define STATE_ROW(id, ...) [RS_CAUSE_##id] = { __VA_ARGS__ },
#define WAIT_ROW(id, column, heading, help, spans, ...) [RS_CAUSE_##id] = { .labels = spans, __VA_ARGS__ },

static const struct rs_cause_row rows[RS_NR_CAUSES] = { RS_CAUSES(STATE_ROW, WAIT_ROW) };

#define CATEGORY_ROW(id, name, heading, help, color, legend) \
	[RS_CATEGORY_##id] = { name, legend, RS_CAUSE_##color },

static const struct rs_category_row categories[RS_NR_CATEGORIES] = { RS_CATEGORIES(CATEGORY_ROW) };

const struct rs_category_row *rs_category_row(enum rs_category category)
{
	return &categories[(unsigned int)category < RS_NR_CATEGORIES ? category : RS_CATEGORY_OTHER];
}

enum rs_category rs_category_find(const char *name)
{
	for (enum rs_category i = RS_CATEGORY_RUN; name && i < RS_NR_CATEGORIES; i++)
		if (!strcmp(categories[i].name, name))
			return i;
	return RS_CATEGORY_RUN;
}

const struct rs_cause_row *rs_cause_row(enum rs_cause cause)
{
	return &rows[(unsigned int)cause < RS_NR_CAUSES ? cause : RS_CAUSE_UNKNOWN];
}

bool rs_cause_find(const char *word, enum rs_cause *cause)
{
	for (unsigned int i = RS_CAUSE_UNKNOWN + 1; word && i < RS_NR_CAUSES; i++)
		if (!strcmp(rows[i].word, word)) {
			*cause = (enum rs_cause)i;
			return true;
		}
	return false;
}

/* What a kernel thread waits for without work is RS_CAUSE_IDLE already: see waits.c. */
enum rs_ink rs_cause_ink(enum rs_cause cause, const struct rs_ink_task *task, enum rs_cause *as)
{
	static const enum rs_ink inks[] = {
		[RS_RANK_WORK] = RS_INK_CALM, [RS_RANK_WAIT] = RS_INK_FULL, [RS_RANK_CHOICE] = RS_INK_DIM,
		[RS_RANK_IDLE] = RS_INK_BLANK, [RS_RANK_UNKNOWN] = RS_INK_BLANK,
	};
	const struct rs_cause_row *row = rs_cause_row(cause);
	bool is_wish = row->rank == RS_RANK_CHOICE || row->rank == RS_RANK_IDLE;
	enum rs_ink ink = is_wish && task && task->pains >> row->category & 1 ? RS_INK_FULL : inks[row->rank];

	if (as)
		*as = ink == RS_INK_FULL && row->rank == RS_RANK_IDLE ? RS_CAUSE_SLEEP : cause;
	return task && task->own && ink > RS_INK_DIM ? RS_INK_DIM : ink;
}

#define SHARE_OF_A_PIECE 8

/* The largest of a rank, from that share of all on; RS_NR_CAUSES: none. */
static unsigned int cause_largest_of(const uint64_t ns[RS_NR_CAUSES], enum rs_cause_rank rank,
				     uint64_t all_ns)
{
	unsigned int largest = RS_NR_CAUSES;

	for (unsigned int i = 0; i < RS_NR_CAUSES; i++)
		if (ns[i] && rows[i].rank == rank && (largest == RS_NR_CAUSES || ns[i] > ns[largest]))
			largest = i;
	return largest < RS_NR_CAUSES && ns[largest] >= all_ns / SHARE_OF_A_PIECE ? largest : RS_NR_CAUSES;
}

unsigned int rs_cause_of_piece(const uint64_t ns[RS_NR_CAUSES])
{
	unsigned int most = RS_NR_CAUSES, loud;
	uint64_t all_ns = 0;

	for (unsigned int i = 0; i < RS_NR_CAUSES; i++) {
		all_ns += ns[i];
		if (ns[i] && (most == RS_NR_CAUSES || ns[i] > ns[most]))
			most = i;
	}
	loud = cause_largest_of(ns, RS_RANK_WAIT, all_ns);
	if (loud == RS_NR_CAUSES)
		loud = cause_largest_of(ns, RS_RANK_WORK, all_ns);
	return loud < RS_NR_CAUSES ? loud : most;
}

enum rs_cause rs_cause_of_state(enum rs_state state, enum rs_cause cause)
{
	static const enum rs_cause states[RS_NR_STATES] = {
		[RS_RUN] = RS_CAUSE_RUN, [RS_DELAY] = RS_CAUSE_DELAY, [RS_PREEMPTED] = RS_CAUSE_PREEMPTED,
	};

	if (state == RS_BLOCKED)
		return cause;
	return (unsigned int)state < RS_NR_STATES && states[state] ? states[state] : RS_CAUSE_NOT_SEEN;
}

const char *rs_state_name(enum rs_state state, char letter)
{
	enum rs_cause cause = rs_cause_of_state(state, RS_CAUSE_UNKNOWN);

	if (state == RS_BLOCKED)
		return rows[letter == 'D' ? RS_CAUSE_OTHER_D : RS_CAUSE_SLEEP].word;
	return cause == RS_CAUSE_NOT_SEEN ? NULL : rows[cause].name;
}

/* Viewers choose a color by it: the same in every recording. */
const char *rs_state_label(uint64_t arg, char *buf, size_t size_bytes)
{
	const struct rs_cause_row *row = rs_cause_row(rs_state_cause(arg));
	const char *name = rs_state_name(rs_state_of(arg), 0);

	if (rs_state_of(arg) != RS_BLOCKED)
		return name ? name : "?";
	if (row->no_letter)
		return row->name;
	if (row->no_label)
		snprintf(buf, size_bytes, "%c", rs_state_letter(arg));
	else
		snprintf(buf, size_bytes, "%c (%s)", rs_state_letter(arg), row->name);
	return buf;
}
