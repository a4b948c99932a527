/* SPDX-License-Identifier: GPL-2.0-or-later */
/* condition-clauses.h - behind a comparison: for TIME, until VALUE, every TIME, except HH:MM-HH:MM */
#ifndef RS_WHEN_CONDITION_CLAUSES_H
#define RS_WHEN_CONDITION_CLAUSES_H

#include "when/condition-parser.h"

/* All that follow, up to the end. unit: of a bare number behind `until`, NULL: the column's. */
int rs_condition_clauses_take(struct rs_condition_parser *p, const char *unit);

#endif
