// SPDX-License-Identifier: GPL-2.0-or-later
/* html-slowest.c - the slowest spans of each kind that has such a list */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "export/html/html.h"

struct slowest_span {
	uint64_t start_ns, len_ns;
	char label[96], owner[48];
};

/* The slowest first. */
struct rs_html_slowest_kind {
	struct rs_html_slowest_kind *next;
	const struct rs_span_kind *kind;
	unsigned int nr;
	uint64_t nr_spans;
	struct slowest_span at[RS_HTML_SLOWEST];
};

void rs_html_slowest_add_kind(struct rs_html_slowest_kind **kinds, const struct rs_span_kind *kind,
			      struct rs_buf *failed)
{
	struct rs_html_slowest_kind *k = kind->slowest ? calloc(1, sizeof *k) : NULL;

	while (*kinds)
		kinds = &(*kinds)->next;
	if (k)
		k->kind = kind;
	else
		failed->failed |= kind->slowest != NULL;
	*kinds = k;
}

static void slowest_put_owner(const struct rs_span_kind *kind, const struct rs_span *span, char *buf,
			      size_t size_bytes)
{
	char dev[32];

	if (kind->track == RS_TRACK_CPU)
		snprintf(buf, size_bytes, "CPU %u", (unsigned int)span->id);
	else if (kind->track == RS_TRACK_DISK)
		rs_dev_text((uint32_t)span->id, dev, sizeof dev), snprintf(buf, size_bytes, "disk %s", dev);
	else if (span->task)
		snprintf(buf, size_bytes, "%.16s/%d", span->task->comm, span->task->tid);
	else
		buf[0] = '\0';
}

void rs_html_slowest_add(struct rs_html_slowest_kind *k, struct rs_ctx *c, const struct rs_span_kind *kind,
			 const struct rs_span *span)
{
	uint64_t len_ns = span->end_ns - span->start_ns;
	char label[96];
	unsigned int i;

	while (k && k->kind != kind)
		k = k->next;
	if (!k || span->in_flight || (kind->is_slowest && !kind->is_slowest(c, span->arg)))
		return;
	k->nr_spans++;
	if (k->nr == RS_HTML_SLOWEST && len_ns <= k->at[k->nr - 1].len_ns)
		return;
	k->nr += k->nr < RS_HTML_SLOWEST;
	for (i = k->nr - 1; i && k->at[i - 1].len_ns < len_ns; i--)
		k->at[i] = k->at[i - 1];
	k->at[i] = (struct slowest_span){ .start_ns = span->start_ns, .len_ns = len_ns };
	rs_copy(k->at[i].label, sizeof k->at[i].label,
		kind->label ? kind->label(c, span->arg, label, sizeof label) : kind->name);
	slowest_put_owner(kind, span, k->at[i].owner, sizeof k->at[i].owner);
}

static void slowest_put_span(const struct slowest_span *s, uint64_t most_ns, uint64_t begin_ns,
			     struct rs_buf *out)
{
	char number[RS_UNIT_TEXT];

	rs_buf_printf(out, "<tr><td class=\"n\" data-v=\"%llu\"><i class=\"bar\" style=\"width:%.1f%%\"></i>",
		      (unsigned long long)s->len_ns,
		      most_ns ? 92.0 * (double)s->len_ns / (double)most_ns : 0);
	rs_buf_add(out, number, rs_units_put_duration(number, s->len_ns, RS_UNIT_AUTO, -1));
	rs_buf_puts(out, "</td><td>");
	rs_escape_xml(out, s->label);
	rs_buf_puts(out, "</td><td>");
	rs_escape_xml(out, s->owner);
	rs_buf_puts(out, "</td><td class=\"n\">");
	rs_buf_add(out, number, rs_units_put_seconds_since(number, s->start_ns, begin_ns));
	rs_buf_puts(out, "</td></tr>\n");
}

void rs_html_slowest_put(const struct rs_html_slowest_kind *kinds, uint64_t begin_ns, struct rs_buf *out)
{
	char number[RS_UNIT_TEXT];

	for (const struct rs_html_slowest_kind *k = kinds; k; k = k->next) {
		if (!k->nr)
			continue;
		rs_buf_printf(out, "<div class=\"card\"><h3>%s</h3><p class=\"dim\">the slowest of ",
			      k->kind->slowest);
		rs_buf_add(out, number, rs_units_put_grouped(number, k->nr_spans));
		rs_buf_puts(out, "</p><table class=\"rows\"><thead><tr><th "
				 "class=\"n\">TOOK</th><th>WHAT</th><th>WHERE</th><th "
				 "class=\"n\">AT(s)</th></tr></thead><tbody>\n");
		for (unsigned int i = 0; i < k->nr; i++)
			slowest_put_span(&k->at[i], k->at[0].len_ns, begin_ns, out);
		rs_buf_puts(out, "</tbody></table></div>\n");
	}
}

void rs_html_slowest_free(struct rs_html_slowest_kind *kinds)
{
	for (struct rs_html_slowest_kind *next; kinds; kinds = next) {
		next = kinds->next;
		free(kinds);
	}
}
