/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finding-variants.h - what must be true of the findings of any recording, judged over the lines of each test that has findings
 *
 * Without a group of events (system calls, block requests ...): each finding that remains has the rule, the victim and the
 * culprit of one of the whole recording. With -p of a victim: the same sentences of it as without. By the analysis of its rule
 * alone, as with -a: the same sentence. Its evidence: see finding-evidence.h.
 */
#ifndef TEST_FINDING_VARIANTS_H
#define TEST_FINDING_VARIANTS_H

#include "ask.h"
#include "engine/session.h"

/* The recording, read by one analysis or by all. */
struct finding_variant {
	struct rs_source *source, *ahead;
	struct rs_session *session;
	int32_t pid;
};

/* Returns false where no layout can have these lines. only: an analysis; NULL: all. pid: of -p; 0 none. */
bool rs_finding_variant_open(struct finding_variant *v, const struct ask *ask, const struct rs_analysis *only, const char *const *lines, int32_t pid);
void rs_finding_variant_run(struct finding_variant *v);
void rs_finding_variant_close(struct finding_variant *v);

void rs_check_finding_variants(const struct ask *ask, const char *const *lines);

#endif
