// SPDX-License-Identifier: GPL-2.0-or-later
/* sqlite-findings.c - what is wrong, and the rows that show it */
#include "base/buf.h"
#include "export/sqlite/sqlite.h"
#include "model/finding-list.h"

static struct rs_value sqlite_findings_pid(const struct rs_finding_party *party)
{
	return rs_u_if(party->nr_pids, (uint64_t)party->pids[0]);
}

static void sqlite_findings_put_evidence(struct rs_sqlite *sq, const struct rs_finding_item *f, uint64_t id)
{
	struct rs_buf command = RS_BUF_INIT;

	for (unsigned int i = 0; i < f->nr_evidence; i++) {
		rs_buf_clear(&command);
		rs_finding_list_put_command(f, i, &command);
		rs_sqlite_put(sq, RS_SQLITE_EVIDENCE,
			      (const struct rs_value[]){ rs_u(id), rs_u(i + 1), rs_s(f->evidence[i].view),
							 rs_s(f->evidence[i].sort),
							 rs_s(f->evidence[i].where), rs_s(f->evidence[i].by),
							 rs_s(command.data) });
	}
	rs_buf_done(&command);
}

void rs_sqlite_put_finding(struct rs_scene *s, unsigned int nr, const struct rs_finding_item *f)
{
	char text[RS_FINDING_TEXT], code[RS_FINDING_TEXT];
	struct rs_sqlite *sq = rs_sqlite_of(s);
	struct rs_phrase cause;

	rs_finding_list_cause(f, &cause);
	rs_sqlite_put(sq, RS_SQLITE_FINDING,
		      (const struct rs_value[]){
			      rs_u(nr + 1),
			      rs_s(f->rule->name),
			      rs_s(rs_finding_list_text(f, text)),
			      rs_s(rs_finding_list_code(f, code)),
			      rs_s(f->rule->advice),
			      rs_s(f->confidence == RS_INFERRED ? "inferred" : "measured"),
			      rs_s(f->victim.name),
			      sqlite_findings_pid(&f->victim),
			      rs_u_if(f->victim.nr, f->victim.nr),
			      rs_s(f->culprit.name),
			      sqlite_findings_pid(&f->culprit),
			      rs_u_if(f->culprit.nr, f->culprit.nr),
			      rs_s(cause.text),
			      rs_u(f->cost_ns),
			      rs_u_if(f->lost_ns, f->lost_ns),
			      rs_u_if(f->of_ns, f->of_ns),
			      rs_u(f->measured),
			      rs_u(f->rule->threshold),
			      rs_s(f->rule->unit),
			      rs_u_if(f->since_ns, f->since_ns) });
	sqlite_findings_put_evidence(sq, f, nr + 1);
}
