/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finding-evidence.h - each command that a finding names as its evidence, run over the recording that the finding is of
 *
 * It has rows, the largest come first where it sorts, and the first row is about somebody or something that the sentence names.
 */
#ifndef TEST_FINDING_EVIDENCE_H
#define TEST_FINDING_EVIDENCE_H

#include "ask.h"
#include "model/finding-list.h"

void rs_check_finding_evidence(const struct ask *ask, const char *const *lines, const struct rs_finding_list *list);

#endif
