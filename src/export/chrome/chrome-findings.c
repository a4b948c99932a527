// SPDX-License-Identifier: GPL-2.0-or-later
/* chrome-findings.c - what is wrong: a slice with its sentence for each finding */
#include "export/chrome/chrome.h"
#include "model/finding-list.h"

void rs_chrome_put_findings(struct rs_export *e, const struct rs_finding_list *list)
{
	struct rs_chrome *ch = (struct rs_chrome *)e;
	uint32_t pid = RS_CHROME_FINDINGS + ch->machine * RS_CHROME_MACHINE_FINDINGS, tid = pid;
	const struct rs_finding_item *f;
	struct rs_chrome_track at;

	for (; tid - pid < RS_CHROME_MACHINE_FINDINGS && (f = rs_finding_list_get(list, tid - pid)); tid++) {
		rs_chrome_track_set(&at, pid, tid);
		rs_chrome_finding(ch, &at,
				  f->since_ns && f->since_ns < ch->end_ns ? f->since_ns : ch->base_ns,
				  ch->end_ns, f);
		rs_chrome_name(ch, "thread_name", pid, tid, f->rule->name);
	}
	if (tid != pid)
		rs_chrome_name_findings(ch, pid);
}
