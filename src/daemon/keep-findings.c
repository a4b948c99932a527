// SPDX-License-Identifier: GPL-2.0-or-later
/* keep-findings - the findings of a recording that is kept, beside it: STEM.findings.txt and .json */
#include "daemon/keep-findings.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/units.h"
#include "service/op-findings.h"

static void keep_findings_put_command(struct rs_buf *out, const struct rs_wire_finding *w,
				      const char *recording)
{
	struct rs_buf words = RS_BUF_INIT;

	if (!w->view && !w->nr_evidence)
		return;
	rs_op_findings_put_command(w, &words);
	if (*recording) {
		rs_buf_puts(&words, " -i ");
		rs_escape_word(&words, recording);
	}
	rs_buf_puts(out, "\n    see: ");
	rs_escape_text(out, words.data);
	rs_buf_done(&words);
}

static void keep_findings_put_one(struct rs_buf *out, const struct rs_wire_finding *w, const char *recording)
{
	bool is_inferred = w->confidence.known && w->confidence.u == RS_INFERRED;

	rs_escape_text(out, w->text);
	if (w->code) {
		rs_buf_puts(out, "\n    code: ");
		rs_escape_text(out, w->code);
		rs_buf_printf(out, ", in %" PRIu64 " of %" PRIu64 " samples", w->nr_in_function,
			      w->nr_samples);
	}
	keep_findings_put_command(out, w, recording);
	rs_buf_puts(out, "\n    try: ");
	rs_escape_text(out, w->advice ? w->advice : "-");
	rs_buf_puts(out, " (rule ");
	rs_escape_text(out, w->rule ? w->rule : "-");
	rs_buf_puts(out, is_inferred ? "; the culprit is inferred)\n" : ")\n");
}

/* "slow: p99_ns 23.4ms: comm nginx" */
static void keep_findings_put_alarm(struct rs_buf *out, const struct rs_wire_alarm *a)
{
	rs_escape_text(out, a->name ? a->name : a->when);
	rs_buf_puts(out, ": ");
	rs_escape_text(out, a->sentence);
	rs_buf_putc(out, '\n');
}

static void keep_findings_put_none(struct rs_buf *out, const struct rs_findings_reply *reply)
{
	char duration[RS_UNIT_TEXT];
	size_t len = rs_units_put_duration(duration, reply->to_ns.u - reply->from_ns.u, RS_UNIT_AUTO, -1);

	rs_buf_printf(out, "no findings in these %.*s\n", (int)len, duration);
}

static void keep_findings_put_text(struct rs_buf *out, const char *stem, const struct rs_keep_findings *k)
{
	char recording[RS_KEEP_STEM + 8] = "";

	if (k->has_recording)
		snprintf(recording, sizeof recording, "%s.dat", stem);
	for (size_t i = 0; i < k->nr_alarms; i++)
		keep_findings_put_alarm(out, &k->alarms[i]);
	rs_buf_putc(out, '\n');
	for (size_t i = 0; i < k->reply->nr_findings; i++)
		keep_findings_put_one(out, &k->reply->findings[i], recording);
	if (!k->reply->nr_findings)
		keep_findings_put_none(out, k->reply);
}

static void keep_findings_put_json(struct rs_buf *out, const struct rs_findings_reply *reply)
{
	struct rs_json j;

	for (size_t i = 0; i < reply->nr_findings; i++) {
		rs_json_init(&j, out);
		rs_message_put(&j, &rs_wire_finding_message, &reply->findings[i]);
		rs_buf_putc(out, '\n');
	}
}

int rs_keep_findings_write(struct rs_keep_folder *f, const char *stem, const struct rs_keep_findings *k,
			   struct rs_error *err)
{
	struct rs_buf text = RS_BUF_INIT, json = RS_BUF_INIT;
	int ret = -1;

	keep_findings_put_text(&text, stem, k);
	keep_findings_put_json(&json, k->reply);
	if (rs_keep_folder_write(f, stem, RS_KEEP_FINDINGS_TEXT, &text, err) == 0)
		ret = rs_keep_folder_write(f, stem, RS_KEEP_FINDINGS_JSON, &json, err);
	rs_buf_done(&text);
	rs_buf_done(&json);
	return ret;
}
