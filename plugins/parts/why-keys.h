/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why-keys.h - what a row of why is of: a part of the time, what that part was of, and a culprit; and how
 * these are shown
 *
 * The first key of a row is made by rs_why_key or rs_why_key_of_run, the second by rs_why_culprit_number.
 */
#ifndef RS_PLUGINS_PARTS_WHY_KEYS_H
#define RS_PLUGINS_PARTS_WHY_KEYS_H

#include "plugins/parts/oncpu.h"
#include "ringside/plugin.h"

struct rs_why_culprit {
	enum rs_culprit_kind kind;
	uint64_t id;
	const struct rs_irq_source *irq;
	int32_t pid;
	int32_t tid;                 /* of a thread of the victim's own process, for whose lock it waits; else 0 */
	const char *cgroup;          /* NULL: unknown */
	char comm[RS_COMM_LEN];      /* as it was when it was first one; later names follow from pid */
};

/* The state of an analysis begins with it. */
struct rs_why_keys {
	struct rs_why_culprit *culprits; /* 0: others */
	uint32_t *places;             /* by hash: the number of the culprit; 0: free */
	uint32_t nr_culprits;
};

/* As .begin of an analysis whose state begins with a struct rs_why_keys. Returns -ENOMEM. */
int rs_why_keys_begin(struct rs_ctx *c);

/* Returns the culprit's number: 0, others, when the table is full. victim: NULL, or whose wait it is. */
uint32_t rs_why_culprit_number(struct rs_ctx *c, const struct rs_task *victim, const struct rs_culprit *k);

/* file: of a read or write, see rs_file_path. */
uint64_t rs_why_key(const struct rs_culprit *k, uint64_t file);
uint64_t rs_why_key_of_run(const struct rs_oncpu_part *part, enum rs_time_part part_of_run);
enum rs_time_part rs_why_part(uint64_t key0);

/* 0: a part of no disk and no lock. */
uint32_t rs_why_dev(uint64_t key0);

/* Of a key of rs_why_key_of_run. */
enum rs_oncpu_kind rs_why_run_kind(uint64_t key0);

/* Is it a part of the time on a CPU? */
bool rs_why_is_run(enum rs_time_part part);

/* The time on a CPU of all the parts. */
uint64_t rs_why_run_ns(const struct rs_culprits *culprits);

/*
 * Of what the task did on a CPU, for run_ns in all, the part that it did at the frequency that k is of: no
 * event tells which it was. The two frequencies of a slice add up to part->ns.
 */
uint64_t rs_why_share_of_run(const struct rs_oncpu_part *part, const struct rs_culprit *k, uint64_t run_ns);

/* The address of a kernel lock, or the number of a socket's name, for the peak of its row. */
const void *rs_why_peak_of(const struct rs_culprit *k);

/* 0: the longest wait of the row was for no kernel lock, for no socket, or it is unknown. See rs_socket_name. */
uint64_t rs_why_peak_lock(const struct rs_peak *peak);
uint32_t rs_why_peak_socket(const struct rs_peak *peak);

/*
 * Is it what somebody takes from a task? Not its own choice to sleep, nor the time that an idle CPU takes to
 * wake up.
 */
bool rs_why_has_taken_key(uint64_t key0, uint64_t key1);

/* Cells, as .cell of a column. */
struct rs_value rs_why_show_part(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_why_show_dev(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_why_show_type(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_why_show_culprit(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_why_show_culprit_pid(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_why_show_culprit_cgroup(struct rs_ctx *c, const struct rs_group *g, char *buf);

#endif
