/* SPDX-License-Identifier: GPL-2.0-or-later */
/* findings.h - collects what the analyses of a session find wrong */
#ifndef RS_WHY_FINDINGS_H
#define RS_WHY_FINDINGS_H

struct rs_finding_list;
struct rs_session;

/* Adds what all analyses find wrong since the last reset: see finding-list.h. */
void rs_findings_collect(struct rs_session *s, struct rs_finding_list *list);

#endif
