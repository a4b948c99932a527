/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evaluate.h - the evaluator of rules about waits: rows of families, of which one is told of each process
 *
 * A family judges waits of one kind. It gathers a case of the processes of each name; the first row that is
 * true of it is taken, and told where the waits reach the row's least.
 */
#ifndef RS_WHY_EVALUATE_H
#define RS_WHY_EVALUATE_H

#include "why/blame.h"
#include "ringside/plugin.h"

#define RS_CASE_BYTES 1024         /* the most that a family's case has */
#define RS_CASE_SLOTS 24
#define RS_CASE_NEVER UINT64_MAX   /* a least that nothing reaches */

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
	/* all that the processes did, or could not do: the sentence says the share of it */
	uint64_t of_ns;
	uint64_t cost_ns;              /* 0: .ns */
	const struct rs_blame_entry *e; /* the costliest of the waits; NULL: none in particular */
	const char *victim;            /* NULL: the name of the processes */
	struct rs_case_culprit culprit;
	const struct rs_evidence *evidence; /* NULL: the row's, else the rule's */
	enum rs_confidence confidence;
	bool names_code;
};

struct rs_rule_row {
	const struct rs_rule *rule;
	bool (*is)(const struct rs_case *k); /* NULL: it is true of all that come here */
	struct rs_sentence says;
	const struct rs_evidence *evidence;  /* NULL: the rule's */
	unsigned int by;                     /* the family's: who is the culprit */
	bool is_inferred;
};

struct rs_family {
	const struct rs_rule_row *rows;      /* end with a NULL rule */
	/* Gathers the case, of a zeroed struct. Returns false: there is nothing to judge */
	bool (*find)(struct rs_case *k);
	/* Returns the row that is told, NULL: none. NULL: the first that .is */
	const struct rs_rule_row *(*choose)(struct rs_case *k);
	/* Returns the share of .of_ns from which on it is told, in thousandths of a percent. NULL: any */
	uint64_t (*least)(const struct rs_case *k, const struct rs_rule_row *row);
	/* Sets the culprit, what it costs and how certain it is. NULL: as it is */
	void (*blame)(struct rs_case *k, const struct rs_rule_row *row);
	/* Fills at most RS_CASE_SLOTS slots, with texts in the case; returns how many */
	unsigned int (*slots)(struct rs_case *k, const struct rs_rule_row *row, struct rs_slot *to);
	size_t case_size_bytes;
	bool unless_told;                    /* not of processes that a family before it tells of */
};

/* Returns the row that is true of a case that is gathered; NULL: none. */
const struct rs_rule_row *rs_evaluate_row(const struct rs_family *family, struct rs_case *k);
/*
 * Judges all processes by each family in turn. Called from .findings of an analysis; returns how many
 * findings are told.
 */
unsigned int rs_evaluate(struct rs_ctx *c, const struct rs_family *const *families, size_t nr);

#endif
