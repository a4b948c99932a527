/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save-tracedat.h - the pages of a source as a trace.dat: what a daemon saves of its window, what `export`
 * cuts out of a file
 *
 * In one pass and constant memory. Records are copied as the kernel wrote them, and losses stay where they
 * were.
 */
#ifndef RS_SERVICE_SAVE_TRACEDAT_H
#define RS_SERVICE_SAVE_TRACEDAT_H

#include "source/source.h"

struct rs_save_tracedat {
	/* of these pages alone; its info has the tasks of the begin. The caller closes it */
	struct rs_source *source;
	uint64_t from_ns, to_ns;        /* of the samples; to_ns 0: no end */
	/* tasks whose names readers cannot have from the initial task snapshot */
	const struct rs_initial_task *named;
	size_t nr_named;
	const bool *cpus;               /* these alone, also of the samples; NULL: all */
	/*
	 * Of each CPU, 0 of those left out. NULL: as many as the source says are left, and empty ones in the
	 * place of those that expire meanwhile
	 */
	const uint64_t *nr_pages;
	int (*write)(void *arg, const void *data, size_t len_bytes, struct rs_error *err);
	void *arg;
	uint64_t nr_events, nr_samples; /* written: results */
};

/* Returns 0, or -1 with err. */
int rs_save_tracedat(struct rs_save_tracedat *save, struct rs_error *err);

#endif
