// SPDX-License-Identifier: GPL-2.0-or-later
/* process-text - the change of a process as a sentence, whose parts sum to it */
#include "compare/process-text.h"

#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"

#define TEXT_PARTS 4u /* of a change, in a sentence */

/* ---- numbers ---- */

static void text_put_ns(struct rs_buf *out, double ns)
{
	char text[RS_UNIT_TEXT];
	size_t len = rs_units_put_duration(text, (uint64_t)(fabs(ns) + 0.5), RS_UNIT_AUTO, -1);

	rs_buf_add(out, text, len);
}

static void text_put_change(struct rs_buf *out, double ns)
{
	rs_buf_putc(out, ns < 0 ? '-' : '+');
	text_put_ns(out, ns);
}

/* ---- sentences ---- */

bool rs_process_text_is_named(const char *text)
{
	return *text && strcmp(text, "-") != 0;
}

/* "disk 254,0", "run-queue wait": as findings call it. */
static void text_put_part_name(struct rs_buf *out, const struct rs_process_part *part)
{
	const struct rs_cause_row *cause = rs_part_cause(part->part);
	const struct rs_category_row *category = rs_category_row(cause->category);

	if (cause->category == RS_CATEGORY_QUEUE)
		rs_buf_puts(out, category->legend);
	else if (cause->category == RS_CATEGORY_DISK || cause->category == RS_CATEGORY_IRQ ||
		 cause->category == RS_CATEGORY_MEMORY)
		rs_buf_puts(out, category->name);
	else
		rs_buf_puts(out, rs_part_row(part->part)->name);
	if (rs_process_text_is_named(part->dev)) {
		rs_buf_putc(out, ' ');
		rs_escape_text(out, part->dev);
	}
	if (cause->category == RS_CATEGORY_RUN && rs_process_text_is_named(part->type)) {
		rs_buf_puts(out, " in ");
		rs_escape_text(out, part->type);
	}
}

static void text_put_culprit(struct rs_buf *out, const struct rs_process_change *p,
			     const struct rs_process_part *part)
{
	enum rs_category category = rs_part_cause(part->part)->category;

	if (category == RS_CATEGORY_RUN || !rs_process_is_somebody(part->culprit) ||
	    !strcmp(part->culprit, p->comm))
		return;
	rs_buf_puts(out, category == RS_CATEGORY_PEER || category == RS_CATEGORY_SLEEP ? ", for " :
			 category == RS_CATEGORY_IRQ ? " by " : " behind ");
	rs_escape_text(out, part->culprit);
}

bool rs_process_text_put_server(struct rs_buf *out, const struct rs_process_part *part)
{
	if (!part->asked)
		return false;
	rs_escape_text(out, rs_side_key(part->asked, 2));
	rs_buf_putc(out, ':');
	rs_escape_text(out, rs_side_key(part->asked, 3));
	return true;
}

/* "network to store, 10.0.0.2:80", "answers of 10.0.0.2:80, or the network" */
static void text_put_answers(struct rs_buf *out, const struct rs_process_part *part)
{
	if (!part->server) {
		rs_buf_puts(out, "answers of ");
		rs_process_text_put_server(out, part);
		rs_buf_puts(out, " or the network to it");
		return;
	}
	rs_buf_puts(out, "network to ");
	rs_escape_text(out, part->server);
	rs_buf_puts(out, " at ");
	rs_process_text_put_server(out, part);
}

static void text_put_part(struct rs_buf *out, const struct rs_process_change *p,
			  const struct rs_process_part *part)
{
	text_put_change(out, part->change.value);
	rs_buf_putc(out, ' ');
	if (part->asked) {
		text_put_answers(out, part);
		return;
	}
	text_put_part_name(out, part);
	text_put_culprit(out, p, part);
	if (part->is_new || part->is_absent)
		rs_buf_puts(out, part->is_new ? " (new)" : " (gone)");
}

bool rs_process_text_is_told(const struct rs_process_change *p, const struct rs_process_part *part)
{
	return part->counts && part->is_told &&
	       fabs(part->change.value) >= RS_PROCESS_TEXT_SHARE * fabs(p->change.value);
}

/* Those that are told, and the rest, so that all sum to the change. */
static void text_put_parts(struct rs_buf *out, const struct rs_process_change *p)
{
	double rest = p->change.value;
	unsigned int nr = 0;

	for (size_t i = 0; i < p->nr_parts && nr < TEXT_PARTS; i++) {
		if (!rs_process_text_is_told(p, &p->parts[i]))
			continue;
		rs_buf_puts(out, nr++ ? ", " : ": ");
		text_put_part(out, p, &p->parts[i]);
		rest -= p->parts[i].change.value;
	}
	if (fabs(rest) < RS_PROCESS_TEXT_SHARE * fabs(p->change.value))
		return;
	rs_buf_puts(out, nr ? ", " : ": ");
	text_put_change(out, rest);
	rs_buf_puts(out, " of parts that no single one explains");
}

const char *rs_process_text_unit(const struct rs_process_change *p)
{
	return p->work.call ? p->work.call : "second";
}

/* "read of shop" */
static void text_put_unit(struct rs_buf *out, const struct rs_process_change *p)
{
	rs_escape_text(out, rs_process_text_unit(p));
	if (!p->work.call || !strcmp(p->worker, p->comm))
		return;
	rs_buf_puts(out, " of ");
	rs_escape_text(out, p->worker);
}

void rs_process_text_put(struct rs_buf *out, const struct rs_process_change *p)
{
	rs_escape_text(out, p->comm);
	rs_buf_puts(out, ": ");
	text_put_ns(out, p->of_b.value);
	rs_buf_puts(out, p->work.call ? " for each " : " of each ");
	text_put_unit(out, p);
	rs_buf_puts(out, " instead of ");
	text_put_ns(out, p->of_a.value);
	text_put_parts(out, p);
}

void rs_process_text_put_evidence(struct rs_buf *out, const struct rs_process_change *p)
{
	rs_buf_puts(out, "95 %: ");
	text_put_change(out, p->low_ns);
	rs_buf_puts(out, " to ");
	text_put_change(out, p->high_ns);
	if (p->work.call) {
		rs_buf_printf(out, "; %.0f and %.0f ", p->work.all_a, p->work.all_b);
		text_put_unit(out, p);
	}
	if (p->verdict == RS_PROCESS_SLOWER && !p->is_root)
		rs_buf_puts(out, "; it waits for others that take longer");
	if (p->work.call)
		return;
	rs_buf_puts(out, "; slower or with other work to do: ");
	rs_buf_puts(out, p->work.lacks_per ? "it does not make the call of --per" : "its calls do not tell");
}
