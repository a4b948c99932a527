// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * alert-rules - alert rules for Prometheus, of the same conditions that a daemon judges
 */
#include "base/escape.h"
#include "cli/command.h"
#include "cli/daemon-file.h"
#include "cli/out.h"
#include "when/when.h"

/* In YAML's single quotes, where a quote is written twice. */
static void alert_rules_put_text(struct rs_buf *out, const char *text)
{
	struct rs_buf shown = RS_BUF_INIT;

	rs_escape_text(&shown, text);
	for (const char *at = shown.data ? shown.data : ""; *at; at++)
		rs_buf_printf(out, "%s%c", *at == '\'' ? "'" : "", *at);
	rs_buf_done(&shown);
}

/* A label's value in PromQL, in YAML's single quotes. */
static void alert_rules_put_label(struct rs_buf *out, const char *text)
{
	struct rs_buf label = RS_BUF_INIT;

	for (; *text; text++)
		rs_buf_printf(&label, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
	alert_rules_put_text(out, label.data ? label.data : "");
	rs_buf_done(&label);
}

/* It also tells of one that was over between two scrapes. */
static void alert_rules_put(struct rs_buf *out, const struct rs_condition *c)
{
	rs_buf_puts(out, "      - alert: 'ringside ");
	alert_rules_put_text(out, rs_when_name(c));
	rs_buf_puts(out, "'\n        expr: 'ringside_condition_on{condition=\"");
	alert_rules_put_label(out, rs_when_name(c));
	rs_buf_puts(out, "\"} > 0 or increase(ringside_condition_fired_total{condition=\"");
	alert_rules_put_label(out, rs_when_name(c));
	rs_buf_puts(out, "\"}[5m]) > 0'\n        labels: { severity: warning }\n        annotations:\n"
			 "          summary: '{{ $labels.instance }}: ");
	alert_rules_put_text(out, c->text);
	rs_buf_puts(out, "'\n");
}

static enum rs_exit alert_rules_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_when *when = rs_when_new(&(struct rs_when_to){ 0 }, err);
	const struct rs_condition *c;
	struct rs_buf out = RS_BUF_INIT;
	struct rs_daemon_file file;

	if (rs_daemon_file_read(&file, opt->config, RS_DAEMON_OPTIONS, err) == 0 && when &&
	    rs_daemon_file_conditions(&file, opt, when, err) == 0) {
		rs_buf_puts(&out, "groups:\n  - name: ringside\n    rules:\n");
		for (unsigned int i = 0; (c = rs_when_condition(when, i)); i++)
			alert_rules_put(&out, c);
		if (!rs_when_nr(when))
			rs_fail_usage(err, "alert-rules: of which conditions? (--when, or \"when\" in the "
				      "daemon's file)");
		else
			rs_out_end(&out, err);
	}
	rs_daemon_file_done(&file);
	rs_when_free(when);
	return err->status;
}

const struct rs_command rs_command_alert_rules = {
	.name = "alert-rules",
	.arguments = NULL,
	.summary = "alert rules for Prometheus, of the conditions that the daemon judges",
	.options = "when,config",
	.help = "Writes a group of rules, for those who scrape the daemon's --metrics: one for each\n"
		"condition of the daemon's file and of --when.",
	.run = alert_rules_run,
};
