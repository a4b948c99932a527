// SPDX-License-Identifier: GPL-2.0-or-later
/* show-incidents - findings --over-time: when each was found, how often, and its slowest wait */
#include "cli/show/show-incidents.h"

#include <inttypes.h>

#include "base/escape.h"
#include "base/units.h"
#include "cli/show/show-findings.h"
#include "service/op-incidents.h"

void rs_show_incidents_ask(struct rs_incidents *incidents, const struct rs_moment_clock *clock,
			   struct rs_session_config *config)
{
	config->step_ns = rs_op_incidents_step_ns(config->from_ns ? config->from_ns : clock->begin_ns,
						  config->to_ns ? config->to_ns : clock->end_ns);
	config->end_step = rs_op_incidents_end_step;
	config->step_arg = incidents;
}

/* "2.001" of a time, from the begin, as --from and --to take it. */
static void incidents_put_seconds(struct rs_buf *out, uint64_t ns, uint64_t begin_ns)
{
	uint64_t ms = ns > begin_ns ? (ns - begin_ns) / 1000000 : 0;

	rs_buf_printf(out, "%" PRIu64 ".%03" PRIu64, ms / 1000, ms % 1000);
}

static void incidents_put_often(const struct rs_incidents *in, const struct rs_incident *i, uint64_t begin_ns,
				struct rs_buf *out)
{
	char often[128], text[RS_UNIT_TEXT + 1];

	rs_incident_often(in, i, 0, often, sizeof often);
	rs_buf_printf(out, "    found: in %" PRIu64 " interval%s%s%s", i->nr_found,
		      i->nr_found == 1 ? "" : "s", *often ? "; waits: " : "", often);
	if (i->slowest.tid) {
		text[rs_units_put_duration(text, i->slowest.to_ns - i->slowest.from_ns, RS_UNIT_AUTO, -1)] =
			'\0';
		rs_buf_printf(out, "; the slowest: %s at ", text);
		incidents_put_seconds(out, i->slowest.from_ns, begin_ns);
		rs_buf_puts(out, " s");
	}
	rs_buf_putc(out, '\n');
}

static void incidents_put_text(const struct rs_incidents *in, const struct rs_incident *i,
			       const struct rs_options *opt, uint64_t begin_ns, struct rs_buf *out)
{
	char text[RS_FINDING_TEXT];

	incidents_put_seconds(out, i->begin_ns, begin_ns);
	rs_buf_puts(out, " to ");
	incidents_put_seconds(out, i->end_ns, begin_ns);
	rs_buf_puts(out, " s: ");
	rs_escape_text(out, rs_finding_list_text(&i->item, text));
	rs_buf_putc(out, '\n');
	incidents_put_often(in, i, begin_ns, out);
	rs_buf_puts(out, "    see: ");
	rs_show_findings_put_command(&i->item, opt, out);
	if (opt->input && !opt->of_window) {
		rs_buf_puts(out, " --from ");
		incidents_put_seconds(out, i->begin_ns, begin_ns);
		rs_buf_puts(out, " --to ");
		incidents_put_seconds(out, i->end_ns + 999999, begin_ns);
	}
	rs_buf_printf(out, "\n    rule: %s\n", i->item.rule->name);
}

static void incidents_put_none(const struct rs_incidents *in, struct rs_buf *out)
{
	uint64_t from_ns, to_ns;

	rs_incidents_time(in, &from_ns, &to_ns);
	rs_buf_puts(out, to_ns ? "no incidents: no rule applies in any interval\n" :
				 "no incidents: no time was judged\n");
}

void rs_show_incidents_put(const struct rs_incidents *incidents, struct rs_session *session,
			   const struct rs_options *opt, uint64_t begin_ns, struct rs_buf *out)
{
	const struct rs_incident *i;
	struct rs_json j;

	for (size_t n = 0; (!opt->nr_rows || n < opt->nr_rows) && (i = rs_incidents_get(incidents, n)); n++) {
		if (!opt->json) {
			incidents_put_text(incidents, i, opt, begin_ns, out);
			continue;
		}
		rs_json_init(&j, out);
		rs_op_incidents_put(&j, incidents, i);
		rs_buf_putc(out, '\n');
	}
	if (!rs_incidents_get(incidents, 0) && !opt->json)
		incidents_put_none(incidents, out);
	rs_show_findings_put_end(session, opt, out);
}

/* ---- as a list ---- */

bool rs_show_incidents_has_steps(const struct rs_moment_clock *clock)
{
	uint64_t len_ns = clock->end_ns > clock->begin_ns ? clock->end_ns - clock->begin_ns : 0;

	return len_ns > rs_op_incidents_step_ns(clock->begin_ns, clock->end_ns);
}

#define INCIDENTS_RULE 24 /* columns */

/* "   2.001      3.50s  futex-wait  4 times 300ms, every 1.00s: cart (811) waits 30 % for a lock" */
static void incidents_put_line(const struct rs_incidents *in, const struct rs_incident *i, uint64_t begin_ns,
			       struct rs_buf *out)
{
	char often[128], text[RS_FINDING_TEXT], length[RS_UNIT_TEXT + 1];
	struct rs_buf began = RS_BUF_INIT;

	incidents_put_seconds(&began, i->begin_ns, begin_ns);
	length[rs_units_put_duration(length, i->end_ns - i->begin_ns, RS_UNIT_AUTO, -1)] = '\0';
	rs_incident_often(in, i, 0, often, sizeof often);
	rs_buf_printf(out, "%10s %8s  %-*s %s%s", began.data ? began.data : "", length, INCIDENTS_RULE,
		      i->item.rule->name, often, *often ? ": " : "");
	rs_escape_text(out, rs_finding_list_brief(&i->item, text));
	rs_buf_putc(out, '\n');
	rs_buf_done(&began);
}

void rs_show_incidents_list(const struct rs_incidents *incidents, const struct rs_options *opt,
			    uint64_t begin_ns, struct rs_buf *out)
{
	struct rs_buf command = RS_BUF_INIT;
	const struct rs_incident *i;
	uint64_t from_ns, to_ns;

	rs_incidents_time(incidents, &from_ns, &to_ns);
	if (!rs_incidents_get(incidents, 0) || to_ns - from_ns <= rs_op_incidents_step_ns(from_ns, to_ns))
		return;
	rs_buf_printf(out, "\n%10s %8s  %-*s %s\n", "BEGAN(s)", "LASTED", INCIDENTS_RULE, "RULE", "INCIDENT");
	for (size_t n = 0; (!opt->nr_rows || n < opt->nr_rows) && (i = rs_incidents_get(incidents, n)); n++)
		incidents_put_line(incidents, i, begin_ns, out);
	rs_buf_puts(&command, "see: ringside findings --over-time");
	rs_show_findings_put_source(opt, &command);
	rs_escape_text(out, command.data);
	rs_buf_putc(out, '\n');
	rs_buf_done(&command);
}
