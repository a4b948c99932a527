// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lines - who had a lock while a task stood in line for it
 *
 * Who lets a task on has most often stood in the same line: it had the lock since it was let on itself, and
 * before that the one that let it on had it, and so on back to the begin of the wait.
 */
#include "why/lines.h"

#include "ringside/plugin.h"

#define MOST_LINE_STEPS \
	512u /* segments that are looked at for one wait; beyond, who was found last has the rest */

/* Calls that sleep until a lock, or a semaphore, is handed to them, too. */
bool rs_line_is_handed_on(struct rs_ctx *c, const struct rs_segment *seg)
{
	if (seg->kind != RS_BLOCKED || seg->waker_kind != RS_WAKER_TASK)
		return false;
	if (seg->cause == RS_CAUSE_LOCK || seg->cause == RS_CAUSE_FUTEX)
		return seg->what;
	return seg->cause == RS_CAUSE_SLEEP &&
	       rs_call_is(c, rs_segment_call(seg), RS_CLASS_LOCK | RS_CLASS_SEMAPHORE);
}

/* Of file locks the history does not say which: who waits in that call for another is in the same line. */
bool rs_line_is_same(const struct rs_segment *a, const struct rs_segment *b)
{
	if (b->kind != RS_BLOCKED || b->waker_kind != RS_WAKER_TASK || a->cause != b->cause)
		return false;
	return a->cause == RS_CAUSE_SLEEP ? rs_segment_call(a) == rs_segment_call(b) : a->what == b->what;
}

/*
 * The last wait in the same line of the task that ended this one, if it ended after from_ns; NULL: there is
 * none.
 */
static const struct rs_segment *line_before(struct rs_line *line)
{
	struct rs_history_walk walk;
	const struct rs_segment *seg;

	rs_history_walk_waker(line->c, &walk, line->seg);
	while (line->steps < MOST_LINE_STEPS && (seg = rs_history_next(&walk)) &&
	       seg->to_ns > line->from_ns) {
		line->steps++;
		if (seg->to_ns < line->to_ns && rs_line_is_same(line->seg, seg))
			return seg;
	}
	return NULL;
}

void rs_line_begin(struct rs_line *line, struct rs_ctx *c, const struct rs_segment *seg, uint64_t from_ns,
		   uint64_t to_ns)
{
	*line = (struct rs_line){ .c = c, .seg = seg, .from_ns = from_ns, .to_ns = to_ns,
				  .is_line = rs_line_is_handed_on(c, seg) };
}

bool rs_line_next(struct rs_line *line, struct rs_line_part *part)
{
	const struct rs_segment *before;

	if (!line->seg)
		return false;
	before = line->is_line ? line_before(line) : NULL;
	*part = (struct rs_line_part){ line->seg, before ? before->to_ns : line->from_ns, line->to_ns };
	line->seg = before;
	line->to_ns = part->from_ns;
	return true;
}
