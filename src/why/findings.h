/* SPDX-License-Identifier: GPL-2.0-or-later */
/* findings.h - what the rules of a session tell of the time since the last reset */
#ifndef RS_WHY_FINDINGS_H
#define RS_WHY_FINDINGS_H

struct rs_finding_list;
struct rs_session;

/* Fills a list that was initialized; the caller ends it with rs_finding_list_done. */
void rs_findings_collect(struct rs_session *s, struct rs_finding_list *list);

#endif
