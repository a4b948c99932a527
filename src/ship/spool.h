/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spool.h - batches on the disk until they are delivered
 *
 *	rs_spool_open(&s, folder, boot, 256 << 20, &err);
 *	... write batch s.next to the folder that rs_spool_path names
 *	rs_spool_add(&s, to_ns, &err);              // from now on it is to be delivered
 *	while (rs_spool_first(&s, &number))
 *		deliver, then rs_spool_remove(&s, number);
 *	rs_spool_close(&s);
 *
 * A batch is a folder, named by its number. The file "state" has the number of the next one and the time that
 * all before it cover: it is replaced in one step when a batch is added, so that a batch that was only half
 * made is made anew, and one that was delivered is never made again. Who delivers a batch twice inserts the
 * same rows twice: they have the same sequence.
 */
#ifndef RS_SHIP_SPOOL_H
#define RS_SHIP_SPOOL_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct rs_spool {
	char folder[PATH_MAX];
	int dir, lock;
	char boot[48];
	uint64_t next;           /* number of the batch to be made */
	/* trace clock of this boot: earlier batches cover the time up to here; 0: none */
	uint64_t done_ns;
	uint64_t nr_dropped;     /* batches that were given up, of all boots */
	uint64_t most_bytes;
};

/*
 * Makes the folder if it is not there. boot: of now; another one's state has no time. -1: err is set; another
 * process uses it.
 */
int rs_spool_open(struct rs_spool *s, const char *folder, const char *boot, uint64_t most_bytes,
		  struct rs_error *err);
void rs_spool_close(struct rs_spool *s);
/* Writes the folder of a batch into path. */
void rs_spool_path(const struct rs_spool *s, uint64_t number, char path[PATH_MAX]);
/* Batch .next is complete. Drops the oldest ones if the spool is too large. */
int rs_spool_add(struct rs_spool *s, uint64_t to_ns, struct rs_error *err);
/* Finds the oldest batch that is to be delivered. Returns false if there is none. */
bool rs_spool_first(const struct rs_spool *s, uint64_t *number);
int rs_spool_remove(struct rs_spool *s, uint64_t number, struct rs_error *err);

#endif
