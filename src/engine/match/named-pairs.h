/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * named-pairs.h - pairs of events that an analysis names at run time
 */
#ifndef RS_ENGINE_MATCH_NAMED_PAIRS_H
#define RS_ENGINE_MATCH_NAMED_PAIRS_H

struct rs_analysis_instance;
struct rs_named_pair;
struct rs_session;

/* Freed by rs_named_pairs_done. */
struct rs_named_pairs {
	struct rs_named_pair **at;
	unsigned int nr;
};

/* Binds the pairs of an analysis, and disables it if the trace has none of them. 0, or -1 without memory */
int rs_named_pairs_bind(struct rs_session *s, struct rs_analysis_instance *instance);
int rs_named_pairs_route(struct rs_session *s); /* 0, or -1 without memory */
void rs_named_pairs_done(struct rs_session *s);

#endif
