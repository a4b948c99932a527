/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finding-list.h - the findings of the analyses, the costliest first
 *
 * Findings of one rule whose victims have one name and program, and whose culprits have, are one item. Of one
 * rule at most RS_FINDINGS_OF_RULE items are listed: where all wait for a CPU, who waits most is named. Who
 * takes the time of another is not listed for what it does to itself: if that is odd it is said of the
 * culprit, in the other's sentence.
 */
#ifndef RS_MODEL_FINDING_LIST_H
#define RS_MODEL_FINDING_LIST_H

#include <stddef.h>

#include "base/buf.h"
#include "model/phrase.h"
#include "model/short-args.h"

#define RS_FINDINGS_OF_RULE 3
#define RS_FINDING_PIDS 16
#define RS_FINDING_TEXT RS_PHRASE_SIZE

/* The processes of a name, or something that is no process. */
struct rs_finding_party {
	char name[64];              /* "": unknown */
	uint32_t program;           /* that these processes interpret, see process-program.h; 0: none */
	/*
	 * of one that shares its name, or several of a program: "python3 server.py", "python3
	 * server.py/worker"; else ""
	 */
	char title[RS_SHORT_ARGS_BYTES + RS_COMM_LEN];
	unsigned int nr;            /* different processes; 0: it is not a process */
	unsigned int nr_pids;
	int32_t pids[RS_FINDING_PIDS]; /* the first of them */
};

struct rs_finding_item {
	const struct rs_rule *rule;
	/* first_cost_ns: of the costliest one of the item */
	uint64_t cost_ns, of_ns, first_cost_ns, measured, since_ns;
	struct rs_wait_instance slowest; /* of all; .tid 0: none is known */
	uint64_t lost_ns;           /* that was measured; 0: the rule measures something else */
	/*
	 * cost as thousandths of one thread's time, at most 1000: of several threads it may be less than it
	 * costs
	 */
	unsigned int weight;
	enum rs_confidence confidence;
	struct rs_finding_party victim, culprit;
	struct rs_phrase cause, how; /* of the costliest one, as are the next; how may have no words */
	char view[40], where[120];  /* where may be "" */
	bool is_complete;           /* how says all of the culprit */
	bool names_code;
	enum rs_category category;  /* of the waits of the victim; RS_CATEGORY_RUN: none in particular */
	/* that the culprit, else the victim, spends most CPU time in; "": unknown */
	struct { char function[160], module[64]; uint64_t nr, nr_samples; } code;
	/* what the culprit does all the time: "makes 3041 read calls a second"; "": nothing odd */
	char reason[240];
	bool is_told;               /* it is of what the user asked about */
	bool hidden;                /* by another that says it better, or not to be told */
	unsigned int nr_evidence;
	/* sort, where and by may be "" */
	struct { char view[40], sort[40], where[120], by[64]; } evidence[RS_MAX_EVIDENCE];
};

/* A finding whose templates are expanded. */
struct rs_finding_told {
	const struct rs_finding *finding;
	uint32_t victim_program, culprit_program; /* 0: none, or not known */
	struct rs_phrase cause, how;
	const char *where;              /* of the rule's view; NULL: all rows */
	const struct rs_evidence *evidence; /* that can be shown; ends with a NULL view. NULL: .view alone */
	/* else it is judged like the others, what the user asked about included, and then left out */
	bool is_told;
};

struct rs_finding_list {
	uint64_t interval_ns;       /* that is judged */
	struct rs_finding_item *items;
	size_t nr, max;             /* max: items that are stored */
};

/* Returns false without memory. */
bool rs_finding_list_init(struct rs_finding_list *list);
void rs_finding_list_done(struct rs_finding_list *list);
void rs_finding_list_add(struct rs_finding_list *list, const struct rs_finding_told *told);
void rs_finding_list_end(struct rs_finding_list *list); /* after the last one */
/* Returns the n-th that is listed, the costliest first; NULL: no more. */
const struct rs_finding_item *rs_finding_list_get(const struct rs_finding_list *list, size_t n);

/* The sentence in words; brief: without RS_SLOT_OF_TIME, where there is little room. */
void rs_finding_list_words(const struct rs_finding_item *item, bool brief, struct rs_phrase *out);
/* What follows the share: "for disk vda". */
void rs_finding_list_cause(const struct rs_finding_item *item, struct rs_phrase *out);
/*
 * The sentence as text: "30 reader processes wait 83 % of their time for disk vda: requests of writer (90)";
 * buf: RS_FINDING_TEXT bytes.
 */
const char *rs_finding_list_text(const struct rs_finding_item *item, char *buf);
/* The same where there is little room, the cause first. */
const char *rs_finding_list_brief(const struct rs_finding_item *item, char *buf);
/* Whose code explains it: the culprit, else the victim. */
const struct rs_finding_party *rs_finding_list_runner(const struct rs_finding_item *item);
/*
 * "writer (90) spends 61 % of its CPU time in deflate (libz.so.1)"; NULL: unknown. buf: RS_FINDING_TEXT
 * bytes.
 */
const char *rs_finding_list_code(const struct rs_finding_item *item, char *buf);
/* "writer (90)", "python3 server.py (91)", "3 python3 batch.py processes"; NULL: unknown. */
const char *rs_finding_list_party(const struct rs_finding_party *party, char *buf, size_t size_bytes);

/* What shows a row of the evidence; all but the view may be NULL or "". */
struct rs_finding_command {
	const char *view, *by, *sort, *where;
};

/* "ringside disks --where 'dev == "8,0"'"; hostile bytes, escaped for a shell. */
void rs_finding_list_command(const struct rs_finding_command *command, struct rs_buf *out);
/* That of the item's evidence with the number. */
void rs_finding_list_put_command(const struct rs_finding_item *item, unsigned int evidence,
				 struct rs_buf *out);

#endif
