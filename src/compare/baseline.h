/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * baseline.h - sides that are kept, by name, in one SQLite database
 *
 *	struct rs_baselines *store = rs_baselines_open(path, true, &err);
 *
 *	rs_baselines_save(store, "friday", side, &details, &err);      // whole, or not at all
 *	rs_baselines_load(store, "friday", other, &details, &err);     // views that both have
 *	rs_baselines_close(store);
 *
 * The man page ringside-baseline(1) describes the tables. A later version reads those of an earlier one: a
 * view, or a key of it, that it does not know any more is left out.
 */
#ifndef RS_COMPARE_BASELINE_H
#define RS_COMPARE_BASELINE_H

#include "base/buf.h"
#include "compare/side.h"

#define RS_BASELINE_APPLICATION_ID 0x72736273 /* "rsbs" */
#define RS_BASELINE_VERSION 2 /* 1 has no options; it is read all the same */
#define RS_BASELINE_NAME 64  /* bytes of a name, with its NUL */
#define RS_BASELINE_TEXT 256

struct rs_baseline_details {
	char name[RS_BASELINE_NAME];
	char source[RS_BASELINE_TEXT];  /* the file, the command, or how long */
	char kernel[RS_BASELINE_NAME], machine[RS_BASELINE_NAME], host[RS_BASELINE_NAME]; /* "" unknown */
	char options[RS_BASELINE_TEXT]; /* what narrowed it, as typed: "--comm nginx"; "" nothing */
	int64_t saved_s;                /* since 1970 */
	uint64_t len_ns, lost_ns;
	uint64_t nr_blocks, nr_rows, nr_bytes, nr_views; /* on loading and listing */
};

struct rs_baselines;

/* create: makes the file, and its folder, where there is none. path must outlive it. NULL: err is set. */
struct rs_baselines *rs_baselines_open(const char *path, bool create, struct rs_error *err);
void rs_baselines_close(struct rs_baselines *store);

/* Letters, digits, '.', '_' and '-', not too long, and no '-' first: it goes on command lines. */
bool rs_baseline_name_is_good(const char *name);
/* How many views are saved of a side: one that is asked for twice is one. */
uint64_t rs_baseline_nr_views(const struct rs_side *side);
/* Takes the place of one of this name. */
int rs_baselines_save(struct rs_baselines *store, const struct rs_side *side,
		      const struct rs_baseline_details *details, struct rs_error *err);
/*
 * Fills a side that is empty: those of its views that the baseline has with the same keys. The name of one
 * that has not is put to `missing`, which may be NULL. -1: there is none of this name, or it is damaged.
 */
int rs_baselines_load(struct rs_baselines *store, const char *name, struct rs_side *side,
		      struct rs_baseline_details *details, struct rs_buf *missing, struct rs_error *err);
/* Calls each for every view that a baseline has, with its keys: "comm,syscall". */
int rs_baselines_list_views(struct rs_baselines *store, const char *name,
			    void (*each)(void *arg, const char *view, const char *keys), void *arg,
			    struct rs_error *err);
int rs_baselines_remove(struct rs_baselines *store, const char *name, struct rs_error *err);
/* Calls each for every baseline, the oldest first. */
int rs_baselines_list(struct rs_baselines *store,
		      void (*each)(void *arg, const struct rs_baseline_details *details), void *arg,
		      struct rs_error *err);

#endif
