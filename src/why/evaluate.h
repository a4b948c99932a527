/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evaluate.h - the evaluator of rules about waits: families of rows, of which one is reported
 *
 * A family judges waits of one kind. It gathers a case for the processes of each name, and reports the first
 * row that matches the case, if the share of time lost reaches the row's threshold.
 */
#ifndef RS_WHY_EVALUATE_H
#define RS_WHY_EVALUATE_H

#include "why/blame.h"
#include "ringside/plugin.h"

#define RS_CASE_BYTES 1024         /* the most that a family's case has */
/* sizeof, which the compiler checks against the room that the evaluator has */
#define RS_CASE_SIZE(type) \
	(sizeof(type) + \
	 0 * sizeof(struct { _Static_assert(sizeof(type) <= RS_CASE_BYTES, "room for a case"); char c; }))
#define RS_CASE_SLOTS 32
#define RS_CASE_NEVER UINT64_MAX   /* a share that no wait reaches */

/* Who took the time. */
struct rs_case_culprit {
	const char *comm;              /* NULL: unknown */
	int32_t pid;                   /* 0: not one process */
	unsigned int nr;               /* processes of the name; 0: the one of .pid */
};

/* What is judged, the first member of a family's own struct; zeros but for the first three. */
struct rs_case {
	struct rs_ctx *c;
	const struct rs_blame *b;
	uint64_t interval_ns;
	uint64_t ns, nr;               /* of the waits */
	/* time of the processes, on a CPU or kept from their work: the sentence says the share of it */
	uint64_t of_ns;
	uint64_t cost_ns;              /* 0: .ns */
	const struct rs_blame_entry *e; /* the costliest of the waits; NULL: none in particular */
	const char *victim;            /* NULL: the name of the processes */
	struct rs_case_culprit culprit;
	const struct rs_evidence *evidence; /* NULL: the row's, else the rule's */
	enum rs_confidence confidence;
	bool names_code;
};

/* Slots of a sentence and its evidence. */
struct rs_case_slots {
	unsigned int nr;
	struct rs_slot at[RS_CASE_SLOTS + 1];
};

/* Those beyond RS_CASE_SLOTS are left out: their places in the sentence stay empty. */
void rs_evaluate_add_slots(struct rs_case_slots *to, const struct rs_slot *slots, size_t nr);

struct rs_rule_row {
	const struct rs_rule *rule;
	bool (*is)(const struct rs_case *k); /* NULL: matches always */
	struct rs_sentence says;
	const struct rs_evidence *evidence;  /* NULL: the rule's */
	unsigned int by;                     /* a number of the family's own: who is the culprit */
	bool is_inferred;
};

struct rs_family {
	const struct rs_rule_row *rows;      /* ends with a NULL rule, unless there is .choose */
	/* Gathers the case, of a zeroed struct. Returns false: there is nothing to judge */
	bool (*find)(struct rs_case *k);
	/*
	 * Returns the row to report, NULL: none. Of a family whose rows are the leaves of a decision tree;
	 * NULL: the first row whose .is matches
	 */
	const struct rs_rule_row *(*choose)(struct rs_case *k);
	/* Returns the least share of .of_ns that is reported, in thousandths of a percent. NULL: any */
	uint64_t (*least)(const struct rs_case *k, const struct rs_rule_row *row);
	/* Sets .culprit, .cost_ns, .confidence, .evidence. NULL: leaves the culprit unknown, the cost at .ns
	 */
	void (*blame)(struct rs_case *k, const struct rs_rule_row *row);
	/* Adds slots by rs_evaluate_add_slots; their texts are in the case, or live as long */
	void (*slots)(struct rs_case *k, const struct rs_rule_row *row, struct rs_case_slots *to);
	size_t case_size_bytes;              /* RS_CASE_SIZE */
	bool unless_told;                    /* skips processes that an earlier family has reported */
};

/* Returns the row that matches a case; NULL: none. */
const struct rs_rule_row *rs_evaluate_row(const struct rs_family *family, struct rs_case *k);
/*
 * Judges the processes of each name by all families in turn. Called from .findings of an analysis.
 */
void rs_evaluate(struct rs_ctx *c, const struct rs_family *const *families, size_t nr);

#endif
